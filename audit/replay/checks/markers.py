"""Check that a marker is paid by its player, that at most the amount owed is paid, and that it is not paid to
its issuer.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.facts.input_parsing import whole
from audit.replay.checks import Ledger, LedgerCheck
from audit.replay.results import Finding
from audit.replay.table_days import Range, add, within
from games.kit.amounts import say
from games.kit.events import Event


class Marker(Struct):
    """A marker on which an amount is still owed."""

    stream: str
    player: str
    by: str
    amount: int
    paid: int = 0


class State(Struct):
    """Open markers and settled markers (paid in full or void), by currency and serial."""

    open: dict[str, dict[str, Marker]] = field(default_factory=dict)
    over: dict[str, dict[str, list[Range]]] = field(default_factory=dict)
    """The settled serials of each series, as ranges of numbers. A list of all markers ever issued would be
    too large.
    """
    odd: dict[str, list[str]] = field(default_factory=dict)
    """Settled serials that do not end in a number."""

    def end(self, currency: str, slip: str) -> None:
        """Record that nothing is owed on a marker any more."""
        self.open.get(currency, {}).pop(slip, None)
        series, _, digits = slip.rpartition("-")
        number = whole(digits)
        if number is None:
            self.odd.setdefault(currency, []).append(slip)
        else:
            add(self.over.setdefault(currency, {}).setdefault(series, []), number)

    def is_over(self, currency: str, slip: str) -> bool:
        """Return True if a marker with this serial was issued in this currency and is settled."""
        series, _, digits = slip.rpartition("-")
        number = whole(digits)
        if number is None:
            return slip in self.odd.get(currency, ())
        return within(self.over.get(currency, {}).get(series, []), number)


class Markers(LedgerCheck):
    name = "markers"
    codes = ("marker-overpaid", "marker-unknown", "signer-not-entitled")
    cite = cite("MA-08")
    kinds = (f.MarkerIssued, f.MarkerPaid, f.SlipVoided)
    StateType = State

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        state = self.state
        assert isinstance(state, State)
        if isinstance(event, f.MarkerIssued):
            markers = state.open.setdefault(ledger.currency, {})
            known = markers.get(event.slip)
            if known is None:
                markers[event.slip] = Marker(ledger.place.stream, event.player, event.by, event.amount)
            else:
                known.amount += event.amount
        elif isinstance(event, f.SlipVoided):
            yield from self.void(state, event, ledger)
        else:
            assert isinstance(event, f.MarkerPaid)
            yield from self.pay(state, event, ledger)

    def void(self, state: State, event: f.SlipVoided, ledger: Ledger) -> Iterator[Finding]:
        """Find the voiding of a marker that has payments."""
        for currency, markers in state.open.items():
            marker = markers.get(event.slip)
            if marker is not None and marker.stream == ledger.place.stream:
                state.end(currency, event.slip)
                if marker.paid:
                    says = (
                        f"Marker {event.slip} was voided when {say(marker.paid, currency)} of it had been"
                        " paid."
                    )
                    yield self.finding("marker-overpaid", ledger.place, says, owed=0, moved=-marker.paid)

    def pay(self, state: State, event: f.MarkerPaid, ledger: Ledger) -> Iterator[Finding]:
        currency, slip = ledger.currency, event.slip
        paid = f"{event.by} took {say(event.amount, currency)} for marker {slip}"
        marker = state.open.get(currency, {}).get(slip)
        if marker is None:
            if state.is_over(currency, slip):
                says = f"{paid}, on which nothing is owed: it was paid in full or voided before."
                yield self.finding("marker-overpaid", ledger.place, says, owed=0, moved=-event.amount)
                return
            others = [other for other, markers in state.open.items() if slip in markers]
            says = f"{paid}, which is owed in {others[0]}." if others else f"{paid}, which was never issued."
            yield self.finding("marker-unknown", ledger.place, says, owed=0, moved=-event.amount)
            return
        if marker.player != event.player:
            says = f"{paid} from {event.player}. It was issued to {marker.player}."
            yield self.finding("marker-unknown", ledger.place, says, owed=0, moved=-event.amount)
        if marker.by == event.by:
            says = f"{paid}, which the same person had issued. Another person must take the payment."
            yield self.finding("signer-not-entitled", ledger.place, says, cite=cite("MA-09"))
        left = marker.amount - marker.paid
        if event.amount > left:
            says = (
                f"{paid}, on which {say(left, currency)} was owed: {say(event.amount - left, currency)} too"
                " much."
            )
            yield self.finding("marker-overpaid", ledger.place, says, owed=-left, moved=-event.amount)
        marker.paid += event.amount
        if marker.paid >= marker.amount:
            state.end(currency, slip)


CHECK = Markers

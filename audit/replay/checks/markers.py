"""Check that a marker is paid by its player, that at most the amount owed is paid or written off, that at
most the amount written off is recovered, and that its issuer neither takes a payment nor signs the write-off.
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

EXCEEDS = "write-off-exceeds-marker"


class Marker(Struct):
    """A marker on which an amount is still owed."""

    stream: str
    player: str
    by: str
    amount: int
    paid: int = 0
    written_off: int = 0

    @property
    def left(self) -> int:
        """Return the amount that is still owed."""
        return self.amount - self.paid - self.written_off


class WrittenOff(Struct):
    """A marker that was written off, in full or in part."""

    stream: str
    player: str
    by: str
    amount: int = 0
    recovered: int = 0


class State(Struct):
    """Open markers and settled markers (paid in full, written off or void), by currency and serial."""

    open: dict[str, dict[str, Marker]] = field(default_factory=dict)
    over: dict[str, dict[str, list[Range]]] = field(default_factory=dict)
    """The settled serials of each series, as ranges of numbers. A list of all markers ever issued would be
    too large.
    """
    odd: dict[str, list[str]] = field(default_factory=dict)
    """Settled serials that do not end in a number."""
    written_off: dict[str, dict[str, WrittenOff]] = field(default_factory=dict)
    """Markers that were written off, by currency and serial. They are kept, because a player may pay them
    years later.
    """

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
    codes = ("marker-overpaid", "marker-unknown", "signer-not-entitled", EXCEEDS)
    cite = cite("MA-08")
    kinds = (f.MarkerIssued, f.MarkerPaid, f.SlipVoided, f.MarkerWrittenOff, f.MarkerRecovered)
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
        elif isinstance(event, f.MarkerWrittenOff):
            yield from self.write_off(state, event, ledger)
        elif isinstance(event, f.MarkerRecovered):
            yield from self.recover(state, event, ledger)
        else:
            assert isinstance(event, f.MarkerPaid)
            yield from self.pay(state, event, ledger)

    def void(self, state: State, event: f.SlipVoided, ledger: Ledger) -> Iterator[Finding]:
        """Yield a finding if a voided marker has been paid or written off before, in full or in part."""
        slip = event.slip
        for currency, markers in state.open.items():
            marker = markers.get(slip)
            if marker is not None and marker.stream == ledger.place.stream:
                state.end(currency, slip)
                if marker.paid:
                    says = f"Marker {slip} was voided when {say(marker.paid, currency)} of it had been paid."
                    yield self.finding("marker-overpaid", ledger.place, says, owed=0, moved=-marker.paid)
        for currency, written_off in state.written_off.items():
            former = written_off.get(slip)
            if former is not None and former.stream == ledger.place.stream:
                amount = say(former.amount, currency)
                says = f"Marker {slip} was voided when {amount} of it had been written off."
                yield self.finding(
                    EXCEEDS, ledger.place, says, owed=0, moved=former.amount, cite=cite("MA-11")
                )

    def pay(self, state: State, event: f.MarkerPaid, ledger: Ledger) -> Iterator[Finding]:
        currency, slip = ledger.currency, event.slip
        paid = f"{event.by} took {say(event.amount, currency)} for marker {slip}"
        marker = state.open.get(currency, {}).get(slip)
        if marker is None:
            if slip in state.written_off.get(currency, {}):
                says = (
                    f"{paid}, on which nothing is owed: it was written off. Such a payment is recorded as"
                    " `marker-recovered`."
                )
                yield self.finding("marker-overpaid", ledger.place, says, owed=0, moved=-event.amount)
            elif state.is_over(currency, slip):
                says = f"{paid}, on which nothing is owed: it was paid in full or voided before."
                yield self.finding("marker-overpaid", ledger.place, says, owed=0, moved=-event.amount)
            else:
                says = f"{paid}, {unknown(state, slip)}."
                yield self.finding("marker-unknown", ledger.place, says, owed=0, moved=-event.amount)
            return
        yield from self.payer(marker, event, paid, ledger)
        if event.amount > marker.left:
            says = (
                f"{paid}, on which {say(marker.left, currency)} was owed:"
                f" {say(event.amount - marker.left, currency)} too much."
            )
            yield self.finding("marker-overpaid", ledger.place, says, owed=-marker.left, moved=-event.amount)
        marker.paid += event.amount
        if marker.left <= 0:
            state.end(currency, slip)

    def payer(
        self, marker: Marker | WrittenOff, event: f.MarkerPaid | f.MarkerRecovered, paid: str, ledger: Ledger
    ) -> Iterator[Finding]:
        """Yield a finding if a marker is paid by another player than its own, and a finding if the person who
        issued the marker takes the payment.

        Args:
            paid: the beginning of the sentences: who took which amount for which marker.
        """
        if marker.player != event.player:
            says = f"{paid} from {event.player}. It was issued to {marker.player}."
            yield self.finding("marker-unknown", ledger.place, says, owed=0, moved=-event.amount)
        if marker.by == event.by:
            says = f"{paid}, which the same person had issued. Another person must take the payment."
            yield self.finding("signer-not-entitled", ledger.place, says, cite=cite("MA-09"))

    def write_off(self, state: State, event: f.MarkerWrittenOff, ledger: Ledger) -> Iterator[Finding]:
        """Record a write-off, and yield its findings: nothing is owed on the marker, more is written off than
        is owed, the player is another one, or the person who issued the marker signs.
        """
        currency, slip = event.currency, event.slip
        did = f"{event.by} wrote off {say(event.amount, currency)} of marker {slip}"
        marker = state.open.get(currency, {}).get(slip)
        control, moved = cite("MA-11"), event.amount
        if marker is None:
            if state.is_over(currency, slip):
                says = f"{did}, on which nothing is owed: it was paid in full, written off or voided before."
                yield self.finding(EXCEEDS, ledger.place, says, owed=0, moved=moved, cite=control)
            else:
                says = f"{did}, {unknown(state, slip)}."
                yield self.finding("marker-unknown", ledger.place, says, owed=0, moved=moved, cite=control)
            return
        if marker.player != event.player:
            says = f"{did} for {event.player}. It was issued to {marker.player}."
            yield self.finding("marker-unknown", ledger.place, says, owed=0, moved=moved, cite=control)
        if marker.by in (event.by, event.second):
            says = f"{did}. {marker.by} issued the marker and signed its write-off. Others must sign it."
            yield self.finding("signer-not-entitled", ledger.place, says, cite=control)
        if event.amount > marker.left:
            says = (
                f"{did}, on which {say(marker.left, currency)} was owed:"
                f" {say(event.amount - marker.left, currency)} too much."
            )
            yield self.finding(EXCEEDS, ledger.place, says, owed=marker.left, moved=moved, cite=control)
        amount = min(event.amount, marker.left)
        marker.written_off += amount
        former = state.written_off.setdefault(currency, {}).setdefault(
            slip, WrittenOff(marker.stream, marker.player, marker.by)
        )
        former.amount += amount
        if marker.left <= 0:
            state.end(currency, slip)

    def recover(self, state: State, event: f.MarkerRecovered, ledger: Ledger) -> Iterator[Finding]:
        """Record a payment for a marker that was written off, and yield its findings: the marker was not
        written off, or the amount is larger than what was written off.
        """
        currency, slip = event.currency, event.slip
        paid = f"{event.by} took {say(event.amount, currency)} for marker {slip}"
        former = state.written_off.get(currency, {}).get(slip)
        if former is None:
            known = slip in state.open.get(currency, {}) or state.is_over(currency, slip)
            code = "marker-overpaid" if known else "marker-unknown"
            reason = "which was not written off" if known else unknown(state, slip)
            yield self.finding(code, ledger.place, f"{paid}, {reason}.", owed=0, moved=-event.amount)
            return
        yield from self.payer(former, event, paid, ledger)
        left = former.amount - former.recovered
        if event.amount > left:
            says = (
                f"{paid}, of which {say(left, currency)} was written off and not recovered:"
                f" {say(event.amount - left, currency)} too much."
            )
            yield self.finding("marker-overpaid", ledger.place, says, owed=-left, moved=-event.amount)
        former.recovered += min(event.amount, left)


def unknown(state: State, slip: str) -> str:
    """Return words for a sentence about a marker that was not issued in the currency of the fact: that it was
    issued in another currency, or never.
    """
    other = next((currency for currency, markers in state.open.items() if slip in markers), "")
    return f"which is owed in {other}" if other else "which was never issued"


CHECK = Markers

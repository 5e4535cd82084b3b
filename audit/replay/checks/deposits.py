"""Check the cash that goes from the count room to the cage and to the bank: the cage receives what was
counted, each deposit has its own number, and the bank confirms the amount that was sent.

What was counted for a gaming day is the cash of its boxes: notes without papers. A recount replaces the count
of its box. Cash that was found after the count is an adjustment of the drop.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck
from audit.replay.recounts import Recounts
from audit.replay.results import Finding
from games.kit.amounts import say
from games.kit.events import Event


class Day(Struct):
    """The cash of one gaming day in one currency, in minor units."""

    counted: int = 0
    received: int = 0


class Sent(Struct):
    """A deposit that was sent."""

    currency: str
    amount: int
    is_confirmed: bool = False


class State(Struct):
    """Cash by gaming day and currency, counts that wait for their recount, and deposits by number."""

    days: dict[str, dict[str, Day]] = field(default_factory=dict)
    recounts: dict[str, Recounts] = field(default_factory=dict)
    """For each stream: counts without a recount, and recounts without a count."""
    cash: dict[str, int] = field(default_factory=dict)
    """{uid of such a count or recount: its cash}."""
    pulled: dict[str, str] = field(default_factory=dict)
    """{uid of the pull of a box that was not counted: stream and box}."""
    sent: dict[str, Sent] = field(default_factory=dict)

    def day(self, day: str, currency: str) -> Day:
        """Return the cash of a gaming day in a currency."""
        return self.days.setdefault(day, {}).setdefault(currency, Day())


class Deposits(LedgerCheck):
    name = "deposits"
    codes = ("drop-received-differs", "deposit-differs", "deposit-unknown", "deposit-twice")
    cite = cite("CG-07")
    kinds = (
        f.BoxPulled,
        f.DropCounted,
        f.CountVerified,
        f.Adjusted,
        f.DropReceived,
        f.DepositSent,
        f.DepositConfirmed,
    )
    StateType = State

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        state = self.state
        assert isinstance(state, State)
        if isinstance(event, f.BoxPulled):
            state.pulled[event.uid] = f"{ledger.place.stream}/{event.box}"
        elif isinstance(event, f.DropCounted | f.CountVerified):
            count(state, event, ledger)
        elif isinstance(event, f.Adjusted):
            adjust(state, event)
        elif isinstance(event, f.DropReceived):
            yield from self.receive(state.day(str(event.of_day), event.currency), event, ledger)
        elif isinstance(event, f.DepositSent):
            yield from self.send(state, event, ledger)
        else:
            assert isinstance(event, f.DepositConfirmed)
            yield from self.confirm(state, event, ledger)

    def receive(self, day: Day, event: f.DropReceived, ledger: Ledger) -> Iterator[Finding]:
        """Yield a finding if the cage receives another amount than the rest of the day's counted cash. The
        rest is what was counted so far minus what the cage has received before.
        """
        left = day.counted - day.received
        day.received += event.amount
        if event.amount != left:
            currency = event.currency
            says = (
                f"The cage received {say(event.amount, currency)} of the drop of {event.of_day}."
                f" {say(left, currency)} was counted and not received before."
            )
            yield self.finding(
                "drop-received-differs", ledger.place, says, owed=left, moved=event.amount, cite=cite("CO-09")
            )

    def send(self, state: State, event: f.DepositSent, ledger: Ledger) -> Iterator[Finding]:
        """Yield a finding if another deposit with the same number was sent before."""
        if event.deposit in state.sent:
            former = state.sent[event.deposit]
            says = (
                f"Deposit {event.deposit} of {say(event.amount, event.currency)} has the number of an earlier"
                f" deposit of {say(former.amount, former.currency)}."
            )
            yield self.finding("deposit-twice", ledger.place, says, cite=cite("CG-06"))
            return
        state.sent[event.deposit] = Sent(event.currency, event.amount)

    def confirm(self, state: State, event: f.DepositConfirmed, ledger: Ledger) -> Iterator[Finding]:
        """Yield a finding if no deposit with this number and currency waits for the bank's confirmation, or
        if the bank confirms another amount than was sent.
        """
        sent, currency = state.sent.get(event.deposit), event.currency
        confirmed = f"The bank confirmed {say(event.amount, currency)} for deposit {event.deposit}"
        if sent is None or sent.currency != currency or sent.is_confirmed:
            reason = (
                "which was never sent"
                if sent is None
                else f"which was sent in {sent.currency}"
                if sent.currency != currency
                else "which it had confirmed before"
            )
            says = f"{confirmed}, {reason}."
            yield self.finding("deposit-unknown", ledger.place, says, owed=0, moved=event.amount)
            return
        sent.is_confirmed = True
        if event.amount != sent.amount:
            says = f"{confirmed}. {say(sent.amount, currency)} was sent."
            yield self.finding("deposit-differs", ledger.place, says, owed=sent.amount, moved=event.amount)


def count(state: State, event: f.DropCounted | f.CountVerified, ledger: Ledger) -> None:
    """Add the cash of a box to its gaming day. A recount replaces the count of its box."""
    stream = ledger.place.stream
    if isinstance(event, f.DropCounted):
        box = f"{stream}/{event.box}"
        pull = next((uid for uid, place in state.pulled.items() if place == box), None)
        if pull is not None:
            del state.pulled[pull]
    cash = event.amount - sum((event.papers or {}).values())
    recounts = state.recounts.setdefault(stream, Recounts())
    other = recounts.other(event)
    day = state.day(str(event.day), ledger.currency)
    if other is None:
        state.cash[event.uid] = cash
        day.counted += cash if isinstance(event, f.DropCounted) else 0
        return
    before = state.cash.pop(other.uid, 0)
    if isinstance(event, f.CountVerified) and event.papers is None:
        cash -= other.amount - before  # the papers of the count
    day.counted += cash - before if isinstance(event, f.CountVerified) else before
    if not any(recounts.counted.values()) and not any(recounts.verified.values()):
        del state.recounts[stream]


def adjust(state: State, event: f.Adjusted) -> None:
    """Add the amount of an adjustment of the drop to the counted cash of its gaming day, if the adjustment
    names the pull of a box that had no count, or names no fact.

    An adjustment that names a count is not added. It settles a difference between the two counts of a box,
    and the cash of this box is in the sum already.
    """
    currencies = state.days.get(str(event.of_day), {})
    is_late = event.of is None or state.pulled.pop(event.of, None) is not None
    if event.what == "drop" and is_late and len(currencies) == 1:
        next(iter(currencies.values())).counted += event.amount


CHECK = Deposits

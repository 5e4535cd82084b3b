"""Find deposits that the bank has not confirmed for too long.

The time is measured in gaming days, as for days that are overdue (`overdue.py`). A deposit is late as soon
as a fact is recorded whose gaming day is more than n days after the day on which the deposit was sent. The
number n is in the register `thresholds` (key `deposit-confirmed`, value `{"days": n}`). Without an entry, n
is 5, which leaves time for a weekend and a holiday. No regulation that we have read names a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Place
from audit.replay.checks.overdue import days_of
from audit.replay.results import Finding
from games.kit import events as e
from games.kit.amounts import say
from games.kit.events import Event

DAYS = 5
"""Number of gaming days for the confirmation if the register has no entry."""
THRESHOLD = "deposit-confirmed"


class Sent(Struct, frozen=True):
    """A deposit that was sent and is not confirmed."""

    place: Place
    currency: str
    amount: int


class State(Struct):
    """`waiting`: the deposits that wait for the bank, by number. `numbers`: the numbers of all deposits that
    were sent, as keys, because a set would be stored in another order by each process. `latest`: the latest
    gaming day of all facts.
    """

    waiting: dict[str, Sent] = field(default_factory=dict)
    numbers: dict[str, None] = field(default_factory=dict)
    latest: date | None = None


class UnconfirmedDeposits(LedgerCheck):
    name = "unconfirmed-deposits"
    codes = ("deposit-unconfirmed",)
    cite = cite("CG-08")
    kinds = (e.TableOpened, *f.AT_THE_CAGE, f.DayClosed, *f.OF_THE_HOUSE)
    StateType = State

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        state = self.state
        assert isinstance(state, State)
        if state.latest is None or event.day > state.latest:
            state.latest = event.day
            yield from self.look(state, event.day, ledger)
        if isinstance(event, f.DepositSent) and event.deposit not in state.numbers:
            state.numbers[event.deposit] = None
            state.waiting[event.deposit] = Sent(ledger.place, event.currency, event.amount)
        elif isinstance(event, f.DepositConfirmed):
            sent = state.waiting.get(event.deposit)
            if sent is not None and sent.currency == event.currency:
                del state.waiting[event.deposit]

    def look(self, state: State, today: date, ledger: Ledger) -> Iterator[Finding]:
        """Yield a finding for each deposit that is late on the gaming day `today`. Each is reported once."""
        days = days_of(ledger.registers.value("thresholds", THRESHOLD, today), DAYS)
        limit = today - timedelta(days=days)
        late = [(number, sent) for number, sent in state.waiting.items() if sent.place.day < limit]
        for number, sent in late:
            del state.waiting[number]
            amount = say(sent.amount, sent.currency)
            says = (
                f"By {today} the bank had not confirmed deposit {number} of {amount}, sent on"
                f" {sent.place.day}."
            )
            yield self.finding("deposit-unconfirmed", sent.place, says, owed=sent.amount, moved=0)


CHECK = UnconfirmedDeposits

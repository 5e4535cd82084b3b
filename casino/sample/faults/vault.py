"""Faults with money after it has left the table: cash that the cage receives, deposits to the bank, and
markers that are written off.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from casino.sample.faults.planting import felt, shared
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import Draft

Change = Callable[[Day], None]
DAYS_TO_CONFIRM = 5
"""Number of gaming days within which the bank must confirm a deposit."""


def add_purchases(day: Day) -> None:
    """Let players buy chips for cash and on a marker, so that there is cash to deposit and a marker to write
    off.
    """
    assert day.cage
    day.drafts += [*day.cage.bought_chips("cash"), *day.cage.bought_chips("marker")]


def money_fault(name: str) -> Callable[[Change], Change]:
    """Return a decorator that registers a change of the property's facts about money as a fault."""

    def register(change: Change) -> Change:
        def act(day: Day) -> None:
            add_purchases(day)
            day.closing.append(partial(change, day))

        shared(name, felt, house=True, money=True)(act)
        return change

    return register


def first(day: Day, kind: str) -> Draft:
    """Return the first of the property's facts about money that has this kind."""
    return next(fact for fact in day.money if fact["kind"] == kind)


def copy_of(fact: Draft, **changes: Any) -> Draft:
    """Return a copy of a draft with other fields."""
    return {name: value for name, value in fact.items() if name != "uid"} | changes


@money_fault("money-after-table:honest")
def no_fault(day: Day) -> None:
    """Change nothing. The day has all facts about money, and no fault."""


@money_fault("drop-received-differs:in-parts")
def in_parts(day: Day) -> None:
    """Receive less than was counted, and the rest later. Only the first fact has a finding."""
    received = first(day, "drop-received")
    counted, part = received["amount"], received["amount"] // 2
    received["amount"] = part
    day.money.append(copy_of(received, amount=counted - part))
    day.expect(received, "drop-received-differs", owed=counted, moved=part)


def received_differs(day: Day, by: int) -> None:
    """Receive another amount than was counted."""
    received = first(day, "drop-received")
    counted = received["amount"]
    received["amount"] += by
    day.expect(received, "drop-received-differs", owed=counted, moved=counted + by)


money_fault("drop-received-differs:short")(partial(received_differs, by=-100))
money_fault("drop-received-differs:over")(partial(received_differs, by=100))


@money_fault("drop-received-differs:twice")
def received_twice(day: Day) -> None:
    """Receive the cash of a day twice."""
    received = first(day, "drop-received")
    repeated = copy_of(received)
    day.money.append(repeated)
    day.expect(repeated, "drop-received-differs", owed=0, moved=received["amount"])


def confirmed_differs(day: Day, by: int) -> None:
    """Let the bank confirm another amount than was sent."""
    confirmed = first(day, "deposit-confirmed")
    sent = confirmed["amount"]
    confirmed["amount"] += by
    day.expect(confirmed, "deposit-differs", owed=sent, moved=sent + by)


money_fault("deposit-differs:short")(partial(confirmed_differs, by=-2_000))
money_fault("deposit-differs:over")(partial(confirmed_differs, by=2_000))


def confirmed_unknown(day: Day, **changes: Any) -> None:
    """Let the bank confirm a second time, or a deposit that was never sent, or in another currency."""
    confirmed = first(day, "deposit-confirmed")
    other = copy_of(confirmed, **changes)
    day.money.append(other)
    day.expect(other, "deposit-unknown", owed=0, moved=other["amount"])


money_fault("deposit-unknown:twice")(confirmed_unknown)
money_fault("deposit-unknown:never-sent")(partial(confirmed_unknown, deposit="never"))
money_fault("deposit-unknown:currency")(partial(confirmed_unknown, currency="JPY"))


@money_fault("deposit-twice")
def sent_twice(day: Day) -> None:
    """Send two deposits with the same number."""
    sent = first(day, "deposit-sent")
    repeated = copy_of(sent)
    day.money.insert(day.money.index(sent) + 1, repeated)
    day.expect(repeated, "deposit-twice")


def confirmed_after(day: Day, days: int) -> None:
    """Let the bank confirm a deposit this number of gaming days after it was sent."""
    sent, confirmed = first(day, "deposit-sent"), first(day, "deposit-confirmed")
    confirmed["_after"] = sent["_after"] + days
    if days > DAYS_TO_CONFIRM:
        day.expect(sent, "deposit-unconfirmed", owed=sent["amount"], moved=0)


money_fault("deposit-unconfirmed:in-time:honest")(partial(confirmed_after, days=DAYS_TO_CONFIRM))
money_fault("deposit-unconfirmed:late")(partial(confirmed_after, days=DAYS_TO_CONFIRM + 1))


@money_fault("deposit-unconfirmed:never")
def never_confirmed(day: Day) -> None:
    """Send a deposit that the bank does not confirm, and a week later another one that it confirms."""
    sent, confirmed = first(day, "deposit-sent"), first(day, "deposit-confirmed")
    confirmed |= {"deposit": "later", "_after": 8}
    day.money.insert(day.money.index(confirmed), copy_of(sent, deposit="later", _after=8))
    day.expect(sent, "deposit-unconfirmed", owed=sent["amount"], moved=0)


@money_fault("write-off-exceeds-marker:more")
def written_off_more(day: Day) -> None:
    """Write off more of a marker than is owed on it."""
    write_off = first(day, "marker-written-off")
    owed = write_off["amount"]
    write_off["amount"] += 100
    day.expect(write_off, "write-off-exceeds-marker", owed=owed, moved=owed + 100)


@money_fault("write-off-exceeds-marker:again")
def written_off_again(day: Day) -> None:
    """Write off a marker twice."""
    repeated = copy_of(first(day, "marker-written-off"))
    day.money.append(repeated)
    day.expect(repeated, "write-off-exceeds-marker", owed=0, moved=repeated["amount"])


def other_marker(day: Day, **changes: Any) -> None:
    """Write off a marker that was never issued, or a marker of another player."""
    write_off = first(day, "marker-written-off")
    recovered = first(day, "marker-recovered")
    day.money.remove(recovered)
    write_off |= changes
    day.expect(write_off, "marker-unknown", owed=0, moved=write_off["amount"])


money_fault("marker-unknown:written-off")(partial(other_marker, slip="M-OTHER-000001"))
money_fault("marker-unknown:written-off-player")(partial(other_marker, player="p-1"))


@money_fault("marker-overpaid:recovered-more")
def recovered_more(day: Day) -> None:
    """Take more for a marker than was written off."""
    recovered = first(day, "marker-recovered")
    left = first(day, "marker-written-off")["amount"]
    recovered["amount"] = left + 100
    day.expect(recovered, "marker-overpaid", owed=-left, moved=-left - 100)


@money_fault("marker-overpaid:not-written-off")
def recovered_first(day: Day) -> None:
    """Record a recovery of a marker that was not written off."""
    write_off, recovered = first(day, "marker-written-off"), first(day, "marker-recovered")
    day.money.remove(write_off)
    day.expect(recovered, "marker-overpaid", owed=0, moved=-recovered["amount"])


def one_signs(day: Day, kind: str) -> None:
    """Let one person give both signatures."""
    fact = first(day, kind)
    fact["second"] = fact["by"]
    day.expect(fact, "signed-once")


for _kind in ("drop-received", "deposit-sent", "marker-written-off"):
    money_fault(f"signed-once:{_kind}")(partial(one_signs, kind=_kind))

"""Faults in slips, counts, drop boxes and registers, which are checked across streams."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

from casino.sample.faults.planting import felt, shared
from casino.sample.tables.cage import fewest_pieces
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import Draft
from casino.sample.tables.play import DEALERS
from casino.sample.tables.registers import register


@shared("dealer-unknown")
def dealer_unknown(day: Day) -> None:
    """Seat a dealer who is not in the register of people."""
    day.before += [register(day, "people", dealer, {"role": "dealer"}) for dealer in DEALERS]
    day.expect(day.table.seated("d-999"), "dealer-unknown")


def with_approval(
    day: Day, edition: str = "", pay_table: str = "", rounding: str = "", days: int = 1
) -> None:
    """Record an approval of the table's game. By default it covers this table. If `edition`, `pay_table` or
    `rounding` is given, it names something that the game does not have. If `days` is 0, it has expired.
    """
    table = day.table
    named = dict(table.pay_tables)
    wager = min(named, default="")
    letter = {
        "game": table.game,
        "letter": "L-1",
        "edition": edition or table.edition,
        "readings": {"rounding": [rounding or table.rounding]},
    }
    letter |= {
        "pay_tables": named | ({wager: pay_table} if pay_table else {}),
        "to": (day.day + timedelta(days=days)).isoformat(),
    }
    entry = register(day, "approvals", "L-1", letter)
    day.before.append(entry)
    if (
        edition or pay_table or rounding
    ):  # the game has no edition, pay table or option of this name, so the approval can cover no table
        day.expect(entry, "entry-not-understood")
    if pay_table:
        day.expect(day.drafts[0], CODE, wager=wager)
    elif edition or rounding or days < 1:
        day.expect(day.drafts[0], CODE)


CODE = "pay-table-not-approved"
shared(f"{CODE}:approved:honest")(with_approval)
shared(f"{CODE}:edition")(partial(with_approval, edition="1900"))
shared(f"{CODE}:pay-table")(partial(with_approval, pay_table="another"))
shared(f"{CODE}:reading")(partial(with_approval, rounding="never"))
shared(f"{CODE}:run-out")(partial(with_approval, days=0))


@shared("house:honest", felt, house=True)
def honest_house(day: Day) -> None:
    """Play a day without faults, with slips, a voided slip, buy-ins and a paid marker."""
    assert day.cage
    day.drafts += [
        day.cage.slip("F"),
        *day.cage.bought_chips("cash"),
        day.cage.voided("F"),
        day.cage.slip("F"),
        day.cage.slip("C"),
    ]
    day.drafts += [
        *day.cage.bought_chips("marker"),
        *day.cage.marker_paid(),
        *day.cage.bought_chips("voucher"),
    ]


def signed_once(day: Day, letter: str, first: str, second: str) -> None:
    """Let one person sign a slip in two places (`first` and `second`). Each place requires another person."""
    assert day.cage
    slip = day.cage.slip(letter)
    slip[first] = slip[second]
    day.drafts.append(slip)
    day.expect(slip, "slip-signed-once")


ROLES = ("requested_by", "sent_by", "carried_by", "received_by")
for _letter, _name in (("F", "fill"), ("C", "credit")):
    for _place, _one in enumerate(ROLES):
        for _two in ROLES[_place + 1 :]:
            _pair = f"{_one.split('_')[0]}-{_two.split('_')[0]}"
            shared(f"slip-signed-once:{_name}:{_pair}", felt, house=True)(
                partial(signed_once, letter=_letter, first=_one, second=_two)
            )
shared("slip-signed-once:fill:verified-sent", felt, house=True)(
    partial(signed_once, letter="F", first="verified_by", second="sent_by")
)


def serials(day: Day, letter: str, step: int) -> None:
    """Skip a serial (`step` is 1), or use a serial twice (`step` is -1). The serials of a series must follow
    each other.
    """
    assert day.cage
    day.drafts.append(day.cage.slip(letter))
    day.cage.serials[letter] += step
    slip = day.cage.slip(letter)
    day.drafts.append(slip)
    if step:
        day.expect(slip, "slip-serial-gap" if step > 0 else "slip-serial-twice")


for _letter, _name in (("F", "fill"), ("C", "credit")):
    shared(f"slip-serial-gap:{_name}", felt, house=True)(partial(serials, letter=_letter, step=1))
    shared(f"slip-serial-twice:{_name}", felt, house=True)(partial(serials, letter=_letter, step=-1))


@shared("slip-voided:fills-its-number:honest", felt, house=True)
def voided_between(day: Day) -> None:
    """Void a slip whose serial is between two others. The void slip used its serial, so there is no gap."""
    assert day.cage
    day.drafts += [day.cage.slip("F"), day.cage.voided("F"), day.cage.slip("F")]


@shared("void-after-receipt", felt, house=True)
def voided_after(day: Day) -> None:
    """Void a fill after its chips were received, which is a finding. The fill no longer counts, and its
    serial is not a duplicate.
    """
    assert day.cage
    slip = day.cage.slip("F")
    void = day.cage.voided(slip=slip["slip"])
    void["second"] = next(name for name in ("s-101", "s-102", "s-103") if name not in slip.values())
    day.drafts += [slip, void]
    day.expect(void, "void-after-receipt")


@shared("slip-serial-twice:two-tables", felt, house=True)
def twice_at_two_tables(day: Day) -> None:
    """Use the same slip number at two tables of one property. Each number may be used only once."""
    assert day.cage
    slip = day.cage.slip("F")
    day.drafts.append(slip)
    name = f"{day.table.letters}-99"
    other = Day(
        day.table.game,
        f"second/{day.rng.random()}",
        property=day.property,
        table=name,
        house=True,
        **day.table.exact,
    )
    other.open()
    other.table.keep(other.table.play())
    assert other.cage
    second_slip = other.cage.slip("F")
    second_slip["slip"] = slip["slip"]
    other.drafts.append(second_slip)
    other.close()
    day.others.append(other)
    day.expect(second_slip, "slip-serial-twice")


def last_fact(day: Day, kind: str) -> Draft:
    """Return the day's last fact of that kind."""
    return next(fact for fact in reversed(day.drafts) if fact["kind"] == kind)


def unbalanced(day: Day, by: int) -> None:
    """Count an amount in the closer that differs by `by` from what the tray should hold."""

    def change() -> None:
        closer = last_fact(day, "closer-counted")
        closer["amount"] += by
        closer["chips"] = fewest_pieces(closer["amount"])
        day.expect(closer, "inventory-does-not-balance")

    day.closing.append(change)


shared("inventory-does-not-balance:short", felt, house=True)(partial(unbalanced, by=-10_000))
shared("inventory-does-not-balance:over", felt, house=True)(partial(unbalanced, by=100))


@shared("drop-missing", felt, house=True)
def drop_missing(day: Day) -> None:
    """Pull a drop box and do not count it."""

    def change() -> None:
        for kind in ("drop-counted", "count-verified"):
            removed = last_fact(day, kind)
            del day.drafts[next(place for place, fact in enumerate(day.drafts) if fact is removed)]
        day.expect(last_fact(day, "day-closed"), "drop-missing")

    day.closing.append(change)


def counted(day: Day, kind: str, **fields: Any) -> None:
    """Make the two counts of a drop box differ, or make the sum of its notes differ from its amount."""
    assert day.cage
    day.drafts += day.cage.bought_chips("cash")

    def change() -> None:
        fact = last_fact(day, kind)
        for name, by in fields.items():
            fact[name] += by
        if kind == "drop-counted":
            last_fact(day, "count-verified")["amount"] = fact["amount"]
        day.expect(fact, "count-differs")

    day.closing.append(change)


shared("count-differs:notes", felt, house=True)(partial(counted, kind="drop-counted", amount=2_000))
shared("count-differs:verified", felt, house=True)(partial(counted, kind="count-verified", amount=-10_000))

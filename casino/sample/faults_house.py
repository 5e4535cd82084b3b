"""Faults of slips, counts, boxes and registers, judged across streams."""

from __future__ import annotations

from functools import partial
from typing import Any

from .cage import heaps
from .day import Day
from .desk import Draft
from .faults_money import EASY
from .house import register
from .planting import fault
from .play import DEALERS


@fault("dealer-unknown")
def dealer_unknown(day: Day) -> None:
    """A dealer who is not in the register."""
    day.before += [register(day, "people", dealer, {"role": "dealer"}) for dealer in DEALERS]
    day.expect(day.table.seated("d-999"), "dealer-unknown")


@fault("house:honest", EASY, house=True)
def honest_house(day: Day) -> None:
    """A day with everything that a cage does, and nothing wrong."""
    assert day.cage
    day.drafts += [day.cage.slip("F"), *day.cage.bought_chips("cash"), day.cage.voided("F"), day.cage.slip("F"), day.cage.slip("C")]
    day.drafts += [*day.cage.bought_chips("marker"), *day.cage.marker_paid(), *day.cage.bought_chips("voucher")]


def signed_once(day: Day, letter: str, one: str, two: str) -> None:
    """One person signs for two."""
    assert day.cage
    slip = day.cage.slip(letter)
    slip[one] = slip[two]
    day.drafts.append(slip)
    day.expect(slip, "slip-signed-once")


ROLES = ("requested_by", "sent_by", "carried_by", "received_by")
for _letter, _name in (("F", "fill"), ("C", "credit")):
    for _place, _one in enumerate(ROLES):
        for _two in ROLES[_place + 1 :]:
            _pair = f"{_one.split('_')[0]}-{_two.split('_')[0]}"
            fault(f"slip-signed-once:{_name}:{_pair}", EASY, house=True)(partial(signed_once, letter=_letter, one=_one, two=_two))
fault("slip-signed-once:fill:verified-sent", EASY, house=True)(partial(signed_once, letter="F", one="verified_by", two="sent_by"))


def serials(day: Day, letter: str, step: int) -> None:
    """A series that skips a number, or uses one twice."""
    assert day.cage
    day.drafts.append(day.cage.slip(letter))
    day.cage.serials[letter] += step
    slip = day.cage.slip(letter)
    day.drafts.append(slip)
    if step:
        day.expect(slip, "slip-serial-gap" if step > 0 else "slip-serial-twice")


for _letter, _name in (("F", "fill"), ("C", "credit")):
    fault(f"slip-serial-gap:{_name}", EASY, house=True)(partial(serials, letter=_letter, step=1))
    fault(f"slip-serial-twice:{_name}", EASY, house=True)(partial(serials, letter=_letter, step=-1))


@fault("slip-voided:fills-its-number:honest", EASY, house=True)
def voided_between(day: Day) -> None:
    """A voided slip's number is used up: no gap."""
    assert day.cage
    day.drafts += [day.cage.slip("F"), day.cage.voided("F"), day.cage.slip("F")]


@fault("slip-voided:after-sent:honest", EASY, house=True)
def voided_after(day: Day) -> None:
    """A fill already sent is voided: its money never came, and its serial is not twice."""
    assert day.cage
    slip = day.cage.slip("F")
    day.drafts += [slip, day.cage.voided(slip=slip["slip"])]


@fault("slip-serial-twice:two-tables", EASY, house=True)
def twice_at_two_tables(day: Day) -> None:
    """Two tables of one property hold slips of the same number."""
    assert day.cage
    slip = day.cage.slip("F")
    day.drafts.append(slip)
    other = Day(EASY, f"second/{day.rng.random()}", property=day.property, table="EOU-99", house=True, chip=100, rounding="exact", decks=6)
    other.open()
    other.table.keep(other.table.play())
    assert other.cage
    again = other.cage.slip("F")
    again["slip"] = slip["slip"]
    other.drafts.append(again)
    other.close()
    day.others.append(other)
    day.expect(again, "slip-serial-twice")


def closing(day: Day, kind: str) -> Draft:
    """The last fact of that kind."""
    return next(each for each in reversed(day.drafts) if each["kind"] == kind)


def unbalanced(day: Day, by: int) -> None:
    """The tray is not what it should be."""

    def change() -> None:
        closer = closing(day, "closer-counted")
        closer["amount"] += by
        closer["chips"] = heaps(closer["amount"])
        day.expect(closer, "inventory-does-not-balance")

    day.closing.append(change)


fault("inventory-does-not-balance:short", EASY, house=True)(partial(unbalanced, by=-10_000))
fault("inventory-does-not-balance:over", EASY, house=True)(partial(unbalanced, by=100))


@fault("drop-missing", EASY, house=True)
def drop_missing(day: Day) -> None:
    """A box was pulled and never counted."""

    def change() -> None:
        for kind in ("drop-counted", "count-verified"):
            gone = closing(day, kind)
            del day.drafts[next(place for place, each in enumerate(day.drafts) if each is gone)]
        day.expect(closing(day, "day-closed"), "drop-missing")

    day.closing.append(change)


def counted(day: Day, kind: str, **fields: Any) -> None:
    """The two counts, or the notes and their sum, differ."""
    assert day.cage
    day.drafts += day.cage.bought_chips("cash")

    def change() -> None:
        fact = closing(day, kind)
        for name, by in fields.items():
            fact[name] += by
        if kind == "drop-counted":
            closing(day, "count-verified")["amount"] = fact["amount"]
        day.expect(fact, "count-differs")

    day.closing.append(change)


fault("count-differs:notes", EASY, house=True)(partial(counted, kind="drop-counted", amount=2_000))
fault("count-differs:verified", EASY, house=True)(partial(counted, kind="count-verified", amount=-10_000))

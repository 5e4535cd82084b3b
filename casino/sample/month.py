"""The thirty gaming days before the sample house's present one: what a property looks like that has been open
for a while.

Two pits, all seven games, players with purses, some dealers who err oftener than others, slips whose serials
run on, and in the night to the first of November the hour that comes twice. What is amiss stands in AMISS,
and nothing else is but what dealers did. The same seed gives the same bytes, day by day; a table's day hangs
on the one before it, and not on another table's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from random import Random
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from .house import DAY, FLOOR, PROPERTY, ZONE, of_the_house, sample_house, table_of
from .month_cage import Amiss, Left, Planned, planned
from .month_day import MonthDay
from .month_registers import month_registers
from .staff import ACCOUNTANTS, FLOOR_STAFF
from .table import TABLES

Fact = dict[str, Any]
T = TypeVar("T")

FIRST = date(2026, 10, 28)
DAYS = tuple(FIRST + timedelta(days=number) for number in range((DAY - FIRST).days))
BUSY = (18, 18, 18, 24, 33, 36, 27)
"""Rounds of a day at one table, from Monday on."""
SHUT = {"EOU-04": (0, 1, 2), "AB-02": (0, 1)}
"""Tables that stay shut on some days of the week; Monday is 0."""

PLAYERS = {"casino_over_under": (0.85, 0.27), "high_side": (0.93, 0.27), "teen_patti": (0.93, 0.0)}
"""How often the players of a game decide as the cards advise, and how many went for good each night; at the
others 1 and 0.27.
"""
LUCK = {
    "EOU-01": 0,
    "EOU-02": 0,
    "EOU-03": 4,
    "EOU-04": 0,
    "COU-01": 2,
    "HS-01": 2,
    "AB-01": 11,
    "AB-02": 3,
    "TP-01": 1,
    "BTP-01": 4,
    "L7-01": 1,
}
"""Which of many months each table played; those stand here whose month looks like one of a real house."""

AMISS: dict[tuple[str, date], Amiss] = {
    ("COU-01", date(2026, 11, 5)): Amiss(late=True),
    ("EOU-03", date(2026, 11, 9)): Amiss(void=True),
    ("EOU-01", date(2026, 11, 12)): Amiss(short=10_000, bought_in="day"),
    ("EOU-02", date(2026, 11, 14)): Amiss(rack="swing"),
    ("HS-01", date(2026, 11, 18)): Amiss(stays=True, bought_in="grave"),
    ("HS-01", date(2026, 11, 19)): Amiss(bought_in="day"),
    ("EOU-03", date(2026, 11, 21)): Amiss(differs=2_000, bought_in="day"),
}
ADJUSTED: dict[date, Fact] = {
    date(2026, 11, 15): {
        "of_table": f"{PROPERTY}/EOU-01",
        "of_day": "2026-11-12",
        "what": "drop",
        "amount": 10_000,
        "reason": "a note of 100.00 stuck in the box, found when it was next opened",
    },
}
"""By the day on which it is learned: what a day that is closed lacked."""


@dataclass(frozen=True)
class MonthTable:
    """One table of the floor through the month; it goes on into its present day, with the same settings."""

    place: int
    seed: int
    settings: dict[str, Any]
    serials: dict[str, int]
    """The number in front of the first that the present day uses, by series."""
    tray: int
    """What the present day's first opener counts."""
    closer: int
    """What its last closer counts."""

    @property
    def code(self) -> str:
        """`EOU-01`."""
        return FLOOR[self.place][0]

    def opens(self, day: date) -> bool:
        """Whether it is open on this gaming day."""
        return day.weekday() not in SHUT.get(self.code, ())

    def plan(self, day: date) -> Planned:
        """The slips of a day. The last one has a fill and a credit by which the tray is made up for the next
        morning.
        """
        plan = planned(self.code, day, self.seed)
        return replace(plan, fills=plan.fills + 1, credits=plan.credits + 1) if day == DAYS[-1] else plan

    def before(self, day: date) -> dict[str, int]:
        """The last number of each series that was used before this day."""
        left = dict(self.serials)
        for later in DAYS[DAYS.index(day) :]:
            if self.opens(later):
                left = {letter: left[letter] - used for letter, used in self.plan(later).serials.items()}
        return left


@cache
def month_table(place: int, seed: int) -> MonthTable:
    """The table at this place of FLOOR, as its present day has it."""
    placed = table_of(place, seed)
    table, cage = placed.day.table, placed.day.cage
    serials = dict(cage.serials) if cage else {}
    names = (
        "edition",
        "pay_tables",
        "decks",
        "limits",
        "chip",
        "rounding",
        "currency",
        "readings",
        "shoe_name",
        "dealers",
    )
    settings = {name: getattr(table, name) for name in names}
    trays = [
        fact["amount"]
        for fact in placed.played().facts()
        if fact["kind"] in ("opener-counted", "closer-counted")
    ]
    return MonthTable(place, seed, settings, serials, *((trays[0], trays[-1]) if trays else (0, 0)))


@dataclass(frozen=True)
class Played:
    """What one table posts of one day: its facts, those that come only when the next day is over, and what
    the next one goes on from.
    """

    facts: list[Fact]
    late: list[Fact]
    left: Left
    expect: list[Fact]
    """What must be found of what its dealers did."""
    also: list[Fact]
    """What may be found beside it."""


def table_day(place: int, day: date, left: Left | None, busy: float, seed: int) -> Played:
    """One gaming day of one table. `busy`: how many rounds, against those of BUSY; three at least. `left` is
    None on the first.
    """
    of = month_table(place, seed)
    code, game, pit, *_ = FLOOR[place]
    amiss = AMISS.get((code, day), Amiss())
    sense, leaves = PLAYERS.get(game, (1, 0.27))
    made = MonthDay(
        game,
        f"month/{code}/{day}/{seed}/{LUCK[code]}",
        staff=FLOOR_STAFF[pit],
        serials=of.before(day) if of.serials else {},
        property=PROPERTY,
        table=code,
        day=day,
        pit=pit,
        zone=ZoneInfo(ZONE),
        sense=sense,
        leaves=leaves,
        **of.settings,
    )
    made.waits = AMISS.get((code, day - timedelta(days=1)), Amiss()).late
    made.begin(
        left or first(of),
        of.tray,
        of.plan(day),
        amiss,
        of.tray if day == DAYS[-1] and not TABLES[game].studio else None,
    )
    made.play(max(round(BUSY[day.weekday()] * busy), 3))
    facts = made.facts()
    cut = next((place for place, fact in enumerate(facts) if fact["uid"] == made.late), len(facts))
    return Played(facts[:cut], facts[cut:], made.left, made.findings(), made.findings(also=True))


def first(of: MonthTable) -> Left:
    """What the first day goes on from: the house has been open for a while, and its players have chips."""
    rng = Random(f"purses/{of.code}")
    return Left(of.tray, {str(spot): rng.randint(2, 9) * 10_000 for spot in range(1, 8)})


def house_day(day: date, seed: int, first: bool) -> list[Fact]:
    """What the office posts on a day: the registers on the first, and what was learned of a day that is
    closed.
    """
    facts = month_registers(day, seed) if first else []
    if day in ADJUSTED:
        by, second = ACCOUNTANTS
        said = ADJUSTED[day] | {"by": by, "second": second}
        facts.append(of_the_house(Random(f"adjusted/{day}/{seed}"), 1, PROPERTY, day, "adjusted", said))
    return facts


Asked = tuple[int, date, Left | None, float, int]


def same(facts: list[Fact]) -> list[Fact]:
    """The facts as they are."""
    return facts


def sample_month(
    seed: int = 1,
    busy: float = 1,
    days: tuple[date, ...] = DAYS,
    each: Callable[..., Iterable[tuple[list[Any], list[Any], Left]]] = map,
    made_into: Callable[[list[Fact]], list[Any]] = same,
) -> Iterator[tuple[date, list[Any]]]:
    """Day by day, in the order in which they are posted, the facts of the month and of the present day.
    `days`: all of DAYS, or the last.

    `each` may be the `map` of a pool of processes: a day is then played while the one before it is being
    posted. `made_into` is what
    becomes of a list of facts where it is made.
    """
    left: dict[int, Left] = {}
    held: list[Any] = []
    ahead = each(_one, _asked(days[0], left, busy, seed), [made_into] * len(FLOOR))
    for day, after in zip(days, (*days[1:], None), strict=True):
        asked, played = _asked(day, left, busy, seed), list(ahead)
        left |= {one[0]: done[2] for one, done in zip(asked, played, strict=True)}
        if after is not None:
            ahead = each(_one, _asked(after, left, busy, seed), [made_into] * len(FLOOR))
        yield (
            day,
            made_into(house_day(day, seed, first=day == days[0]))
            + [fact for done in played for fact in done[0]]
            + held,
        )
        held = [fact for done in played for fact in done[1]]
    yield DAY, held + made_into([fact for fact in sample_house(seed) if fact["kind"] != "register-set"])


def _asked(day: date, left: dict[int, Left], busy: float, seed: int) -> list[Asked]:
    return [
        (place, day, left.get(place), busy, seed)
        for place in range(len(FLOOR))
        if month_table(place, seed).opens(day)
    ]


def _one(asked: Asked, made_into: Callable[[list[Fact]], list[Any]]) -> tuple[list[Any], list[Any], Left]:
    played = table_day(*asked)
    return made_into(played.facts), made_into(played.late), played.left

"""The thirty gaming days before the present day of the sample property. The property was already open before
the first of these days.

The month has two pits, all seven games, players who carry chips from day to day, some dealers with more
errors than others, and consecutive slip serials. In the night from October 31 to November 1, clocks are
turned back by an hour. AMISS lists the irregularities; everything else that is wrong is a dealer's error. The
same seed gives the same bytes, day by day. A table's day depends on the previous day of the same table, but
not on other tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from random import Random
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from casino.sample.month.cage import DayEnd, Irregularities, SlipPlan, planned
from casino.sample.month.registers import month_registers
from casino.sample.month.sample_property import DAY, FLOOR, PROPERTY, ZONE, sample_house, table_of
from casino.sample.month.table_day import MonthDay
from casino.sample.tables.drafts import property_fact
from casino.sample.tables.staff import ACCOUNTANTS, FLOOR_STAFF
from casino.sample.tables.table import TABLES

Fact = dict[str, Any]
T = TypeVar("T")

FIRST = date(2026, 10, 28)
DAYS = tuple(FIRST + timedelta(days=number) for number in range((DAY - FIRST).days))
BUSY = (18, 18, 18, 24, 33, 36, 27)
"""For each day of the week, from Monday: the number of rounds at one table."""
CLOSED_WEEKDAYS = {"EOU-04": (0, 1, 2), "AB-02": (0, 1)}
"""For each table: the days of the week on which it is closed. Monday is 0."""

PLAYERS = {"casino_over_under": (0.85, 0.27), "high_side": (0.93, 0.27), "teen_patti": (0.93, 0.0)}
"""For each game: the share of decisions in which players follow the advice of the cards, and the share of
players who leave for good each night. For games not listed, these are 1 and 0.27.
"""
LUCK = {
    "EOU-01": 0,
    "EOU-02": 0,
    "EOU-03": 4,
    "EOU-04": 5,
    "COU-01": 2,
    "HS-01": 2,
    "AB-01": 11,
    "AB-02": 3,
    "TP-01": 1,
    "BTP-01": 4,
    "L7-01": 1,
}
"""For each table: a part of its random seed, chosen so that its month resembles the month of a real table."""

AMISS: dict[tuple[str, date], Irregularities] = {
    ("COU-01", date(2026, 11, 5)): Irregularities(late=True),
    ("EOU-03", date(2026, 11, 9)): Irregularities(void=True),
    ("EOU-01", date(2026, 11, 12)): Irregularities(short=10_000, bought_in="day"),
    ("EOU-02", date(2026, 11, 14)): Irregularities(rack="swing"),
    ("HS-01", date(2026, 11, 18)): Irregularities(stays=True, bought_in="grave"),
    ("HS-01", date(2026, 11, 19)): Irregularities(bought_in="day"),
    ("EOU-03", date(2026, 11, 21)): Irregularities(differs=2_000, bought_in="day"),
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
"""For each day on which an error was discovered: the adjustment of an earlier, closed day that corrects it.
"""


@dataclass(frozen=True)
class MonthTable:
    """One table of the sample property through the month. On every day it has the settings of the present
    day.
    """

    place: int
    seed: int
    settings: dict[str, Any]
    serials: dict[str, int]
    """For each series of slips: the last number used before the present day."""
    tray: int
    """The amount that the first opener of the present day counts, in minor units."""
    closer: int
    """The amount that the last closer of the present day counts, in minor units."""

    @property
    def code(self) -> str:
        """Return the table's code, such as `EOU-01`."""
        return FLOOR[self.place][0]

    def opens(self, day: date) -> bool:
        """Return True if the table is open on this gaming day."""
        return day.weekday() not in CLOSED_WEEKDAYS.get(self.code, ())

    def plan(self, day: date) -> SlipPlan:
        """Return how many slips are written on a day. The last day has one more fill and one more credit,
        which bring the tray to the amount of the next morning's opener.
        """
        plan = planned(self.code, day, self.seed)
        return replace(plan, fills=plan.fills + 1, credits=plan.credits + 1) if day == DAYS[-1] else plan

    def before(self, day: date) -> dict[str, int]:
        """Return the last serial number used before this day in each series of slips."""
        left = dict(self.serials)
        for later in DAYS[DAYS.index(day) :]:
            if self.opens(later):
                left = {letter: left[letter] - used for letter, used in self.plan(later).serials.items()}
        return left


@cache
def month_table(place: int, seed: int) -> MonthTable:
    """Return the table at this index of FLOOR, with the settings that it has on the present day."""
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
class PlayedDay:
    """The facts that one table posts on one day, the facts that it posts only after the end of the next day,
    and the state from which the next day continues.
    """

    facts: list[Fact]
    late: list[Fact]
    left: DayEnd
    expect: list[Fact]
    """Findings that replay must report, because the table's dealers made errors."""
    also: list[Fact]
    """Findings that replay may report or leave out."""


def table_day(place: int, day: date, left: DayEnd | None, busy: float, seed: int) -> PlayedDay:
    """Play one gaming day of one table, with at least three rounds. BUSY gives the number of rounds, and
    `busy` multiplies it. `left` is the state at the end of the previous day, or None on the first day.
    """
    of = month_table(place, seed)
    code, game, pit, *_ = FLOOR[place]
    irregularities = AMISS.get((code, day), Irregularities())
    sense, leaves = PLAYERS.get(game, (1, 0.27))
    month_day = MonthDay(
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
    month_day.waits = AMISS.get((code, day - timedelta(days=1)), Irregularities()).late
    month_day.begin(
        left or first_day_state(of),
        of.tray,
        of.plan(day),
        irregularities,
        of.tray if day == DAYS[-1] and not TABLES[game].studio else None,
    )
    month_day.play(max(round(BUSY[day.weekday()] * busy), 3))
    facts = month_day.facts()
    cut = next((place for place, fact in enumerate(facts) if fact["uid"] == month_day.late), len(facts))
    return PlayedDay(
        facts[:cut], facts[cut:], month_day.left, month_day.findings(), month_day.findings(optional=True)
    )


def first_day_state(of: MonthTable) -> DayEnd:
    """Return the state from which the first day continues. The property has been open for some time, so its
    players already have chips.
    """
    rng = Random(f"purses/{of.code}")
    return DayEnd(of.tray, {str(spot): rng.randint(2, 9) * 10_000 for spot in range(1, 8)})


def office_facts(day: date, seed: int, first: bool) -> list[Fact]:
    """Return the facts that the office posts on a day: the registers on the first day, and adjustments of
    closed days when an error is discovered.
    """
    facts = month_registers(day, seed) if first else []
    if day in ADJUSTED:
        by, second = ACCOUNTANTS
        fields = ADJUSTED[day] | {"by": by, "second": second}
        facts.append(property_fact(Random(f"adjusted/{day}/{seed}"), 1, PROPERTY, day, "adjusted", fields))
    return facts


DayPlan = tuple[int, date, DayEnd | None, float, int]


def unchanged(facts: list[Fact]) -> list[Fact]:
    """Return the facts unchanged. This is the default of `made_into`, a parameter of `sample_month`."""
    return facts


def sample_month(
    seed: int = 1,
    busy: float = 1,
    days: tuple[date, ...] = DAYS,
    run_map: Callable[..., Iterable[tuple[list[Any], list[Any], DayEnd]]] = map,
    made_into: Callable[[list[Fact]], list[Any]] = unchanged,
) -> Iterator[tuple[date, list[Any]]]:
    """Yield the facts of the month and of the present day, day by day, in the order in which they are posted.

    Args:
        seed: The seed of the sample.
        busy: A factor for the number of rounds.
        days: All of DAYS, or its last ones.
        run_map: A function like `map`. With the `map` of a pool of processes, one day is played while the
            facts of the previous one are posted.
        made_into: Converts a list of facts in the process that built it.
    """
    left: dict[int, DayEnd] = {}
    held: list[Any] = []
    upcoming = run_map(_one, _asked(days[0], left, busy, seed), [made_into] * len(FLOOR))
    for day, after in zip(days, (*days[1:], None), strict=True):
        plans, played = _asked(day, left, busy, seed), list(upcoming)
        left |= {plan[0]: played_day[2] for plan, played_day in zip(plans, played, strict=True)}
        if after is not None:
            upcoming = run_map(_one, _asked(after, left, busy, seed), [made_into] * len(FLOOR))
        yield (
            day,
            made_into(office_facts(day, seed, first=day == days[0]))
            + [fact for played_day in played for fact in played_day[0]]
            + held,
        )
        held = [fact for played_day in played for fact in played_day[1]]
    yield DAY, held + made_into([fact for fact in sample_house(seed) if fact["kind"] != "register-set"])


def _asked(day: date, left: dict[int, DayEnd], busy: float, seed: int) -> list[DayPlan]:
    return [
        (place, day, left.get(place), busy, seed)
        for place in range(len(FLOOR))
        if month_table(place, seed).opens(day)
    ]


def _one(plan: DayPlan, made_into: Callable[[list[Fact]], list[Any]]) -> tuple[list[Any], list[Any], DayEnd]:
    played = table_day(*plan)
    return made_into(played.facts), made_into(played.late), played.left

"""What reports share: how days and tables are grouped, and how ratios and exact amounts are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import partial
from hashlib import sha256
from typing import Any, Protocol, TypeVar
from zoneinfo import ZoneInfo

from audit.facts.clock import FIRST, SECOND, comes_twice, day_clock, offset_of
from audit.queries.cache.aggregates import Aggregate, F, last_open_days, merge
from audit.queries.cache.play import played
from audit.queries.play import Played
from audit.queries.span import Span
from audit.queries.table_day import TableDay
from casino.models import Standing
from casino.reports.columns import Column
from games.kit.amounts import decimal

PLAY_ALONE = frozenset({"dealer", "hour", "wager", "pay_table"})
"""Only play knows these: a drop follows its box, and a box has no dealer and no hour."""


class Pits:
    """Which pit a table stood in on a gaming day, as registered: `tables` with a `pit`, or `pits` with their
    `tables`.
    """

    def __init__(self) -> None:
        self.of: dict[str, list[tuple[date, date, str]]] = {}
        for row in Standing.objects.filter(register__in=("tables", "pits")).order_by(
            "register", "key", "begins"
        ):
            if row.register == "tables" and isinstance(pit := row.get("pit"), str):
                self._enter(row, row.key, pit)
            elif row.register == "pits" and isinstance(tables := row.get("tables"), list):
                for table in tables:
                    self._enter(row, str(table), row.key)

    def _enter(self, row: Standing, table: str, pit: str) -> None:
        self.of.setdefault(f"{row.property}/{table}", []).append((row.begins, row.ends, pit))

    def pit(self, table: str, day: date) -> str:
        """Its name; empty where the register does not say."""
        return next(
            (pit for begins, ends, pit in reversed(self.of.get(table, [])) if begins <= day < ends), ""
        )

    @property
    def stamp(self) -> str:
        """Another one when the register says otherwise."""
        return sha256(repr(sorted(self.of.items())).encode()).hexdigest()[:16]


class Hours:
    """The hour that a property's own clock showed, by its register `day-begins` as of the gaming day,
    whatever zone a device writes.
    """

    def __init__(self) -> None:
        self.zones: dict[str, list[tuple[date, date, ZoneInfo]]] = {}
        for row in Standing.objects.filter(register="day-begins").order_by("key", "begins"):
            if (read := day_clock(row.value)) is not None:
                self.zones.setdefault(row.property, []).append((row.begins, row.ends, read[1]))
        self._known: dict[tuple[str, str, str], str] = {}

    def hour(self, property: str, day: str, written: str) -> str:
        """Two digits; those of the device where the property says no zone. `written`: the hour as the tally
        has it, `2026-11-27T20+00:00`.

        An hour that the clock showed twice on that day is two hours, each with its offset: `01 (first,
        -07:00)`. Where a zone lies half an hour beside the device's it is the hour in which that of the
        device began.
        """
        if (known := self._known.get((property, day, written))) is None:
            known = self._known[property, day, written] = self._told(
                property, date.fromisoformat(day), written
            )
        return known

    def _told(self, property: str, day: date, written: str) -> str:
        zone = next(
            (zone for begins, ends, zone in self.zones.get(property, ()) if begins <= day < ends), None
        )
        at = datetime.fromisoformat(f"{written[:HOUR]}:00{written[HOUR:]}")
        if zone is None:
            return f"{at:%H}"
        local = at.astimezone(zone)
        twice = [moment for moment in (local, local.replace(minute=59)) if comes_twice(moment)]
        return (
            f"{local:%H} ({SECOND if twice[0].fold else FIRST}, {offset_of(twice[0])})"
            if twice
            else f"{local:%H}"
        )

    @property
    def stamp(self) -> str:
        """Another one when the register says otherwise."""
        told = {
            property: [(begins, ends, zone.key) for begins, ends, zone in of]
            for property, of in self.zones.items()
        }
        return sha256(repr(sorted(told.items())).encode()).hexdigest()[:16]


HOUR = len("2026-11-27T20")


def pits_for(by: Iterable[str]) -> Pits | None:
    """The pits, where something goes by them."""
    return Pits() if "pit" in by else None


def name_of_sums(report: str, by: Sequence[str], pits: Pits | None) -> str:
    """What a cache of sums is called: all that they hang on besides tallies."""
    hours = (Hours().stamp,) if "hour" in by else ()
    return " ".join((report, ",".join(by), *((pits.stamp,) if pits is not None else ()), *hours))


def of_day(day: TableDay, by: Sequence[str], pits: Pits | None) -> tuple[str, ...]:
    """The values by which a table's day is grouped."""
    values: dict[str, Any] = {"month": f"{day.day:%Y-%m}", "day": day.day.isoformat()}
    if pits is not None:
        values["pit"] = pits.pit(day.table, day.day)
    return tuple(str(values[name]) if name in values else str(getattr(day, name)) for name in by)


def of_days(by: Sequence[str]) -> tuple[str, ...]:
    """The same for play that stands beside a count: a table that changes its game is counted once, and its
    whole day is of one game.
    """
    return tuple("days_game" if name == "game" else name for name in by)


class Grouped(Protocol):
    """A row that knows what it was added up by."""

    @property
    def by(self) -> tuple[str, ...]: ...


One = TypeVar("One", bound=Grouped)
Ask = Callable[[tuple[str, ...]], Iterable[One]]


def by_play(span: Span, by: Sequence[str], pits: Pits | None) -> Iterator[tuple[tuple[str, ...], Played]]:
    """Rows of play with the values by which they are grouped; some come more than once."""
    return as_registered(partial(played, span), by, pits)


def as_registered(
    ask: Ask[One], by: Sequence[str], pits: Pits | None
) -> Iterator[tuple[tuple[str, ...], One]]:
    """What is asked for by the names of `by`, with their values: a pit is that of the table on its day, an
    hour that of the property.
    """
    hours = Hours() if "hour" in by else None
    besides = [
        *(("table", "day") if pits is not None else ()),
        *(("property", "day", "written_hour") if hours is not None else ()),
    ]
    asked = tuple(dict.fromkeys((*(name for name in by if name not in ("pit", "hour")), *besides)))
    for row in ask(asked):
        of = dict(zip(asked, row.by, strict=True))
        if pits is not None:
            of["pit"] = pits.pit(of["table"], date.fromisoformat(of["day"]))
        if hours is not None:
            of["hour"] = hours.hour(of["property"], of["day"], of["written_hour"])
        yield tuple(of[name] for name in by), row


def columns_of(by: Iterable[str]) -> tuple[Column, ...]:
    """The columns of what a report is grouped by."""
    return tuple(Column(name, name.replace("_", " "), "day" if name == "day" else "text") for name in by)


def blank(by: Sequence[str]) -> tuple[str, ...]:
    """The same in a row of totals."""
    return ("total",) + ("",) * (len(by) - 1) if by else ()


def totals(rows: Iterable[Aggregate[F]], by: Sequence[str]) -> list[Aggregate[F]]:
    """Return the total of these rows for each currency, the last part of their keys; none if they are not
    grouped.
    """
    return merge(Aggregate((*blank(by), row.key[-1]), row.figures) for row in rows) if by else []


def percent(part: int, whole: int) -> str:
    """100 x part / whole to one decimal, half up (away from nothing), exact: `-0.05` is `-0.1`. `whole` is
    above 0.
    """
    return rounded(Fraction(100 * part, whole), 1)


def rounded(amount: Fraction, digits: int) -> str:
    """To so many decimals, half up (away from nothing)."""
    scale = 10**digits
    units = (2 * abs(amount.numerator) * scale + amount.denominator) // (2 * amount.denominator)
    whole, rest = divmod(units, scale)
    return f"{'-' if amount < 0 and units else ''}{whole}{f'.{rest:0{digits}}' if digits else ''}"


def money(amount: int | str | Fraction, currency: str) -> str:
    """A decimal of the currency; a fraction of its minor unit is rounded half up."""
    exact = Fraction(amount)
    return decimal(exact.numerator if exact.denominator == 1 else int(rounded(exact, 0)), currency)


def last_day(span: Span) -> date | None:
    """Return the day as of which a report is: the last of the span, else the last that any property in it has
    played; None if none has.
    """
    if span.ends is not None:
        return span.ends - timedelta(days=1)
    return max((day for _, day in last_open_days(span)), default=None)

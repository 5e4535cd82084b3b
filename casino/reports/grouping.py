"""How reports group days and tables, and how they format ratios and exact amounts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import lru_cache, partial
from hashlib import sha256
from typing import Protocol, TypeVar
from zoneinfo import ZoneInfo

from audit.facts.clock import FIRST, SECOND, comes_twice, day_clock, offset_of
from audit.queries.cache.aggregates import Aggregate, F, ReadRows, aggregate, last_open_days, merge
from audit.queries.cache.play import played
from audit.queries.cache.table_days import is_whole_month
from audit.queries.play import Played
from audit.queries.span import Span
from audit.queries.table_day import TableDay
from casino.reference import standing
from casino.reference.standing import StandingValue
from casino.reports.columns import Column
from games.kit.amounts import decimal

PLAY_ALONE = frozenset({"dealer", "hour", "wager", "pay_table"})
"""Groupings that are known only for play. The drop is known only by box, and a box has no dealer and no
hour.
"""


class Pits:
    """The pit of each table on a gaming day, from the registers: an entry in `tables` with a `pit`, or an
    entry in `pits` with its `tables`.
    """

    def __init__(self) -> None:
        self.of: dict[str, list[tuple[date, date, str]]] = {}
        for register in ("pits", "tables"):
            for row in standing.everywhere(register):
                named = row.value if isinstance(row.value, dict) else {}
                if register == "tables" and isinstance(pit := named.get("pit"), str):
                    self._enter(row, row.key, pit)
                elif register == "pits" and isinstance(tables := named.get("tables"), list):
                    for table in tables:
                        self._enter(row, str(table), row.key)

    def _enter(self, row: StandingValue, table: str, pit: str) -> None:
        self.of.setdefault(f"{row.property}/{table}", []).append((row.begins, row.ends, pit))

    def pit(self, table: str, day: date) -> str:
        """Return the pit of a table on a day; empty text if the registers do not name one."""
        return next(
            (pit for begins, ends, pit in reversed(self.of.get(table, [])) if begins <= day < ends), ""
        )

    @property
    def stamp(self) -> str:
        """Return a hash of the register entries from which the pits were read. It changes whenever an entry
        changes.
        """
        return sha256(repr(sorted(self.of.items())).encode()).hexdigest()[:16]


class Hours:
    """Converts the hour of a device's clock into the hour of the property's clock. The property's time zone
    on a gaming day is in its register `day-begins`.
    """

    def __init__(self) -> None:
        self.zones: dict[str, list[tuple[date, date, ZoneInfo]]] = {}
        for row in standing.everywhere("day-begins"):
            if (read := day_clock(row.value)) is not None:
                self.zones.setdefault(row.property, []).append((row.begins, row.ends, read[1]))
        self._known: dict[tuple[str, str, str], str] = {}

    def hour(self, property: str, day: str, written: str) -> str:
        """Return the hour of the property's clock in two digits, or the hour of the device's clock if the
        property has no time zone.

        An hour that occurs twice on a day, because the clock was set back, is shown as two hours, each with
        its offset: `01 (first, -07:00)`. If the property's time zone differs from the device's by half an
        hour, the result is the hour in which the device's hour began.

        Args:
            property: the property.
            day: the gaming day.
            written: the hour of the device's clock, as in the tally: `2026-11-27T20+00:00`.
        """
        if (known := self._known.get((property, day, written))) is None:
            known = self._known[property, day, written] = self._local_hour(
                property, date.fromisoformat(day), written
            )
        return known

    def _local_hour(self, property: str, day: date, written: str) -> str:
        zone = next(
            (zone for begins, ends, zone in self.zones.get(property, ()) if begins <= day < ends), None
        )
        at = datetime.fromisoformat(f"{written[:HOUR]}:00{written[HOUR:]}")
        if zone is None:
            return f"{at:%H}"
        local = at.astimezone(zone)
        repeated = [moment for moment in (local, local.replace(minute=59)) if comes_twice(moment)]
        return (
            f"{local:%H} ({SECOND if repeated[0].fold else FIRST}, {offset_of(repeated[0])})"
            if repeated
            else f"{local:%H}"
        )

    @property
    def stamp(self) -> str:
        """Return a hash of the register entries from which the time zones were read. It changes whenever an
        entry changes.
        """
        keys = {
            property: [(begins, ends, zone.key) for begins, ends, zone in zones]
            for property, zones in self.zones.items()
        }
        return sha256(repr(sorted(keys.items())).encode()).hexdigest()[:16]


HOUR = len("2026-11-27T20")


def pits_for(by: Iterable[str]) -> Pits | None:
    """Return the pits if rows are grouped by pit. Otherwise, return None."""
    return Pits() if "pit" in by else None


def name_of_sums(report: str, by: Sequence[str], pits: Pits | None) -> str:
    """Return the name under which a report's aggregates are cached. It contains the report, the grouping, and
    hashes of the register entries that they use.
    """
    hours = (Hours().stamp,) if "hour" in by else ()
    return " ".join((report, ",".join(by), *((pits.stamp,) if pits is not None else ()), *hours))


OF_TABLES = frozenset({"property", "table", "game", "month", "shift"})
"""Groupings whose rows are sums of the rows of tables in one month."""


def month_from_tables(
    report: str, by: tuple[str, ...], figures: type[F], read_by: Callable[[tuple[str, ...]], ReadRows[F]]
) -> ReadRows[F]:
    """Return a function that reads a report's rows. A whole month is added up from the cached rows of its
    tables if the grouping permits it, instead of from every table's day.

    Args:
        report: the name of the report.
        by: the grouping.
        figures: the type of the rows' figures.
        read_by: returns the function that reads the rows in a grouping from the days.
    """
    # Always with the game, so that all groupings without a shift are added up from the same rows.
    of_tables = ("table", "game", *(("shift",) if "shift" in by else ()))
    read_days = read_by(by)
    if by == of_tables or not OF_TABLES.issuperset(by):
        return read_days

    def read_rows(span: Span) -> Iterator[Aggregate[F]]:
        if not is_whole_month(span):
            yield from read_days(span)
            return
        month = {"property": span.property or "", "month": f"{span.begins:%Y-%m}"}
        name = name_of_sums(report, of_tables, None)
        for row in aggregate(name, span, read_by(of_tables), figures):
            value_of = month | dict(zip(of_tables, row.key, strict=False))
            yield row._replace(key=(*(value_of[name] for name in by), *row.key[len(of_tables) :]))

    read_rows.__module__ = read_days.__module__  # whose code is part of the fingerprint of the cached rows
    return read_rows


def of_day(day: TableDay, by: Sequence[str], pits: Pits | None) -> tuple[str, ...]:
    """Return the values of a table's day for the grouping `by`, for example its table and its month."""
    return tuple(
        [
            _date_text(day.day, name)
            if name in ("day", "week", "month")
            else pits.pit(day.table, day.day)
            if name == "pit" and pits is not None
            else str(getattr(day, name))
            for name in by
        ]
    )


@lru_cache(maxsize=4096)
def _date_text(day: date, name: str) -> str:
    """Return a gaming day as text, its month if `name` is `month`, or the Monday of its week if `name` is
    `week`. It is cached, because a report of a year needs the text of each day for every table.
    """
    if name == "month":
        return f"{day:%Y-%m}"
    return (monday(day) if name == "week" else day).isoformat()


def monday(day: date) -> date:
    """Return the first day of the week of a gaming day."""
    return day - timedelta(days=day.weekday())


def of_days(by: Sequence[str]) -> tuple[str, ...]:
    """Return the grouping by which a report reads play if it also shows counts. In it, `game` is replaced by
    the game of the whole day, because a table that changes its game would be counted twice.
    """
    return tuple("days_game" if name == "game" else name for name in by)


class Grouped(Protocol):
    """A row of the tally, with the values by which it is grouped."""

    @property
    def by(self) -> tuple[str, ...]: ...


One = TypeVar("One", bound=Grouped)
Ask = Callable[[tuple[str, ...]], Iterable[One]]


def by_play(span: Span, by: Sequence[str], pits: Pits | None) -> Iterator[tuple[tuple[str, ...], Played]]:
    """Yield (values of the grouping `by`, row of play). Several rows may have the same values."""
    return as_registered(partial(played, span), by, pits)


def as_registered(
    ask: Ask[One], by: Sequence[str], pits: Pits | None
) -> Iterator[tuple[tuple[str, ...], One]]:
    """Yield (values of the grouping `by`, row). The pit of a table and the hour of the property's clock are
    not in the tally: they are found with the registers.

    Args:
        ask: a function that reads rows of the tally, grouped by the names that it is given.
        by: the grouping, which may include `pit` and `hour`.
        pits: the pits, if rows are grouped by them.
    """
    hours = Hours() if "hour" in by else None
    needed = [
        *(("table", "day") if pits is not None else ()),
        *(("property", "day", "written_hour") if hours is not None else ()),
    ]
    dimensions = tuple(dict.fromkeys((*(name for name in by if name not in ("pit", "hour")), *needed)))
    for row in ask(dimensions):
        value_of = dict(zip(dimensions, row.by, strict=True))
        if pits is not None:
            value_of["pit"] = pits.pit(value_of["table"], date.fromisoformat(value_of["day"]))
        if hours is not None:
            value_of["hour"] = hours.hour(value_of["property"], value_of["day"], value_of["written_hour"])
        yield tuple(value_of[name] for name in by), row


def columns_of(by: Iterable[str]) -> tuple[Column, ...]:
    """Return the columns of a report's grouping."""
    return tuple(Column(name, name.replace("_", " "), "day" if name == "day" else "text") for name in by)


def blank(by: Sequence[str]) -> tuple[str, ...]:
    """Return the cells of the grouping in a row of totals: `total`, then empty cells."""
    return ("total",) + ("",) * (len(by) - 1) if by else ()


def totals_of_days(
    by: Sequence[str],
    rows: Iterable[Aggregate[F]],
    has_overnight: bool,
    read: Callable[[], list[Aggregate[F]]],
) -> list[Aggregate[F]]:
    """Return the totals of whole days, which are the same for every grouping `by`.

    A day with a pending shift is left out. The drop of a box that stayed on its table overnight is included,
    even if the days of the box are in several rows.

    If `by` contains `shift`, or if boxes stayed overnight, the totals are calculated from the result of
    `read`, which returns the rows without any grouping. In all other cases, and for the groupings in
    PLAY_ALONE, they are calculated from `rows`.
    """
    if not PLAY_ALONE & set(by) and ("shift" in by or has_overnight):
        return [row._replace(key=(*blank(by), *row.key)) for row in read()]
    return merge(row._replace(key=(*blank(by), *row.key[len(by) :])) for row in rows)


def totals(rows: Iterable[Aggregate[F]], by: Sequence[str]) -> list[Aggregate[F]]:
    """Return the total of these rows for each currency. The currency is the last value of a row's key. If the
    rows are not grouped, return no totals.
    """
    return merge(Aggregate((*blank(by), row.key[-1]), row.figures) for row in rows) if by else []


TOTAL_LESS_ROWS = "total less rows: "
"""How a note begins that says by how much a total differs from the sum of its rows."""


BOXES_OR_SHIFTS = "boxes stayed on their table overnight or the shifts of a day are known only together"


def less_rows(
    currency: str, differences: Mapping[str, int | Fraction], because: str = BOXES_OR_SHIFTS
) -> str:
    """Return the note on a total that differs from the sum of its rows by these amounts, in minor units."""
    parts = ", ".join(f"{money(amount, currency)} of {name}" for name, amount in differences.items())
    return f"{TOTAL_LESS_ROWS}{parts}, because {because}"


def with_differences(
    totals: Iterable[Aggregate[F]],
    sums: Iterable[Aggregate[F]],
    empty: F,
    names_of: Callable[[tuple[str, ...]], Mapping[str, str]],
    is_known: Callable[[F], object],
) -> list[Aggregate[F]]:
    """Return the totals with a note on each that is not the sum of its rows.

    Args:
        sums: the sums of the rows, with the keys of the totals.
        empty: the figures of a sum without rows.
        names_of: returns for a key the figures that are compared, with their names in the note.
        is_known: returns False for a total without figures, which gets no note.
    """
    added = {row.key: row.figures for row in sums}
    noted = []
    for row in totals:
        own = added.get(row.key, empty)
        differences = {
            name: Fraction(getattr(row.figures, field)) - Fraction(getattr(own, field))
            for field, name in names_of(row.key).items()
        }
        amounts = {name: amount for name, amount in differences.items() if amount}
        is_noted = amounts and is_known(row.figures)
        noted.append(row._replace(notes=(less_rows(row.key[-1], amounts), *row.notes)) if is_noted else row)
    return noted


def percent(part: int, total: int) -> str:
    """Return 100 x part / total to one decimal, exact, rounded half up (away from zero): -0.05 gives `-0.1`.
    `total` must be greater than 0.
    """
    return rounded(Fraction(100 * part, total), 1)


def rounded(amount: Fraction, digits: int) -> str:
    """Return an amount to this number of decimals, rounded half up (away from zero)."""
    scale = 10**digits
    units = (2 * abs(amount.numerator) * scale + amount.denominator) // (2 * amount.denominator)
    integer, decimals = divmod(units, scale)
    return f"{'-' if amount < 0 and units else ''}{integer}{f'.{decimals:0{digits}}' if digits else ''}"


def money(amount: int | str | Fraction, currency: str) -> str:
    """Return minor units as a decimal of the currency; a fraction of a minor unit is rounded half up."""
    exact = Fraction(amount)
    return decimal(exact.numerator if exact.denominator == 1 else int(rounded(exact, 0)), currency)


def last_day(span: Span) -> date | None:
    """Return the last day of the span. If the span has no end, return the last gaming day on which any of its
    properties played, or None if there is no such day.
    """
    if span.ends is not None:
        return span.ends - timedelta(days=1)
    return max((day for _, day in last_open_days(span)), default=None)

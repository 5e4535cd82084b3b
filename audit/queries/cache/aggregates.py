"""Cached aggregates of whole months and days, keyed by a fingerprint of their inputs; safe to delete.

The stamp of a period is a hash over every stream in it that the books include, how far each was examined and
by which rules, and its adjustments. Aggregates depend on these inputs alone, so aggregates whose stamp is the
current one are current. A period that has changed is aggregated again. Deleting the contents of the table
`summed` costs time and changes no figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from hashlib import sha256
from math import lcm
from typing import Any, Generic, NamedTuple, TypeVar, cast

from msgspec import json

from audit import database
from audit.queries.adjustments import restated_days
from audit.queries.cache import cached_rows
from audit.queries.cache.cached_rows import read_cache
from audit.queries.examination import only_examined
from audit.queries.span import OF_BOOKS, RESTATED, Span, day_values
from audit.source_closure import closure, fingerprint

Exact = int | str
"""An exact number in a cached row: an integer, or a fraction as text, `7/2`."""
F = TypeVar("F", bound=tuple[Any, ...])
"""The figures of a report: a NamedTuple whose fields are `int` or `Exact`."""


class Aggregate(NamedTuple, Generic[F]):
    """A row that can be added to another with the same key: figures by name, and a few notes in their
    order.
    """

    key: tuple[str, ...]
    figures: F
    notes: tuple[str, ...] = ()


def exact_number(number: int | Fraction) -> Exact:
    """Return a number in the form in which the figures of an `Aggregate` store it."""
    if isinstance(number, int):
        return number
    return number.numerator if number.denominator == 1 else str(number)


ReadRows = Callable[[Span], Iterable[Aggregate[F]]]
"""Reads the rows that a report aggregates, for any span of days. It reads tallies: a query of the ledger
itself raises `examination.ReadsLedger`.
"""


class CachePeriod(NamedTuple):
    """A whole month or a day: its name, its first day, its end (exclusive; None: no end), its stamp, and for
    a month its days.
    """

    name: str
    begins: date
    ends: date | None
    stamp: str
    days: tuple[CachePeriod, ...] = ()


Periods = dict[str, list[CachePeriod]]
"""The periods of each property."""
NOTES = 4
"""Notes cached for a row, because no report shows more than the first few."""


class TimeBudgetExceeded(Exception):
    """The time budget was used up before everything was aggregated. The finished periods are cached, so the
    next attempt continues from there.

    `period`: the month or day that is next, after `done` periods of `total`; empty text and 0 if the caller
    does not count periods.
    """

    def __init__(self, period: str = "", done: int = 0, total: int = 0) -> None:
        super().__init__(period)
        self.period, self.done, self.total = period, done, total


class TimeBudget:
    """A limit for how long a caller waits, and how many periods were cached in that time."""

    def __init__(self, is_used_up: Callable[[], bool]) -> None:
        self.is_used_up, self.cached = is_used_up, 0


_budget: ContextVar[TimeBudget | None] = ContextVar("time budget", default=None)


@contextmanager
def time_budget(is_used_up: Callable[[], bool]) -> Iterator[TimeBudget]:
    """Limit the time that aggregation in this block may take.

    Raises:
        TimeBudgetExceeded: the budget is used up, and another month or day would have to be aggregated.
    """
    budget = TimeBudget(is_used_up)
    token = _budget.set(budget)
    try:
        yield budget
    finally:
        _budget.reset(token)


def check_budget(period: str = "", done: int = 0, total: int = 0) -> None:
    """Raise TimeBudgetExceeded if the time budget is used up; called before each period is aggregated."""
    if (budget := _budget.get()) is not None and budget.is_used_up():
        raise TimeBudgetExceeded(period, done, total)


def aggregate(
    name: str, span: Span, read_rows: ReadRows[F], figures: type[F], periods: Periods | None = None
) -> list[Aggregate[F]]:
    """Return the aggregates of a span, one for each key, in the order of the keys.

    Args:
        name: what is aggregated, with all that it depends on besides tallies (registers, grouping).
        span: the days, the property and the books.
        read_rows: reads the rows of a part of the span that is not cached.
        figures: the type of the rows' figures.
        periods: the periods of the span, if they have been read already.
    """
    full_name = " ".join(filter(None, (name, span.books, code_fingerprint(read_rows.__module__))))
    return merge(
        row
        for property, of_property in (periods_of(span) if periods is None else periods).items()
        for row in _rows_of(span._replace(property=property), full_name, of_property, read_rows, figures)
    )


def _rows_of(
    span: Span, name: str, periods: Sequence[CachePeriod], read_rows: ReadRows[F], figures: type[F]
) -> Iterator[Aggregate[F]]:
    """Yield the aggregates of each period. A month that has changed since it was cached is built from its
    cached days, so that the next change costs one day.
    """
    property = span.property or ""
    cached = read_cache(property, name, [period.name for period in periods])
    for done, period in enumerate(periods):
        known = cached.get(period.name)
        if known is not None and known[0] == period.stamp:
            yield from decode_rows(known[1], figures)
            continue
        check_budget(period.name, done, len(periods))
        by_day = known is not None and period.days
        with only_examined():
            rows = merge(
                _rows_of(span, name, period.days, read_rows, figures)
                if by_day
                else read_rows(span._replace(begins=period.begins, ends=period.ends))
            )
        if is_current(span, period):
            write_cache(property, period.name, name, period.stamp, json.encode(rows))
        yield from rows


def is_current(span: Span, period: CachePeriod) -> bool:
    """Return True if a period of the span has not changed since its stamp was read.

    A fact recorded while the period was aggregated changes the stamp. It is then unknown which inputs were
    read, so the result must not be cached under the old stamp.
    """
    current = periods_of(span._replace(begins=period.begins, ends=period.ends))
    return current.get(span.property or "") == [period]


def merge(rows: Iterable[Aggregate[F]]) -> list[Aggregate[F]]:
    """Return one row for each key, in the order of the keys: the sum of the rows with that key. A single row
    is returned unchanged.
    """
    merged: dict[tuple[str, ...], Aggregate[F] | _Addition[F]] = {}
    for row in rows:
        before = merged.get(row.key)
        if before is None:
            merged[row.key] = row
            continue
        if not isinstance(before, _Addition):
            before = merged[row.key] = _Addition(before)
        before.add(row)
    return [
        row.result() if isinstance(row, _Addition) else row for row in map(merged.__getitem__, sorted(merged))
    ]


def negate(row: Aggregate[F]) -> Aggregate[F]:
    """Return the row that subtracts this one from a sum: each figure with the opposite sign, and no notes."""
    figures = (exact_number(-Fraction(number)) for number in row.figures)
    return Aggregate(row.key, _named(type(row.figures), figures))


def _named(figures: type[F], numbers: Iterable[Exact]) -> F:
    return cast(F, cast(Any, figures)._make(numbers))


class _Addition(Generic[F]):
    """Exact sums of several rows: fractions over a common denominator, reduced once, at the end."""

    __slots__ = ("denominators", "figures", "key", "notes", "numerators")

    def __init__(self, row: Aggregate[F]) -> None:
        self.key, self.figures, self.notes = row.key, type(row.figures), row.notes
        ratios = [_ratio(number) for number in row.figures]
        self.numerators = [numerator for numerator, _ in ratios]
        self.denominators = [denominator for _, denominator in ratios]

    def add(self, row: Aggregate[F]) -> None:
        """Add the figures of a row, and its notes while there are fewer than NOTES."""
        numerators, denominators = self.numerators, self.denominators
        for place, number in enumerate(row.figures):
            denominator = denominators[place]
            if type(number) is int and denominator == 1:
                numerators[place] += number
                continue
            numerator, other = _ratio(number)
            if other != denominator:
                common = lcm(denominator, other)
                numerators[place] *= common // denominator
                numerator *= common // other
                denominators[place] = common
            numerators[place] += numerator
        if row.notes and len(self.notes) < NOTES:
            self.notes = (self.notes + row.notes)[:NOTES]

    def result(self) -> Aggregate[F]:
        """Return the sum of all rows that were added."""
        numbers = (
            exact_number(Fraction(numerator, denominator)) if denominator > 1 else numerator
            for numerator, denominator in zip(self.numerators, self.denominators, strict=True)
        )
        return Aggregate(self.key, _named(self.figures, numbers), self.notes)


def _ratio(number: Exact) -> tuple[int, int]:
    """Return numerator and denominator of an integer, or of a fraction as text."""
    if isinstance(number, int):
        return number, 1
    numerator, _, denominator = number.partition("/")
    return int(numerator), int(denominator or 1)


Stamp = tuple[str, date, str]
"""A property, one of its gaming days, and a hash of that day's streams as far as the books include them."""


def stamps_of(span: Span) -> list[Stamp]:
    """Return the stamp of every day of the span that has a stream, in order.

    Closed and restated books have the same stamps here, because adjustments are not included.
    """
    query = f"""SELECT property, day,
            count(*) || ' ' || bit_xor(hashtextextended(stream, hashtextextended(rules, cursor)))
        FROM examination
        WHERE day >= coalesce(%s, '-infinity'::date) AND day < coalesce(%s, 'infinity'::date)
            AND (%s::text IS NULL OR property = %s) AND {OF_BOOKS}
        GROUP BY property, day ORDER BY property, day"""
    return [(property, day, stamp) for property, day, stamp in database.rows(query, day_values(span))]


def periods_of(
    span: Span, changes: Iterable[tuple[str, date, int]] | None = None, stamps: Sequence[Stamp] | None = None
) -> Periods:
    """Return each property's whole months, and single days for months that are only partly in the span.

    Args:
        span: the days, the property and the books.
        changes: what `restated_days` returns for the span, if its adjustments have been read already; only
            the restated books have any.
        stamps: what `stamps_of` returns for the span, if it has been read already.
    """
    months: dict[tuple[str, str], list[tuple[date, str]]] = {}
    positions: dict[tuple[str, date], str] = {}
    if changes is None:
        changes = restated_days(span) if span.books == RESTATED else ()
    for property, day, position in changes:
        positions[property, day] = f"{positions.get((property, day), '')} {position}"
    for property, day, stamp in stamps_of(span) if stamps is None else stamps:
        months.setdefault((property, f"{day:%Y-%m}"), []).append(
            (day, stamp + positions.get((property, day), ""))
        )
    periods: Periods = {}
    for (property, month), stamped_days in months.items():
        begins = stamped_days[0][0].replace(day=1)
        ends = days_after(begins, 31, of_month=True)
        days = tuple(CachePeriod(str(day), day, days_after(day, 1), stamp) for day, stamp in stamped_days)
        if (span.begins or begins) <= begins and (
            span.ends is None or (ends is not None and ends <= span.ends)
        ):
            stamp = sha256(" ".join(f"{day} {stamp}" for day, stamp in stamped_days).encode()).hexdigest()
            periods.setdefault(property, []).append(CachePeriod(month, begins, ends, stamp, days))
        else:
            periods.setdefault(property, []).extend(days)
    return periods


def days_after(day: date, days: int, *, of_month: bool = False) -> date | None:
    """Return the date `days` days later, or with `of_month` the first day of its month; None if it is after
    the last date that Python supports.
    """
    try:
        later = day + timedelta(days=days)
    except OverflowError:
        return None
    return later.replace(day=1) if of_month else later


@cache
def code_fingerprint(module: str) -> str:
    """Return the hash of a module and of all modules of this project that it imports, because changed code
    may aggregate differently.

    The code of single games is not included: the rules of each examination are part of the stamp.
    """
    return fingerprint(closure([module], every_game=False))[:16]


def cached_names(property: str | None = None) -> list[str]:
    """Return every name under which aggregates are cached."""
    query = "SELECT DISTINCT name FROM summed WHERE %s::text IS NULL OR property = %s ORDER BY name"
    return [row[0] for row in database.rows(query, [property, property])]


def evict(names: Sequence[str], days_before: date) -> None:
    """Delete everything cached under these names, and single days before `days_before` under all names."""
    database.execute(
        "DELETE FROM summed WHERE name = ANY(%s) OR (length(unit) = 10 AND unit < %s)",
        [list(names), str(days_before)],
    )


@cache
def _decoder(figures: type[F]) -> json.Decoder[list[Aggregate[F]]]:
    return json.Decoder(list[Aggregate[figures]])  # type: ignore[valid-type]


def decode_rows(content: bytes | bytearray | memoryview, figures: type[F]) -> list[Aggregate[F]]:
    """Return cached rows whose figures are of this type."""
    return _decoder(figures).decode(content)


def write_cache(property: str, period: str, name: str, stamp: str, content: bytes) -> None:
    """Cache the content of a period with its stamp, replacing the previous one."""
    if (budget := _budget.get()) is not None:
        budget.cached += 1
    cached_rows.write(property, period, name, stamp, content)


_OPEN = f"""FROM examination
    WHERE day >= coalesce(%s, '-infinity'::date) AND day < coalesce(%s, 'infinity'::date)
        AND (%s::text IS NULL OR property = %s) AND {OF_BOOKS} AND game <> ''"""


def last_open_days(span: Span) -> Iterator[tuple[str, date]]:
    """Yield the last gaming day of each property in the span on which a table was open."""
    query = f"SELECT property, max(day) {_OPEN} GROUP BY property ORDER BY property"
    yield from ((property, day) for property, day in database.rows(query, day_values(span)))


def count_open_days(span: Span) -> int:
    """Return the number of gaming days in the span on which a table was open."""
    count: int = database.rows(f"SELECT count(DISTINCT day) {_OPEN}", day_values(span))[0][0]
    return count

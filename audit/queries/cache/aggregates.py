"""Cached aggregates of whole months, days and runs of consecutive days, stored with a fingerprint of their
inputs. They can be deleted at any time.

The fingerprint of a period (the field and column `stamp`) is a hash of three inputs: how far each stream in
the books was examined, by which rules, and the adjustments of the period. Aggregates depend only on these
inputs, so they are current if their fingerprint equals the present one. If a period has changed, it is
aggregated again. Deleting the rows of the table `summed` costs time but changes no figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import chain, groupby
from math import gcd
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar, cast

from django.db import DEFAULT_DB_ALIAS
from msgspec import json

from audit import database
from audit.garbage import without_garbage_collection
from audit.queries.adjustments import restated_days
from audit.queries.cache import cached_rows
from audit.queries.cache.cached_rows import read_cache
from audit.queries.cache.stamps import Stamp, read_stamps, stamps_of
from audit.queries.cache.time_budget import check_budget, count_cached, no_time_limit
from audit.queries.examination import only_examined
from audit.queries.span import OF_BOOKS, RESTATED, Span, day_values
from audit.source_closure import closure, fingerprint

Exact = int | str
"""An exact number in a cached row: an integer, or a fraction as text, `7/2`."""
F = TypeVar("F", bound=tuple[Any, ...])
"""The figures of a report: a NamedTuple whose fields are `int` or `Exact`."""


class Aggregate(NamedTuple, Generic[F]):
    """A row that can be added to another row with the same key. It has figures by name, and a few notes."""

    key: tuple[str, ...]
    figures: F
    notes: tuple[str, ...] = ()


def exact_number(number: int | Fraction) -> Exact:
    """Return a number in the form in which an `Aggregate` stores its figures."""
    if isinstance(number, int):
        return number
    return number.numerator if number.denominator == 1 else str(number)


def exact_ratio(numerator: int, denominator: int) -> Exact:
    """Return a ratio of integers in the form in which an `Aggregate` stores its figures. It is faster than
    `exact_number` of a Fraction.

    Args:
        denominator: greater than 0.
    """
    divisor = gcd(numerator, denominator)
    if divisor == denominator:
        return numerator // denominator
    return f"{numerator // divisor}/{denominator // divisor}"


ReadRows = Callable[[Span], Iterable[Aggregate[F]]]
"""A function that reads the rows that a report aggregates, for any span of days. It reads tallies only: a
query of the ledger raises `examination.ReadsLedger`.
"""


class CachePeriod(NamedTuple):
    """A month, a day or a run of consecutive days of one month. It has its name, its first day, its end
    (exclusive, or None for no end) and its cache fingerprint, `stamp`. A month and a run also have their
    days.
    """

    name: str
    begins: date
    ends: date | None
    stamp: str
    days: tuple[CachePeriod, ...] = ()

    @property
    def is_run(self) -> bool:
        """Return True if the period is a run of days."""
        return RUN in self.name


_KEY = itemgetter(Aggregate._fields.index("key"))
"""Returns the key of an `Aggregate`, faster than a function in Python does."""
Periods = dict[str, list[CachePeriod]]
"""{property: its cache periods}."""
RUN = ".."
"""Separates the first and the last day in the name of a run of days, such as `2026-11-01..2026-11-27`."""
SHORTEST = 4
"""Minimum number of days of a run. Fewer days are read one by one."""
NOTES = 4
"""Maximum number of notes that are cached for a row. Reports show only the first few."""
AT_A_TIME = 64
"""Number of rows with the same key that are collected before they are added up. Without this limit, the
memory used would grow with the number of rows.
"""


def aggregate(
    name: str, span: Span, read_rows: ReadRows[F], figures: type[F], periods: Periods | None = None
) -> list[Aggregate[F]]:
    """Return the aggregates of a span, one for each key, in the order of the keys.

    Args:
        name: what is aggregated. It names everything that the sums depend on except tallies, such as
            the grouping and registers.
        span: the days, the property and the books.
        read_rows: reads the rows of a part of the span that is not cached.
        figures: the type of the rows' figures.
        periods: the periods of the span, if they have been read already.
    """
    full_name = " ".join(filter(None, (name, span.books, code_fingerprint(read_rows.__module__))))
    with without_garbage_collection():
        return merge(
            row
            for property, of_property in (periods_of(span) if periods is None else periods).items()
            for row in _rows_of(
                span._replace(property=property), full_name, with_runs(of_property), read_rows, figures
            )
        )


def with_runs(periods: Sequence[CachePeriod]) -> list[CachePeriod]:
    """Return these periods, with consecutive single days of a month combined into one run of days. The last
    day of the span is never part of a run, because it may still change.

    Without runs, a page of the last 30 days would read thirty rows. With runs, it reads about three.
    """
    joined: list[CachePeriod] = []
    for _, of_month in groupby(periods[:-1], lambda period: (bool(period.days), period.name[:7])):
        days = tuple(of_month)
        joined.extend(days if days[0].days or len(days) < SHORTEST else [run_of(days)])
    return [*joined, *periods[-1:]]


def run_of(days: tuple[CachePeriod, ...]) -> CachePeriod:
    """Return these days as one period of the cache."""
    name = f"{days[0].name}{RUN}{days[-1].name}"
    return CachePeriod(name, days[0].begins, days[-1].ends, _stamp_of(days), days)


def _stamp_of(days: Iterable[CachePeriod]) -> str:
    return sha256(" ".join(f"{day.name} {day.stamp}" for day in days).encode()).hexdigest()


def _rows_of(
    span: Span, name: str, periods: Sequence[CachePeriod], read_rows: ReadRows[F], figures: type[F]
) -> Iterator[Aggregate[F]]:
    """Yield the aggregates of each period. If a month has changed since it was cached, it is built from
    cached days, so that a later change requires only one day to be aggregated. A run is always built from
    cached days.
    """
    property = span.property or ""
    cached = read_cache(property, name, [period.name for period in periods])
    for index, period in enumerate(periods):
        known = cached.get(period.name)
        if known is not None and known[0] == period.stamp:
            yield from decode_rows(known[1], figures)
            continue
        check_budget(period.name, index, len(periods))
        by_day = period.days and (known is not None or period.is_run)
        if by_day:
            with only_examined():
                rows = merge(_rows_of(span, name, period.days, read_rows, figures))
        else:
            with only_examined(), no_time_limit():  # also if it builds other caches
                rows = merge(read_rows(span._replace(begins=period.begins, ends=period.ends)))
        if is_current(span, period):
            write_cache(property, period.name, name, period.stamp, json.encode(rows))
        yield from rows


def is_current(span: Span, period: CachePeriod) -> bool:
    """Return True if a period of the span still has the same cache fingerprint.

    If a fact is recorded while the period is aggregated, the fingerprint changes. It is then unknown which
    inputs were read, so the result must not be cached with the old fingerprint. If a replica is read, the
    primary is asked, because the cache is written there.
    """
    with database.reading_from(DEFAULT_DB_ALIAS):
        part = span._replace(begins=period.begins, ends=period.ends)
        current = periods_of(part, stamps=read_stamps(part))
    return current.get(span.property or "") == (list(period.days) if period.is_run else [period])


def merge(rows: Iterable[Aggregate[F]]) -> list[Aggregate[F]]:
    """Return one row per key, sorted by key: the sum of all rows with that key. If a key has a single row,
    that row is returned unchanged.
    """
    merged: dict[tuple[str, ...], Aggregate[F]] = {}
    others: dict[tuple[str, ...], list[Aggregate[F]]] = {}
    number = 0
    for row in rows:
        merged.setdefault(row.key, row)
        if len(merged) != number:
            number = len(merged)
            continue
        of_key = others.setdefault(row.key, [])
        of_key.append(row)
        if len(of_key) == AT_A_TIME:
            merged[row.key] = _sum([merged[row.key], *of_key])
            of_key.clear()
    for key, of_key in others.items():
        if of_key:
            merged[key] = _sum([merged[key], *of_key])
    return sorted(merged.values(), key=_KEY)


def merge_more(rows: list[Aggregate[F]], others: Iterable[Aggregate[F]]) -> list[Aggregate[F]]:
    """Return the sum of merged rows and others. If there are no others, return the rows unchanged."""
    added = list(others)
    return merge(chain(rows, added)) if added else rows


def _sum(rows: list[Aggregate[F]]) -> Aggregate[F]:
    """Return the sum of rows with the same key. It has the first NOTES notes in the order of their texts, so
    that a sum of days has the same notes as a sum of tables.
    """
    first = rows[0]
    notes: tuple[str, ...] = ()
    if any(row.notes for row in rows):
        notes = tuple(sorted(chain.from_iterable(row.notes for row in rows))[:NOTES])
    columns = list(zip(*[row.figures for row in rows], strict=True))
    try:
        figures = _named(type(first.figures), map(sum, columns))
    except TypeError:  # a fraction, which is a text; nearly all rows have integers only
        figures = _named(type(first.figures), map(_add, columns))
    return Aggregate(first.key, figures, notes)


def _add(numbers: Sequence[Exact]) -> Exact:
    """Return the exact sum of these numbers. Most of them are integers, which are added up much faster."""
    try:
        return sum(numbers)  # type: ignore[arg-type]
    except TypeError:  # a fraction, which is a text
        return exact_number(total(numbers))


def negate(row: Aggregate[F]) -> Aggregate[F]:
    """Return a row that cancels this one in a sum: all figures have the opposite sign, and there are no
    notes.
    """
    figures = (exact_number(-Fraction(number)) for number in row.figures)
    return Aggregate(row.key, _named(type(row.figures), figures))


def _named(figures: type[F], numbers: Iterable[Exact]) -> F:
    return cast(F, cast(Any, figures)._make(numbers))


def total(numbers: Iterable[Exact]) -> Fraction:
    """Return the exact sum of these numbers. Numerators are added up for each denominator."""
    sums: dict[int, int] = {}
    for number in numbers:
        numerator, denominator = _ratio(number)
        sums[denominator] = sums.get(denominator, 0) + numerator
    return sum((Fraction(numerator, denominator) for denominator, numerator in sums.items()), Fraction(0))


def _ratio(number: Exact) -> tuple[int, int]:
    """Return numerator and denominator of an integer, or of a fraction as text."""
    if isinstance(number, int):
        return number, 1
    numerator, _, denominator = number.partition("/")
    return int(numerator), int(denominator or 1)


def periods_of(
    span: Span, changes: Iterable[tuple[str, date, int]] | None = None, stamps: Sequence[Stamp] | None = None
) -> Periods:
    """Return the whole months of each property. For months that are only partly in the span, return single
    days.
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
            periods.setdefault(property, []).append(CachePeriod(month, begins, ends, _stamp_of(days), days))
        else:
            periods.setdefault(property, []).extend(days)
    return periods


def days_after(day: date, days: int, *, of_month: bool = False) -> date | None:
    """Return the date `days` days later. With `of_month`, return the first day of that date's month.

    Return None if the result is after the last date that Python supports.
    """
    try:
        later = day + timedelta(days=days)
    except OverflowError:
        return None
    return later.replace(day=1) if of_month else later


@cache
def code_fingerprint(module: str) -> str:
    """Return a hash of a module's source and the source of all project modules that it imports. If that code
    changes, cached aggregates may no longer be valid.

    The code of individual games is not included, because the fingerprint of a period already includes the
    rules by which its streams were examined.
    """
    return fingerprint(closure([module], every_game=False))[:16]


def cached_names(property: str | None = None) -> list[str]:
    """Return all names under which aggregates are cached."""
    query = "SELECT DISTINCT name FROM summed WHERE %s::text IS NULL OR property = %s ORDER BY name"
    return [row[0] for row in database.rows(query, [property, property])]


def evict(names: Sequence[str], days_before: date, runs_before: date) -> None:
    """Delete everything cached under these names. Also delete, under all names, single days before
    `days_before` and runs of days that end before `runs_before`.
    """
    database.execute(
        f"""DELETE FROM summed WHERE name = ANY(%s) OR (length(unit) = 10 AND unit < %s)
            OR (strpos(unit, '{RUN}') > 0 AND right(unit, 10) < %s)""",
        [list(names), str(days_before), str(runs_before)],
    )


@cache
def _decoder(figures: type[F]) -> json.Decoder[list[Aggregate[F]]]:
    return json.Decoder(list[Aggregate[figures]])  # type: ignore[valid-type]


def decode_rows(content: bytes | bytearray | memoryview, figures: type[F]) -> list[Aggregate[F]]:
    """Return cached rows from their bytes.

    Args:
        figures: the type of their figures.
    """
    return _decoder(figures).decode(content)


def write_cache(property: str, period: str, name: str, stamp: str, content: bytes) -> None:
    """Cache the content of a period with its fingerprint. The previous content is replaced."""
    count_cached()
    cached_rows.write(property, period, name, stamp, content)


_OPEN = f"""FROM examination
    WHERE day >= coalesce(%s, '-infinity'::date) AND day < coalesce(%s, 'infinity'::date)
        AND (%s::text IS NULL OR property = %s) AND {OF_BOOKS} AND game <> ''"""


def last_open_days(span: Span) -> Iterator[tuple[str, date]]:
    """Yield the last gaming day of each property in the span on which a table was open."""
    query = f"SELECT property, max(day) {_OPEN} GROUP BY property ORDER BY property"
    yield from ((property, day) for property, day in database.rows(query, day_values(span)))


def count_open_days(span: Span) -> int:
    """Return the number of gaming days in the span with at least one open table."""
    count: int = database.rows(f"SELECT count(DISTINCT day) {_OPEN}", day_values(span))[0][0]
    return count

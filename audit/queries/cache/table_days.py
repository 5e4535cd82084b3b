"""Cached rows of every table and day, by whole months, so that all reports share one read of the tally.

A month is cached with the fingerprints of its days. The fingerprint of a day changes when a stream of the day
is examined further, or by other rules. A cached month does not depend on registers or grouping, so it can be
used with other pits, with other books, and by later releases of a report. Open days are cached too. If a
month is read for the closed books, their rows are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import transaction
from msgspec import json

from audit import database
from audit.queries.adjustments import restating
from audit.queries.cache.aggregates import (
    CachePeriod,
    code_fingerprint,
    days_after,
    is_current,
    periods_of,
    write_cache,
)
from audit.queries.cache.cached_rows import read_cache
from audit.queries.examination import only_examined
from audit.queries.span import RESTATED, Span, book_values, bounds
from audit.queries.table_day import TableDay, restate
from audit.queries.table_days import table_days as read_table_days

NAME = "table-days"
FEW = 3
"""Maximum number of changed days of a month that are read one by one. If more days have changed, the whole
month is read.
"""


def table_days(span: Span, *, by_shift: bool = False) -> Iterator[TableDay]:
    """Yield the rows of `audit.queries.table_days`, including play at all tables.

    Only whole months of one property are cached. Other spans are read from the tally.
    """
    if not is_whole_month(span):
        yield from read_table_days(span, by_shift=by_shift)
        return
    rows: Iterable[TableDay] = _of_month(span._replace(books="", until=None), by_shift)
    if span.books:
        open_streams = _not_closed(span)
        rows = (day for day in rows if day.stream not in open_streams)
    yield from restate(rows, restating(span), by_shift=by_shift) if span.books == RESTATED else rows


def counted(span: Span, *, by_shift: bool) -> Iterator[TableDay]:
    """Yield the rows of `audit.queries.table_days`, with play only at live-dealer tables.

    A table of another kind has a row if the cage or the count room recorded a fact there.
    """
    if not is_whole_month(span) or span.books == RESTATED:
        yield from read_table_days(span, by_shift=by_shift, play="live")
        return
    for day in table_days(span, by_shift=by_shift):
        if day.live_dealer:
            yield day
        elif day.cage or day.corrections:
            yield _without_play(day)


def without_play(span: Span, *, by_shift: bool) -> Iterator[TableDay]:
    """Yield the rows of `audit.queries.table_days` that have facts of the cage or of the count room. Their
    figures of play are 0.
    """
    if not is_whole_month(span) or span.books == RESTATED:
        yield from read_table_days(span, by_shift=by_shift, play="nowhere")
        return
    for day in table_days(span, by_shift=by_shift):
        if day.cage or day.corrections:
            yield _without_play(day)


def _without_play(day: TableDay) -> TableDay:
    return TableDay._make((*day[:_PLAY], *_NO_PLAY, *day[_AFTER_PLAY:-1], 0))


_PLAY, _AFTER_PLAY = TableDay._fields.index("rounds"), TableDay._fields.index("corrected")
_NO_PLAY = (0,) * (_AFTER_PLAY - _PLAY)
"""The fields of play are consecutive, except for the last field, `unseen`. So a row is copied in slices,
which is four times as fast as `_replace`.
"""
assert TableDay._fields[_PLAY:_AFTER_PLAY] == ("rounds", "staked", "paid", "taken", "returned")
assert TableDay._fields[-1] == "unseen"


def is_whole_month(span: Span) -> bool:
    """Return True if a span is one whole month of one property, from the first day to the last."""
    begins = span.begins
    return (
        span.property is not None
        and begins is not None
        and begins.day == 1
        and span.ends == days_after(begins, 31, of_month=True)
    )


def _of_month(span: Span, by_shift: bool) -> Iterable[TableDay]:
    property = span.property or ""
    for period in periods_of(span).get(property, ()):
        cached = read_cache(property, _name(by_shift), [period.name])
        stamp, content = cached.get(period.name, ("", b""))
        return (
            _days(property, _read(content))
            if stamp == period.stamp
            else _refresh(span, period, content, by_shift=by_shift)
        )
    return ()


def _refresh(span: Span, period: CachePeriod, before: bytes, *, by_shift: bool) -> list[TableDay]:
    """Build a cached month again, because its fingerprint has changed. Cache the new rows and return them.

    Args:
        before: the cached month. The rows of its unchanged days are used again.
        by_shift: True to return the rows by shift, False to return the rows by day.
    """
    property = span.property or ""
    with only_examined():
        built = _build(span, period, before, by_shift=by_shift)
    if is_current(span, period):
        stamps = {day.name: day.stamp for day in period.days}
        with transaction.atomic():
            for shifts, days in built.items():
                content = _write(Month(stamps, [day[_TABLE:] for day in days]))
                write_cache(property, period.name, _name(shifts), period.stamp, content)
    return built[by_shift]


def _build(span: Span, period: CachePeriod, before: bytes, *, by_shift: bool) -> dict[bool, list[TableDay]]:
    """Return {by_shift: rows of the month}. If only a few days have changed, return only the rows for the
    requested `by_shift`.
    """
    property = span.property or ""
    built: dict[bool, list[TableDay]] = {}
    known = _read(before) if before else Month({}, [])
    stale = [day for day in period.days if known.days.get(day.name) != day.stamp]
    if before and len(stale) <= FEW:
        unchanged = {day.begins for day in period.days} - {day.begins for day in stale}
        rows = [day for day in _days(property, known) if day.day in unchanged]
        rows += [
            row
            for day in stale
            for row in read_table_days(span._replace(begins=day.begins, ends=day.ends), by_shift=by_shift)
        ]
        built[by_shift] = sorted(rows, key=attrgetter("table", "day", "currency", "shift"))
    else:
        built[True] = list(read_table_days(span, by_shift=True))
        built[False] = list(_without_shifts(built[True]))
    return built


_SUMS = TableDay._fields[TableDay._fields.index("rounds") : TableDay._fields.index("cage")]
"""The fields that are added up over the shifts of a day."""
_sums = attrgetter(*_SUMS)
_TABLE = TableDay._fields.index("table")


def _without_shifts(days: Iterable[TableDay]) -> Iterator[TableDay]:
    """Yield one row per day: the sum of the day's shifts."""
    for _, of_day in groupby(days, key=attrgetter("stream", "currency")):
        shifts = list(of_day)
        sums: dict[str, Any] = dict(zip(_SUMS, map(sum, zip(*map(_sums, shifts), strict=True)), strict=True))
        yield shifts[0]._replace(
            shift="",
            cage=any(shift.cage for shift in shifts),
            settled=0,
            adjusted=0,
            unseen=sum(shift.unseen for shift in shifts),
            **sums,
        )


def _not_closed(span: Span) -> set[str]:
    """Return those streams of the span that the closed books do not include at the position `until`."""
    query = """SELECT stream FROM examination
        WHERE (closed IS NULL OR closed > %s) AND day >= coalesce(%s, '-infinity'::date)
            AND day < coalesce(%s, 'infinity'::date) AND (%s::text IS NULL OR property = %s)"""
    return {stream for (stream,) in database.rows(query, [book_values(span)[1], *bounds(span)])}


class Month(NamedTuple):
    """A cached month.

    Attributes:
        days: the fingerprint of each day at the time when the day was read.
        rows: the rows in order. Each has the columns of TableDay, beginning with `table`.
    """

    days: dict[str, str]
    rows: list[Any]


def _name(by_shift: bool) -> str:
    return f"{NAME} {'shift' if by_shift else 'day'} {code_fingerprint(__name__)}"


def _days(property: str, month: Month) -> Iterator[TableDay]:
    for table, day, *columns in month.rows:
        if isinstance(columns[-1], str):  # the last column, `unseen`, is a fraction
            columns[-1] = Fraction(columns[-1])
        yield TableDay(property, f"{table}/{day}", table, _date(day), *columns)


_date = lru_cache(maxsize=512)(date.fromisoformat)
_read = json.Decoder(Month).decode
_write = json.Encoder(enc_hook=str).encode

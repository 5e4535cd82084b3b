"""What every table counted on each of its days, kept by whole months: whatever is added up of them, their
tallies are read once.

It is kept under the stamps of its days, which name every stream, how far it was examined and by which rules.
No register is in it and no grouping: other pits, other books and another release of a report find it as it
is. Open days are in it, and left out of the closed books.
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
from audit.queries import tallies
from audit.queries.cache.aggregates import (
    CachePeriod,
    code_fingerprint,
    days_after,
    is_current,
    periods_of,
    read_cache,
    write_cache,
)
from audit.queries.examination import only_examined
from audit.queries.tallies import RESTATED, Span, TableDay, _books, _bounds, restate, restating

NAME = "table-days"
FEW = 3
"""So many days of a month that have changed are read one by one; of more the whole month is read."""


def table_days(span: Span, *, by_shift: bool = False) -> Iterator[TableDay]:
    """The rows of `queries.table_days`, with play everywhere. A whole month of a property is kept; any other
    span is read.
    """
    if not whole_month(span):
        yield from tallies.table_days(span, by_shift=by_shift)
        return
    found: Iterable[TableDay] = _of_month(span._replace(books="", until=None), by_shift)
    if span.books:
        waiting = _not_closed(span)
        found = (day for day in found if day.stream not in waiting)
    yield from restate(found, restating(span), by_shift=by_shift) if span.books == RESTATED else found


def counted(span: Span, *, by_shift: bool) -> Iterator[TableDay]:
    """The rows of `queries.table_days` with the play of live games alone: of other tables what cage and count
    room said, where they did.
    """
    if not whole_month(span) or span.books == RESTATED:
        yield from tallies.table_days(span, by_shift=by_shift, play="live")
        return
    for day in table_days(span, by_shift=by_shift):
        if day.live_dealer:
            yield day
        elif day.cage or day.corrections:
            yield TableDay._make((*day[:_ROUNDS], *_NO_PLAY, *day[_ROUNDS + len(_NO_PLAY) : _UNSEEN], 0))


def whole_month(span: Span) -> bool:
    """Whether a span is a month of one property, from its first day to its last."""
    begins = span.begins
    return (
        span.property is not None
        and begins is not None
        and begins.day == 1
        and span.ends == days_after(begins, 31, of_month=True)
    )


def _of_month(span: Span, by_shift: bool) -> Iterable[TableDay]:
    property = span.property or ""
    for unit in periods_of(span).get(property, ()):
        stamp, content = read_cache(property, _name(by_shift), [unit.name]).get(unit.name, ("", b""))
        return (
            _days(property, _read(content))
            if stamp == unit.stamp
            else _anew(span, unit, content, by_shift=by_shift)
        )
    return ()


def _anew(span: Span, unit: CachePeriod, before: bytes, *, by_shift: bool) -> list[TableDay]:
    """The month, without the days of it that have not changed since; by day and by shift are made of one
    reading.
    """
    property = span.property or ""
    with only_examined():
        made = _made(span, unit, before, by_shift=by_shift)
    if is_current(span, unit):
        with transaction.atomic():
            for shifts, days in made.items():
                month = Month({day.name: day.stamp for day in unit.days}, [day[_TABLE:] for day in days])
                write_cache(property, unit.name, _name(shifts), unit.stamp, _write(month))
    return made[by_shift]


def _made(span: Span, unit: CachePeriod, before: bytes, *, by_shift: bool) -> dict[bool, list[TableDay]]:
    """Return the rows of the month, by shift and not, or the one of them that was asked for where few of its
    days have changed.
    """
    property = span.property or ""
    made: dict[bool, list[TableDay]] = {}
    known = _read(before) if before else Month({}, [])
    stale = [day for day in unit.days if known.days.get(day.name) != day.stamp]
    if before and len(stale) <= FEW:
        changed = {day.begins for day in stale}
        there = {day.begins for day in unit.days} - changed
        rows = [day for day in _days(property, known) if day.day in there]
        rows += [
            row
            for day in stale
            for row in tallies.table_days(span._replace(begins=day.begins, ends=day.ends), by_shift=by_shift)
        ]
        made[by_shift] = sorted(rows, key=attrgetter("table", "day", "currency", "shift"))
    else:
        made[True] = list(tallies.table_days(span, by_shift=True))
        made[False] = list(_without_shifts(made[True]))
    return made


_NO_PLAY = (0,) * len(("rounds", "staked", "paid", "taken", "returned"))
_ROUNDS, _CAGE, _UNSEEN = (TableDay._fields.index(name) for name in ("rounds", "cage", "unseen"))
_TABLE, _SHIFT = TableDay._fields.index("table"), TableDay._fields.index("shift")


def _without_shifts(days: Iterable[TableDay]) -> Iterator[TableDay]:
    """The shifts of a day as one: its amounts and numbers are theirs together."""
    for _, of in groupby(days, key=attrgetter("stream", "currency")):
        shifts = list(of)
        sums = map(sum, zip(*(shift[_ROUNDS:_CAGE] for shift in shifts), strict=True))
        cage, unseen = any(shift.cage for shift in shifts), sum(shift.unseen for shift in shifts)
        yield TableDay._make((*shifts[0][:_SHIFT], "", *sums, cage, 0, 0, unseen))


def _not_closed(span: Span) -> set[str]:
    """The streams of the span that are not in the closed books, as they stood."""
    query = """SELECT stream FROM examination WHERE (closed IS NULL OR closed > %s) AND day >= coalesce(%s, '-infinity'::date)
        AND day < coalesce(%s, 'infinity'::date) AND (%s::text IS NULL OR property = %s)"""
    return {stream for (stream,) in database.rows(query, [_books(span)[1], *_bounds(span)])}


class Month(NamedTuple):
    """What is kept: each day with the stamp under which it was read, and its rows in their order, from the
    table on.
    """

    days: dict[str, str]
    rows: list[Any]


def _name(by_shift: bool) -> str:
    return f"{NAME} {'shift' if by_shift else 'day'} {code_fingerprint(__name__)}"


def _days(property: str, month: Month) -> Iterator[TableDay]:
    for table, day, *rest, unseen in month.rows:
        exact = unseen if isinstance(unseen, int) else Fraction(unseen)
        yield TableDay._make((property, f"{table}/{day}", table, _date(day), *rest, exact))


_date = lru_cache(maxsize=512)(date.fromisoformat)
_read = json.Decoder(Month).decode
_write = json.Encoder(enc_hook=str).encode

"""Cached journal by month: the number of lines and the totals of each day, and the day's documents
(`casino.journals.cache.documents`).

The page of a year reads the number of lines of all days, but the documents only of the days that it shows. A
file reads one month after another.

Each day is cached with its cache fingerprint. This is a hash of everything on which its documents depend:

- every stream of its year and of the year before, up to that day: how far it was examined, by which rules,
  and whether it is closed;
- for each table, the last tray count before these streams, and the earlier streams whose box was still on
  the table;
- the adjustments made up to that day, and the facts about money of that day;
- the chart of accounts, and the code that builds documents.

So a change invalidates every later day of its year and of the next year. The cache is safe to delete.

The documents of a day are built each time, without the cache, in two cases. In the first case, an adjustment
of the day concerns a day before these two years. In the second case, a day before these two years was closed
after one of the days of these years.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from hashlib import sha256
from itertools import accumulate, groupby
from typing import NamedTuple

from django.db import transaction
from msgspec import json

from audit.queries import closed_books as queries
from audit.queries.cache.aggregates import (
    Aggregate,
    code_fingerprint,
    days_after,
    merge,
    write_cache,
)
from audit.queries.cache.cached_rows import read_cache, read_stamps
from audit.queries.cache.time_budget import check_budget
from audit.queries.cage_lists import stays
from audit.queries.lazy_sequence import LazySequence
from audit.queries.span import CLOSED, Span
from casino.journals.books import Document, journal
from casino.journals.cache import documents as cached_documents
from casino.journals.cache.adjustments import Adjusted, adjusted
from casino.journals.documents import Posting
from casino.reference.chart import Chart

Line = tuple[Document, int, Posting]
"""A document, the index of one of its lines, and the posting of this line."""
ONE = timedelta(days=1)
FEW = 3
"""If at most this many days of a month must be built, they are built one by one. If there are more, the whole
month is built.
"""


class SideFigures(NamedTuple):
    """The debits and credits of some lines, in minor units."""

    debit: int
    credit: int


Sides = Aggregate[SideFigures]
"""The debits and credits of one currency."""


class Day(NamedTuple):
    """The cached data of a day: its cache fingerprint (a hash of the data from which it was built), its
    number of lines, and its debits and credits by currency.
    """

    stamp: str
    lines: int
    totals: list[Sides]


class Place(NamedTuple):
    """A property and one of its gaming days."""

    property: str
    day: date


class Lines(LazySequence[Line]):
    """Every line of a journal, in order. The documents of a day are read or built when they are needed."""

    def __init__(self, span: Span, by: str) -> None:
        self._span, self._by = span, by
        of = queries.properties() if span.property is None else [span.property]
        every = [
            (Place(property, day), cached_day)
            for property in of
            for day, cached_day in sorted(_days(span, property, by).items())
        ]
        self._stamps = {place: day.stamp for place, day in every if day.lines}
        self._places = list(self._stamps)
        self._ends = list(accumulate(day.lines for _, day in every if day.lines))
        self.totals = merge(row for _, day in every for row in day.totals)

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def slice(self, begins: int, ends: int) -> list[Line]:
        """Return the lines from index `begins` up to but not including index `ends`. Read only the documents
        of the days that contain these lines.
        """
        first, last = bisect_right(self._ends, begins), bisect_right(self._ends, max(ends - 1, begins))
        before = self._ends[first - 1] if first else 0
        return list(self._of(self._places[first : last + 1]))[begins - before : ends - before]

    def __iter__(self) -> Iterator[Line]:
        return self._of(self._places)

    def _of(self, places: Sequence[Place]) -> Iterator[Line]:
        """Yield the lines of these days, one month after another. If the cached documents of a day have
        another cache fingerprint than the cached number of its lines, they are not used: the documents of
        this day are built again.
        """
        for (property, month), of in groupby(
            places, key=lambda place: (place.property, f"{place.day:%Y-%m}")
        ):
            stamps = {place.day: self._stamps[place] for place in of}
            known = cached_documents.of_month(property, self._by, month) if any(stamps.values()) else {}
            right = {
                day: cached
                for day, stamp in stamps.items()
                if (cached := known.get(str(day))) is not None and cached.stamp == stamp
            }
            built = _documents_of(self._span, property, self._by, [day for day in stamps if day not in right])
            for day in stamps:
                yield from lines_of(cached_documents.unpacked(right[day]) if day in right else built[day])


def lines_of(documents: Iterable[Document]) -> Iterator[Line]:
    """Return every line of these documents, in order."""
    return (
        (document, number, posting)
        for document in documents
        for number, posting in enumerate(document.postings, 1)
    )


def totals_of(lines: Iterable[Line]) -> list[Sides]:
    """Return the debits and credits of these lines, added up by currency."""
    sides: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for document, _, posting in lines:
        sides[document.currency][posting.amount < 0] += abs(posting.amount)
    return [Aggregate((currency,), SideFigures(*amounts)) for currency, amounts in sorted(sides.items())]


def _days(span: Span, property: str, by: str) -> dict[date, Day]:
    """Return the cached data of every day of the span on which something may be booked. If a day is not
    cached, or the facts behind it have changed, build its data first.
    """
    stamps = _stamps(span, property)
    months: dict[str, list[date]] = defaultdict(list)
    for day in stamps:
        months[f"{day:%Y-%m}"].append(day)
    before = read_cache(property, _name(by), list(months)) if months else {}
    document_stamps = read_stamps(property, cached_documents.name(by), list(months)) if months else {}
    cached_days: dict[date, Day] = {}
    for index, (month, days) in enumerate(months.items()):
        stamp, content = before.get(month, ("", b""))
        known = _read(content) if content and document_stamps.get(month) == stamp else {}
        stale = {
            day: stamps[day]
            for day in days
            if not stamps[day] or (cached := known.get(str(day))) is None or cached.stamp != stamps[day]
        }
        cached_days |= {day: known[str(day)] for day in days if day not in stale}
        if stale:
            check_budget(month, index, len(months))
            cached_days |= _build_days(span._replace(property=property), by, month, known, stale)
    return cached_days


def _build_days(
    span: Span, by: str, month: str, known: dict[str, Day], stale: dict[date, str]
) -> dict[date, Day]:
    """Build and return the cached data of the days in `stale`, which are all in one month. If a day may be
    cached, write its number of lines and its documents to the cache, in one transaction for all days.
    """
    property = span.property or ""
    built = _documents_of(span, property, by, list(stale))
    # A fact that is recorded meanwhile changes the stamp of its day and of all later days. Their documents
    # may have been built with or without this fact, so they are not cached.
    current_stamps = _stamps(span._replace(begins=min(stale), ends=max(stale) + ONE), property)
    stale = {day: stamp if current_stamps.get(day) == stamp else "" for day, stamp in stale.items()}
    new_days = {
        day: Day(
            stamp, sum(len(document.postings) for document in built[day]), totals_of(lines_of(built[day]))
        )
        for day, stamp in stale.items()
    }
    fresh = {str(day): cached_documents.packed(stamp, built[day]) for day, stamp in stale.items() if stamp}
    if fresh:
        with transaction.atomic():
            before = cached_documents.of_month(property, by, month) if known else {}
            packed = {
                day: cached_day
                for day, cached_day in before.items()
                if day in known and known[day].stamp == cached_day.stamp
            } | fresh
            lines = {day: packed_day for day, packed_day in known.items() if day in packed} | {
                str(day): new_day for day, new_day in new_days.items() if new_day.stamp
            }
            stamp = sha256(
                repr(sorted((day, packed_day.stamp) for day, packed_day in packed.items())).encode()
            ).hexdigest()
            write_cache(property, month, cached_documents.name(by), stamp, cached_documents.written(packed))
            write_cache(property, month, _name(by), stamp, json.encode(lines))
    return new_days


def _name(by: str) -> str:
    return f"journal lines,{by} {code_fingerprint(__name__)}"


_read = json.Decoder(dict[str, Day]).decode


def _documents_of(span: Span, property: str, by: str, days: Sequence[date]) -> dict[date, list[Document]]:
    """Return the documents of these days, which are all in one month. If there are more than FEW days, read
    the whole month, because most of it is cached.
    """
    of: dict[date, list[Document]] = {day: [] for day in days}
    month = (
        (days[0].replace(day=1), days_after(days[0].replace(day=1), 31, of_month=True))
        if days
        else (None, None)
    )
    for begins, ends in [(day, days_after(day, 1)) for day in days] if len(days) <= FEW else [month]:
        for document in journal(span._replace(property=property, begins=begins, ends=ends), by).documents:
            if document.booked in of:
                of[document.booked].append(document)
    return of


def _stamps(span: Span, property: str) -> dict[date, str]:
    """Return the cache fingerprint of each day of the span on which a table was closed, an adjustment was
    made, or a fact about money was recorded. It is a hash of the data from which the documents of the day are
    built. It is empty if the day must not be cached.
    """
    adjustments, examined = adjusted(property), queries.days(property)
    if examined is None:
        return {}
    money = queries.money_positions(property)
    booked = [*(adjustment.made for adjustment in adjustments), *money]
    first, last = min([examined[0], *booked]), max([examined[1], *booked])
    begins, last = (
        max(span.begins or first, first),
        min(span.ends - ONE if span.ends is not None else last, last),
    )
    if begins > last:
        return {}
    settings = repr(
        [
            (entry.position, entry.key, entry.account, entry.begins, entry.ends)
            for entry in Chart(property).entries
        ]
    )
    settings += code_fingerprint(__name__)
    stamps: dict[date, str] = {}
    for year in range(begins.year, last.year + 1):
        first = date(max(year - 1, 1), 1, 1)
        of_year = _of_year(property, first, min(last, date(year, 12, 31)), adjustments, settings, money)
        stamps |= {day: stamp for day, stamp in of_year.items() if day.year == year and begins <= day <= last}
    return stamps


def _of_year(
    property: str,
    first: date,
    last: date,
    adjustments: Sequence[Adjusted],
    settings: str,
    money: Mapping[date, Sequence[int]],
) -> dict[date, str]:
    """Return the cache fingerprint of each day from `first` to `last`. It is a hash of all data on which the
    documents of the day depend.

    Args:
        settings: the chart of accounts and the fingerprint of the code, as text.
        money: {gaming day: positions of its facts about money}.
    """
    counts: dict[date, list[int]] = defaultdict(list)
    older: set[date] = set()
    before = queries.counted_before(property, first)
    overnight = stays(Span(first, first, property, CLOSED), booked=True)
    after = max((first, *(stay.counted_with + ONE for stay in overnight if stay.counted_with is not None)))
    of_them = queries.examined(property, [f"{stay.table}/{day}" for stay in overnight for day in stay.days])
    digest = sha256(f"{settings} {before.text} {overnight} {of_them}".encode())
    for day, of_day, position in adjustments:
        if day < first:
            digest.update(f" {position}".encode())
            continue
        counts[day].append(position)
        if of_day < after:
            older.add(day)
    states = {state.day: state for state in queries.states(property, first, last + ONE)}
    out_of_order = before.late or any(
        state.first is not None and state.first < before.closed for state in states.values()
    )
    stamps: dict[date, str] = {}
    own_days = {day for day in money if first <= day <= last}
    for day in sorted({*states, *own_days, *(day for day in counts if day <= last)}):
        state = states.get(day)
        digest.update(f" {day} {counts.get(day, '')} {state.closed if state is not None else ''}".encode())
        if day in counts or day in own_days or (state is not None and state.closed):
            stamp = sha256(f"{digest.hexdigest()} {money.get(day, '')}".encode()).hexdigest()
            stamps[day] = "" if day in older or out_of_order else stamp
        digest.update(f" {state.open if state is not None else ''}".encode())
    return stamps

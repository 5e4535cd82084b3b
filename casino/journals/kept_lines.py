"""How many lines a journal has on each day and what they add up to, kept by month: a page of a year makes the documents that it shows.

What is kept of a day has a stamp that names all it hangs on: every stream of its year and of the year before up to that day (how far it was
examined, by which rules, whether it is closed, whether it came late), at every table back to what was counted last before these; the
adjustments made until then; and the chart of accounts. So a change is followed by every later day of its year and the next, and deleting
what is kept costs time and nothing else. A day on which something older than that was adjusted is kept nowhere, nor is a year whose days
were closed before what was counted before it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from hashlib import sha256
from itertools import accumulate
from typing import NamedTuple, overload

from msgspec import json

from audit.queries import CLOSED, Span
from audit.queries import booked as queries
from audit.queries.booked import NEAR, State
from audit.queries.cage import LONGEST_STAY
from audit.queries.summed import Sum, keep, kept, look_up, merged, source
from casino.journals import Document, journal
from casino.journals.chart import Chart
from casino.journals.documents import Posting
from casino.journals.late import days_after, late
from casino.reports import hold

Line = tuple[Document, int, Posting]
"""A posting with its document, the so manieth of it."""
ONE = timedelta(days=1)
FEW = 3
"""So many days of a month are made one by one; more are read at once."""


class Day(NamedTuple):
    """What is kept: lines, and by currency what is debited and credited."""

    stamp: str
    lines: int
    totals: list[Sum]


class Place(NamedTuple):
    """A day of a property's journal."""

    property: str
    day: date


class Lines(Sequence[Line]):
    """Every line of a journal in its order; the documents of a day are made when they are asked for."""

    def __init__(self, span: Span, by: str) -> None:
        self._span, self._by = span, by
        of = queries.properties() if span.property is None else [span.property]
        every = [(Place(property, day), kept) for property in of for day, kept in sorted(_days(span, property, by).items())]
        self._places = [place for place, day in every if day.lines]
        self._ends = list(accumulate(day.lines for _, day in every if day.lines))
        self.totals = merged(row for _, day in every for row in day.totals)

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, place: int) -> Line: ...
    @overload
    def __getitem__(self, place: slice) -> list[Line]: ...
    def __getitem__(self, place: int | slice) -> Line | list[Line]:
        if isinstance(place, int):
            at = range(len(self))[place]
            return self[at : at + 1][0]
        begins, ends, step = place.indices(len(self))
        if step < 0:
            return list(self)[place]
        first, last = bisect_right(self._ends, begins), bisect_right(self._ends, max(ends - 1, begins))
        before = self._ends[first - 1] if first else 0
        found = [line for place in self._places[first : last + 1] for line in self._made(place, place.day)]
        return found[begins - before : max(ends, begins) - before : step]

    def __iter__(self) -> Iterator[Line]:
        months: dict[tuple[str, str], list[Place]] = defaultdict(list)
        for place in self._places:
            months[place.property, f"{place.day:%Y-%m}"].append(place)
        for of in months.values():
            yield from self._made(of[0], of[-1].day)

    def _made(self, first: Place, last: date) -> Iterator[Line]:
        span = self._span._replace(property=first.property, begins=first.day, ends=last + ONE)
        yield from lines_of(journal(span, self._by).documents)


def lines_of(documents: Iterable[Document]) -> Iterator[Line]:
    """Every line of these documents."""
    return ((document, number, posting) for document in documents for number, posting in enumerate(document.postings, 1))


def totals_of(lines: Iterable[Line]) -> list[Sum]:
    """What these lines debit and credit, by currency."""
    sides: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for document, _, posting in lines:
        sides[document.currency][posting.amount < 0] += abs(posting.amount)
    return [Sum((currency,), tuple(of)) for currency, of in sorted(sides.items())]


def _days(span: Span, property: str, by: str) -> dict[date, Day]:
    """Every day of the span on which something may be booked."""
    stamps = _stamps(span, property)
    if not stamps:
        return {}
    name = " ".join(("journal", f"lines,{by}", source(hold.__name__), source(__name__)))
    months: dict[str, list[date]] = defaultdict(list)
    for day in stamps:
        months[f"{day:%Y-%m}"].append(day)
    before = {unit: _read(content) for unit, (_, content) in kept(property, name, list(months)).items()}
    found: dict[date, Day] = {}
    for month, days in months.items():
        known = before.get(month, {})
        stale = [day for day in days if not stamps[day] or (one := known.get(str(day))) is None or one.stamp != stamps[day]]
        found |= {day: known[str(day)] for day in days if day not in set(stale)}
        if stale:
            look_up()
            made = _made(span, property, by, stale)
            found |= {day: made[day]._replace(stamp=stamps[day]) for day in stale}
            keep(property, month, name, "", json.encode(known | {str(day): found[day] for day in stale if stamps[day]}))
    return found


_read = json.Decoder(dict[str, Day]).decode


def _made(span: Span, property: str, by: str, days: Sequence[date]) -> dict[date, Day]:
    """These days of one month, made of their documents."""
    of: dict[date, list[Document]] = {day: [] for day in days}
    spans = [(day, day) for day in days] if len(days) <= FEW else [(days[0], days[-1])]
    for first, last in spans:
        for document in journal(span._replace(property=property, begins=first, ends=last + ONE), by).documents:
            if document.booked in of:
                of[document.booked].append(document)
    return {day: Day("", sum(len(one.postings) for one in made), totals_of(lines_of(made))) for day, made in of.items()}


def _stamps(span: Span, property: str) -> dict[date, str]:
    """Each day of the span on which a table was closed or something adjusted, with its stamp; empty: it is not to be kept."""
    known = queries.booked_days(property)
    if known is None:
        return {}
    begins, last = max(span.begins or known[0], known[0]), min(span.ends - ONE if span.ends is not None else known[1], known[1])
    if begins > last:
        return {}
    chart = repr([(entry.position, entry.key, entry.account, entry.begins, entry.ends) for entry in Chart(property).entries])
    found: dict[date, str] = {}
    for year in range(begins.year, last.year + 1):
        first = date(max(year - 1, 1), 1, 1)
        of_year = _of_year(property, first, min(last, date(year, 12, 31)), chart)
        found |= {day: stamp for day, stamp in of_year.items() if day.year == year and begins <= day <= last}
    return found


def _of_year(property: str, first: date, last: date, chart: str) -> dict[date, str]:
    """The stamps of the days from `first` on."""
    made: dict[date, list[int]] = defaultdict(list)
    older: set[date] = set()
    before = queries.counted_before(property, first)
    digest = sha256(f"{chart} {before.text}".encode())
    for day, of_day, position in queries.adjusted_since(property, first):
        if day < first:
            digest.update(f" {position}".encode())
            continue
        made[day].append(position)
        if of_day < first + timedelta(days=LONGEST_STAY):
            older.add(day)
    states = {state.day: state for state in queries.states(property, first, days_after(last, NEAR + 1))}
    late = _late(property, last, states.values())
    out_of_order = before.late or any(state.first is not None and state.first < before.closed for state in states.values())
    found: dict[date, str] = {}
    for day in sorted(day for day in {*states, *made} if day <= last):
        state = states.get(day)
        digest.update(f" {day} {made.get(day, '')} {late.get(day, '')} {state.closed if state is not None else ''}".encode())
        if day in made or (state is not None and state.closed):
            found[day] = "" if day in older or out_of_order else digest.hexdigest()
        digest.update(f" {state.open if state is not None else ''}".encode())
    return found


def _late(property: str, last: date, states: Iterable[State]) -> dict[date, list[str]]:
    """Days to their streams that came late. Where days were closed in their order there are none, and nobody is asked."""
    behind: int | None = None
    suspected: list[date] = []
    for state in sorted(states, reverse=True):
        if behind is not None and (state.waits or (state.last is not None and state.last > behind)) and state.day <= last:
            suspected.append(state.day)
        behind = min((at for at in (behind, state.first) if at is not None), default=None)
    found: dict[date, list[str]] = defaultdict(list)
    if suspected:
        span = Span(suspected[-1], suspected[0] + ONE, property, CLOSED)
        for name in sorted(late(span, list(queries.streams(span)))):
            found[date.fromisoformat(name[-len("2026-11-27") :])].append(name)
    return found

"""Cached counts, markers and vouchers of closed days, and cached counts of all trays, by month and day
(`audit.queries.cache.lists`).

A closed day gets no more facts, so its rows are read only once and then come from the cache. The tray of an
open day is read again when it has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from audit.queries.cache import table_days as cached_days
from audit.queries.cache.aggregates import Aggregate, Exact, F, ReadRows, aggregate, exact_number
from audit.queries.cache.lists import CachedList, cached_list
from audit.queries.cage_lists import Tray, last_trays, trays
from audit.queries.closed_books import markers, streams
from audit.queries.examination import covered
from audit.queries.span import Span
from audit.queries.table_day import TableDay
from audit.queries.table_days import table_days
from casino.count_room.queries import boxes_with_papers


class PaperFigures(NamedTuple):
    """The amounts of markers issued, of payments for markers, and of vouchers in the drop, in minor units."""

    issued: int
    paid: int
    vouchers: int


class TrayFigures(NamedTuple):
    """The amount counted in a tray, in minor units."""

    amount: int


class DayFigures(NamedTuple):
    """The numbers and amounts of a `TableDay`, and the amounts of its papers."""

    open_boxes: int
    boxes: int
    rounds: int
    staked: int
    paid: int
    taken: int
    returned: int
    corrected: int
    openers: int
    opener: int
    closers: int
    closer: int
    fills: int
    credits: int
    pulled: int
    counted: int
    drop: int
    verified: int
    verified_drop: int
    bought: int
    corrections: int
    slips_voided: int
    voided_amount: int
    settled: int
    adjusted: int
    unseen: Exact
    markers_issued: int
    markers_paid: int
    vouchers: int


PAPER_COLUMNS = ("markers_issued", "markers_paid", "vouchers")
"""The fields of `DayFigures` that hold the `PaperFigures` of a day, in the same order."""
DayRow = Aggregate[DayFigures]
TrayRow = Aggregate[TrayFigures]
PaperRow = Aggregate[PaperFigures]
DayAndPapers = tuple[TableDay, PaperFigures]
"""A row of a table day, and the amounts of its markers and vouchers."""


def table_days_and_papers(span: Span, *, by_shift: bool) -> Iterator[DayAndPapers]:
    """Yield every row of the closed days of a span, with the amounts of its papers."""
    if cached_days.is_whole_month(span):
        yield from _with_papers(
            cached_days.counted(span, by_shift=by_shift),
            aggregate("journal papers", span, _papers, PaperFigures),
            by_shift=by_shift,
        )
        return
    name, read_rows = ("shift", _by_shift) if by_shift else ("day", _by_day)
    for row in _listed(name, span, read_rows, DayFigures):
        figures = row.figures
        yield (
            _table_day(row),
            PaperFigures(figures.markers_issued, figures.markers_paid, figures.vouchers),
        )


def of_streams(span: Span, named: Sequence[str], *, by_shift: bool) -> Iterator[DayAndPapers]:
    """Yield the rows of these streams, with the amounts of their papers. The rows are not cached,
    because they are few and of many different days.
    """
    yield from _counted(span, by_shift=by_shift, named=named)


def counts_with_previous(span: Span) -> Iterator[tuple[Tray, Tray]]:
    """Yield (previous count, count) for each count of a tray in the span. The previous count is the one
    before it at the same table, on any earlier day. Days that are still open are included. Days that were
    recorded late are left out.
    """
    by_table: dict[tuple[str, str], list[Tray]] = {}
    for row in _listed("trays", span._replace(books=""), _trays, TrayFigures):
        property, name, day, place, shift, kind, currency = row.key
        tray = Tray(property, name, _date(day), int(place), shift, kind, currency, row.figures.amount)
        by_table.setdefault((tray.property, tray.table), []).append(tray)
    yield from _pairs(by_table, span.begins, span)


def counts_with_previous_of_streams(span: Span, named: Sequence[str]) -> Iterator[tuple[Tray, Tray]]:
    """Yield (previous count, count) for each count of a tray in these streams. The previous count is the one
    before it at the same table. These pairs are not cached.
    """
    by_day: dict[date, dict[tuple[str, str], list[Tray]]] = {}
    for tray in sorted(
        trays(span._replace(books=""), named, booked=True), key=attrgetter("table", "day", "place")
    ):
        by_day.setdefault(tray.day, {}).setdefault((tray.property, tray.table), []).append(tray)
    for day, by_table in by_day.items():
        yield from _pairs(by_table, day, span)


def _pairs(
    by_table: Mapping[tuple[str, str], Sequence[Tray]], begins: date | None, span: Span
) -> Iterator[tuple[Tray, Tray]]:
    """Yield (previous count, count) for each count of a tray in `by_table`. The count before the first one of
    a table is the table's last count before the day `begins`. If there is no such count, nothing is yielded
    for the first one.
    """
    tables = [(*table, None) for table in sorted(by_table)]
    before = last_trays(tables, begins, span._replace(books=""), booked=True) if begins is not None else ()
    last = {(tray.property, tray.table): tray for tray in before}
    for table, of_table in by_table.items():
        yield from pairwise((last[table], *of_table) if table in last else of_table)


def _listed(name: str, span: Span, read_rows: ReadRows[F], figures: type[F]) -> CachedList[F]:
    return cached_list(f"journal {name}", span, read_rows, figures, itemgetter(0), lambda row: None)


def _by_day(span: Span) -> Iterator[DayRow]:
    return _rows(span, by_shift=False)


def _by_shift(span: Span) -> Iterator[DayRow]:
    return _rows(span, by_shift=True)


def _rows(span: Span, *, by_shift: bool) -> Iterator[DayRow]:
    for day, papers in _counted(span, by_shift=by_shift):
        columns: dict[str, Any] = day._asdict() | {
            "day": day.day.isoformat(),
            "live_dealer": "yes" if day.live_dealer else "",
            "cage": "yes" if day.cage else "",
            "stays": "yes" if day.stays else "",
            "unseen": exact_number(day.unseen),
        }
        key = tuple(str(columns.pop(name)) for name in _KEY)
        yield Aggregate(key, DayFigures(**columns, **dict(zip(PAPER_COLUMNS, papers, strict=True))))


_KEY = (
    "property",
    "stream",
    "table",
    "day",
    "game",
    "currency",
    "shift",
    "live_dealer",
    "cage",
    "stays",
    "first_box",
)
"""The fields of a `TableDay` that form the key under which its row is cached."""


def _table_day(row: DayRow) -> TableDay:
    figures = row.figures._asdict()
    for name in PAPER_COLUMNS:
        del figures[name]
    columns: dict[str, Any] = figures | dict(zip(_KEY, row.key, strict=True))
    columns["day"] = _date(columns["day"])
    for name in ("live_dealer", "cage", "stays"):
        columns[name] = columns[name] == "yes"
    if isinstance(columns["unseen"], str):
        columns["unseen"] = Fraction(columns["unseen"])
    return TableDay(**columns)


_date = lru_cache(maxsize=512)(date.fromisoformat)


def _counted(span: Span, *, by_shift: bool, named: Sequence[str] | None = None) -> Iterator[DayAndPapers]:
    if named is None:
        days = list(cached_days.counted(span, by_shift=by_shift))
    else:
        days = list(table_days(span, by_shift=by_shift, streams=named, play="live"))
    yield from _with_papers(days, _papers_of(span, sorted({day.stream for day in days})), by_shift=by_shift)


def _with_papers(
    days: Iterable[TableDay], rows: Iterable[PaperRow], *, by_shift: bool
) -> Iterator[DayAndPapers]:
    """Yield each row of a table day. Add the amounts of the markers that were issued and paid, and of the
    vouchers in the drop, at this table on this day.
    """
    papers_at: dict[tuple[str, str, str], PaperFigures] = {}
    for row in rows:
        stream, currency, shift = row.key
        place = (stream, currency, shift if by_shift else "")
        known = papers_at.get(place, NO_PAPERS)
        papers_at[place] = PaperFigures._make(map(sum, zip(known, row.figures, strict=True)))
    for day in days:
        yield day, papers_at.get((day.stream, day.currency, day.shift), NO_PAPERS)


NO_PAPERS = PaperFigures(0, 0, 0)


def _papers(span: Span) -> Iterator[PaperRow]:
    return _papers_of(span, [stream.name for stream in streams(span) if stream.closed is not None])


def _papers_of(span: Span, named: Sequence[str]) -> Iterator[PaperRow]:
    property = span.property or ""
    for marker in markers(property, named):
        key = (marker.stream, marker.currency, marker.shift)
        yield Aggregate(key, PaperFigures(marker.issued, marker.paid, 0))
    with covered():  # the days are closed, so all their facts were examined
        boxes = list(boxes_with_papers(property, named))
    for stream, box in boxes:
        vouchers = sum(amount for paper, amount in box.papers.items() if paper != "marker")
        yield Aggregate((stream, box.currency, box.shift), PaperFigures(0, 0, vouchers))


def _trays(span: Span) -> Iterator[TrayRow]:
    for tray in trays(span, booked=True):
        key = (
            tray.property,
            tray.table,
            tray.day.isoformat(),
            f"{tray.place:06}",
            tray.shift,
            tray.kind,
            tray.currency,
        )
        yield Aggregate(key, TrayFigures(tray.amount))

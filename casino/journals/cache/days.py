"""Cached counts, markers and vouchers of closed days, by month and day (`audit.queries.cache.lists`).

A closed day gets no more facts, so its rows are read only once and then come from the cache.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from audit.queries.cache import table_days as cached_days
from audit.queries.cache.aggregates import Aggregate, Exact, F, ReadRows, aggregate, exact_number
from audit.queries.cache.lists import CachedList, cached_list
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


class VoucherFigures(NamedTuple):
    """The amount of vouchers in the drop, in minor units."""

    vouchers: int


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
VoucherRow = Aggregate[VoucherFigures]
DayAndPapers = tuple[TableDay, PaperFigures]
"""A row of a table day, and the amounts of its markers and vouchers."""


def table_days_and_papers(span: Span, *, by_shift: bool) -> Iterator[DayAndPapers]:
    """Yield every row of the closed days of a span, with the amounts of its papers."""
    if cached_days.is_whole_month(span):
        vouchers = aggregate("journal vouchers", span, _vouchers, VoucherFigures)
        named = [stream.name for stream in streams(span) if stream.closed is not None]
        papers = _papers_at(span, named, vouchers, by_shift=by_shift)
        for day in cached_days.counted(span, by_shift=by_shift):
            yield day, papers.get((day.stream, day.currency, day.shift), NO_PAPERS)
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
    names = sorted({day.stream for day in days})
    papers = _papers_at(span, names, _vouchers_of(span, names), by_shift=by_shift)
    for day in days:
        yield day, papers.get((day.stream, day.currency, day.shift), NO_PAPERS)


NO_PAPERS = PaperFigures(0, 0, 0)


def _papers_at(
    span: Span, named: Sequence[str], vouchers: Iterable[VoucherRow], *, by_shift: bool
) -> dict[tuple[str, str, str], PaperFigures]:
    """Return {(stream, currency, shift): amounts} of the markers that were issued and paid in these streams,
    and of the vouchers in their drop. The shift is empty if `by_shift` is False.
    """
    papers = {
        (stream, currency, shift): PaperFigures(issued, paid, 0)
        for stream, currency, shift, issued, paid in markers(span.property or "", named, by_shift=by_shift)
    }
    for row in vouchers:
        stream, currency, shift = row.key
        place = (stream, currency, shift if by_shift else "")
        known = papers.get(place, NO_PAPERS)
        papers[place] = known._replace(vouchers=known.vouchers + row.figures.vouchers)
    return papers


def _vouchers(span: Span) -> Iterator[VoucherRow]:
    return _vouchers_of(span, [stream.name for stream in streams(span) if stream.closed is not None])


def _vouchers_of(span: Span, named: Sequence[str]) -> Iterator[VoucherRow]:
    with covered():  # the days are closed, so all their facts were examined
        boxes = list(boxes_with_papers(span.property or "", named))
    for stream, box in boxes:
        vouchers = sum(amount for paper, amount in box.papers.items() if paper != "marker")
        yield Aggregate((stream, box.currency, box.shift), VoucherFigures(vouchers))

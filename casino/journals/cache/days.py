"""What is counted of closed days, with their markers, and all trays: kept by month and day as sums are
(`audit.queries.cache.lists`).

A closed day takes no more facts, so its rows are read once and then found; a tray of an open day is read
again when it has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter, itemgetter

from audit.queries.cache import table_days as kept_days
from audit.queries.cache.aggregates import Adds, Aggregate, aggregate, exact_number
from audit.queries.cache.lists import CachedList, cached_list
from audit.queries.cage_lists import Tray, last_trays, trays
from audit.queries.closed_books import markers, streams
from audit.queries.tallies import Span, TableDay, table_days

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
_NUMBERS = tuple(name for name in TableDay._fields if name not in (*_KEY, "unseen"))


def table_days_and_markers(span: Span, *, by_shift: bool) -> Iterator[tuple[TableDay, int, int]]:
    """Every row of these closed days, what was issued in it as markers, and what was paid for markers."""
    if kept_days.whole_month(span):
        yield from _beside(
            kept_days.counted(span, by_shift=by_shift),
            aggregate("journal markers", span, _markers),
            by_shift=by_shift,
        )
        return
    for row in _listed("shift", span, _by_shift) if by_shift else _listed("day", span, _by_day):
        yield _read(row), int(row.numbers[-2]), int(row.numbers[-1])


def of_streams(span: Span, named: Sequence[str], *, by_shift: bool) -> Iterator[tuple[TableDay, int, int]]:
    """The same of these streams alone, read and not kept: they are few, and of many days."""
    yield from _counted(span, by_shift=by_shift, named=named)


def after_another(span: Span) -> Iterator[tuple[Tray, Tray]]:
    """Each tray of the span, of open days too, behind the last one that was counted at its table, however
    long ago; of no late day.
    """
    by_table: dict[tuple[str, str], list[Tray]] = {}
    for row in _listed("trays", span._replace(books=""), _trays):
        property, name, day, place, shift, kind, currency = row.key
        tray = Tray(property, name, _date(day), int(place), shift, kind, currency, int(row.numbers[0]))
        by_table.setdefault((tray.property, tray.table), []).append(tray)
    yield from _pairs(by_table, span.begins, span)


def after_another_of_streams(span: Span, named: Sequence[str]) -> Iterator[tuple[Tray, Tray]]:
    """The same of these streams alone, read and not kept."""
    of_days: dict[date, dict[tuple[str, str], list[Tray]]] = {}
    for tray in sorted(
        trays(span._replace(books=""), named, booked=True), key=attrgetter("table", "day", "place")
    ):
        of_days.setdefault(tray.day, {}).setdefault((tray.property, tray.table), []).append(tray)
    for day, by_table in of_days.items():
        yield from _pairs(by_table, day, span)


def _pairs(
    by_table: Mapping[tuple[str, str], Sequence[Tray]], begins: date | None, span: Span
) -> Iterator[tuple[Tray, Tray]]:
    """These trays of each table from a day on, the first of them behind what was counted last before it."""
    tables = [(*table, None) for table in sorted(by_table)]
    before = last_trays(tables, begins, span._replace(books=""), booked=True) if begins is not None else ()
    last = {(tray.property, tray.table): tray for tray in before}
    for table, of in by_table.items():
        yield from pairwise((last[table], *of) if table in last else of)


def _listed(by: str, span: Span, adds: Adds) -> CachedList:
    return cached_list(f"journal {by}", span, adds, itemgetter(0), lambda row: None)


def _by_day(span: Span) -> Iterator[Aggregate]:
    return _rows(span, by_shift=False)


def _by_shift(span: Span) -> Iterator[Aggregate]:
    return _rows(span, by_shift=True)


def _rows(span: Span, *, by_shift: bool) -> Iterator[Aggregate]:
    for day, *of_markers in _counted(span, by_shift=by_shift):
        said = day._asdict() | {"day": day.day.isoformat()}
        key = tuple(
            str(said[name]) if not isinstance(said[name], bool) else "yes" * said[name] for name in _KEY
        )
        yield Aggregate(key, (*(said[name] for name in _NUMBERS), exact_number(day.unseen), *of_markers))


def _counted(
    span: Span, *, by_shift: bool, named: Sequence[str] | None = None
) -> Iterator[tuple[TableDay, int, int]]:
    if named is None:
        days = list(kept_days.counted(span, by_shift=by_shift))
    else:
        days = list(table_days(span, by_shift=by_shift, streams=named, play="live"))
    yield from _beside(days, _markers_of(span, sorted({day.stream for day in days})), by_shift=by_shift)


def _beside(
    days: Iterable[TableDay], found: Iterable[Aggregate], *, by_shift: bool
) -> Iterator[tuple[TableDay, int, int]]:
    """Each row with what was issued and paid in it as markers."""
    beside: dict[tuple[str, str, str], tuple[int, int]] = {}
    for (stream, currency, shift), numbers, _ in found:
        place = (stream, currency, shift if by_shift else "")
        issued, paid = beside.get(place, (0, 0))
        beside[place] = issued + int(numbers[0]), paid + int(numbers[1])
    for day in days:
        yield day, *beside.get((day.stream, day.currency, day.shift), (0, 0))


def _markers(span: Span) -> Iterator[Aggregate]:
    return _markers_of(span, [stream.name for stream in streams(span) if stream.closed is not None])


def _markers_of(span: Span, named: Sequence[str]) -> Iterator[Aggregate]:
    for one in markers(span.property or "", named):
        yield Aggregate((one.stream, one.currency, one.shift), (one.issued, one.paid))


def _read(row: Aggregate) -> TableDay:
    # in the order of TableDay's fields, by place: a month of a large house has thousands
    property, stream, table, day, game, currency, shift, live_dealer, cage, stays, first_box = row.key
    numbers = row.numbers
    head = (
        property,
        stream,
        table,
        _date(day),
        game,
        live_dealer == "yes",
        *numbers[:2],
        stays == "yes",
        first_box,
        currency,
        shift,
    )
    unseen = numbers[-3]
    exact = unseen if isinstance(unseen, int) else Fraction(unseen)
    return TableDay._make((*head, *numbers[2:-5], cage == "yes", *numbers[-5:-3], exact))


_date = lru_cache(maxsize=512)(date.fromisoformat)


def _trays(span: Span) -> Iterator[Aggregate]:
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
        yield Aggregate(key, (tray.amount,))

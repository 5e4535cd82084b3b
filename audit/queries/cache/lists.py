"""Cached lists of whole months and days. A page reads only the rows that it shows, and an export reads row by
row.

A period is cached as blocks of rows, each with its length, and the totals of the rows. For a page of a year's
list, the lengths are added up and only a few blocks are read. Each row of a list belongs to one period: a row
of one day is never added to a row of another day.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import accumulate, chain, groupby, islice
from operator import itemgetter
from typing import Any, Generic, NamedTuple

from msgspec import Raw, json

from audit.garbage import without_garbage_collection
from audit.queries.cache.aggregates import (
    Aggregate,
    CachePeriod,
    F,
    ReadRows,
    code_fingerprint,
    decode_rows,
    is_current,
    merge,
    periods_of,
    write_cache,
)
from audit.queries.cache.cached_rows import read_cache
from audit.queries.cache.time_budget import check_budget
from audit.queries.examination import only_examined
from audit.queries.lazy_sequence import LazySequence
from audit.queries.span import Span

Key = tuple[str, ...]
PartOf = Callable[[Key], str]
"""A function that returns the part of the list to which a row belongs, given the key of the row. Sorting rows
by key also sorts them by part.
"""
TotalOf = Callable[[Aggregate[F]], Key | None]
"""A function that returns the key of the total to which a row is added, or None if it is not part
of a total.
"""
TotalsOf = Callable[[Sequence[Aggregate[F]]], Iterable[Aggregate[F]]]
"""A function that returns the totals of the rows of one period, which are in the order of their keys. Totals
of several periods with the same key are added up.
"""
PlainRow = tuple[Key, tuple[Any, ...], tuple[str, ...]]
"""A row as plain tuples: its key, its figures in the order of their names, and its notes."""


_PLAIN_ROWS = json.Decoder(list[PlainRow])


class Block(NamedTuple):
    """The encoded rows of one period that belong to one part of the list, in the order of their keys."""

    part: str
    number: int
    rows: Raw


class CachedPeriod(NamedTuple, Generic[F]):
    """The cached content of a period."""

    totals: list[Aggregate[F]]
    blocks: list[Block]


class Layout(NamedTuple, Generic[F]):
    """How the rows of a list are cached.

    Attributes:
        figures: the type of the rows' figures.
        part_of: returns the part of the list to which a row belongs.
        totals_of: returns the totals of the rows of a period.
    """

    figures: type[F]
    part_of: PartOf
    totals_of: TotalsOf[F]


class CachedList(LazySequence[Aggregate[F]]):
    """The rows of a list, sorted by key, and the totals of all rows. A row is decoded when it is read."""

    def __init__(self, periods: Iterable[CachedPeriod[F]], figures: type[F]) -> None:
        every = list(periods)
        self._figures = figures
        self.totals = merge(row for period in every for row in period.totals)
        self._blocks: dict[str, list[Block]] = {}
        for period in every:
            for block in period.blocks:
                self._blocks.setdefault(block.part, []).append(block)
        self._parts = sorted(self._blocks)
        self._ends = list(
            accumulate(sum(block.number for block in self._blocks[part]) for part in self._parts)
        )

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def slice(self, begins: int, ends: int) -> list[Aggregate[F]]:
        """Return the rows from position `begins` to `ends` (exclusive). Only the blocks with these rows are
        read.
        """
        first = bisect_right(self._ends, begins)
        before = self._ends[first - 1] if first else 0
        return list(islice(self._rows_of(self._parts[first:]), begins - before, ends - before))

    def __iter__(self) -> Iterator[Aggregate[F]]:
        return self._rows_of(self._parts)

    def plain_rows(self, parts: Iterable[str] | None = None) -> list[PlainRow]:
        """Return the rows of these parts as plain tuples, in order. Call it if many rows are needed: to make
        an `Aggregate` of each would take several times as long.

        Args:
            parts: parts of the list, or None for all.
        """
        with without_garbage_collection():
            return [
                row
                for part in (self._parts if parts is None else parts)
                for row in sorted(
                    chain.from_iterable(_PLAIN_ROWS.decode(block.rows) for block in self._blocks[part]),
                    key=itemgetter(0),
                )
            ]

    def _rows_of(self, parts: Iterable[str]) -> Iterator[Aggregate[F]]:
        for part in parts:
            yield from sorted(
                (row for block in self._blocks[part] for row in decode_rows(block.rows, self._figures)),
                key=itemgetter(0),
            )


def cached_list(
    name: str,
    span: Span,
    read_rows: ReadRows[F],
    figures: type[F],
    part_of: PartOf,
    total_of: TotalOf[F] | None,
    totals_of: TotalsOf[F] | None = None,
) -> CachedList[F]:
    """Return the list of a span.

    Args:
        name: the name of the list. It names everything that the list depends on except tallies,
            such as the grouping.
        span: the days, the property and the books.
        read_rows: reads the rows of a part of the span that is not cached.
        figures: the type of the rows' figures.
        part_of: returns the part of the list to which a row belongs.
        total_of: returns the key of the total to which a row is added. Pass None if the totals are not sums
            of rows, but the result of `totals_of`.
        totals_of: returns the totals of the rows of a period.
    """
    full_name = " ".join(filter(None, (name, span.books, code_fingerprint(read_rows.__module__))))
    if totals_of is None:
        assert total_of is not None
        totals_of = partial(_added_up, total_of)
    layout = Layout(figures, part_of, totals_of)
    with without_garbage_collection():
        return CachedList(
            (
                period
                for property, periods in periods_of(span).items()
                for period in _cached_periods(
                    span._replace(property=property), full_name, periods, read_rows, layout
                )
            ),
            figures,
        )


def _cached_periods(
    span: Span, name: str, periods: Sequence[CachePeriod], read_rows: ReadRows[F], layout: Layout[F]
) -> Iterator[CachedPeriod[F]]:
    """Yield the content of each period, from the cache if it is current.

    If a month has changed since it was cached, it is built from cached days, so that a later change requires
    only one day to be built.
    """
    property = span.property or ""
    cached = read_cache(property, name, [period.name for period in periods])
    for index, period in enumerate(periods):
        stamp, content = cached.get(period.name, ("", b""))
        if stamp != period.stamp:
            check_budget(period.name, index, len(periods))
            rows = (
                (
                    row
                    for day in _cached_periods(span, name, period.days, read_rows, layout)
                    for block in day.blocks
                    for row in decode_rows(block.rows, layout.figures)
                )
                if content and period.days
                else read_rows(span._replace(begins=period.begins, ends=period.ends))
            )
            with only_examined():
                content = json.encode(_encode_period(merge(rows), layout))
            if is_current(span, period):
                write_cache(property, period.name, name, period.stamp, content)
        yield _decoder(layout.figures).decode(content)


def _encode_period(rows: list[Aggregate[F]], layout: Layout[F]) -> CachedPeriod[F]:
    blocks = [(part, list(of_part)) for part, of_part in groupby(rows, lambda row: layout.part_of(row.key))]
    return CachedPeriod(
        merge(layout.totals_of(rows)),
        [Block(part, len(of_part), Raw(json.encode(of_part))) for part, of_part in blocks],
    )


def _added_up(total_of: TotalOf[F], rows: Iterable[Aggregate[F]]) -> Iterator[Aggregate[F]]:
    """Yield the figures of each row under the key of its total."""
    to_add = ((key, row.figures) for row in rows if (key := total_of(row)) is not None)
    return (Aggregate(key, figures) for key, figures in to_add)


@cache
def _decoder(figures: type[F]) -> json.Decoder[CachedPeriod[F]]:
    return json.Decoder(CachedPeriod[figures])  # type: ignore[valid-type]

"""Lists over long spans, kept by whole months and days as sums are: a page reads the rows that it shows, a
file one after another.

What is kept of a unit is its rows in blocks, each behind how many it has, and what they add up to; so a page
of a year counts blocks and reads a few. A list is one whose rows are their unit's alone: a row of a day never
adds to one of another day.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, groupby, islice
from operator import itemgetter
from typing import NamedTuple

from msgspec import Raw, json

from audit.queries.cache.aggregates import (
    Adds,
    Aggregate,
    CachePeriod,
    check_budget,
    code_fingerprint,
    is_current,
    merge,
    periods_of,
    read_cache,
    write_cache,
)
from audit.queries.examination import only_examined
from audit.queries.lazy_sequence import LazySequence
from audit.queries.tallies import Span

Key = tuple[str, ...]
Part = Callable[[Key], str]
"""The part of a list that a row stands in, by its key: rows in the order of their keys are in the order of
their parts.
"""
Total = Callable[[Aggregate], Key | None]
"""What a row's numbers are added to; None: to nothing."""


class Block(NamedTuple):
    """The rows of one part in one unit, in the order of their keys, as they are kept."""

    part: str
    number: int
    rows: Raw


class Kept(NamedTuple):
    """What is kept of a unit."""

    totals: list[Aggregate]
    blocks: list[Block]


class CachedList(LazySequence[Aggregate]):
    """The rows of a list in the order of their keys, read when they are asked for; and what all of them add
    up to.
    """

    def __init__(self, units: Iterable[Kept]) -> None:
        every = list(units)
        self.totals = merge(row for unit in every for row in unit.totals)
        self._blocks: dict[str, list[Block]] = {}
        for unit in every:
            for block in unit.blocks:
                self._blocks.setdefault(block.part, []).append(block)
        self._parts = sorted(self._blocks)
        self._ends = list(
            accumulate(sum(block.number for block in self._blocks[part]) for part in self._parts)
        )

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def slice(self, begins: int, ends: int) -> list[Aggregate]:
        """The rows from one place to another, read out of the blocks in which they stand."""
        first = bisect_right(self._ends, begins)
        before = self._ends[first - 1] if first else 0
        return list(islice(self._of(self._parts[first:]), begins - before, ends - before))

    def __iter__(self) -> Iterator[Aggregate]:
        return self._of(self._parts)

    def _of(self, parts: Iterable[str]) -> Iterator[Aggregate]:
        for part in parts:
            yield from sorted(
                (row for block in self._blocks[part] for row in _read(block.rows)), key=itemgetter(0)
            )


def cached_list(name: str, span: Span, adds: Adds, part: Part, total: Total) -> CachedList:
    """The list of a span. `name` says what is listed, with all that it hangs on besides tallies (grouping)."""
    full = " ".join(filter(None, (name, span.books, code_fingerprint(adds.__module__))))
    return CachedList(
        unit
        for property, units in periods_of(span).items()
        for unit in _of_units(span._replace(property=property), full, units, adds, part, total)
    )


def _of_units(
    span: Span, name: str, units: Sequence[CachePeriod], adds: Adds, part: Part, total: Total
) -> Iterator[Kept]:
    """What is kept of each. A month that has changed since is made of its days, so that the next change costs
    a day.
    """
    property = span.property or ""
    known = read_cache(property, name, [unit.name for unit in units])
    for done, unit in enumerate(units):
        stamp, content = known.get(unit.name, ("", b""))
        if stamp != unit.stamp:
            check_budget(unit.name, done, len(units))
            rows = (
                (
                    row
                    for day in _of_units(span, name, unit.days, adds, part, total)
                    for block in day.blocks
                    for row in _read(block.rows)
                )
                if content and unit.days
                else adds(span._replace(begins=unit.begins, ends=unit.ends))
            )
            with only_examined():
                content = json.encode(_kept(merge(rows), part, total))
            if is_current(span, unit):
                write_cache(property, unit.name, name, unit.stamp, content)
        yield _unit(content)


def _kept(rows: list[Aggregate], part: Part, total: Total) -> Kept:
    blocks = [(name, list(of)) for name, of in groupby(rows, key=lambda row: part(row.key))]
    sums = ((key, row.numbers) for row in rows if (key := total(row)) is not None)
    return Kept(
        merge(Aggregate(key, numbers) for key, numbers in sums),
        [Block(name, len(of), Raw(json.encode(of))) for name, of in blocks],
    )


_unit = json.Decoder(Kept).decode
_read = json.Decoder(list[Aggregate]).decode

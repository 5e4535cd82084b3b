"""Reports, one file each, found by name: there is no list to edit.

A report is a module with `TITLE`, `BY` (what it can be grouped by), `DEFAULT_BY`, `CHART` (the column that is
drawn) and `sheet(span, by)`. What it yields is the same for every format: `casino.exports.formats.registry`
writes it.

A report whose sums or rows are kept (`audit.queries.cache.aggregates`, `audit.queries.cache.lists`) reads
tallies and no facts: what it adds up is kept under how far its streams were examined, and a query of the
ledger's tables raises `audit.queries.examination.ReadsLedger`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Protocol, cast

from audit.queries.span import Span
from casino.reports import definitions
from casino.reports.columns import Sheet


class Report(Protocol):
    """A report's module."""

    __name__: str
    TITLE: str
    BY: tuple[str, ...]
    DEFAULT_BY: tuple[str, ...]
    CHART: str
    """The column that a page draws; empty text for none."""

    def sheet(self, span: Span, by: tuple[str, ...]) -> Sheet:
        """The report of these days. `by`: names out of BY, one row for each of their values."""


ELSEWHERE = {"journal": "casino.journals.report"}
"""Reports that are defined by another capability, and their modules."""


def names() -> list[str]:
    """Return the name of every report, as on the command line."""
    return sorted(
        [*(module.name.replace("_", "-") for module in iter_modules(definitions.__path__)), *ELSEWHERE]
    )


def report(name: str) -> Report:
    """Return the report of that name. Raises LookupError if there is none."""
    if name not in names():
        raise LookupError(name)
    return cast(
        Report, import_module(ELSEWHERE.get(name, f"{definitions.__name__}.{name.replace('-', '_')}"))
    )


def knows_shifts(name: str) -> bool:
    """Whether a report can be made of one shift alone; the journal is booked by shift, which is another
    thing.
    """
    return "shift" in report(name).BY and "table" in report(name).BY


def of_shift(of: Report, span: Span, by: tuple[str, ...], shift: str) -> Sheet:
    """The report of one shift of these days and of no other, with the shift in each row; its totals are what
    the shift has by itself.
    """
    by = by if "shift" in by else (*by, "shift")
    whole, alone = of.sheet(span, by), of.sheet(span, ("shift",))
    place = next(at for at, column in enumerate(whole.columns) if column.key == "shift")
    blank = ("total", *[""] * (len(by) - 1))
    totals = tuple((*blank, *row[1:]) for row in alone.rows if row[0] == shift)
    return Sheet(whole.title, whole.columns, [row for row in whole.rows if row[place] == shift], totals)


def grouped(rows: Iterable[Any], key: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Rows by key, in the order of the keys."""
    groups: dict[Any, list[Any]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    yield from sorted(groups.items(), key=lambda item: item[0])

"""Find the reports. Every module in `casino/reports/definitions` is a report, without being listed anywhere.

A report is a module with these attributes:

- `TITLE` and `DEPARTMENT`; `NEEDED`, a sentence that says when somebody needs the report;
- `BY`, the names by which it can be grouped, and `DEFAULT_BY`, its default grouping;
- `CHART`, the column that is drawn as a chart;
- `sheet(span, by)`, a function that returns the report. The sheet is the same for every format;
  `casino.exports.formats.registry` writes it.

`casino.reports.limits` limits a report to one table, shift or other value, and says what a report defines for
it.

A report may cache aggregates or rows (`audit.queries.cache.aggregates`, `audit.queries.cache.lists`). While
it builds them, it may read tallies but no facts: cached results are renewed when streams are examined, and
not when facts are added. A query of the ledger's tables raises `audit.queries.examination.ReadsLedger`. If
other modules write the cache of the report, `CACHED_BY` names them.
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
    """The attributes that the module of a report defines."""

    __name__: str
    TITLE: str
    DEPARTMENT: str
    """The department that needs the report, one of DEPARTMENTS."""
    NEEDED: str
    """A sentence that says when somebody needs the report."""
    BY: tuple[str, ...]
    DEFAULT_BY: tuple[str, ...]
    CHART: str
    """The key of the column that a page draws as a chart, or empty text if there is no chart."""

    def sheet(self, span: Span, by: tuple[str, ...]) -> Sheet:
        """Return the report of a span, with one row for each combination of the values of `by`. The names in
        `by` are from BY.
        """


DEPARTMENTS = ("Table games", "Cage and count room", "Accounting", "Surveillance and audit")
"""The departments in the order in which their reports are listed."""
ELSEWHERE = {"journal": "casino.journals.report"}
"""For each report that is defined outside `casino/reports/definitions`: its module."""
OF_CLOSED_DAYS = frozenset({"journal", "restated"})
"""Reports that contain only closed days. Their page has no choice between the books as closed and as
restated. A schedule of such a report waits until the day is closed.
"""


def names() -> list[str]:
    """Return the name of every report, as on the command line."""
    return sorted(
        [*(module.name.replace("_", "-") for module in iter_modules(definitions.__path__)), *ELSEWHERE]
    )


def report(name: str) -> Report:
    """Return the module of the report with this name. Raise LookupError if there is no such report."""
    if name not in names():
        raise LookupError(name)
    return cast(
        Report, import_module(ELSEWHERE.get(name, f"{definitions.__name__}.{name.replace('-', '_')}"))
    )


def knows_shifts(name: str) -> bool:
    """Return True if the schedule of a shift limits the report to that shift. The journal is not limited: its
    rows can be grouped by shift, but not filtered by shift.
    """
    return "shift" in report(name).BY and "table" in report(name).BY


def grouped(rows: Iterable[Any], key: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Group rows by a key. Yield each key with its rows, in the order of the keys."""
    groups: dict[Any, list[Any]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    yield from sorted(groups.items(), key=lambda item: item[0])

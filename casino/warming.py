"""Sums kept warm: what people have asked for is added up before they ask again, and what no report can use any more is thrown away.

A report of a year reads a few kept sums (audit/queries/summed.py); only its first asking, and the first after a change, adds up.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from time import monotonic

from audit.queries import Span
from audit.queries import summed as sums
from audit.queries.summed import days_of
from casino import reports
from casino.figures import Pits

FIRST = ("hold", "dealer-errors", "live-dealer", "master-game-report", "statistics", "voids", "where-the-hold-went")
"""Reports of long spans: warm from the first day on, each by what it goes by at first."""
PATIENCE = 20.0
"""Seconds that one warming takes a worker away from the floor; the next goes on where this one stopped."""
DAYS = timedelta(days=100)
"""Sums of single days are kept for so long; later whole months are asked for."""


def warm(patience: float = PATIENCE) -> int:
    """Add up the year of every property's last gaming day, as it has been asked for. How many reports were looked at."""
    begun = monotonic()
    looked = 0
    for property, last in days_of(Span()):
        year = Span(date(last.year, 1, 1), date(last.year + 1, 1, 1), property)
        for name, by, books in _asked(property):
            if monotonic() - begun > patience:
                return looked
            reports.report(name).sheet(year._replace(books=books), by)  # adds up; its rows are written for who reads them
            looked += 1
    return looked


def clean() -> int:
    """Throw away sums of other code, of pits as they no longer stand, and of single days long past. How many kinds of sums were."""
    pits = Pits().stamp
    useless = [name for name in sums.names() if not _can_be_used(name, pits)]
    sums.forget(useless, max((last for _, last in days_of(Span())), default=date.max) - DAYS)
    return len(useless)


def _asked(property: str) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Report, grouping and books: the first ones, and all that somebody has asked for."""
    found = dict.fromkeys((name, reports.report(name).DEFAULT_BY, "") for name in FIRST)
    for name in sums.names(property):
        report, by, *rest = name.split(" ")
        if report in reports.names():
            groups = tuple(name for name in by.split(",") if name in reports.report(report).BY)
            books = next((word for word in rest if word in ("closed", "restated")), "")
            found[report, groups, books] = None
    yield from found


def _added_up_by(report: str) -> str:
    """The module that adds up for a report: its own, unless it names another."""
    one = reports.report(report)
    return getattr(one, "ADDED_UP_BY", f"{reports.__name__}.{report.replace('-', '_')}")


def _can_be_used(name: str, pits: str) -> bool:
    report, by, *rest = name.split(" ")
    if report not in reports.names() or rest[-1] != sums.source(_added_up_by(report)):
        return False
    return "pit" not in by.split(",") or pits in rest

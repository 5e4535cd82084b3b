"""Sums kept warm: what people have asked for is added up before they ask again, and what no report can use
any more is thrown away.

A report of a year reads a few kept sums (audit/queries/cache/aggregates.py); only its first asking, and the
first after a change, adds up. So every report of this year and the last is asked for here, months one by one:
a warming that runs out of patience keeps those that it has done.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import product
from time import monotonic

from audit.queries.cache import aggregates, play, table_days
from audit.queries.cache.aggregates import last_open_days
from audit.queries.span import Span
from casino.reports import catalog
from casino.reports.grouping import Hours, Pits

FIRST = (
    "hold",
    "dealer-errors",
    "live-dealer",
    "master-game-report",
    "statistics",
    "voids",
    "where-the-hold-went",
)
"""Reports that are warm before all others."""
PATIENCE = 20.0
"""Seconds that one warming takes a worker away from the floor, and the month that is then added up; the next
goes on where it stopped.
"""
OF_NO_REPORT = {table_days.NAME: table_days.__name__, play.NAME.partition(" ")[0]: play.__name__}
"""What reports are made of, whichever they are: the first word of its name, and what reads it."""
DAYS = timedelta(days=100)
"""Sums of single days are kept for so long; later whole months are asked for."""


def warm(patience: float = PATIENCE) -> int:
    """Add up every report of the year of each property's last gaming day, and all that was asked for; then of
    the year before.

    How many reports were looked at, to their end.
    """
    begun = monotonic()
    looked = 0
    last_days = list(last_open_days(Span()))
    for years_ago, (property, last) in product((0, 1), last_days):
        year = Span(date(last.year - years_ago, 1, 1), date(last.year + 1 - years_ago, 1, 1), property)
        for name, by, books in _asked(property):
            try:
                with aggregates.time_budget(lambda: monotonic() - begun > patience):
                    aggregates.check_budget()
                    catalog.report(name).sheet(
                        year._replace(books=books), by
                    )  # adds up; its rows are written for who reads them
            except aggregates.TimeBudgetExceeded:
                return looked
            looked += 1
    return looked


def clean() -> int:
    """Throw away sums of other code, of pits and zones as they no longer stand, and of days long past. How
    many kinds of sums were.
    """
    stamps = {"pit": Pits().stamp, "hour": Hours().stamp}
    useless = [name for name in aggregates.cached_names() if not _can_be_used(name, stamps)]
    aggregates.evict(useless, max((last for _, last in last_open_days(Span())), default=date.max) - DAYS)
    return len(useless)


def _asked(property: str) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Report, grouping and books: every report by what its page goes by at first, and all that somebody has
    asked for.
    """
    found = dict.fromkeys((name, catalog.report(name).DEFAULT_BY, "") for name in (*FIRST, *catalog.names()))
    for name in aggregates.cached_names(property):
        report, by, *rest = name.split(" ")
        if report in catalog.names():
            groups = tuple(name for name in by.split(",") if name in catalog.report(report).BY)
            books = next((word for word in rest if word in ("closed", "restated")), "")
            found[report, groups, books] = None
    yield from found


def _fingerprints(report: str) -> set[str]:
    """Return the fingerprints of the modules that write the cache of a report: its own, unless it names
    others.
    """
    module = catalog.report(report)
    return set(map(aggregates.code_fingerprint, getattr(module, "CACHED_BY", (module.__name__,))))


def _can_be_used(name: str, stamps: dict[str, str]) -> bool:
    report, by, *rest = name.split(" ")
    if report in OF_NO_REPORT:
        return rest[-1] == aggregates.code_fingerprint(OF_NO_REPORT[report])
    if report not in catalog.names() or rest[-1] not in _fingerprints(report):
        return False
    return all(stamp in rest for grouping, stamp in stamps.items() if grouping in by.split(","))

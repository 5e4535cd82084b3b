"""Aggregate reports in advance, so that pages open from the cache. Delete cached aggregates that no report
can use any more.

A report of a year reads a few cached aggregates (audit/queries/cache/aggregates.py). If they are missing or
outdated, the report must build them first. So this module builds the rows that all reports share, and then
every report, of this year and of last year, month by month. If the job runs out of time, the months that it
has built stay cached.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from datetime import date, timedelta
from itertools import product
from time import monotonic

from audit.queries.cache import aggregates, control_findings, play, play_errors, table_days
from audit.queries.cache.aggregates import last_open_days
from audit.queries.cache.stamps import read_stamps
from audit.queries.cache.time_budget import TimeBudgetExceeded, check_budget, time_budget
from audit.queries.span import Span
from casino.cage.services import waiting_cash
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
"""Reports that are built before all others."""
BY_TABLE = (("table", "game"), ("table", "game", "shift"))
"""Groupings of FROM_TABLES that are built in advance, because other groupings are added up from them."""
FROM_TABLES = ("hold", "where-the-hold-went")
BUDGET_SECONDS = 20.0
"""How long the job may occupy a worker, in seconds. A month that the job has begun is completed even after
that time. The next job continues with the following month.
"""
SHARED = {
    module.NAME: module.__name__ for module in (table_days, play, play_errors, control_findings, waiting_cash)
}
"""For cached rows that all reports or other pages read: {first word of their name in the cache: module that
writes them}.
"""
SINGLE_DAYS_KEPT = timedelta(days=100)
"""How long the aggregates of single days stay cached. Later, reports read whole months only."""
RUNS_KEPT = timedelta(days=7)
"""How long an aggregate of several consecutive days stays cached after the last of these days."""


def warm(seconds: float = BUDGET_SECONDS) -> int:
    """Build every report for the year of each property's last gaming day, then for the year before. Each
    report is built in its default grouping and in every grouping in which it was opened before. Return how
    many reports were completed.

    The rows that all reports share are built first, so that a report opens fast in a new grouping too.
    """
    start = monotonic()
    completed = 0
    try:
        with time_budget(lambda: monotonic() - start > seconds):
            for years_ago, (property, last) in product((0, 1), list(last_open_days(Span()))):
                begins = date(last.year - years_ago, 1, 1)
                year = Span(begins, date(begins.year + 1, 1, 1), property)
                build_shared(year)
                for name, by, books in _reports_to_warm(property):
                    check_budget()
                    _build(name, year._replace(books=books), by)
                    completed += 1
    except TimeBudgetExceeded:
        pass
    return completed


def _build(name: str, span: Span, by: tuple[str, ...]) -> None:
    """Fill the cache with the aggregates of a report and of its chart. Rows are formatted only when they are
    read.
    """
    sheet = catalog.report(name).sheet(span, by)
    if sheet.chances is not None:
        sheet.chances()


def build_shared(span: Span) -> None:
    """Cache the rows of a span that all reports share."""
    for grain in play.GRAINS:
        play.build(span, grain)
    play_errors.build(span)
    control_findings.build(span)


def clean() -> int:
    """Delete cached aggregates that cannot be used any more: those that older code built, and those for which
    a register has changed (the pits, or the time zone). Also delete aggregates of single days and of several
    days after the time for which they are kept. Return the number of names in the cache that cannot be used.
    """
    stamps = {"pit": Pits().stamp, "hour": Hours().stamp}
    useless = [name for name in aggregates.cached_names() if not _can_be_used(name, stamps)]
    last = max((last for _, last in last_open_days(Span())), default=date.max)
    aggregates.evict(useless, last - SINGLE_DAYS_KEPT, last - RUNS_KEPT)
    return len(useless)


def rebuild(property: str, period: str, names: Collection[str]) -> None:
    """Build again the rows that the cache has under these names for `period`: a month, a day, or several
    consecutive days. If `period` is something else, build nothing.

    Call this function inside `cached_rows.scratch_cache`, which receives the rows.
    """
    first, _, last = period.partition(aggregates.RUN)
    try:
        begins = date.fromisoformat(first if len(first) > 7 else f"{first}-01")
        ends = aggregates.days_after(
            date.fromisoformat(last) if last else begins,
            1 if len(first) > 7 else 31,
            of_month=len(first) <= 7,
        )
    except ValueError:
        return
    if last:
        # A run of days never contains the last day of its span. So the span needs one more day.
        later = read_stamps(Span(ends, None, property))
        ends = aggregates.days_after(later[0][1], 1) if later else ends
    span = Span(begins, ends, property)
    if any(name.partition(" ")[0] == table_days.NAME for name in names):
        for by_shift in (False, True):
            deque(table_days.table_days(span, by_shift=by_shift), maxlen=0)
    for name in names:
        report, grain, *_ = name.split(" ")
        if report == play.NAME and grain in play.GRAINS:
            play.build(span._replace(books=_books_of(name)), grain)
        elif report == play_errors.NAME:
            play_errors.build(span._replace(books=_books_of(name)))
        elif report == control_findings.NAME:
            control_findings.build(span)
        elif report == waiting_cash.NAME:
            waiting_cash.build(span)
    for report, by, books in dict.fromkeys(filter(None, map(_report_of, names))):
        _build(report, span._replace(books=books), by)


def _report_of(name: str) -> tuple[str, tuple[str, ...], str] | None:
    """Return the report, grouping and books (all, closed or restated) to which a name in the cache belongs.
    Return None if it belongs to no report.
    """
    report, by, *_ = name.split(" ")
    if report not in catalog.names():
        return None
    groups = tuple(group for group in by.split(",") if group in catalog.report(report).BY)
    return report, groups, _books_of(name)


def _books_of(name: str) -> str:
    return next((word for word in name.split(" ") if word in ("closed", "restated")), "")


def _reports_to_warm(property: str) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield (report, grouping, books) for every report in its default grouping, for the groupings from which
    other groupings are added up, and for each other grouping in the cache. A grouping is in the cache if a
    user has opened the report in it.
    """
    to_warm: dict[tuple[str, tuple[str, ...], str], None] = dict.fromkeys(
        (name, catalog.report(name).DEFAULT_BY, "") for name in (*FIRST, *catalog.names())
    )
    to_warm |= {(name, by, ""): None for name, by in product(FROM_TABLES, BY_TABLE)}
    for name in aggregates.cached_names(property):
        if (report := _report_of(name)) is not None:
            to_warm[report] = None
    yield from to_warm


def _fingerprints(report: str) -> set[str]:
    """Return the fingerprints of the modules on whose code the cached aggregates of a report depend. This is
    the report's own module, unless the report names other modules.
    """
    module = catalog.report(report)
    return set(map(aggregates.code_fingerprint, getattr(module, "CACHED_BY", (module.__name__,))))


def _can_be_used(name: str, stamps: dict[str, str]) -> bool:
    report, by, *parts = name.split(" ")
    if report in SHARED:
        return parts[-1] == aggregates.code_fingerprint(SHARED[report])
    if report not in catalog.names() or parts[-1] not in _fingerprints(report):
        return False
    return all(stamp in parts for grouping, stamp in stamps.items() if grouping in by.split(","))

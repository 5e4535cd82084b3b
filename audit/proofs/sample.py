"""Compare a sample of what is stored with what replay makes, every night.

A night compares the streams of one in NIGHTS gaming days and the newest days, with their hands in the queue
and their cached sums, the cached sums of some months, and all verdicts, flags and digests. One in NIGHTS
nights compares what the property's ledger makes. So NIGHTS nights compare all. A night that was missed is
made up for by the next ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date, timedelta

from audit import database
from audit.differences import Differences
from audit.findings import examine
from audit.jobs import alarms
from audit.proofs.derived import in_words
from audit.queries.cache import compare as caches
from audit.review import compare as review

NIGHTS = 30
"""Nights after which everything was compared."""
AT_ONCE = 3
"""Nights that one run makes up for at most."""
NEWEST = 2
"""Gaming days that every night compares, in addition to its own."""
LEDGER_SHARE = 0
"""The share to which the ledger of the property belongs."""
SHOWN = 5
"""Differences in the text of an alarm."""


def compare(property: str, night: date, progress: Callable[[int], None] | None = None) -> Differences:
    """Compare the sample of a night. Nothing is written."""
    shares = _shares(property, night)
    days = {day for (day,) in database.rows(_NEWEST, [property, NEWEST])}

    def is_wanted(stream: str) -> bool:
        day = stream[-10:]
        return day in days or _day(day).toordinal() % NIGHTS in shares

    differences = Differences()
    for (name,) in database.rows(_STREAMS, [property]):
        if is_wanted(name):
            done = examine.reexamine_stream(property, name, dry_run=True, progress=progress)
            differences.merge(done.differences)
    if LEDGER_SHARE in shares:
        differences.merge(examine.reexamine_ledger(property, dry_run=True).differences)
    for compare_all, wanted in (
        (review.compare, is_wanted),
        (caches.compare, _is_wanted_period(shares, days)),
    ):
        with database.snapshot():
            differences.merge(compare_all(property, wanted))
    return differences


def _day(text: str) -> date:
    """Return a gaming day; the first day of all for a text that is no day, because names may be changed."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return date.min


def compare_digests(property: str) -> Differences:
    """Compare the keyed digests of all cached sums of a property, without building any again."""
    return caches.compare(property, lambda period: False)


def in_short(differences: Differences) -> str:
    """Return differences as the text of an alarm: how many, in which tables, and the first few."""
    tables = differences.by_table(explained=False)
    shown = [one for one in differences.listed if not one.explained][:SHOWN]
    counted = ", ".join(f"{table} {many:,}" for table, many in tables.items())
    says = (
        f"{sum(tables.values()):,} stored values are not what the facts make, and no change of rules explains"
        f" it ({counted}). See manage.py reexamine --dry-run; manage.py reexamine replaces them."
    )
    return "\n".join([says, *(f"{one.table} {one.place} {one.kind}: {in_words(one)}" for one in shown)])


def _shares(property: str, night: date) -> set[int]:
    """Return the shares of this night, and those of the nights before it that did not run."""
    row = database.first_row(_LAST, [alarms.CHECK, property, night.isoformat()])
    last = date.fromisoformat(row[0]) if row is not None and row[0] else night - timedelta(days=1)
    missed = min(max((night - last).days, 1), AT_ONCE)
    return {(night.toordinal() - back) % NIGHTS for back in range(missed)}


def _is_wanted_period(shares: Collection[int], newest: Collection[str]) -> Callable[[str], bool]:
    """Return the test for the periods of cached sums, days and months, that a night builds again."""

    def is_wanted(period: str) -> bool:
        if len(period) > 7:
            return period in newest or _day(period).toordinal() % NIGHTS in shares
        first = _day(f"{period}-01")
        return (first.year * 12 + first.month) % NIGHTS in shares

    return is_wanted


_LAST = """SELECT max(stream) FROM job
    WHERE kind = %s AND property = %s AND stream < %s AND state <> 'due'
        AND stream ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'"""
_STREAMS = "SELECT name FROM stream WHERE property = %s ORDER BY name"
_NEWEST = """SELECT DISTINCT right(name, 10) AS day FROM stream
    WHERE property = %s ORDER BY day DESC LIMIT %s"""

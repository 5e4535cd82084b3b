"""Compare a sample of the stored results with replay every night.

Each night compares one share of the gaming days (1 of NIGHTS shares) and the newest days: the streams, the
hands in the queue, and the cached sums of these days. It also compares the cached sums of some months, and
all verdicts, flags and keyed digests. The results of the property's ledger fold are compared in one of NIGHTS
nights. So everything is compared once in NIGHTS nights. If a night is missed, the next nights compare its
share too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date, timedelta
from itertools import islice

from audit import database
from audit.differences import Differences
from audit.findings import examine
from audit.jobs import alarms
from audit.proofs.derived import in_words
from audit.queries.cache import compare as caches
from audit.review import compare as review

NIGHTS = 30
"""Number of nights in which everything is compared once."""
AT_ONCE = 3
"""Maximum number of nights whose shares one run compares."""
NEWEST = 2
"""Number of newest gaming days that are compared every night, in addition to the night's share."""
LEDGER_SHARE = 0
"""The number of a share. On the night of this share, the results of the property's ledger fold are compared
too.
"""
CONFIDENTIAL = "confidential true"
"""Part of the key of a row about a suspicion of money laundering. Differences of such rows are not shown in
alarms.
"""
SHOWN = 5
"""Maximum number of differences in the text of an alarm."""


def compare(property: str, night: date, progress: Callable[[int], None] | None = None) -> Differences:
    """Compare the sample of a night with replay, and return the differences. Nothing is written."""
    shares = _shares(property, night)
    days = {day for (day,) in database.rows(_NEWEST, [property, NEWEST])}

    def is_wanted(stream: str) -> bool:
        day = stream[-10:]
        return day in days or _day(day).toordinal() % NIGHTS in shares

    differences = Differences()
    for (name,) in database.rows(_STREAMS, [property]):
        if is_wanted(name):
            result = examine.reexamine_stream(property, name, dry_run=True, progress=progress)
            differences.merge(result.differences)
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
    """Return a gaming day from text. If the text is not a valid date, return the first possible date, because
    stored names may have been changed.
    """
    try:
        return date.fromisoformat(text)
    except ValueError:
        return date.min


def compare_digests(property: str) -> Differences:
    """Check the keyed digests of all cached sums of a property, and return a difference for each digest that
    is not valid. The sums are not computed again.
    """
    return caches.compare(property, lambda period: False)


def in_short(differences: Differences) -> str:
    """Return the text of an alarm: the number of differences, the tables, and the first few differences. Rows
    about suspicions of money laundering are only counted, because administrators read alarms and must not see
    these rows.
    """
    tables = differences.by_table(explained=False)
    listed = (
        difference
        for difference in differences.listed
        if not difference.explained and CONFIDENTIAL not in difference.place
    )
    shown = list(islice(listed, SHOWN))
    counted = ", ".join(f"{table} {count:,}" for table, count in tables.items())
    says = (
        f"{sum(tables.values()):,} stored values differ from a replay of the facts, and no change of rules"
        f" explains it ({counted}). See manage.py reexamine --dry-run; manage.py reexamine replaces them."
    )
    return "\n".join(
        [
            says,
            *(
                f"{difference.table} {difference.place} {difference.kind}: {in_words(difference)}"
                for difference in shown
            ),
        ]
    )


def _shares(property: str, night: date) -> set[int]:
    """Return the shares to compare: the share of this night, and the shares of earlier nights that were
    missed.
    """
    row = database.first_row(_LAST, [alarms.CHECK, property, night.isoformat()])
    last = date.fromisoformat(row[0]) if row is not None and row[0] else night - timedelta(days=1)
    missed = min(max((night - last).days, 1), AT_ONCE)
    return {(night.toordinal() - back) % NIGHTS for back in range(missed)}


def _is_wanted_period(shares: Collection[int], newest: Collection[str]) -> Callable[[str], bool]:
    """Return a function that tells if the cached sums of a period (a day, a month or a run of days) are
    compared tonight. A run is compared on the night of its last day.
    """

    def is_wanted(period: str) -> bool:
        if len(period) > 7:
            last = period[-10:]
            return last in newest or _day(last).toordinal() % NIGHTS in shares
        first = _day(f"{period}-01")
        return (first.year * 12 + first.month) % NIGHTS in shares

    return is_wanted


_LAST = """SELECT max(stream) FROM job
    WHERE kind = %s AND property = %s AND stream < %s AND state <> 'due'
        AND stream ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'"""
_STREAMS = "SELECT name FROM stream WHERE property = %s ORDER BY name"
_NEWEST = """SELECT DISTINCT right(name, 10) AS day FROM stream
    WHERE property = %s ORDER BY day DESC LIMIT %s"""

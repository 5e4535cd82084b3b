"""Compare cached sums with the tallies. Each row is checked by its keyed digest, and the rows of a period are
built again in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from audit import database
from audit.differences import Difference, Differences, Orphans, compare_orphans, delete_orphans
from audit.findings.examine import record_change
from audit.jobs.outages import is_outage
from audit.queries.cache import cached_rows
from audit.replay.rules_fingerprint import rules_of_ledger

TABLE = "summed"
ORPHANS = (Orphans(TABLE, "concat('unit ', t.unit, ' name ', t.name)"),)
Rebuild = Callable[[str, str, Collection[str]], None]
"""A function that builds cached rows again, given the property, the period (a month or a day) and the names
of the rows.
"""


def compare(property: str, is_wanted: Callable[[str], bool] = lambda period: True) -> Differences:
    """Compare the cached rows of a property with the tallies, and return the differences. A missing row is
    not a difference, because caches may be deleted.

    Args:
        is_wanted: returns True for the periods to build again. By default, all periods are built again.
    """
    differences = Differences()
    periods: dict[str, list[str]] = {}
    for period, name, _ in differences.counted(TABLE, _rows(property, differences)):
        periods.setdefault(period, []).append(name)
    for period in sorted(filter(is_wanted, periods)):
        differences.add(_compare_period(property, period, periods[period]))
    return differences


def compare_all(differences: Differences, *, dry_run: bool) -> None:
    """Compare the cached rows of every property, and add the differences.

    If rows of a property differ without a change of rules, all its cached rows are deleted, because they may
    have been computed from changed tallies. The deletion is recorded as a fact.

    Args:
        differences: the object to which the differences are added.
        dry_run: True to delete and record nothing.
    """
    for (property,) in database.rows("SELECT property FROM head ORDER BY property"):
        with database.snapshot() if dry_run else transaction.atomic():
            of_caches = compare(property)
            if not dry_run and (of_caches or differences.unexplained):
                evict(property)
                record_change(property, rules_of_ledger(), (), (), of_caches)
        differences.merge(of_caches)
    orphans = compare_orphans(ORPHANS)
    if orphans and not dry_run:
        delete_orphans(ORPHANS)
    differences.merge(orphans)


def evict(property: str) -> None:
    """Delete all cached rows of a property. They are built again on demand."""
    database.execute("DELETE FROM summed WHERE property = %s", [property])


def _rows(property: str, differences: Differences) -> Iterator[tuple[str, str, bytes]]:
    """Yield all rows of a property, and add a difference for each row with an invalid digest.

    A row without a digest was written by a release that had no digests yet. It is skipped and is not a
    difference.
    """
    query = """SELECT unit, name, stamp, sums, digest FROM public.summed WHERE property = %s
        ORDER BY unit, name"""
    for period, name, stamp, sums, digest in database.stream_rows(query, [property]):
        if not digest:
            continue
        if cached_rows.is_authentic((property, period, name), stamp, sums, digest):
            yield period, name, sums
        else:
            place = f"{property} unit {period} name {name}"
            differences.add([Difference(TABLE, place, "digest", bytes(digest).hex(), "another digest")])


def _compare_period(property: str, period: str, names: Collection[str]) -> Iterator[Difference]:
    """Yield a difference for each row of a period whose fingerprint is current but whose content does not
    match the tallies.
    """
    try:
        with transaction.atomic(), cached_rows.scratch_cache() as built:
            _rebuild()(property, period, names)
            stored = cached_rows.stored_entries(property, period, names)
    except Exception as error:  # reading changed tallies may raise any error; other periods come next
        if is_outage(error):
            raise
        says = f"{type(error).__name__}: {error}"
        yield Difference(TABLE, f"{property} unit {period}", "", says, None)
        return
    for entry, (stamp, content) in sorted(stored.items()):
        rebuilt = built.get(entry)
        if rebuilt is not None and rebuilt[0] == stamp and rebuilt[1] != content:
            place = f"{property} unit {period} name {entry[2]}"
            yield Difference(TABLE, place, "sums", _digest(content), _digest(rebuilt[1]))


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


@cache
def _rebuild() -> Rebuild:
    rebuild: Rebuild = import_string(settings.CATWALK_CACHE_REBUILD)
    return rebuild

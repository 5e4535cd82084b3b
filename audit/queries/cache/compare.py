"""Compare cached sums with what the tallies make: each row by its keyed digest, and the rows of a period by
building them again in memory.
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
"""Builds the cached rows of a property again for one period (a month or a day), given their names."""


def compare(property: str, is_wanted: Callable[[str], bool] = lambda period: True) -> Differences:
    """Compare the cached rows of a property. A row that is missing is no difference: a cache may be deleted.

    `is_wanted` says which periods are built again; without it, all are.
    """
    differences = Differences()
    periods: dict[str, list[str]] = {}
    for period, name, _ in differences.counted(TABLE, _rows(property, differences)):
        periods.setdefault(period, []).append(name)
    for period in sorted(filter(is_wanted, periods)):
        differences.add(_compare_period(property, period, periods[period]))
    return differences


def compare_all(differences: Differences, *, dry_run: bool) -> None:
    """Compare the cached rows of every property, and add what differs. Without `dry_run`, delete the cached
    rows of a property of which anything differed without a change of rules, and record it.

    They may have been added up from tallies that were changed, so they are deleted with these too.
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
    """Delete all cached rows of a property. They are built again when they are read."""
    database.execute("DELETE FROM summed WHERE property = %s", [property])


def _rows(property: str, differences: Differences) -> Iterator[tuple[str, str, bytes]]:
    """Yield every row of a property, and name those without a valid digest. A row without any digest was
    written before digests existed, and is never read.
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
    """Yield the rows of a period that are current and whose content is not what the tallies make."""
    try:
        with transaction.atomic(), cached_rows.scratch_cache() as built:
            _rebuild()(property, period, names)
            stored = cached_rows.stored_entries(property, period, names)
    except Exception as error:  # changed tallies may be unreadable in any way, and the rest must be compared
        if is_outage(error):
            raise
        says = f"{type(error).__name__}: {error}"
        yield Difference(TABLE, f"{property} unit {period}", "", says, None)
        return
    for entry, (stamp, content) in sorted(stored.items()):
        made = built.get(entry)
        if made is not None and made[0] == stamp and made[1] != content:
            place = f"{property} unit {period} name {entry[2]}"
            yield Difference(TABLE, place, "sums", _digest(content), _digest(made[1]))


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


@cache
def _rebuild() -> Rebuild:
    rebuild: Rebuild = import_string(settings.CATWALK_CACHE_REBUILD)
    return rebuild

"""Prove the tables that replay makes: every stored row is compared with what the same facts make.

The comparison is that of `manage.py reexamine`. What earlier rules made, and today's would not, is no fault:
`reexamine --dry-run` lists it.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit import database
from audit.differences import Difference, Differences, compare_orphans
from audit.findings import compare, save
from audit.proofs.registry import Fault, RowCount
from audit.queries.cache import compare as caches
from audit.review import compare as review


def prove_replay(count: RowCount) -> Iterator[Fault]:
    """Yield the faults of findings, tallies and examinations."""
    for property, stream in save.behind(True):
        yield from _faults(compare.compare_stream(property, stream).differences, count)
    for property in save.ledgers_behind(True):
        yield from _faults(compare.compare_ledger(property).differences, count)
    yield from _faults(compare_orphans(compare.ORPHANS), count)


def prove_review(count: RowCount) -> Iterator[Fault]:
    """Yield the faults of the officers' queue, verdicts, flags and withdrawn findings."""
    for property in save.ledgers_behind(True):
        yield from _faults(review.compare(property), count)
    yield from _faults(compare_orphans(review.ORPHANS), count)


def prove_caches(count: RowCount) -> Iterator[Fault]:
    """Yield the faults of cached sums."""
    for (property,) in database.rows("SELECT property FROM public.head ORDER BY property"):
        yield from _faults(caches.compare(property), count)
    yield from _faults(compare_orphans(caches.ORPHANS), count)


def _faults(differences: Differences, count: RowCount) -> Iterator[Fault]:
    for table, rows in differences.rows.items():
        count.add(table, rows)
    for one in differences.listed:
        if not one.explained:
            yield Fault(one.table, one.place, one.kind, in_words(one))
    for table, many in differences.by_table(explained=False).items():
        listed = sum(one.table == table and not one.explained for one in differences.listed)
        if many > listed:
            yield Fault(table, "", "more", f"{many - listed:,} more differences are not listed")


def in_words(one: Difference) -> str:
    """Return what is stored, and what replay makes."""
    if not one.column:
        return f"stored, but replay does not make it: {one.stored}" if one.made is None else one.made
    return f"{one.column} is stored as {one.stored!r}, replay makes {one.made!r}"

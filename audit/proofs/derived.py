"""Prove the tables that replay produces: compare each stored row with a replay of the same facts.

This is the same comparison as `manage.py reexamine`. A difference that a change of rules explains is not a
fault. `reexamine --dry-run` lists these differences.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit import database
from audit.differences import Difference, Differences, compare_orphans
from audit.findings import compare, save
from audit.proofs.registry import Fault, RowCount
from audit.queries.cache import compare as caches
from audit.review import compare as review
from audit.review import compare_log


def prove_replay(count: RowCount) -> Iterator[Fault]:
    """Compare findings, tallies and examinations with replay, and yield the faults."""
    for property, stream in save.behind(True):
        known = count.options.compared.get((property, stream))
        yield from _faults(
            compare.compare_stream(property, stream).differences if known is None else known, count
        )
    for property in save.ledgers_behind(True):
        yield from _faults(compare.compare_ledger(property).differences, count)
    yield from _faults(compare_orphans(compare.ORPHANS), count)


def prove_review(count: RowCount) -> Iterator[Fault]:
    """Compare the officers' queue, verdicts, flags and withdrawn findings with facts and findings, and yield
    the faults.
    """
    for property in save.ledgers_behind(True):
        yield from _faults(review.compare(property), count)
    yield from _faults(compare_orphans(review.ORPHANS), count)


def prove_log(count: RowCount) -> Iterator[Fault]:
    """Compare the daily log, cameras that are down and recordings that are held with the facts, and yield the
    faults.
    """
    for property in save.ledgers_behind(True):
        yield from _faults(compare_log.compare(property), count)
    yield from _faults(compare_orphans(compare_log.ORPHANS), count)


def prove_caches(count: RowCount) -> Iterator[Fault]:
    """Compare cached sums with the tallies, and yield the faults."""
    for (property,) in database.rows("SELECT property FROM public.head ORDER BY property"):
        yield from _faults(caches.compare(property), count)
    yield from _faults(compare_orphans(caches.ORPHANS), count)


def _faults(differences: Differences, count: RowCount) -> Iterator[Fault]:
    for table, rows in differences.rows.items():
        count.add(table, rows)
    for difference in differences.listed:
        if not difference.explained:
            yield Fault(difference.table, difference.place, difference.kind, in_words(difference))
    for table, number in differences.unlisted(explained=False).items():
        yield Fault(table, "", "more", f"{number:,} more differences are not listed")


def in_words(difference: Difference) -> str:
    """Return a text with the stored value and the value from replay."""
    if not difference.column:
        return (
            f"stored, but replay does not make it: {difference.stored}"
            if difference.made is None
            else difference.made
        )
    return f"{difference.column} is stored as {difference.stored!r}, replay makes {difference.made!r}"

"""Examine: fold new facts and store the results. Reexamine: fold all facts by today's rules.

Running either twice changes nothing. Each stream is one transaction, which locks its row of `examination`:
two processes never examine the same stream, and a process that is killed leaves the stream as it was.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from typing import NamedTuple

from django.db import connections, transaction

from audit import database
from audit.differences import Differences, compare_orphans, delete_orphans
from audit.findings import compare, duplicate_serials, save
from audit.findings.finding_writer import Change, FindingWriter
from audit.findings.fold_facts import Progress, fold_ledger, fold_stream
from audit.findings.retract import withdraw
from audit.findings.save import UNREAD
from audit.jobs import leases
from audit.replay.fold import NeedsWholeDay
from audit.replay.registers import Registers
from audit.replay.rules_fingerprint import rules_of, rules_of_ledger
from audit.review import compare as review
from audit.review import projections


class Examined(NamedTuple):
    """The result of an examination: streams and facts read, findings that are new, and findings by earlier
    rules that today's rules no longer yield.
    """

    streams: int
    facts: int
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    new: int
    """The number of gained findings. An examination of new facts does not return their ids in `gained`."""
    notices: int
    """The number of gained findings that are notices, which are counted but not queued."""
    differences: Differences
    """Of a reexamination: everything that was stored and is not what replay makes."""


class Part(NamedTuple):
    """The share of one stream, or of one ledger, in the result."""

    facts: int
    change: Change
    differences: Differences = Differences()


def examine(*, everything: bool = False, workers: int = 1, progress: Progress | None = None) -> Examined:
    """Fold what has been recorded since the last examination; with `everything`, also streams without new
    facts.

    A stream that was judged by other rules than today's is read from its start if it has new facts.
    """
    parts = _streams(examine_stream, save.behind(everything), workers, progress)
    properties = save.ledgers_behind(everything)
    ledgers = [examine_ledger(name) for name in properties]
    leases.done_by_hand()
    return _sum([*parts, *ledgers], len(parts))


def reexamine(*, dry_run: bool = False, workers: int = 1, progress: Progress | None = None) -> Examined:
    """Fold every stream and ledger from its start by today's rules, and compare all that is stored with what
    they make. Replace what differs, and record it; `dry_run` writes nothing.
    """
    properties = save.ledgers_behind(True)
    # First, because the examination of a ledger reads verdicts on from the stored position.
    reviews = {name: _compare_review(name, dry_run=dry_run) for name in properties}
    one_stream = partial(reexamine_stream, dry_run=dry_run)
    parts = _streams(one_stream, save.behind(True), workers, progress)
    others = [reexamine_ledger(name, dry_run=dry_run) for name in properties]
    others.append(_reexamine_orphans(dry_run=dry_run))
    done = _sum([*parts, *others, *(Part(0, compare.UNCHANGED, one) for one in reviews.values())], len(parts))
    if not dry_run and done.differences.unexplained:
        for name, differences in reviews.items():
            _rebuild_review(name, differences)
    return done


def _sum(parts: list[Part], streams: int) -> Examined:
    gained = tuple(id_ for part in parts for id_ in part.change.gained)
    lost = tuple(id_ for part in parts for id_ in part.change.lost)
    differences = Differences()
    for part in parts:
        differences.merge(part.differences)
    return Examined(
        streams,
        sum(part.facts for part in parts[:streams]),
        gained,
        lost,
        sum(part.change.new for part in parts),
        sum(part.change.notices for part in parts),
        differences,
    )


def _streams(
    work: Callable[..., Part], names: list[tuple[str, str]], workers: int, progress: Progress | None
) -> list[Part]:
    """Do the work for each (property, stream), in several processes."""
    if workers <= 1 or len(names) <= 1:
        return [work(*name, progress=progress) for name in names]
    connections.close_all()
    parts = []
    with ProcessPoolExecutor(workers, mp_context=get_context("fork"), initializer=_begin_worker) as pool:
        for part in pool.map(partial(_do, work), names, chunksize=1):
            parts.append(part)
            if progress is not None:
                progress(part.facts)
    return parts


def _begin_worker() -> None:
    connections.close_all()


def _do(work: Callable[..., Part], name: tuple[str, str]) -> Part:
    return work(*name)


def examine_stream(property: str, stream: str, *, progress: Progress | None = None) -> Part:
    """Fold a stream from its stored state, and store findings, tally and state."""
    with transaction.atomic(), _without_collecting():
        kept = save.lock_stream(property, stream)
        state = kept.state if kept.rules == rules_of(kept.game) else None
        try:
            with transaction.atomic():  # what was written before NeedsWholeDay is undone
                findings = FindingWriter(property, "table", stream, whole=state is None)
                read = fold_stream(property, stream, state, progress, write=findings.write)
        except NeedsWholeDay:
            state, findings = None, FindingWriter(property, "table", stream, whole=True)
            read = fold_stream(property, stream, None, progress, write=findings.write)
        opened = read.fold.state.opened
        rules = rules_of(opened.game if opened else "")
        change = save.keep_stream(
            property, stream, read.fold, read.state, rules, before=state, findings=findings
        )
        record_change(property, rules, (), change.lost)
    return Part(read.facts, change)


def reexamine_stream(
    property: str, stream: str, *, dry_run: bool = False, progress: Progress | None = None
) -> Part:
    """Fold a stream from its start and compare it with what is stored; replace that if anything differs."""
    with database.snapshot() if dry_run else transaction.atomic(), _without_collecting():
        if not dry_run:
            save.lock_stream(property, stream)
        known = compare.compare_stream(property, stream, progress)
        if dry_run or not known.readable or (known.current and not known.differences):
            return Part(known.facts, known.change, known.differences)
        findings = FindingWriter(property, "table", stream, whole=True, with_ids=True)
        read = known.reading or fold_stream(property, stream, None, None, write=findings.write)
        opened = read.fold.state.opened
        rules = rules_of(opened.game if opened else "")
        change = save.keep_stream(
            property, stream, read.fold, read.state, rules, before=None, findings=findings
        )
        record_change(property, rules, change.gained, change.lost, known.differences, stream)
    return Part(read.facts, change, known.differences)


def examine_ledger(property: str) -> Part:
    """Run a property's ledger fold from its stored state; from its start if a register has changed."""
    with transaction.atomic():
        read = fold_ledger(property, save.lock_ledger(property), whole=False)
        findings = FindingWriter(property, "ledger", None, whole=read.fresh)
        change = save.keep_ledger(property, read.fold, rules_of_ledger(), findings)
        record_change(property, rules_of_ledger(), (), change.lost)
    # Its own transaction: while it holds the ledger's head, it waits for no rows of ours.
    projections.follow(property)
    return Part(read.facts, change)


def reexamine_ledger(property: str, *, dry_run: bool = False) -> Part:
    """Run a property's ledger fold from its start and compare it with what is stored; replace that if
    anything differs.
    """
    with database.snapshot() if dry_run else transaction.atomic():
        if not dry_run:
            save.lock_ledger(property)
        known = compare.compare_ledger(property)
        change = known.change
        if not dry_run and known.readable and (known.differences or not known.current):
            read = fold_ledger(property, UNREAD, whole=True)
            findings = FindingWriter(property, "ledger", None, whole=True, with_ids=True)
            change = save.keep_ledger(property, read.fold, rules_of_ledger(), findings)
            duplicate_serials.note(property, [slip for _, slip in duplicate_serials.missing(property)])
            record_change(property, rules_of_ledger(), change.gained, change.lost, known.differences)
    if not dry_run:
        projections.follow(property)
    return Part(known.facts, change, known.differences)


def _compare_review(property: str, *, dry_run: bool) -> Differences:
    with database.snapshot() if dry_run else transaction.atomic():
        return review.compare(property)


def _rebuild_review(property: str, differences: Differences) -> None:
    """Build the officers' tables of a property again, and record what differed."""
    with transaction.atomic():
        projections.rebuild(property)
        record_change(property, rules_of_ledger(), (), (), differences)
    projections.follow(property)


def _reexamine_orphans(*, dry_run: bool) -> Part:
    """Name rows of streams and properties that have no facts, and delete them."""
    with database.snapshot() if dry_run else transaction.atomic():
        orphans = (*compare.ORPHANS, *review.ORPHANS)
        differences = compare_orphans(orphans)
        if differences and not dry_run:
            delete_orphans(orphans)
    return Part(0, compare.UNCHANGED, differences)


def record_change(
    property: str,
    rules: str,
    gained: tuple[str, ...],
    lost: tuple[str, ...],
    differences: Differences | None = None,
    stream: str | None = None,
) -> None:
    """Record a `reexamined` fact, in the caller's transaction: about findings that are lost, or gained by a
    reexamination, and about rows that were replaced although no change of rules explains how they differed.

    New findings of new facts are not recorded as changes.
    """
    replaced = differences.by_table(explained=False) if differences is not None else {}
    if gained or lost or replaced:
        registers = Registers(save.register_entries(property))
        withdraw(property, rules, gained, lost, registers, replaced, stream)


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Pause Python's cyclic garbage collection.

    Rounds and lines are freed without it, and it takes a tenth of the time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()

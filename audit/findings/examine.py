"""Examine streams: fold the new facts and store the results. Reexamine streams: fold all facts by today's
rules.

Doing this twice changes nothing. Each stream is one transaction, which locks the stream's row in
`examination`. Two processes therefore never examine the same stream at the same time, and a killed process
leaves the stream unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import NamedTuple

from django.db import connections, transaction

from audit import database
from audit.differences import Differences, compare_orphans, delete_orphans
from audit.facts.vocabulary import BY_CHECK, BY_FACTS, BY_REGISTERS, BY_RULES
from audit.findings import compare, duplicate_serials, save, unpaid_markers
from audit.findings.compare import Compared
from audit.findings.finding_writer import Change, FindingWriter
from audit.findings.fold_facts import Progress, StreamReading, fold_ledger, fold_stream
from audit.findings.parts import Part, from_bytes, to_bytes
from audit.findings.retract import record_reexamined
from audit.findings.round_writer import RoundWriter
from audit.findings.save import UNREAD
from audit.findings.stored_rows import game_of
from audit.garbage import without_garbage_collection
from audit.jobs import leases, work_units
from audit.jobs.work_units import Result, Unit
from audit.replay.fold import NeedsWholeDay
from audit.replay.registers import Registers
from audit.replay.rules_fingerprint import rules_of, rules_of_ledger
from audit.review import compare as review
from audit.review import compare_log, log_projection, projections

REEXAMINE = "reexamine-stream"
"""The kind of the jobs that examine a stream again."""
DRY_RUN = "dry-run"
"""The arguments of a unit that compares results and writes none."""


class Examined(NamedTuple):
    """The result of an examination: the number of streams and facts that were read, the new findings, and the
    findings by earlier rules that today's rules no longer yield.
    """

    streams: int
    facts: int
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    new: int
    """The number of gained findings. After an examination of new facts, `gained` is empty and only this
    number is known.
    """
    notices: int
    """How many of the gained findings are notices. Notices are counted but not queued."""
    differences: Differences
    """After a reexamination: all stored values that differ from replay."""


def examine(*, all_streams: bool = False, workers: int = 1, progress: Progress | None = None) -> Examined:
    """Fold the facts that have been recorded since the last examination, store the results, and return their
    numbers. With `all_streams`, also examine streams without new facts.

    If a stream has new facts and was judged by older rules, it is read from its start.
    """
    parts = _streams(examine_stream, save.behind(all_streams), workers, progress)
    properties = save.ledgers_behind(all_streams)
    ledgers = [examine_ledger(name) for name in properties]
    leases.done_by_hand()
    return _sum([*parts, *ledgers], len(parts))


def reexamine(
    *,
    dry_run: bool = False,
    workers: int = 1,
    on_workers: bool = False,
    progress: Progress | None = None,
) -> Examined:
    """Fold every stream and ledger from its start by today's rules, and compare all stored results with the
    new ones. Replace the results that differ, record the change as a fact, and return the differences.

    Args:
        dry_run: compare only, and write nothing.
        workers: the number of processes of this machine that fold streams.
        on_workers: let the Celery workers of all machines fold the streams instead.
    """
    properties = save.ledgers_behind(True)
    # Review comes first, because the examination of a ledger reads verdicts from the stored position on.
    reviews = {name: _compare_review(name, dry_run=dry_run) for name in properties}
    if on_workers:
        parts = _on_workers(save.behind(True), dry_run=dry_run, progress=progress)
    else:
        one_stream = partial(reexamine_stream, dry_run=dry_run)
        parts = _streams(one_stream, save.behind(True), workers, progress)
    others = [reexamine_ledger(name, dry_run=dry_run) for name in properties]
    others.append(_reexamine_orphans(dry_run=dry_run))
    result = _sum(
        [*parts, *others, *(Part(0, compare.UNCHANGED, differences) for differences in reviews.values())],
        len(parts),
    )
    for name, differences in reviews.items() if not dry_run else ():
        if result.differences.unexplained or differences or projections.is_outdated(name):
            _rebuild_review(name, differences)
    return result


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
    """Call `work` for each of these names, (property, stream), and return the results in their order. The
    calls run in several processes if `workers` is more than 1.
    """
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


def _on_workers(names: list[tuple[str, str]], *, dry_run: bool, progress: Progress | None) -> list[Part]:
    """Let Celery workers reexamine these streams. Wait, and return the results in the order of the names."""
    rules, arguments = rules_of_ledger(), DRY_RUN if dry_run else ""
    units = [Unit(number, REEXAMINE, *name, rules, arguments) for number, name in enumerate(names)]
    return [from_bytes(result) for result in work_units.run(units, progress)]


def reexamine_unit(lease: leases.Lease) -> Callable[[], int]:
    """Examine the stream that a job names again. Return a function that stores the result in the caller's
    transaction.

    A dry run reads its own snapshot of the database. Otherwise the returned function examines the stream, so
    that everything is written in one transaction.
    """

    def work(unit: Unit, progress: Progress) -> Result:
        dry_run = unit.arguments == DRY_RUN
        part = reexamine_stream(unit.property, unit.stream, dry_run=dry_run, progress=progress)
        return Result(part.facts, to_bytes(part))

    return work_units.job(lease, rules_of_ledger(), work, writes=lambda unit: unit.arguments != DRY_RUN)


def _begin_worker() -> None:
    connections.close_all()


def _do(work: Callable[..., Part], name: tuple[str, str]) -> Part:
    return work(*name)


def examine_stream(property: str, stream: str, *, progress: Progress | None = None) -> Part:
    """Fold the new facts of a stream, from its stored state on. Store findings, tally and state, and return
    the result.
    """
    with transaction.atomic(), without_garbage_collection():
        stored = save.lock_stream(property, stream)
        is_by_these_rules = stored.rules == rules_of(stored.game)
        state = stored.state if is_by_these_rules else None
        try:
            with transaction.atomic():  # the writes before NeedsWholeDay are rolled back
                findings, rounds, read = _fold_and_write(property, stream, state, progress)
        except NeedsWholeDay:
            state = None
            findings, rounds, read = _fold_and_write(property, stream, None, progress)
        rules = rules_of(game_of(read.fold))
        change = save.keep_stream(
            property, stream, read.fold, read.state, rules, before=state, findings=findings, rounds=rounds
        )
        record_change(property, rules, (), change.lost, cause=BY_FACTS if is_by_these_rules else BY_RULES)
    return Part(read.facts, change)


def _fold_and_write(
    property: str, stream: str, state: bytes | None, progress: Progress | None
) -> tuple[FindingWriter, RoundWriter, StreamReading]:
    """Fold a stream from a state, or from its start if the state is None. Return the writer of findings, the
    writer of rounds, and the fold after reading.

    The fold passes findings and rounds to the writers in batches while it reads. The last batch is still in
    the fold, and the caller must write it.
    """
    findings = FindingWriter(property, "table", stream, replaces_all=state is None)
    rounds = RoundWriter(property, stream, replaces_all=state is None)
    read = fold_stream(property, stream, state, progress, write=findings.write, write_rounds=rounds.write)
    return findings, rounds, read


def reexamine_stream(
    property: str, stream: str, *, dry_run: bool = False, progress: Progress | None = None
) -> Part:
    """Fold a stream from its start and compare the result with the stored one. Replace the stored result if
    anything differs, unless this is a dry run. Return the differences.
    """
    with database.snapshot() if dry_run else transaction.atomic(), without_garbage_collection():
        if not dry_run:
            save.lock_stream(property, stream)
        known = compare.compare_stream(property, stream, progress)
        if dry_run or not known.readable or (known.current and not known.differences):
            return Part(known.facts, known.change, known.differences)
        findings = FindingWriter(property, "table", stream, replaces_all=True, with_ids=True)
        rounds = RoundWriter(property, stream, replaces_all=True)
        read = known.reading or fold_stream(
            property, stream, None, None, write=findings.write, write_rounds=rounds.write
        )
        rules = rules_of(game_of(read.fold))
        change = save.keep_stream(
            property, stream, read.fold, read.state, rules, before=None, findings=findings, rounds=rounds
        )
        of_check, later = _lost(change, known)
        cause = BY_RULES if known.explained else BY_CHECK
        record_change(property, rules, change.gained, of_check, known.differences, stream, cause=cause)
        record_change(property, rules, (), later, cause=BY_FACTS)
    return Part(read.facts, change, known.differences)


def _lost(change: Change, known: Compared) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Divide lost findings into two parts: those that replay of the examined facts did not make, and those
    that facts after them ended. If the rules have changed, all are in the first part.
    """
    earlier = set(change.lost if known.explained else known.change.lost)
    return (
        tuple(id_ for id_ in change.lost if id_ in earlier),
        tuple(id_ for id_ in change.lost if id_ not in earlier),
    )


def examine_ledger(property: str) -> Part:
    """Continue a property's ledger fold from its stored state, or from its start if a register has changed.
    Store findings and state, and return the result.
    """
    with transaction.atomic():
        stored = save.lock_ledger(property)
        read = fold_ledger(property, stored, from_start=False)
        findings = FindingWriter(property, "ledger", None, replaces_all=read.fresh)
        change = save.keep_ledger(property, read.fold, rules_of_ledger(), findings)
        cause = BY_REGISTERS if stored.rules == rules_of_ledger() else BY_RULES
        record_change(property, rules_of_ledger(), (), change.lost, cause=cause)
    # This is a separate transaction. While it locks the ledger's head, it never waits for other examinations.
    _follow(property)
    return Part(read.facts, change)


def reexamine_ledger(property: str, *, dry_run: bool = False) -> Part:
    """Run a property's ledger fold from its start and compare the result with the stored one. Replace the
    stored result if anything differs, unless this is a dry run. Return the differences.
    """
    with database.snapshot() if dry_run else transaction.atomic():
        if not dry_run:
            save.lock_ledger(property)
        known = compare.compare_ledger(property)
        change = known.change
        if not dry_run and known.readable and (known.differences or not known.current):
            read = fold_ledger(property, UNREAD, from_start=True)
            findings = FindingWriter(property, "ledger", None, replaces_all=True, with_ids=True)
            change = save.keep_ledger(property, read.fold, rules_of_ledger(), findings)
            duplicate_serials.note(property, [slip for _, slip in duplicate_serials.missing(property)])
            unpaid_markers.refresh(property, None)
            cause = BY_RULES if known.explained else BY_CHECK
            of_check, later = _lost(change, known)
            record_change(
                property, rules_of_ledger(), change.gained, of_check, known.differences, cause=cause
            )
            record_change(property, rules_of_ledger(), (), later, cause=BY_REGISTERS)
    if not dry_run:
        _follow(property)
    return Part(known.facts, change, known.differences)


def _follow(property: str) -> None:
    """Update the tables of the officers' queue and of the daily log with the facts that were recorded since
    the last call.
    """
    projections.follow(property)
    log_projection.follow(property)


def _compare_review(property: str, *, dry_run: bool) -> Differences:
    with database.snapshot() if dry_run else transaction.atomic():
        differences = review.compare(property)
        differences.merge(compare_log.compare(property))
        return differences


def _rebuild_review(property: str, differences: Differences) -> None:
    """Rebuild the officers' tables of a property. Record how they differed from the stored tables."""
    with transaction.atomic():
        projections.rebuild(property)
        log_projection.rebuild(property)
        record_change(property, rules_of_ledger(), (), (), differences)
    _follow(property)


def _reexamine_orphans(*, dry_run: bool) -> Part:
    """Return as differences the stored rows of streams and properties that have no facts. Delete these rows
    unless this is a dry run.
    """
    with database.snapshot() if dry_run else transaction.atomic():
        orphans = (*compare.ORPHANS, *review.ORPHANS, *compare_log.ORPHANS)
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
    *,
    cause: str = BY_CHECK,
) -> None:
    """Record a `reexamined` fact in the caller's transaction, if anything was gained, lost or replaced.

    Args:
        gained: ids of findings that today's rules yield for facts that were examined before. Findings of new
            facts are not among them.
        lost: ids of findings that are no longer made.
        cause: why these findings were lost, a key of `LOST_BY`.
        differences: the differences between stored rows and replay. The fact counts those that a change of
            rules does not explain.
    """
    replaced = differences.by_table(explained=False) if differences is not None else {}
    if gained or lost or replaced:
        registers = Registers(save.register_entries(property))
        record_reexamined(property, rules, gained, lost, registers, cause, replaced, stream)

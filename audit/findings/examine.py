"""Examine: fold what is new and keep what it yields. Examine again: fold everything by today's rules.

Running either twice changes nothing. A stream is one transaction, held by its row of `examination`: two
examiners never work on one stream, and a killed one leaves the stream as it was.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import repeat
from multiprocessing import get_context
from typing import NamedTuple

from django.db import connections, transaction

from audit.facts import decode
from audit.findings import save
from audit.findings.retract import withdraw
from audit.findings.save import Change, Kept
from audit.jobs import leases
from audit.ledger import store
from audit.replay.fold import Fold, NeedsWholeDay
from audit.replay.ledger_fold import LedgerFold, LedgerState, reads
from audit.replay.registers import Registers
from audit.replay.rules_fingerprint import rules_of, rules_of_ledger
from audit.review import projections
from games.kit.events import Event

SNAPSHOT = 5_000
"""Facts between two keepings of the state in a long stream."""

Progress = Callable[[int], None]
"""Told how many facts have been folded since it was last told."""


class Examined(NamedTuple):
    """What an examination did: streams and facts read, findings that are new, and those by yesterday's rules
    that are lost.
    """

    streams: int
    facts: int
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    notices: int
    """How many of the gained are notices: counted, not queued."""


class Part(NamedTuple):
    """One stream's, or one ledger's, share of it."""

    facts: int
    change: Change


def examine(*, everything: bool = False, workers: int = 1, progress: Progress | None = None) -> Examined:
    """Fold what has been recorded since the last examination; `everything` also where nothing is new.

    Streams that were judged by other rules than today's are read again when something is new in them.
    """
    parts = _streams(save.behind(everything), workers, progress, whole=False)
    properties = save.ledgers_behind(everything)
    ledgers = [examine_ledger(name, whole=False) for name in properties]
    leases.done_by_hand()
    return _sum([*parts, *ledgers], len(parts))


def reexamine(*, dry_run: bool = False, workers: int = 1, progress: Progress | None = None) -> Examined:
    """Fold every stream and ledger from its start by today's rules. `dry_run` writes nothing and tells what
    would change.
    """
    parts = _streams(save.behind(True), workers, progress, whole=True, dry_run=dry_run)
    ledgers = [examine_ledger(name, whole=True, dry_run=dry_run) for name in save.ledgers_behind(True)]
    return _sum([*parts, *ledgers], len(parts))


def _sum(parts: list[Part], streams: int) -> Examined:
    gained = tuple(id_ for part in parts for id_ in part.change.gained)
    lost = tuple(id_ for part in parts for id_ in part.change.lost)
    return Examined(
        streams,
        sum(part.facts for part in parts[:streams]),
        gained,
        lost,
        sum(part.change.notices for part in parts),
    )


def _streams(
    names: list[tuple[str, str]], workers: int, progress: Progress | None, whole: bool, dry_run: bool = False
) -> list[Part]:
    if workers <= 1 or len(names) <= 1:
        return [examine_stream(*name, whole=whole, dry_run=dry_run, progress=progress) for name in names]
    connections.close_all()
    parts = []
    with ProcessPoolExecutor(workers, mp_context=get_context("fork"), initializer=_begin_worker) as pool:
        for part in pool.map(_examine_one, names, repeat(whole), repeat(dry_run), chunksize=1):
            parts.append(part)
            if progress is not None:
                progress(part.facts)
    return parts


def _begin_worker() -> None:
    connections.close_all()


def _examine_one(name: tuple[str, str], whole: bool, dry_run: bool) -> Part:
    return examine_stream(*name, whole=whole, dry_run=dry_run)


def examine_stream(
    property: str, stream: str, *, whole: bool, dry_run: bool = False, progress: Progress | None = None
) -> Part:
    """Fold a stream on from its state, or from its start, and keep findings, tally and state."""
    with _one_transaction(dry_run), _without_collecting():
        kept = save.lock_stream(property, stream)
        fresh = whole or kept.state is None or kept.rules != rules_of(kept.game)
        try:
            read = _read(property, stream, None if fresh else kept.state, progress)
        except NeedsWholeDay:
            fresh = True
            read = _read(property, stream, None, progress)
        opened = read.fold.state.opened
        change = save.keep_stream(
            property,
            stream,
            read.fold,
            read.state,
            rules_of(opened.game if opened else ""),
            before=None if fresh else kept.state,
        )
        _tell(property, rules_of(opened.game if opened else ""), change, whole, dry_run)
    return Part(read.facts, change)


class _Reading(NamedTuple):
    fold: Fold
    state: bytes | None
    facts: int


def _read(property: str, stream: str, kept: bytes | None, progress: Progress | None) -> _Reading:
    """Fold the rest of a stream. The state given back is the latest between two rounds."""
    learned = store.learned(property, stream)
    fold, state = Fold(stream, kept, learned), kept
    first = since = fold.number
    take = fold.take
    for number, _, body in store.read_stream(property, stream, first):
        take(number, decode(body))
        if number - since >= SNAPSHOT and fold.rested == number:
            state, since = fold.keep(), number
            if progress is not None:
                progress(SNAPSHOT)
    if progress is not None:
        progress(fold.number - since)
    if fold.rested == fold.number:
        state = fold.keep()
    elif fold.rested > since:
        state = _until(property, stream, state, fold.rested)
    return _Reading(fold, state, fold.number - first)


def _until(property: str, stream: str, state: bytes | None, rested: int) -> bytes | None:
    """Return the state before the round that is still open: what came since the last state is folded once
    more, up to there.
    """
    fold = Fold(stream, state, store.learned(property, stream))
    try:
        for number, _, body in store.read_stream(property, stream, fold.number):
            if number > rested:
                break
            fold.take(number, decode(body))
    except NeedsWholeDay:
        return state
    return fold.keep()


def examine_ledger(property: str, *, whole: bool, dry_run: bool = False) -> Part:
    """Fold a property's cage, count and house kinds on from where they were read; from their start when a
    register has changed.
    """
    with _one_transaction(dry_run):
        read = fold_ledger(property, save.lock_ledger(property), whole=whole)
        change = save.keep_ledger(property, read.fold, rules_of_ledger(), whole=read.fresh)
        _tell(property, rules_of_ledger(), change, whole, dry_run)
    if not dry_run:
        projections.follow(
            property
        )  # a transaction of its own: a verdict's post holds the head while it waits for none of our rows
    return Part(read.facts, change)


class LedgerReading(NamedTuple):
    """A property's ledger folded on, or from its start (`fresh`)."""

    fold: LedgerFold
    fresh: bool
    facts: int


def fold_ledger(property: str, kept: Kept, *, whole: bool) -> LedgerReading:
    """Read on from what was kept; from the start where rules or registers are no longer those by which it was
    judged.
    """
    fresh = whole or kept.state is None or kept.rules != rules_of_ledger()
    state = LedgerState() if fresh or kept.state is None else LedgerState.read(kept.state)
    seen = save.ledger_position(property)
    news = list(_ledger_rows(property, state))
    entries = [event for _, _, _, event in news if LedgerFold.is_entry(event)]
    if entries and not fresh:
        fresh, state, entries = True, LedgerState(), [*state.entries, *entries]
    if fresh:
        state.entries = entries
        news = list(_ledger_rows(property, state))
    fold = LedgerFold(Registers(state.entries), state)
    for position, stream, number, event in news:
        fold.take(position, stream, number, event)
    fold.state.position = max(seen, fold.state.position)
    return LedgerReading(fold, fresh, len(news))


def _ledger_rows(property: str, state: LedgerState) -> Iterator[tuple[int, str, int, Event]]:
    kinds = reads(state.entries)
    for position, stream, number, body in store.read_kinds(property, kinds, state.position):
        yield position, stream, number, decode(body)


def _tell(property: str, rules: str, change: Change, whole: bool, dry_run: bool) -> None:
    """Record a finding that is lost, or gained by examining again.

    New findings of new facts are not recorded as changes.
    """
    gained = change.gained if whole else ()
    if (gained or change.lost) and not dry_run:
        withdraw(property, rules, gained, change.lost, Registers(save.register_entries(property)))


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Pause the collection of reference circles.

    Rounds and lines are freed without it, and it costs a tenth of the time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@contextmanager
def _one_transaction(dry_run: bool) -> Iterator[None]:
    with transaction.atomic():
        yield
        if dry_run:
            transaction.set_rollback(True)

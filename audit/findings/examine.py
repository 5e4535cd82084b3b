"""Examine: fold new facts and store the results. Reexamine: fold all facts by today's rules.

Running either twice changes nothing. Each stream is one transaction, which locks its row of `examination`:
two processes never examine the same stream, and a process that is killed leaves the stream as it was.
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
"""Facts after which the state is saved again within a long stream."""

Progress = Callable[[int], None]
"""Called with the number of facts folded since the last call."""


class Examined(NamedTuple):
    """The result of an examination: streams and facts read, findings that are new, and findings by earlier
    rules that today's rules no longer yield.
    """

    streams: int
    facts: int
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    notices: int
    """The number of gained findings that are notices, which are counted but not queued."""


class Part(NamedTuple):
    """The share of one stream, or of one ledger, in the result."""

    facts: int
    change: Change


def examine(*, everything: bool = False, workers: int = 1, progress: Progress | None = None) -> Examined:
    """Fold what has been recorded since the last examination; with `everything`, also streams without new
    facts.

    A stream that was judged by other rules than today's is read from its start if it has new facts.
    """
    parts = _streams(save.behind(everything), workers, progress, whole=False)
    properties = save.ledgers_behind(everything)
    ledgers = [examine_ledger(name, whole=False) for name in properties]
    leases.done_by_hand()
    return _sum([*parts, *ledgers], len(parts))


def reexamine(*, dry_run: bool = False, workers: int = 1, progress: Progress | None = None) -> Examined:
    """Fold every stream and ledger from its start by today's rules. `dry_run` writes nothing and reports what
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
    """Fold a stream from its stored state, or with `whole` from its start, and store findings, tally and
    state.
    """
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
    """Fold the rest of a stream. The state returned is the latest one between two rounds."""
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
    """Return the state before the round that is still open: the facts since the last saved state are folded a
    second time, up to there.
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
    """Run a property's ledger fold from its stored state; from its start if a register has changed."""
    with _one_transaction(dry_run):
        read = fold_ledger(property, save.lock_ledger(property), whole=whole)
        change = save.keep_ledger(property, read.fold, rules_of_ledger(), whole=read.fresh)
        _tell(property, rules_of_ledger(), change, whole, dry_run)
    if not dry_run:
        projections.follow(
            property
        )  # its own transaction: while it holds the ledger's head, it waits for no rows of ours
    return Part(read.facts, change)


class LedgerReading(NamedTuple):
    """A property's ledger fold after reading new facts; `fresh` if it was read from its start."""

    fold: LedgerFold
    fresh: bool
    facts: int


def fold_ledger(property: str, kept: Kept, *, whole: bool) -> LedgerReading:
    """Continue a property's ledger fold from the stored state; from its start if the rules or registers by
    which it was judged have changed.
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
    """Record a `reexamined` fact about findings that are lost, or gained by a reexamination.

    New findings of new facts are not recorded as changes.
    """
    gained = change.gained if whole else ()
    if (gained or change.lost) and not dry_run:
        withdraw(property, rules, gained, change.lost, Registers(save.register_entries(property)))


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


@contextmanager
def _one_transaction(dry_run: bool) -> Iterator[None]:
    with transaction.atomic():
        yield
        if dry_run:
            transaction.set_rollback(True)

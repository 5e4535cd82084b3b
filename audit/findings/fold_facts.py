"""Fold the facts of a stream or of a property's ledger, from the start or from a saved state."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from audit import database
from audit.facts import RegisterSet, decode
from audit.findings import finding_writer, save
from audit.findings.save import Kept
from audit.ledger import store
from audit.replay.ended_rounds import EndedRound
from audit.replay.fold import Fold, NeedsWholeDay
from audit.replay.ledger_fold import LedgerFold, LedgerState, kinds_to_read
from audit.replay.registers import Registers
from audit.replay.results import Finding
from audit.replay.rules_fingerprint import rules_of_ledger
from games.kit.events import Event

SNAPSHOT = 5_000
"""Number of facts in a long stream after which the state is saved again."""

Progress = Callable[[int], None]
"""Called with the number of facts processed since the last call."""


class StreamReading(NamedTuple):
    """The fold of a stream after reading facts, its latest state between two rounds, and the number of facts
    read.
    """

    fold: Fold
    state: bytes | None
    facts: int


def fold_stream(
    property: str,
    stream: str,
    saved: bytes | None,
    progress: Progress | None,
    until: int | None = None,
    write: Callable[[Collection[Finding]], None] | None = None,
    write_rounds: Callable[[Sequence[EndedRound]], None] | None = None,
) -> StreamReading:
    """Fold a stream from a saved state on, or from its start if `saved` is None. Return the fold and its
    latest state. `until` is the number of the last fact to fold, or None for the end of the stream.

    When many findings have been collected, `write` is called with them between two rounds. The fold then
    discards them, so that the memory used does not grow with their number. This is safe because later facts
    do not change the findings of earlier rounds. `write_rounds` is called with finished rounds in the same
    way; without it, no rounds are collected.

    Raises NeedsWholeDay if the saved state cannot be continued.
    """
    learned = store.learned(property, stream, _position(property, stream, until))
    fold, state = Fold(stream, saved, learned), saved
    rounds: list[EndedRound] = []
    fold.rounds = rounds if write_rounds is not None else None
    first = since = fold.number
    take, findings, limit = fold.take, fold.findings, finding_writer.BATCH
    for page in store.read_bodies(property, stream, first, until):
        for number, body in page:
            take(number, decode(body))
            if fold.in_round:
                continue  # This is so for most facts. The steps below are done only between two rounds.
            if len(findings) >= limit and write is not None:
                write(findings.values())
                findings.clear()
            if number - since >= SNAPSHOT:
                state, since = fold.keep(), number
                if progress is not None:
                    progress(SNAPSHOT)
        if len(rounds) >= limit and write_rounds is not None:
            write_rounds(rounds)
            rounds.clear()
    if progress is not None:
        progress(fold.number - since)
    if fold.rested == fold.number:
        state = fold.keep()
    elif fold.rested > since:
        state = _until(property, stream, state, fold.rested, learned)
    return StreamReading(fold, state, fold.number - first)


def _position(property: str, stream: str, number: int | None) -> int | None:
    """Return the ledger position of the fact with this number in a stream, or None if `number` is None."""
    if number is None:
        return None
    query = "SELECT position FROM fact WHERE property = %s AND stream = %s AND number = %s"
    row = database.first_row(query, [property, stream, number])
    return row[0] if row is not None else 0


def _until(
    property: str, stream: str, state: bytes | None, rested: int, learned: list[Event]
) -> bytes | None:
    """Return the state before the round that is still open. The fold itself is in this round already, so the
    facts from the state `state` up to the number `rested` are folded again.
    """
    try:
        fold = Fold(stream, state, learned)
        for page in store.read_bodies(property, stream, fold.number, rested):
            for number, body in page:
                fold.take(number, decode(body))
    except NeedsWholeDay:
        return state
    return fold.keep()


class LedgerReading(NamedTuple):
    """The ledger fold of a property after reading new facts. `fresh` is True if it was read from
    the start.
    """

    fold: LedgerFold
    fresh: bool
    facts: int


def fold_ledger(property: str, stored: Kept, *, from_start: bool, until: int | None = None) -> LedgerReading:
    """Continue a property's ledger fold from the stored state. If its rules or registers have changed, read
    it from the start.

    Args:
        until: the last position to read, or None for the head.
    """
    fresh = from_start or stored.state is None or stored.rules != rules_of_ledger()
    state = LedgerState() if fresh or stored.state is None else LedgerState.read(stored.state)
    # All facts up to the head are committed. Later facts are left to the next reading, so that every register
    # entry among the facts is also in the registers.
    last = save.ledger_position(property) if until is None else until
    entries = _entries(property, state.position, last)
    if entries and not fresh:
        fresh, state, entries = True, LedgerState(), [*state.entries, *entries]
    if fresh:
        state.entries = entries
    fold, facts = LedgerFold(Registers(state.entries), state), 0
    for position, stream, number, body in store.read_kinds(
        property, kinds_to_read(state.entries), state.position
    ):
        if position > last:
            break
        fold.take(position, stream, number, decode(body))
        facts += 1
    fold.state.position = max(last, fold.state.position)
    return LedgerReading(fold, fresh, facts)


def _entries(property: str, after: int, last: int) -> list[RegisterSet]:
    """Return the register entries after the position `after`, up to and including `last`."""
    rows = store.read_kinds(property, {store.REGISTER}, after)
    events = (decode(body) for position, _, _, body in rows if position <= last)
    return [event for event in events if LedgerFold.is_entry(event)]

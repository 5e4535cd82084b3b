"""Prove the tree of each ledger. Tiles and checkpoints are computed again from the facts. The facts are
compared with the checkpoints in the database and with checkpoints that were stored outside it.

A checkpoint with a valid signature is stronger evidence than the database. If they differ, facts were changed
after the checkpoint was signed, even if the chain of the facts is correct.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from audit import database
from audit.ledger import stored
from audit.proofs.registry import Fault, RowCount
from audit.tree import checkpoints, notes, scan, store
from audit.tree.checkpoints import Key, Stored
from audit.tree.evidence import Difference, Outside, first_difference
from audit.tree.hashes import EMPTY, TILE_WIDTH
from audit.tree.notes import InvalidNote
from audit.tree.proofs import Fetch, TileMissing
from audit.tree.scan import Scan

TILE, CHECKPOINT, FACT = "tile", "checkpoint", "fact"
COMMAND = "manage.py checkpoint"
RESTORED = (
    "the database does not know that checkpoint: an old backup was restored, or the newest facts were removed"
    " together with their checkpoints"
)


class Signed(NamedTuple):
    """A checkpoint with a valid signature, from the database or from outside.

    Attributes:
        fetch: reads the tiles that belong to it.
    """

    size: int
    root: bytes
    source: str
    fetch: Fetch | None = None
    is_outside: bool = False


def prove(count: RowCount) -> Iterator[Fault]:
    """Yield the faults of the tiles and checkpoints of every property, and a fault for each ledger whose
    facts differ from a checkpoint.
    """
    remarks: list[str] = []
    since = {checkpoint.property: checkpoint for checkpoint in count.options.since}
    names = stored.names()
    for table in (TILE, CHECKPOINT):
        for (property,) in database.rows(f"SELECT DISTINCT property FROM {table} ORDER BY 1"):
            if property not in names:
                yield Fault(table, property, "unknown", "belongs to a property that has no ledger")
    for name in names:
        if isinstance(name, str) and "\0" not in name:
            try:
                yield from _prove_ledger(name, since.get(name), count, remarks)
            except TileMissing as missing:
                place = f"{name} level {missing.level} index {missing.index}"
                yield Fault(
                    TILE, place, "missing", "the facts since the checkpoint cannot be added to its tree"
                )
    if remarks:
        count.note(CHECKPOINT, "; ".join(remarks))


def _prove_ledger(
    property: str, since: Outside | None, count: RowCount, remarks: list[str]
) -> Iterator[Fault]:
    keys = [key for key in checkpoints.keys_of(property) if key.name and len(key.public) == notes.KEY_BYTES]
    signed: list[Signed] = []
    for checkpoint in _stored(property):
        count.add(CHECKPOINT)
        if says := _forged(checkpoint, keys):
            kind = "forged" if keys else "key"
            yield Fault(CHECKPOINT, f"{property} size {checkpoint.size}", kind, says)
        elif since is None or checkpoint.size >= since.size:
            source = f"the checkpoint of {str(checkpoint.made_at)[:16]} UTC"
            signed.append(Signed(checkpoint.size, checkpoint.root, source))
    outside = [
        checkpoint
        for checkpoint in (*count.options.since, *count.options.outside)
        if checkpoint.property == property
    ]
    signed += [
        Signed(checkpoint.size, checkpoint.root, checkpoint.source, checkpoint.fetch, True)
        for checkpoint in outside
    ]
    if since is not None and store.tree_of(property).root(since.size) != since.root:
        says = f"its tiles up to position {since.size} do not lead to the root of {since.source}"
        yield Fault(TILE, property, "changed", f"{says}. Run verify without --since to find the position")
        return
    sizes, begins = {checkpoint.size for checkpoint in signed}, 0 if since is None else since.size
    known = count.blocks.get(property, ())
    result = scan.scan(property, sizes, count.show, count.options.processes, begins, known)
    count.add(TILE, max(0, -(-result.tile_size // TILE_WIDTH) - result.first_block))
    for fault in scan.tile_faults(result) if since is None else ():
        place = f"{property} level {fault.level} index {fault.index}"
        yield Fault(TILE, place, fault.kind, fault.says)
    signed = [checkpoint for checkpoint in signed if checkpoint.size >= begins]
    yield from _judge(result, sorted(signed, key=lambda checkpoint: checkpoint.size), remarks)


def _judge(result: Scan, signed: list[Signed], remarks: list[str]) -> Iterator[Fault]:
    """Yield a fault for each difference between a ledger and its checkpoints, and for each wrong tile."""
    covered = [checkpoint for checkpoint in signed if checkpoint.size <= result.size]
    wrong = [checkpoint for checkpoint in covered if result.at.get(checkpoint.size, EMPTY) != checkpoint.root]
    longer = [checkpoint for checkpoint in signed if checkpoint.size > result.size]
    right = max(
        (checkpoint.size for checkpoint in covered if not wrong or checkpoint.size < wrong[0].size), default=0
    )
    if wrong:
        yield _rewritten(result, wrong[0], [checkpoint for checkpoint in wrong if checkpoint.fetch], right)
    if longer or result.tile_size > result.size:
        yield _cut(result, longer)
    known = max((checkpoint.size for checkpoint in signed if not checkpoint.is_outside), default=0)
    if result.tile_size < known:
        says = f"the tiles have {result.tile_size} leaves, but the last checkpoint has {known}"
        yield Fault(TILE, result.property, "missing", says)
    for block, (position, _) in sorted(result.differing.items()):
        if wrong and position > right:
            continue  # The facts of this block were rewritten.
        says = f"hash {(position - 1) % TILE_WIDTH} is not the hash of the fact at position {position}"
        if position > right:
            says += "; no checkpoint covers it, so either of the two was changed"
        yield Fault(TILE, f"{result.property} level 0 index {block}", "changed", says)
    if not wrong and not longer:
        last = next((checkpoint.source for checkpoint in signed if checkpoint.size == right), "")
        remarks.append(_coverage(result, right, last))


def _rewritten(result: Scan, first: Signed, sources: list[Signed], right: int) -> Fault:
    """Return the fault of a ledger whose facts differ from a checkpoint. It names the first position that
    differs, if the tiles of the database or of a copy show it.
    """
    fetches: list[tuple[Signed, Fetch]] = [(first, store.fetch_of(result.property))]
    fetches += [(checkpoint, checkpoint.fetch) for checkpoint in sources if checkpoint.fetch]
    for checkpoint, fetch in fetches:
        difference = first_difference(result, checkpoint.size, checkpoint.root, fetch)
        if difference is not None:
            break
    else:
        difference = Difference(right + 1, first.size)
    begins = (
        f"position {difference.first} is the first that differs"
        if difference.first == difference.last
        else f"the first that differs is between positions {difference.first} and {difference.last}"
    )
    says = (
        f"the ledger is not the one of {first.source}, which has {first.size} facts: {begins}; the facts were"
        " rewritten, or another ledger was restored"
    )
    return Fault(FACT, f"{result.property} position {difference.first}", "rewritten", says)


def _cut(result: Scan, longer: list[Signed]) -> Fault:
    """Return the fault of a ledger that is too short: its tree, or one of its checkpoints, contains more
    facts.
    """
    last = max(longer, key=lambda checkpoint: checkpoint.size, default=None)
    is_known = result.tile_size > result.size or not all(checkpoint.is_outside for checkpoint in longer)
    size = max(result.tile_size, last.size if last else 0)
    by = last.source if last and last.size >= result.tile_size else "its tree"
    kind, reason = ("cut", "the newest facts were removed") if is_known else ("restored", RESTORED)
    says = f"the ledger ends at position {result.size}, but {by} has {size} facts: {reason}"
    return Fault(FACT, f"{result.property} position {result.size + 1}", kind, says)


def _coverage(result: Scan, right: int, last: str) -> str:
    """Return a text that says how much of a ledger its checkpoints cover.

    Args:
        result: the ledger.
        right: the number of facts that the last checkpoint covers.
        last: a text that names the last checkpoint, with its time if it is in the database.
    """
    if not right:
        risk = "if all its facts were rewritten, this check would not notice it"
        return f"{result.property} has no checkpoint: {risk}. `{COMMAND}` makes one"
    if right == result.size:
        return f"all {result.size:,} facts of {result.property} are covered"
    return (
        f"{result.property} is covered up to position {right:,} by {last}; {result.size - right:,} facts"
        f" since are in no checkpoint, and nobody would notice if they were removed. `{COMMAND}` covers them"
    )


def _stored(property: str) -> Iterator[Stored]:
    """Yield the checkpoints of a property as they are stored, by size."""
    after = -1
    while page := checkpoints.page(property, after):
        yield from page
        after = page[-1].size


def _is_revoked(key: Key, checkpoint: Stored) -> bool:
    """Return True if a key was revoked before a checkpoint was signed, or if one of the two times cannot be
    read.
    """
    if key.revoked_at is None:
        return False
    times: tuple[Any, Any] = checkpoint.made_at, key.revoked_at
    return not all(isinstance(time, datetime) for time in times) or times[0] > times[1]


def _forged(checkpoint: Stored, keys: Sequence[Key]) -> str:
    """Return why a stored checkpoint is not signed by a key of its property. Return an empty text if its
    signature is valid.
    """
    try:
        note = notes.parse(checkpoint.note or "")
        signers = notes.signers(note, [key.verifier() for key in keys])
        stated = notes.read_checkpoint(note)
    except InvalidNote as error:
        return f"{error}"
    if (stated.size, stated.root) != (checkpoint.size, checkpoint.root):
        return f"its note says size {stated.size} and root {stated.root.hex()}"
    if stated.origin not in {key.name for key in keys}:
        return f"its note is about {stated.origin}, which is another ledger"
    valid = {key.verifier() for key in keys if not _is_revoked(key, checkpoint)}
    return "" if valid.intersection(signers) else "its key was revoked before it was signed"

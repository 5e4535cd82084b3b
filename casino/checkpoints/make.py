"""Make checkpoints: extend a ledger's tree to the head, and sign its size and root.

A checkpoint is due after CATWALK_CHECKPOINT_FACTS facts, and when a gaming day was closed. A tree is signed
only if it continues the tree of the latest checkpoint. If it does not, facts or tiles were changed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.conf import settings
from django.db import transaction

from audit import database
from audit.jobs import leases
from audit.jobs.alarms import Alarm
from audit.jobs.leases import Lease
from audit.tree import checkpoints, notes, store
from audit.tree.checkpoints import Stored
from audit.tree.proofs import TileMissing
from audit.tree.store import TreeFault
from casino.checkpoints import copies, keys
from casino.sealing import journal

JOB = "checkpoint"
"""Kind of job: extend the tree of a property, and sign a checkpoint if one is due."""
TILE = 256
"""Number of new facts after which the tree is extended even if no checkpoint is due."""
_log = logging.getLogger(__name__)


def ask_due() -> list[str]:
    """Request a job for each property whose tree must be extended. Return the properties."""
    behind = [
        property for (property,) in database.rows(_BEHIND, {"facts": settings.CHECKPOINT_FACTS, "tile": TILE})
    ]
    for property in behind:
        leases.ask_for(JOB, property, "")
    return behind


def is_due(property: str) -> bool:
    """Return True if a property needs a new checkpoint."""
    return database.first_row(_DUE, {"facts": settings.CHECKPOINT_FACTS, "property": property}) is not None


def make(property: str, progress: Callable[[int], None] = lambda leaves: None) -> Stored | None:
    """Make a checkpoint of a property now, and return it. Without new facts, return the latest checkpoint.
    Without any facts, return None. Raise TreeFault if facts were changed, or KeyLost if no key can sign.
    """
    keep = prepare(property, progress)
    with transaction.atomic():
        return keep()


def prepare(
    property: str, progress: Callable[[int], None] = lambda leaves: None
) -> Callable[[], Stored | None]:
    """Extend the tree of a property and sign its root. Return a function that stores the checkpoint in the
    caller's transaction. Raise TreeFault if facts were changed, or KeyLost if no key can sign.
    """
    size = grow(property, progress)
    last = checkpoints.latest(property)
    if size == 0 or (last is not None and last.size >= size):
        return lambda: last
    if not checkpoints.keys_of(property):
        keys.make(property, keys.AUTOMATIC)
    signers = keys.signers(property)
    root = store.tree_of(property).root(size)
    text = notes.checkpoint_text(notes.Checkpoint(signers[0][0], size, root))
    note = notes.sign(text, signers)

    def keep() -> Stored | None:
        database.rows("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [store.LOCK, property])
        latest = checkpoints.latest(property)
        if latest is None or latest.size < size:
            journal.record("checkpoint", [checkpoints.insert(property, size, root, note)])
            copies.ask(property)
        return checkpoints.latest(property)

    return keep


def grow(property: str, progress: Callable[[int], None] = lambda leaves: None) -> int:
    """Extend the tree of a property, and return its size. If the tree does not continue the latest
    checkpoint, compute its tiles again from the facts. Raise TreeFault if the facts themselves contradict the
    checkpoint.
    """
    grown = store.grow(property, progress)
    repaired = grown.repaired
    last = checkpoints.latest(property)
    if last is not None and not _begins_with(property, last):
        repaired += store.repair(property)
        if not _begins_with(property, last):
            raise TreeFault(
                f"The facts of {property} up to position {last.size} are not those of the checkpoint of"
                f" {last.made_at:%Y-%m-%d %H:%M} UTC. Run manage.py verify; no checkpoint is signed."
            )
    if repaired:
        shown = ", ".join(f"level {tile.level} index {tile.index}" for tile in repaired[:10])
        _log.error(
            "%s: %d tiles did not match the facts and were rebuilt: %s",
            property,
            len(repaired),
            shown,
        )
    return grown.size


def job(lease: Lease) -> Callable[[], int]:
    """Do a job: extend the tree of a property, and sign a checkpoint if one is due."""

    def progress(leaves: int) -> None:
        lease.progress[0] += leaves

    try:
        if not is_due(lease.property):
            size = grow(lease.property, progress)
            return lambda: size
        keep = prepare(lease.property, progress)
    except (TreeFault, keys.KeyLost) as error:
        raise Alarm(str(error)) from error

    def store_it() -> int:
        checkpoint = keep()
        return checkpoint.size if checkpoint else 0

    return store_it


def _begins_with(property: str, last: Stored) -> bool:
    try:
        return store.tree_of(property).root(last.size) == last.root
    except TileMissing:
        return False


_CLOSED = """EXISTS (SELECT FROM fact f WHERE f.property = h.property AND f.position > coalesce(c.size, 0)
        AND f.kind = 'day-closed')"""
_HEADS = """head h
    LEFT JOIN LATERAL (SELECT max(size) AS size FROM checkpoint WHERE property = h.property) c ON true
    LEFT JOIN LATERAL (SELECT index * 256 + length(hashes) / 32 AS size FROM tile
        WHERE property = h.property AND level = 0 ORDER BY index DESC LIMIT 1) t ON true"""
_IS_DUE = f"(h.position >= coalesce(c.size, 0) + %(facts)s OR {_CLOSED})"
_DUE = f"SELECT FROM {_HEADS} WHERE h.property = %(property)s AND {_IS_DUE}"
_BEHIND = f"""SELECT h.property FROM {_HEADS}
    WHERE h.position >= coalesce(t.size, 0) + %(tile)s OR {_IS_DUE} ORDER BY 1"""

"""Copy checkpoints and tiles to places outside the database, in the layout of https://c2sp.org/tlog-tiles.

Below the folder of a property are `checkpoint` (the latest), `checkpoints/SIZE` (all) and `tile/LEVEL/INDEX`.
Each destination has its own job, so that a destination that does not answer does not delay the others. Before
new checkpoints are written, the latest checkpoint at the destination is compared with the ledger. This
detects a ledger that was cut, rewritten, or restored from an old backup. In this case nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings

from audit import database
from audit.jobs import leases
from audit.jobs.alarms import Alarm
from audit.jobs.leases import Lease
from audit.tree import checkpoints, notes, store
from audit.tree.checkpoints import Stored
from audit.tree.hashes import HASH_BYTES
from audit.tree.layout import tiles_between
from audit.tree.notes import InvalidNote
from casino.checkpoints import witness
from casino.checkpoints.destination_urls import Destination, parse
from casino.checkpoints.stores import FileStore, open_store

JOB = "copy-checkpoint"
"""Kind of job: copy the checkpoints of a property to one destination. The stream of the job names the
destination.
"""


def destinations(property: str) -> list[Destination]:
    """Return the places to which the checkpoints of a property are copied."""
    every = map(parse, settings.CHECKPOINT_COPIES)
    return [destination for destination in every if destination.property in ("", property)]


def ask(property: str) -> None:
    """Request the jobs that copy a property's checkpoints. Call it in the transaction that stores a new
    checkpoint.
    """
    for destination in destinations(property):
        leases.ask_for(JOB, property, destination.name())


def copied(property: str, destination: str) -> int:
    """Return the size of the latest checkpoint that was copied to a destination, or 0."""
    query = "SELECT max(size) FROM checkpoint_copy WHERE property = %s AND destination = %s"
    return database.rows(query, [property, destination])[0][0] or 0


def copy(property: str, destination: Destination) -> Callable[[], int]:
    """Copy new checkpoints and tiles to a destination. Return a function that records in the caller's
    transaction what was copied.

    Raise Alarm if the destination has a checkpoint that does not belong to this ledger, or if a witness does
    not sign. Raise OSError if the destination does not answer.
    """
    last, before = checkpoints.latest(property), copied(property, destination.name())
    if last is None or before >= last.size:
        return lambda: before
    try:
        if destination.parts().scheme in ("http", "https"):
            tree = store.tree_of(property)
            size = last.size
            answer = witness.cosign(
                destination.parts(), last.note, size, before, lambda old: tree.consistency(old, size)
            )
        else:
            with open_store(destination, property) as files:
                _require_beginning(property, destination, files)
                _write(property, files, before, last)
            answer = ""
    except (witness.WitnessRefused, InvalidNote) as error:
        raise Alarm(f"{destination.name()}: {error}") from error
    values = [property, destination.name(), last.size, answer]

    def keep() -> int:
        database.execute(_INSERT, values)
        return int(last.size)

    return keep


def job(lease: Lease) -> Callable[[], int]:
    """Do a job: copy the checkpoints of a property to the destination that the job's stream names."""
    for destination in destinations(lease.property):
        if destination.name() == lease.stream:
            return copy(lease.property, destination)
    return lambda: 0  # The destination was removed from the settings.


def _require_beginning(property: str, destination: Destination, files: FileStore) -> None:
    """Raise Alarm if the latest checkpoint at a destination does not belong to this ledger: its tree must be
    the beginning of the ledger's tree.
    """
    content = files.read("checkpoint")
    if content is None:
        return
    try:
        checkpoint = notes.read_checkpoint(notes.parse(content.decode(errors="replace")))
    except InvalidNote as error:
        raise Alarm(
            f"{destination.name()}: the checkpoint of {property} there cannot be read: {error}"
        ) from error
    size = store.size_of(property)
    if checkpoint.size > size:
        raise Alarm(
            f"{destination.name()} has a checkpoint of {checkpoint.size} facts of {property}, the ledger"
            f" has {size}: facts were removed, or an old backup was restored. Run manage.py verify"
            " --checkpoint with that"
            " copy."
        )
    if store.tree_of(property).root(checkpoint.size) != checkpoint.root:
        raise Alarm(
            f"{destination.name()} has a checkpoint of {checkpoint.size} facts of {property} with a"
            " different root: the ledger was rewritten. Run manage.py verify --checkpoint with that copy."
        )


def _write(property: str, files: FileStore, before: int, last: Stored) -> None:
    """Write the tiles of each new checkpoint, then the checkpoint itself. At the end, write the latest
    checkpoint also to the file `checkpoint`.
    """
    while before < last.size:
        for checkpoint in checkpoints.page(property, before):
            if checkpoint.size > last.size:
                break
            for tile in tiles_between(before, checkpoint.size):
                hashes = store.read(property, tile.level, tile.index)[: tile.width * HASH_BYTES]
                files.write(tile.path, [hashes])
            files.write(f"checkpoints/{checkpoint.size}", [checkpoint.note.encode()])
            before = checkpoint.size
    files.write("checkpoint", [last.note.encode()])


_INSERT = """INSERT INTO checkpoint_copy (property, destination, size, answer) VALUES (%s, %s, %s, %s)
    ON CONFLICT DO NOTHING"""

"""Copies of checkpoints and tiles outside the database, in the layout of https://c2sp.org/tlog-tiles.

Below the folder of a property are `checkpoint` (the latest), `checkpoints/SIZE` (all) and
`tile/LEVEL/INDEX`. Each destination has a job of its own, so that one that does not answer delays no other.
Before a copy is written, the latest one there is compared with the ledger: a ledger that was cut, restored
from an old backup or rewritten is found at that moment, and the copy stays as it is.
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
"""Kind of job: copy the checkpoints of a property to one destination, which is the job's stream."""


def destinations(property: str) -> list[Destination]:
    """Return the places to which the checkpoints of a property are copied."""
    every = map(parse, settings.CHECKPOINT_COPIES)
    return [one for one in every if one.property in ("", property)]


def ask(property: str) -> None:
    """Request the copies of a property's checkpoints, in the transaction that stores a new one."""
    for destination in destinations(property):
        leases.ask_for(JOB, property, destination.name())


def copied(property: str, destination: str) -> int:
    """Return the size of the latest checkpoint that was copied to a destination, or 0."""
    query = "SELECT max(size) FROM checkpoint_copy WHERE property = %s AND destination = %s"
    return database.rows(query, [property, destination])[0][0] or 0


def copy(property: str, destination: Destination) -> Callable[[], int]:
    """Copy what is new to a destination. Return the function that records it in the caller's transaction.

    Raise Alarm if the destination has a checkpoint that is not of this ledger, or if a witness does not sign.
    Raise OSError if the destination does not answer.
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
            files = open_store(destination, property)
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
    """Do the work of a job: copy the checkpoints of a property to the destination in the job's stream."""
    for destination in destinations(lease.property):
        if destination.name() == lease.stream:
            return copy(lease.property, destination)
    return lambda: 0  # the destination was removed from the settings


def _require_beginning(property: str, destination: Destination, files: FileStore) -> None:
    """Raise Alarm if the latest checkpoint at a destination is not the beginning of the ledger's tree."""
    content = files.read("checkpoint")
    if content is None:
        return
    try:
        there = notes.read_checkpoint(notes.parse(content.decode(errors="replace")))
    except InvalidNote as error:
        raise Alarm(
            f"{destination.name()}: the checkpoint of {property} there cannot be read: {error}"
        ) from error
    size = store.size_of(property)
    if there.size > size:
        raise Alarm(
            f"{destination.name()} has a checkpoint of {there.size} facts of {property}, the ledger has"
            f" {size}: it was cut, or an old backup was restored. Run manage.py verify --checkpoint with that"
            " copy."
        )
    if store.tree_of(property).root(there.size) != there.root:
        raise Alarm(
            f"{destination.name()} has a checkpoint of {there.size} facts of {property} with another root:"
            " the ledger was rewritten. Run manage.py verify --checkpoint with that copy."
        )


def _write(property: str, files: FileStore, before: int, last: Stored) -> None:
    """Write each new checkpoint after its tiles, and the latest one also under its own name."""
    while before < last.size:
        for one in checkpoints.page(property, before):
            if one.size > last.size:
                break
            for tile in tiles_between(before, one.size):
                hashes = store.read(property, tile.level, tile.index)[: tile.width * HASH_BYTES]
                files.write(tile.path, hashes)
            files.write(f"checkpoints/{one.size}", one.note.encode())
            before = one.size
    files.write("checkpoint", last.note.encode())


_INSERT = """INSERT INTO checkpoint_copy (property, destination, size, answer) VALUES (%s, %s, %s, %s)
    ON CONFLICT DO NOTHING"""

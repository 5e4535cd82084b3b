"""The same facts in the event store of the library `eventsourcing`, so that benchmarks can compare.

Its recorder inserts events with the version of their aggregate and numbers them for its readers. It hashes,
checks and chains nothing. A stream is an aggregate here, and the body of a fact is the state of an event.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore

NAME = f"eventsourcing {version('eventsourcing')}"
PAGE = 1_000
"""Number of events that are read at a time."""


class EventLibrary:
    """An event store of the library, in a schema of its own in the benchmark's database."""

    def __init__(self, folder: Path, owner: Any) -> None:
        """Create the store.

        Args:
            folder: the data folder of the benchmark's installation.
            owner: a connection of the owner of the database.
        """
        from casino.runtime import embedded

        owner.execute("CREATE SCHEMA event_library")
        self.store = PostgresDatastore(
            "catwalk", embedded.address(folder), 5432, owner.info.user, "", schema="event_library"
        )
        self.recorder = PostgresApplicationRecorder(self.store)
        self.recorder.create_table()
        self.recorded = 0

    def events(self, facts: Sequence[Any]) -> list[StoredEvent]:
        """Return facts as events of the library, numbered in their stream."""
        events = [
            StoredEvent(
                uuid5(NAMESPACE_URL, fact.stream), self.recorded + number, fact.kind, bytes(fact.body)
            )
            for number, fact in enumerate(facts, 1)
        ]
        self.recorded += len(events)
        return events

    def record(self, events: Sequence[StoredEvent]) -> None:
        """Record these events in one transaction."""
        self.recorder.insert_events(events)

    def read(self) -> int:
        """Read all events in their order, as a reader of the library does. Return their number."""
        count, last = 0, 0
        while page := self.recorder.select_notifications(last + 1, PAGE):
            count += len(page)
            last = page[-1].id
        return count

    def close(self) -> None:
        """Close the library's connections."""
        self.store.close()

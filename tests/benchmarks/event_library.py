"""The same facts in the event store of the library `eventsourcing`, so that benchmarks can compare.

Its recorder inserts events with the version of their aggregate and numbers them for its readers. It hashes,
checks and chains nothing. A stream is an aggregate here, and the body of a fact is the state of an event.

Its replay of an aggregate reads the events, decodes them and applies them. In this module that only counts
them: it judges nothing, and stores no result.

Its projections follow an application: Postgres notifies them of new events (LISTEN and NOTIFY), and they read
and decode each event. The projection of this module stores a row for each event that is marked. It judges
nothing either.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate
from eventsourcing.persistence import StoredEvent, Tracking
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresTrackingRecorder
from eventsourcing.projection import Projection, ProjectionRunner
from psycopg.sql import SQL, Identifier

NAME = f"eventsourcing {version('eventsourcing')}"
SCHEMA = "event_library"
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

        owner.execute(f"CREATE SCHEMA {SCHEMA}")
        self.store = PostgresDatastore(
            "catwalk", embedded.address(folder), 5432, owner.info.user, "", schema=SCHEMA
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


class DayAggregate(Aggregate):
    """A stream as an aggregate of the library. Its state is the number of its facts."""

    class Recorded(Aggregate.Event):
        """A fact of the stream."""

        fact: dict[str, Any]

        def apply(self, aggregate: Any) -> None:
            """Count the fact."""
            aggregate.facts += 1

    class Marked(Recorded):
        """A fact for which the projection stores a row with this mark."""

        mark: str

    def __init__(self, stream: str) -> None:
        self.stream, self.facts = stream, 0

    @staticmethod
    def create_id(stream: str) -> UUID:
        """Return the id of a stream's aggregate."""
        return uuid5(NAMESPACE_URL, stream)


class Aggregates:
    """Aggregates of the library, in a schema of its own in the benchmark's database. Processes that are
    forked later may use them too: each opens its own connections.
    """

    def __init__(self, folder: Path, owner: Any) -> None:
        """Create the schema. The arguments are those of `EventLibrary`."""
        from casino.runtime import embedded

        owner.execute(f"CREATE SCHEMA {SCHEMA}")
        self._streams: set[str] = set()
        self._settings = (
            ("PERSISTENCE_MODULE", "eventsourcing.postgres"),
            ("POSTGRES_DBNAME", "catwalk"),
            ("POSTGRES_HOST", embedded.address(folder)),
            ("POSTGRES_PORT", "5432"),
            ("POSTGRES_USER", owner.info.user),
            ("POSTGRES_PASSWORD", "none"),
            ("POSTGRES_SCHEMA", SCHEMA),
            ("POSTGRES_POOL_SIZE", "20"),
        )

    def application(self) -> Application[UUID]:
        """Return the application of this process, for any thread. Its tables must exist."""
        return _application(self._settings)

    def follow(self, ready: Any) -> None:
        """Run the projection until this process is ended, and create its tables and those of the application.
        Put True into the queue `ready` when it follows.
        """
        with ProjectionRunner(
            application_class=Application[UUID],
            projection_class=MarkedProjection,
            view_class=MarkedView,
            env=dict(self._settings),
        ) as runner:
            ready.put(True)
            runner.run_forever()

    def record(self, stream: str, bodies: Iterable[bytes]) -> None:
        """Record the facts of a stream, 500 at a time."""
        application = Application[UUID](dict(self._settings))
        aggregate = DayAggregate(stream)
        for number, body in enumerate(bodies, 1):
            aggregate.trigger_event(DayAggregate.Recorded, fact=json.loads(body))
            if not number % 500:
                application.save(aggregate)
        application.save(aggregate)
        application.close()
        self._streams.add(stream)

    def replay(self, name: tuple[str, str]) -> int:
        """Build the aggregate of a stream, given as property and name, from all its events. Return the number
        of facts, which is 0 if the stream is not recorded here.
        """
        if name[1] not in self._streams:
            return 0
        aggregate: Any = _application(self._settings).repository.get(DayAggregate.create_id(name[1]))
        facts: int = aggregate.facts
        return facts


@cache
def _application(settings: tuple[tuple[str, str], ...]) -> Application[UUID]:
    """Return the application of this process. Its tables exist already."""
    return Application[UUID]({**dict(settings), "CREATE_TABLE": "no"})


class MarkedView(PostgresTrackingRecorder):
    """The rows of the projection, and how far it has followed."""

    def __init__(self, datastore: PostgresDatastore, **settings: Any) -> None:
        super().__init__(datastore, **settings)
        self.sql_create_statements.append(
            SQL("CREATE TABLE IF NOT EXISTS {0}.marked (id text PRIMARY KEY)").format(Identifier(SCHEMA))
        )

    def add(self, mark: str, tracking: Tracking) -> None:
        """Store the row of an event, and the position up to which events were read, in one transaction."""
        with self.datastore.transaction(commit=True) as cursor:
            cursor.execute(f"INSERT INTO {SCHEMA}.marked VALUES (%s)", [mark], prepare=True)
            self._insert_tracking(cursor, tracking)


class MarkedProjection(Projection[MarkedView]):
    """Reads all events, and stores a row for each marked one."""

    def process_event(self, domain_event: Any, tracking: Tracking) -> None:
        """Store a row if the event is marked."""
        if isinstance(domain_event, DayAggregate.Marked):
            self.view.add(domain_event.mark, tracking)

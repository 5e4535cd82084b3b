"""How soon a projection of the library `eventsourcing` shows what was recorded, for
tests/benchmarks/latency.py.

The library records the same facts in the same Postgres: as many tables, each with as many facts a second in
one transaction. Its projection runs in a process of its own. Postgres notifies it (LISTEN and NOTIFY), and it
reads and decodes every event. It applies no rules: the event of each wrong fact is marked by the poster, and
the projection stores one row for each marked event.

The time runs from the commit of the events until another process can read the row.
"""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from multiprocessing import Queue, get_context
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

from tests.benchmarks.cpu_time import processor_seconds
from tests.benchmarks.event_library import SCHEMA, Aggregates, DayAggregate
from tests.benchmarks.latency_days import TABLES, Night, together, watch

PREPARED = 300.0
"""The longest time, in seconds, that the facts before the measurement may need."""
ROWS = f"SELECT id FROM {SCHEMA}.marked WHERE id = ANY(%s)"


class LibraryTable:
    """The events of one table, stored by the library in one aggregate.

    Args:
        mark: the text with which the marks of its events begin.
    """

    def __init__(self, application: Any, night: Night, mark: str) -> None:
        self._application, self._night, self._mark = application, night, mark
        self._aggregate = DayAggregate(night.before[0].stream)

    def record_before(self) -> None:
        """Record the facts before the measurement, 500 at a time. The last one is marked with the name of the
        table.
        """
        bodies = [fact.body for fact in self._night.before]
        for start in range(0, len(bodies), 500):
            last = len(bodies) - 1 - start
            self._trigger(bodies[start : start + 500], last if last < 500 else None, self._mark)
            self._application.save(self._aggregate)

    def post(self, begin: float, phase: float, messages: Any) -> None:
        """Record one post a second, and put a message for each into the queue, as the poster of the REST API
        does.
        """
        for second, (lines, wrong) in enumerate(zip(self._night.posts, self._night.wrong, strict=True)):
            mark = f"{self._mark}/{second}"
            self._trigger(lines, wrong, mark)
            sleep(max(0.0, begin + second + phase - monotonic()))
            sent, clock = monotonic(), time.time()
            self._application.save(self._aggregate)
            marks = [] if wrong is None else [mark]
            messages.put((monotonic(), monotonic() - sent, clock, marks, ()))

    def _trigger(self, bodies: list[bytes], marked: int | None, mark: str) -> None:
        for place, body in enumerate(bodies):
            fact = json.loads(body)
            if place == marked:
                self._aggregate.trigger_event(DayAggregate.Marked, fact=fact, mark=mark)
            else:
                self._aggregate.trigger_event(DayAggregate.Recorded, fact=fact)


def poster(seconds: int, before: int, library: Aggregates, orders: Any, messages: Any) -> None:
    """Record the facts of all tables with the library, in a process of its own. `orders` gives the time at
    which the measured posts begin.
    """
    import django

    django.setup()
    application = library.application()
    tables = [
        LibraryTable(application, Night(place, seconds, before), f"T-{place}") for place in range(TABLES)
    ]
    for table in tables:
        table.record_before()
    messages.put(True)
    begin: float = orders.get()
    together(
        [
            Thread(target=table.post, args=(begin, place / TABLES, messages))
            for place, table in enumerate(tables)
        ]
    )
    messages.put(None)


def run(seconds: int, before: int, folder: Path) -> dict[str, Any]:
    """Measure the library once, in the database of the installation in `folder`. Return the results by
    name.
    """
    from django.db import connections

    connections["owner"].ensure_connection()
    library = Aggregates(folder, connections["owner"].connection)
    context = get_context("spawn")
    orders: Queue[float] = context.Queue()
    messages: Queue[Any] = context.Queue()
    with ExitStack() as ending:
        follower = context.Process(target=library.follow, args=(messages,), daemon=True)
        follower.start()
        ending.callback(follower.kill)
        messages.get(timeout=PREPARED)
        tables = context.Process(
            target=poster, args=(seconds, before, library, orders, messages), daemon=True
        )
        tables.start()
        ending.callback(tables.kill)
        messages.get(timeout=PREPARED)
        _wait_for_rows(connections["owner"], [f"T-{place}" for place in range(TABLES)])
        pids = [follower.pid or 0]
        used = processor_seconds(pids)
        orders.put(monotonic() + 0.5)
        delays, posted, unreached, _ = watch(messages, ROWS, "owner")
        used = (processor_seconds(pids) - used) / seconds
        tables.join()
    return {"seen": sorted(delays), "posted": sorted(posted), "never": unreached, "cpu": used}


def _wait_for_rows(connection: Any, marks: list[str]) -> None:
    """Wait until the projection has stored the rows with these marks."""
    deadline = monotonic() + PREPARED
    while True:
        with connection.cursor() as cursor:
            cursor.execute(ROWS, [marks])
            if len(cursor.fetchall()) == len(marks):
                return
        if monotonic() > deadline:
            raise TimeoutError(f"the projection did not follow in {PREPARED:.0f} s")
        sleep(0.1)

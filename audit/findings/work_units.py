"""Spread a reexamination over all Celery workers of the installation: one unit of work for each stream.

A command writes the units and requests a job for each. A worker that takes a job stores the result of its
unit in the transaction in which it finishes the job. The command collects the results in the order of the
units, so the whole result is the same as that of one process. If a worker is killed, only its unit is done
again. If the command is ended, the workers continue, and the same command collects what they stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import NamedTuple

from django.db import transaction

from audit import database
from audit.findings.parts import Part, from_bytes, to_bytes
from audit.jobs import leases

KIND = "reexamine-stream"
"""Kind of the job of a unit."""
POLL = 0.2
"""Seconds between two looks at the progress."""
PATIENCE = 60
"""Seconds without any worker at work, after which the command gives up."""


class Unit(NamedTuple):
    """A unit of work: one stream to reexamine. `rules`: the fingerprint of the rules of the command's
    release. A worker with other rules does not do the unit.
    """

    number: int
    property: str
    stream: str
    rules: str
    dry_run: bool


class Unfinished(Exception):
    """The command cannot go on. The text says what to do. Nothing that workers stored is lost."""


@contextmanager
def alone() -> Iterator[None]:
    """Let only one command at a time run the `with` block. Raise Unfinished if another one runs it."""
    if database.rows("SELECT pg_try_advisory_lock(hashtext('work_unit'))") != [(True,)]:
        raise Unfinished("Another command waits for workers. Wait until it has ended.")
    try:
        yield
    finally:
        database.rows("SELECT pg_advisory_unlock(hashtext('work_unit'))")


def begin(names: list[tuple[str, str]], rules: str, *, dry_run: bool) -> int:
    """Write a unit for each (property, stream), and request a job for each unit.

    If an earlier command with the same streams, rules and `dry_run` was ended, its units are used again.
    Return the number of units that are done already.
    """
    units = [Unit(number, *name, rules, dry_run) for number, name in enumerate(names)]
    with transaction.atomic():
        left = database.records(Unit, f"SELECT {', '.join(Unit._fields)} FROM work_unit ORDER BY number")
        if left != units:
            database.execute("DELETE FROM work_unit")
            database.execute(_INSERT, [list(column) for column in zip(*units, strict=True)] or [[]] * 5)
        open_units = database.rows("SELECT property, stream FROM work_unit WHERE result IS NULL")
        leases.ask_for_each(KIND, [(property, stream) for property, stream in open_units])
    return len(units) - len(open_units)


def wait() -> Iterator[int]:
    """Yield the number of facts of the units that are done, until all are done.

    Raises Unfinished if a job was set aside, or if no worker is at work.
    """
    since = swept = monotonic()
    before = -1
    while True:
        finished, facts = database.rows(
            "SELECT count(result), coalesce(sum(facts), 0)::bigint FROM work_unit"
        )[0]
        yield facts
        states = dict(database.rows(_STATES, [KIND]))
        if not states:
            return
        if set(states) == {"set-aside"}:
            raise Unfinished(
                f"{states['set-aside']} streams could not be examined. See `manage.py jobs`; make their jobs"
                " due again, and run the command again to continue."
            )
        if "taken" in states or finished != before:
            since, before = monotonic(), finished
        if monotonic() - since > PATIENCE:
            raise Unfinished(
                "No worker takes the jobs. Start workers, and run the command again to continue."
            )
        if monotonic() - swept > leases.STALE:
            leases.sweep()
            swept = monotonic()
        sleep(POLL)


def collect() -> list[Part]:
    """Return the results of all units in their order, and delete the units."""
    results = database.rows("SELECT result FROM work_unit ORDER BY number")
    parts = [from_bytes(bytes(result)) for (result,) in results]
    database.execute("DELETE FROM work_unit")
    return parts


def unit_of(property: str, stream: str) -> Unit | None:
    """Return the unit of a stream. Return None if the unit is done, or if there is no unit of the stream."""
    query = f"SELECT {', '.join(Unit._fields)} FROM work_unit WHERE property = %s AND stream = %s"
    units = database.records(Unit, f"{query} AND result IS NULL", [property, stream])
    return units[0] if units else None


def store(unit: Unit, part: Part) -> int:
    """Store the result of a unit, in the caller's transaction. Return the number of facts."""
    values = [part.facts, to_bytes(part), *unit]
    database.execute(_STORE, values)
    return part.facts


_INSERT = """INSERT INTO work_unit (number, property, stream, rules, dry_run)
    SELECT * FROM unnest(%s::integer[], %s::text[], %s::text[], %s::text[], %s::boolean[])"""
_STATES = """SELECT coalesce(j.state, 'due'), count(*) FROM work_unit u
    LEFT JOIN job j ON j.kind = %s AND j.property = u.property AND j.stream = u.stream
    WHERE u.result IS NULL GROUP BY 1"""
_STORE = """UPDATE work_unit SET facts = %s, result = %s
    WHERE number = %s AND property = %s AND stream = %s AND rules = %s AND dry_run = %s"""

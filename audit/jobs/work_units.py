"""Spread the work of one command over all Celery workers of the installation, in units.

A command writes the units and requests a job for each. A worker that takes a job stores the result of its
unit in the transaction in which it finishes the job. The command collects the results in the order of the
units, so its output is the same as in one process. If a worker is killed, only its unit is done again. If the
command is stopped, the workers continue. The same command, run again, collects their results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic, sleep
from typing import NamedTuple

from django.db import transaction

from audit import database
from audit.jobs import leases
from audit.jobs.leases import Lease
from audit.keyed_digest import is_valid, keyed_digest

POLL = 0.2
"""Seconds between two queries of the progress."""
PATIENCE = 60
"""Seconds without any worker at work, after which the command gives up."""
PURPOSE = "result of a unit of work"
"""The purpose of the keyed digest of a result."""


class Unit(NamedTuple):
    """A part of a command's work that one worker does, such as the replay of one stream.

    Attributes:
        kind: the kind of its job, which says what a worker does.
        stream: the subject within the property: a stream, or a range of positions.
        rules: the fingerprint of the rules of the command's release. A worker with other rules does not do
            the unit.
        arguments: further arguments, as text.
    """

    number: int
    kind: str
    property: str
    stream: str
    rules: str
    arguments: str = ""


class Result(NamedTuple):
    """The result of a unit: the number of facts that were read, and the bytes for the command."""

    facts: int
    content: bytes


Progress = Callable[[int], None]
"""Called with the number of facts since the last call."""
Work = Callable[[Unit, Progress], Result]
"""The type of a function that does a unit in a worker."""


class Unfinished(Exception):
    """The command cannot go on. The text says what to do. Nothing that workers stored is lost."""


def run(units: Sequence[Unit], progress: Progress | None = None) -> list[bytes]:
    """Let workers do these units, and return their results in the order of the units.

    Raises Unfinished if another command waits for workers, if no worker is at work, or if units failed.
    """
    with alone():
        begin(units)
        before = 0
        for facts in wait():
            if progress is not None:
                progress(facts - before)
            before = facts
        return collect()


@contextmanager
def alone() -> Iterator[None]:
    """Let only one command at a time run the `with` block. Raise Unfinished if another one runs it."""
    with database.advisory_lock("work_unit") as is_alone:
        if not is_alone:
            raise Unfinished("Another command waits for workers. Wait until it has ended.")
        yield


def begin(units: Sequence[Unit]) -> int:
    """Write the units, and request a job for each.

    If an earlier command with the same units was stopped, its units are used again. Return the number of
    units that are done already.
    """
    with transaction.atomic():
        stored = database.records(Unit, f"SELECT {_COLUMNS} FROM work_unit ORDER BY number")
        if stored != list(units):
            database.execute("DELETE FROM work_unit")
            columns = [list(column) for column in zip(*units, strict=True)]
            database.execute(_INSERT, columns or [[]] * len(Unit._fields))
        open_units = database.rows("SELECT kind, property, stream FROM work_unit WHERE result IS NULL")
        for kind in {kind for kind, _, _ in open_units}:
            subjects = [(property, stream) for other, property, stream in open_units if other == kind]
            leases.ask_for_each(kind, subjects)
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
        states = dict(database.rows(_STATES))
        if not states:
            return
        if set(states) == {"set-aside"}:
            raise Unfinished(
                f"{states['set-aside']} units of work failed. See `manage.py jobs`; make their jobs due"
                " again, and run the command again to continue."
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


def collect() -> list[bytes]:
    """Return the results of all units in their order, and delete the units.

    Raises Unfinished if a result was changed after a worker stored it. Its unit is then open again.
    """
    rows = database.rows(f"SELECT {_COLUMNS}, result, digest FROM work_unit ORDER BY number")
    wrong = [
        number
        for number, *texts, result, digest in rows
        if not is_valid(digest, PURPOSE, *texts, bytes(result))
    ]
    if wrong:
        database.execute("UPDATE work_unit SET result = NULL WHERE number = ANY (%s)", [wrong])
        raise Unfinished(
            f"{len(wrong)} results were changed in the database. Run the command again: these units are done"
            " again."
        )
    database.execute("DELETE FROM work_unit")
    return [bytes(row[-2]) for row in rows]


def job(
    lease: Lease, rules: str, work: Work, *, writes: Callable[[Unit], bool] = lambda unit: False
) -> Callable[[], int]:
    """Do the unit that a job names. Return a function that stores the result in the caller's transaction.

    Args:
        lease: the job.
        rules: the fingerprint of the rules of this worker's release.
        work: does the unit.
        writes: returns True if the unit writes to the database. It is then done in the transaction that
            stores the result.
    """
    query = f"SELECT {_COLUMNS} FROM work_unit WHERE kind = %s AND property = %s AND stream = %s"
    units = database.records(Unit, f"{query} AND result IS NULL", [lease.kind, lease.property, lease.stream])
    if not units:
        return lambda: 0
    (unit,) = units
    if unit.rules != rules:
        raise leases.Later(5, "the command that waits for this unit has other rules than this worker")

    def progress(facts: int) -> None:
        lease.progress[0] += facts

    if writes(unit):
        return lambda: _store(unit, work(unit, progress))
    result = work(unit, progress)
    return lambda: _store(unit, result)


def _store(unit: Unit, result: Result) -> int:
    """Store the result of a unit, in the caller's transaction. Return the number of facts."""
    digest = keyed_digest(PURPOSE, *unit[1:], result.content)
    database.execute(_STORE, [result.facts, result.content, digest, *unit])
    return result.facts


_COLUMNS = ", ".join(Unit._fields)
_INSERT = f"""INSERT INTO work_unit ({_COLUMNS})
    SELECT * FROM unnest(%s::integer[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[])"""
_STATES = """SELECT CASE WHEN j.state = 'taken' AND j.lease_until < now() THEN 'due'
        ELSE coalesce(j.state, 'due') END, count(*) FROM work_unit u
    LEFT JOIN job j ON j.kind = u.kind AND j.property = u.property AND j.stream = u.stream
    WHERE u.result IS NULL GROUP BY 1"""
_STORE = """UPDATE work_unit SET facts = %s, result = %s, digest = %s
    WHERE number = %s AND kind = %s AND property = %s AND stream = %s AND rules = %s AND arguments = %s"""

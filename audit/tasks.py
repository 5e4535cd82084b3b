"""Celery tasks: each takes a job's id and calls one function. Receiving a notification twice changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from celery import shared_task
from django.db import connection, transaction

from audit.findings import examine as findings
from audit.findings import save
from audit.jobs import leases
from audit.jobs.leases import Lease


@shared_task(name=leases.TASK)
def examine(job: int) -> None:
    """Take the job's lease, do its work, and finish it in the transaction that stores the results."""
    if connection.errors_occurred:
        connection.close()  # the database was unreachable: the next attempt opens a new connection
    lease = leases.take(job)
    if lease is None:
        return
    with leases.held(lease):
        keep = LONG[lease.kind](lease) if lease.kind in LONG else partial(WORK[lease.kind], lease)
        with transaction.atomic():
            leases.finish(lease, keep())


@shared_task(name="audit.sweep")
def sweep() -> None:
    """Notify workers again of jobs that none has taken."""
    if connection.errors_occurred:
        connection.close()
    leases.sweep()


def _stream(lease: Lease) -> int:
    def progress(more: int) -> None:
        lease.progress[0] += more

    findings.examine_stream(lease.property, lease.stream, progress=progress)
    return save.cursor_of(lease.property, lease.stream)


def _ledger(lease: Lease) -> int:
    findings.examine_ledger(lease.property)
    return save.ledger_position(lease.property)


WORK: dict[str, Callable[[Lease], int]] = {leases.STREAM: _stream, leases.LEDGER: _ledger}
"""Kind of job to the function that does it and returns the position or number that it reached."""
LONG: dict[str, Callable[[Lease], Callable[[], int]]] = {}
"""Kind of job to the function that does it, for work that needs a transaction of its own first. It returns a
function that stores the result.

casino/tasks.py adds its kinds here.
"""

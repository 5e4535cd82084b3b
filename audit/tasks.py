"""Celery's notifications: each takes a job's id, calls one function, and changes nothing when it is heard
twice.
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
    """Take the job's lease, do its work, and let it go in one transaction with what is kept of it."""
    if connection.errors_occurred:
        connection.close()  # the database was away: a new connection finds it again
    lease = leases.take(job)
    if lease is None:
        return
    with leases.held(lease):
        keep = LONG[lease.kind](lease) if lease.kind in LONG else partial(WORK[lease.kind], lease)
        with transaction.atomic():
            leases.finish(lease, keep())


@shared_task(name="audit.sweep")
def sweep() -> None:
    """Ring again for jobs that nobody answered."""
    if connection.errors_occurred:
        connection.close()
    leases.sweep()


def _stream(lease: Lease) -> int:
    def progress(more: int) -> None:
        lease.progress[0] += more

    findings.examine_stream(lease.property, lease.stream, whole=False, progress=progress)
    return save.cursor_of(lease.property, lease.stream)


def _ledger(lease: Lease) -> int:
    findings.examine_ledger(lease.property, whole=False)
    return save.ledger_position(lease.property)


WORK: dict[str, Callable[[Lease], int]] = {leases.STREAM: _stream, leases.LEDGER: _ledger}
"""Kind of job to what does it; the answer is how far it came."""
LONG: dict[str, Callable[[Lease], Callable[[], int]]] = {}
"""The same for work that has a transaction of its own first; what it gives back keeps the outcome.
casino/tasks.py adds its own.
"""

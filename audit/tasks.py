"""Celery tasks. Each takes the id of a job and calls one function. If a notification is received twice,
nothing changes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import date
from functools import partial

from celery import shared_task
from django.db import transaction
from django.utils import timezone

from audit import database
from audit.fact_archive import replay as archive
from audit.findings import examine as findings
from audit.findings import save
from audit.jobs import alarms, leases
from audit.jobs.leases import Lease
from audit.proofs import on_workers, sample
from audit.queries import what_if

_log = logging.getLogger(__name__)


@shared_task(name=leases.TASK)
def examine(job: int) -> None:
    """Take the job's lease, do its work, and finish it in the transaction that stores the results."""
    database.close_after_errors()
    lease = leases.take(job)
    if lease is None:
        return
    with leases.held(lease):
        keep = LONG[lease.kind](lease) if lease.kind in LONG else partial(WORK[lease.kind], lease)
        with transaction.atomic():
            leases.finish(lease, keep())


@shared_task(name="audit.sweep")
def sweep() -> None:
    """Notify workers again of jobs that no worker has taken."""
    database.close_after_errors()
    leases.sweep()


@shared_task(name="audit.check_derived")
def check_derived() -> None:
    """Request a comparison of tonight's sample of stored results for each property."""
    database.close_after_errors()
    for property in save.ledgers_behind(True):
        leases.ask_for(alarms.CHECK, property, timezone.now().date().isoformat())


def _check(lease: Lease) -> Callable[[], int]:
    """Compare stored results with replay. Raise an alarm if they differ and no change of rules explains it.
    Return the function that finishes the job: it returns the number of compared rows.
    """

    def progress(count: int) -> None:
        lease.progress[0] += count

    if lease.stream == alarms.CACHES:
        differences = sample.compare_digests(lease.property)
    else:
        differences = sample.compare(lease.property, date.fromisoformat(lease.stream), progress)
    if differences.unexplained:
        says = sample.in_short(differences)
        _log.error("%s: %s", lease.property, says)
        raise alarms.Alarm(says)
    return lambda: differences.rows.total()


def _stream(lease: Lease) -> int:
    def progress(count: int) -> None:
        lease.progress[0] += count

    findings.examine_stream(lease.property, lease.stream, progress=progress)
    return save.cursor_of(lease.property, lease.stream)


def _ledger(lease: Lease) -> int:
    findings.examine_ledger(lease.property)
    return save.ledger_position(lease.property)


WORK: dict[str, Callable[[Lease], int]] = {leases.STREAM: _stream, leases.LEDGER: _ledger}
"""{kind of job: function that does it}. The function returns the position or number up to which facts were
examined.
"""
LONG: dict[str, Callable[[Lease], Callable[[], int]]] = {
    alarms.CHECK: _check,
    findings.REEXAMINE: findings.reexamine_unit,
    what_if.KIND: what_if.job,
    on_workers.RANGE: on_workers.job,
    archive.KIND: archive.job,
}
"""{kind of job: function that does it}, for jobs whose work is not done in the transaction that stores the
result. The function works in a transaction of its own and returns a second function, which stores the result.

casino/tasks.py adds its kinds here.
"""

"""Celery tasks of the back office: order scheduled reports, and keep aggregates cached. Each calls one
function.
"""

from __future__ import annotations

from typing import Any

from celery import shared_task
from django.db import connection

from audit import tasks
from casino.exports import schedules
from casino.exports.archive import build
from casino.reports import cache_warming
from casino.runtime.operations import heartbeats

tasks.LONG.update(build.JOB_HANDLERS)


@shared_task(name=schedules.TASK)
def order_reports(**said: Any) -> None:
    """Order the reports whose period has ended and that this schedule has not ordered yet."""
    if connection.errors_occurred:
        connection.close()
    schedules.order_due(schedules.read(said))


@shared_task(name="casino.give_sign")
def give_sign() -> None:
    """Record the heartbeat of a worker."""
    if connection.errors_occurred:
        connection.close()
    heartbeats.beat(heartbeats.WORKER)


@shared_task(name="casino.warm")
def warm() -> None:
    """Compute the aggregates that people usually ask for, and delete cached ones that nobody can use."""
    if connection.errors_occurred:
        connection.close()
    cache_warming.clean()
    cache_warming.warm()

"""Celery's door bells of the back office: reports that schedules order, and sums that are kept warm. Each
calls one function.
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
    """Order what has ended and this schedule has not ordered yet."""
    if connection.errors_occurred:
        connection.close()
    schedules.order_due(schedules.read(said))


@shared_task(name="casino.give_sign")
def give_sign() -> None:
    """A worker is at work."""
    if connection.errors_occurred:
        connection.close()
    heartbeats.beat(heartbeats.WORKER)


@shared_task(name="casino.warm")
def warm() -> None:
    """Add up what people ask for before they ask, and throw away what nobody can use."""
    if connection.errors_occurred:
        connection.close()
    cache_warming.clean()
    cache_warming.warm()

"""Celery's door bells of the back office: reports that schedules order, and sums that are kept warm. Each calls one function."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from django.db import connection

from audit import tasks
from casino import schedules, warming
from casino.kept import making
from casino.operations import standing

tasks.LONG.update(making.WORK)


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
    standing.give(standing.WORKER)


@shared_task(name="casino.warm")
def warm() -> None:
    """Add up what people ask for before they ask, and throw away what nobody can use."""
    if connection.errors_occurred:
        connection.close()
    warming.clean()
    warming.warm()

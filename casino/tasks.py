"""Celery tasks of the back office: order scheduled reports, record heartbeats, and cache aggregates."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from django.db import connection

from audit import tasks
from casino.exports import schedules
from casino.exports.archive import build
from casino.proofs import anchors
from casino.reports import cache_warming
from casino.runtime.operations import heartbeats

tasks.LONG.update(build.JOB_HANDLERS)


@shared_task(name=schedules.TASK)
def order_reports(**said: Any) -> None:
    """Order the reports of one schedule for the periods that have ended since its last order."""
    if connection.errors_occurred:
        connection.close()
    schedules.order_due(schedules.read(said))


@shared_task(name="casino.give_sign")
def give_sign() -> None:
    """Record a heartbeat of the worker that runs this task."""
    if connection.errors_occurred:
        connection.close()
    heartbeats.beat(heartbeats.WORKER)


@shared_task(name="casino.anchor")
def anchor() -> None:
    """Record an anchor of the logs once a day."""
    if connection.errors_occurred:
        connection.close()
    if anchors.is_due():
        anchors.anchor()


@shared_task(name="casino.warm")
def warm() -> None:
    """Compute and cache the aggregates of reports, and delete outdated ones from the cache."""
    if connection.errors_occurred:
        connection.close()
    cache_warming.clean()
    cache_warming.warm()

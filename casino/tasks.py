"""Celery tasks of the back office: order scheduled reports, record heartbeats, publish events, and cache
aggregates.
"""

from __future__ import annotations

from typing import Any

from celery import shared_task

from audit import database, tasks
from casino.alerts import jobs, publish
from casino.checkpoints import copies, make
from casino.exports import deliver, schedules
from casino.exports.archive import build
from casino.proofs import anchors
from casino.reference import projection
from casino.reports import cache_warming
from casino.runtime import group
from casino.runtime.operations import heartbeats

tasks.LONG.update(build.JOB_HANDLERS | {make.JOB: make.job, copies.JOB: copies.job, deliver.JOB: deliver.job})
tasks.LONG.update(jobs.JOB_HANDLERS)


@shared_task(name=schedules.TASK)
def order_reports(**fields: Any) -> None:
    """Order the reports of one schedule for the periods that have ended since the schedule's last order."""
    database.close_after_errors()
    schedules.order_due(schedules.read(fields))


@shared_task(name="casino.give_sign")
def give_sign() -> None:
    """Record that the worker that runs this task is alive (a heartbeat)."""
    database.close_after_errors()
    heartbeats.beat(heartbeats.WORKER)


@shared_task(name="casino.anchor")
def anchor() -> None:
    """Record the daily anchor if it is due: a fact with a hash of the new rows of all logs. Logs are outside
    the ledger, and an anchor makes later changes of their rows detectable.
    """
    database.close_after_errors()
    if anchors.is_due():
        anchors.anchor()


@shared_task(name="casino.checkpoint")
def checkpoint() -> None:
    """Request the jobs for checkpoints. If a Merkle tree is behind its ledger, a job extends the tree. If a
    checkpoint is due, a job makes it.
    """
    database.close_after_errors()
    make.ask_due()


@shared_task(name="casino.warm")
def warm() -> None:
    """Compute and cache the aggregates of reports, and delete outdated ones from the cache."""
    database.close_after_errors()
    if group.is_group():  # nobody posts register entries here: they arrive by replication
        projection.sync_registers()
    cache_warming.clean()
    cache_warming.warm()


@shared_task(name="casino.publish")
def publish_events() -> None:
    """Request a job for each property that has events to publish. The job publishes them."""
    database.close_after_errors()
    publish.request_due()

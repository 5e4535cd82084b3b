"""The Celery app: `celery -A casino worker` does the jobs that are due, `celery -A casino beat` notifies
again about jobs that nobody took.

The broker is not the source of truth (audit/jobs/leases.py), so its messages may be lost or come twice. A
message is acknowledged when its work is done. A killed worker's message comes back, and so does its job when
the lease has expired.
"""

import logging
import os
import time
from typing import Any

from celery import Celery
from celery.signals import setup_logging, task_postrun, task_prerun
from django.conf import settings

from casino.runtime import broker_transport
from casino.runtime.operations import heartbeats, logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
os.environ.setdefault(
    "CATWALK_LOG", "json"
)  # a worker and beat read their settings from here on; a command has read its own before
broker_transport.register()

LONGEST = 3600
"""Seconds that one task may take; the broker brings a message back after twice that."""

OFTEN = frozenset({"audit.sweep", "casino.give_sign"})
"""Tasks that come every few seconds and have nothing to tell."""
_log = logging.getLogger("casino.task")

app = Celery("catwalk", set_as_current=True)
app.conf.update(
    broker_url=settings.CELERY_BROKER_URL,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_connection_timeout=1,
    broker_transport_options={
        "visibility_timeout": 2 * LONGEST,
        "unacked_restore_interval": 2,
        "unacked_restore_throttle": 1,
        "socket_connect_timeout": 1,
    },
    imports=["audit.tasks", "casino.tasks"],
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
    task_time_limit=LONGEST,
    worker_prefetch_multiplier=1,
    worker_enable_remote_control=False,
    worker_redirect_stdouts=False,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    # a connection serves every task of its worker; audit/tasks.py drops it when it fails
    CELERY_DB_REUSE_MAX=1_000_000_000,
    timezone="UTC",
    beat_scheduler="casino.exports.single_beat:SingleBeatScheduler",
    beat_max_loop_interval=1,
    beat_schedule={
        "sweep": {"task": "audit.sweep", "schedule": 2.0, "options": {"expire_seconds": 4}},
        "sign": {
            "task": "casino.give_sign",
            "schedule": heartbeats.EVERY,
            "options": {"expire_seconds": 2 * heartbeats.EVERY},
        },
        "warm": {"task": "casino.warm", "schedule": 300.0, "options": {"expire_seconds": 240}},
    },
)


if settings.LOGGING:
    logs.start(settings.LOGGING)  # before a worker has begun it may have something to say

    @setup_logging.connect
    def as_the_settings_say(**said: Any) -> None:
        """Write the log lines of worker and beat as the web server does, instead of Celery's own log."""
        logs.start(settings.LOGGING)


@task_prerun.connect
def begun(task: Any, **said: Any) -> None:
    """Note when a task began."""
    task.request.began = time.perf_counter()


@task_postrun.connect
def ended(task: Any, state: str | None = None, **said: Any) -> None:
    """Log how a task ended and how long it took. Tasks that run every few seconds are logged at debug level
    only.
    """
    level = logging.DEBUG if task.name in OFTEN else logging.INFO
    if _log.isEnabledFor(level):
        took = round((time.perf_counter() - task.request.began) * 1000, 1)
        _log.log(level, "done", extra={"fields": {"task": task.name, "state": state or "", "ms": took}})

"""The Celery app. `celery -A casino worker` runs the jobs that are due. `celery -A casino beat` sends
scheduled tasks, and notifies workers again of jobs that have not been started.

Jobs are rows in the database (audit/jobs/leases.py), so the broker may lose a message or deliver it twice. A
message is acknowledged when its work is done. If a worker is killed, its message is delivered again, and its
job can be taken again when its lease has expired.
"""

import logging
import os
import time
from typing import Any

from celery import Celery
from celery.schedules import crontab
from celery.signals import setup_logging, task_postrun, task_prerun
from django.conf import settings

from casino.runtime import broker_transport, environment
from casino.runtime.operations import heartbeats, logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
os.environ.setdefault(
    "CATWALK_LOG", "json"
)  # worker and beat load the settings here; a management command has loaded them before
environment.or_exit()
broker_transport.register()

LONGEST = 3600
"""Seconds that one task may take. The broker delivers a message again after twice that time."""

TASKS_PER_PROCESS = 5_000
"""Number of tasks after which a worker process is replaced. This limits the memory that libraries never free.
"""

OFTEN = frozenset({"audit.sweep", "casino.checkpoint", "casino.give_sign", "casino.publish"})
"""Tasks that run every few seconds and are logged at debug level only."""
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
    worker_max_memory_per_child=settings.TASK_MEMORY * 1024,
    worker_max_tasks_per_child=TASKS_PER_PROCESS,
    worker_enable_remote_control=False,
    worker_redirect_stdouts=False,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    # keep a worker's database connection for all its tasks; audit/tasks.py closes it after an error
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
        "publish": {"task": "casino.publish", "schedule": 2.0, "options": {"expire_seconds": 4}},
        "check-derived": {
            "task": "audit.check_derived",
            "schedule": crontab(hour=3, minute=10),
            "options": {"expire_seconds": 3600},
        },
        "checkpoint": {"task": "casino.checkpoint", "schedule": 10.0, "options": {"expire_seconds": 20}},
        "anchor": {"task": "casino.anchor", "schedule": 3600.0, "options": {"expire_seconds": 3000}},
        "warm": {"task": "casino.warm", "schedule": 300.0, "options": {"expire_seconds": 240}},
    },
)


if settings.LOGGING:
    logs.start(settings.LOGGING)  # a worker may log something before the signal below

    @setup_logging.connect
    def configure_logging(**arguments: Any) -> None:
        """Configure logging in worker and beat by Catwalk's settings. Celery then does not set up its own
        logging.
        """
        logs.start(settings.LOGGING)


@task_prerun.connect
def store_start(task: Any, **arguments: Any) -> None:
    """Store the time at which a task began. `log_end` computes from it how long the task took."""
    task.request.began = time.perf_counter()


@task_postrun.connect
def log_end(task: Any, state: str | None = None, **arguments: Any) -> None:
    """Log how a task ended and how long it took. The log level is debug for tasks that run every few seconds,
    and info for all other tasks.
    """
    level = logging.DEBUG if task.name in OFTEN else logging.INFO
    if _log.isEnabledFor(level):
        took = round((time.perf_counter() - task.request.began) * 1000, 1)
        _log.log(level, "done", extra={"fields": {"task": task.name, "state": state or "", "ms": took}})

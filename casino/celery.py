"""Celery: `celery -A casino worker` does what is due, `celery -A casino beat` rings again for what nobody answered.

The broker is not the truth (audit/jobs.py), so its messages may be lost or come twice. A message is acknowledged when its work is done;
that of a killed worker comes back, and so does its job when the lease has run out.
"""

import os
import time
from typing import Any

from celery import Celery
from celery.beat import Scheduler
from django.conf import settings
from django.db import DatabaseError, connection

from casino import transport

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
transport.register()

LONGEST = 3600
"""Seconds that one task may take; the broker brings a message back after twice that."""

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
    worker_cancel_long_running_tasks_on_connection_loss=False,
    CELERY_DB_REUSE_MAX=1_000_000_000,  # a connection serves every task of its worker; audit/tasks.py drops it when it fails
    timezone="UTC",
    beat_scheduler="casino.celery:OneBeat",
    beat_max_loop_interval=1,
    beat_schedule={"sweep": {"task": "audit.sweep", "schedule": 2.0, "options": {"expires": 4}}},
)


class OneBeat(Scheduler):
    """Beats only while it holds the lock: of several beats one works, and another goes on when it is gone."""

    LOCK = 0x0CA7BEA7

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        """Send what is due and say when to come again, in seconds."""
        return super().tick(*args, **kwargs) if self._alone() else 1.0

    def _alone(self) -> bool:
        """Whether the lock is ours. It lives as long as the connection, so asking again is asking whether that still stands."""
        try:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid = %s AND granted"
                    " AND pid = pg_backend_pid()) OR pg_try_advisory_lock(%s)",
                    [self.LOCK, self.LOCK],
                )
                held: bool = cursor.fetchone()[0]
        except DatabaseError:
            connection.close()
            time.sleep(0.2)
            return False
        return held

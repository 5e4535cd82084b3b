"""Celery beat with schedules in the database, edited in the admin. If several beat processes run, only one of
them works.
"""

from __future__ import annotations

import time
from typing import Any

from django.db import DatabaseError, connection, connections
from django_celery_beat.schedulers import DatabaseScheduler, ModelEntry

from casino.exports import schedules
from casino.runtime.operations import heartbeats


class ScheduleRow(ModelEntry):
    """A schedule in the database, as Celery beat uses it."""

    def save(self) -> None:
        """Save when the schedule last ran, and how often. Save no other column, because the others may be
        edited in the admin meanwhile.
        """
        schedules.record_run(self.model.pk, self.model.last_run_at, self.model.total_run_count)


class SingleBeatScheduler(DatabaseScheduler):
    """Runs the schedules in the database while it holds a lock. Of several beat processes, only the one with
    the lock works; if it ends, another one gets the lock.
    """

    Entry = ScheduleRow
    LOCK = 0x0CA7BEA7

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # Use a separate connection: the scheduler closes the default one between ticks, and the lock would be
        # released with it.
        self.holding = connections.create_connection("default")
        self.signed = float("-inf")
        super().__init__(*args, **kwargs)

    def install_default_entries(self, data: Any) -> None:
        """Install no default entries. Celery's only default entry cleans up results, and results are not
        stored.
        """

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        """Send the tasks that are due, and return the seconds until the next call."""
        try:
            if not self._alone():
                return 1.0
            if time.monotonic() - self.signed > heartbeats.EVERY:
                heartbeats.beat(heartbeats.BEAT)
                self.signed = time.monotonic()
            return super().tick(*args, **kwargs)
        except DatabaseError:
            connection.close()
            return 1.0

    def _alone(self) -> bool:
        """Return True if this process holds the lock, and take the lock if it is free. The database releases
        the lock when the connection of its holder ends.
        """
        try:
            with self.holding.cursor() as cursor:
                cursor.execute(
                    "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND"
                    " objid = %s AND granted AND pid = pg_backend_pid()) OR pg_try_advisory_lock(%s)",
                    [self.LOCK, self.LOCK],
                )
                held: bool = cursor.fetchone()[0]
        except DatabaseError:
            self.holding.close()
            time.sleep(0.2)
            return False
        return held

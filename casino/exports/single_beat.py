"""Beat: the schedules stand in the database and are edited in the admin, and however many beats run, one of
them beats.
"""

from __future__ import annotations

import time
from typing import Any

from django.db import DatabaseError, connection, connections
from django_celery_beat.schedulers import DatabaseScheduler, ModelEntry

from casino.exports import schedules
from casino.runtime.operations import heartbeats


class Beaten(ModelEntry):
    """A schedule as beat knows it."""

    def save(self) -> None:
        """When it was asked last, and how often: nothing else, for the rest may just be edited in the admin."""
        schedules.note_asked(self.model.pk, self.model.last_run_at, self.model.total_run_count)


class OneBeat(DatabaseScheduler):
    """Beats by the schedules in the database, while it holds the lock: of several beats one works, and
    another goes on when it is gone.
    """

    Entry = Beaten
    LOCK = 0x0CA7BEA7

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # a connection of its own: the scheduler closes the other between two looks, and with it the lock
        # would go
        self.holding = connections.create_connection("default")
        self.signed = float("-inf")
        super().__init__(*args, **kwargs)

    def install_default_entries(self, data: Any) -> None:
        """None: no results are kept that would have to be cleaned up."""

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        """Send what is due and say when to come again, in seconds."""
        try:
            if not self._alone():
                return 1.0
            if time.monotonic() - self.signed > heartbeats.EVERY:
                heartbeats.give(heartbeats.BEAT)
                self.signed = time.monotonic()
            return super().tick(*args, **kwargs)
        except DatabaseError:
            connection.close()
            return 1.0

    def _alone(self) -> bool:
        """Whether the lock is ours. It lives as long as the connection, so asking again is asking whether
        that still stands.
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

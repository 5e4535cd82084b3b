"""Detect in a web process that the database does not answer, so that requests can be refused immediately.

One thread sends a query to the database every second. If the database refuses it, or does not answer within
PATIENCE, the database counts as unavailable until it answers again. During that time, requests do not
connect. Requests that are waiting for a query get an error, because their sockets are closed. Only this
thread restarts an embedded server that was killed.

A replica has a watch of its own. Without the replica, requests read the primary (casino/runtime/replica.py).

Commands, workers, and tests without a web server do not use this. They wait as long as their settings say.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from typing import Any
from weakref import WeakSet

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.utils import OperationalError

EVERY = 1.0
"""Seconds between two checks. While the database is unavailable, checks are four times as frequent."""
PATIENCE = 3.0
"""Seconds to wait for an answer before the database counts as unavailable. A busy database answers within
this time.
"""
CONNECT_SECONDS = 2
AWAY = "the database does not answer"


class DatabaseWatch:
    """The state of the database as this process knows it."""

    def __init__(self, alias: str = DEFAULT_DB_ALIAS) -> None:
        self.alias = alias
        self.is_away = False
        self.has_answered = False
        self._asked_at: float | None = None
        self._asks: threading.Thread | None = None
        self._connections: WeakSet[Any] = WeakSet()

    def start(self) -> None:
        """Start to watch the database of this process."""
        self._asks = threading.Thread(target=self._ask_again, name="database-watch", daemon=True)
        self._asks.start()
        threading.Thread(target=self._judge, name="database-watch-judge", daemon=True).start()

    def may_start_server(self) -> bool:
        """Return True if the calling thread may start the database server and wait for it.

        Raise OperationalError if the database is unavailable.
        """
        if not self.has_answered or threading.current_thread() is self._asks:
            return True
        if self.is_away:
            raise OperationalError(AWAY)
        return False

    def connect_options(self) -> dict[str, int]:
        """Return the options of a new connection. Raise OperationalError if the database is unavailable."""
        self.may_start_server()
        return {"connect_timeout": CONNECT_SECONDS} if self._asks is not None else {}

    def add(self, opened: Any) -> None:
        """Register a psycopg connection, so that its waits can be ended if the database hangs."""
        self._connections.add(opened)

    def _ask_again(self) -> None:
        while True:
            self._asked_at = time.monotonic()
            try:
                with connections[self.alias].cursor() as cursor:
                    cursor.execute("SELECT 1")
                self.has_answered, self.is_away = True, False
            except Exception:  # any error means that the database cannot be used
                self.is_away = True
                with contextlib.suppress(Exception):
                    connections[self.alias].close()
            self._asked_at = None
            time.sleep(EVERY / 4 if self.is_away else EVERY)

    def _judge(self) -> None:
        while True:
            time.sleep(EVERY / 4)
            asked_at = self._asked_at
            if self.has_answered and asked_at is not None and time.monotonic() - asked_at > PATIENCE:
                self.is_away = True
                for opened in list(self._connections):
                    _end_wait(opened)


def _end_wait(opened: Any) -> None:
    """End the wait of the thread that uses this connection. Its query fails as if the server had
    disconnected.
    """
    with contextlib.suppress(Exception):
        if not opened.closed:
            with socket.socket(fileno=os.dup(opened.pgconn.socket)) as line:
                line.shutdown(socket.SHUT_RDWR)


watch = DatabaseWatch()
replica_watch = DatabaseWatch("replica")

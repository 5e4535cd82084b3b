"""The event loop that waits for all connections of a web process.

It only checks connections at which something has happened, so a thousand idle connections cost nothing.
Waitress's own loop checks every connection each time.
"""

from __future__ import annotations

import select
from typing import Any

from waitress import wasyncore

READ = select.EPOLLIN | select.EPOLLPRI


class EventLoop:
    """The connections of a process by file descriptor, and the events for which the system waits at each of
    them.

    Call `changed` after anything that may change what a connection waits for. Threads may call it too.
    Listening sockets and pipes are given to `watch` and are checked each time.
    """

    def __init__(self) -> None:
        self.map: dict[int, Any] = {}
        self._epoll = select.epoll()
        self._waits: dict[int, int] = {}
        self._changed: set[Any] = set()

    def changed(self, connection: Any) -> None:
        """Check again what this connection waits for."""
        self._changed.add(connection)

    def forget(self, number: int) -> None:
        """Stop waiting for a file descriptor, which is about to be closed."""
        if self._waits.pop(number, None) is not None:
            self._epoll.unregister(number)

    def run_once(self, seconds: float, channels: list[Any]) -> None:
        """Wait for events for at most `seconds`, and handle them."""
        for channel in channels:
            self._update(channel)
        while self._changed:
            self._update(self._changed.pop())
        for number, events in self._epoll.poll(seconds):
            connection = self.map.get(number)
            if connection is not None:
                wasyncore.readwrite(connection, events)
                self._changed.add(connection)

    def _update(self, connection: Any) -> None:
        number: int | None = connection._fileno
        if number is None or number not in self.map or self.map[number] != connection:
            return
        wanted = READ if connection.readable() else 0
        if connection.writable() and not connection.accepting:
            wanted |= select.EPOLLOUT
        if number not in self.map or self.map[number] != connection:  # it was closed meanwhile
            return
        before = self._waits.get(number, 0)
        if wanted == before:
            return
        if not wanted:  # without this, the system would report a disconnected client again and again
            self.forget(number)
            return
        if before:
            self._epoll.modify(number, wanted)
        else:
            self._epoll.register(number, wanted)
        self._waits[number] = wanted

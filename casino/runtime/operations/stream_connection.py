"""Answers that stay open, such as server-sent events, without a thread for each of them.

A view that wants to keep its answer open puts an object into the environment of the request (`KEY`). After
the view's own content was sent, the thread is free, and the object gets the connection, at which any thread
can send more.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Protocol

from waitress.channel import ClientDisconnected
from waitress.task import WSGITask

KEY = "catwalk.stream"
"""Name in the environment of a request. It is there, with the value None, if the answer can stay open."""
UNREAD = 256 * 1024
"""Bytes that may wait for a slow client. If there are more, the client is disconnected."""


class Opened(Protocol):
    """An object that sends something at an open connection."""

    def opened(self, connection: StreamConnection) -> None:
        """Receive the connection. It is called once, after the view's own content was sent."""


class StreamConnection:
    """The open connection of an answer."""

    def __init__(self, task: StreamTask) -> None:
        self._task = task

    @property
    def is_open(self) -> bool:
        """Return False if the client has gone, or if the connection was closed."""
        channel = self._task.channel
        return bool(channel.connected and not channel.will_close and not channel.close_when_flushed)

    def send(self, content: bytes) -> None:
        """Send some bytes. Close the connection if the client has too many bytes to read."""
        if self._task.channel.total_outbufs_len > UNREAD:
            self.close()
            return
        with suppress(ClientDisconnected, OSError):
            self._task.write(content)
            self._task.channel.flush_soon()

    def close(self) -> None:
        """End the answer after everything that was sent."""
        channel = self._task.channel
        with suppress(ClientDisconnected, OSError):
            if self._task.chunked_response:
                channel.write_soon(b"0\r\n\r\n")
        channel.end_stream()


class StreamTask(WSGITask):  # type: ignore[misc]
    """The handling of one request. Its answer may stay open."""

    def get_environment(self) -> dict[str, Any]:
        """Return the environment of the request. It says that an answer can stay open."""
        environ: dict[str, Any] = super().get_environment()
        if self.channel.may_stay_open():
            environ.setdefault(KEY, None)
        return environ

    def finish(self) -> None:
        """End the answer, or keep it open if the view wants it."""
        stream: Opened | None = (self.environ or {}).get(KEY)
        if stream is None or self.request.command != "GET":
            super().finish()
            return
        self.close_on_finish = False
        self.channel.begin_stream()
        stream.opened(StreamConnection(self))

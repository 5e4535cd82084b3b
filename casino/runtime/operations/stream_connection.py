"""Answers that stay open, such as server-sent events, without a thread for each of them.

A view that keeps its answer open stores a `StreamHandler` in the environment of the request, under `KEY`.
After the content of the view was sent, the handler receives the connection, and the thread is free for other
requests. Any thread can then send more through the connection.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Protocol

from waitress.channel import ClientDisconnected
from waitress.task import WSGITask

KEY = "catwalk.stream"
"""Key in the environment of a request. If the server can keep the answer open, the value is None at first."""
MAX_UNREAD = 256 * 1024
"""Maximum number of bytes that may wait for a slow client. If there are more, the client is disconnected."""


class StreamHandler(Protocol):
    """An object that receives the connection of an answer that stays open."""

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
        """Send some bytes, or close the connection if too many bytes wait for the client."""
        if self._task.channel.total_outbufs_len > MAX_UNREAD:
            self.close()
            return
        with suppress(ClientDisconnected, OSError):
            self._task.write(content)
            self._task.channel.flush_soon()

    def close(self) -> None:
        """End the answer. Everything that was sent before still reaches the client."""
        channel = self._task.channel
        with suppress(ClientDisconnected, OSError):
            if self._task.chunked_response:
                channel.write_soon(b"0\r\n\r\n")
        channel.end_stream()


class StreamTask(WSGITask):  # type: ignore[misc]
    """The handling of one request. Its answer may stay open."""

    def get_environment(self) -> dict[str, Any]:
        """Return the environment of the request. It contains KEY if the answer can stay open."""
        environ: dict[str, Any] = super().get_environment()
        if self.channel.may_stay_open():
            environ.setdefault(KEY, None)
        return environ

    def finish(self) -> None:
        """End the answer, or keep it open if the view has stored a handler."""
        stream: StreamHandler | None = (self.environ or {}).get(KEY)
        if stream is None or self.request.command != "GET":
            super().finish()
            return
        self.close_on_finish = False
        self.channel.begin_stream()
        stream.opened(StreamConnection(self))

"""Connections of clients: requests are received and answers are sent in one loop, without a thread, and slow
clients are disconnected.

Waitress's classes receive a whole request before a thread handles it. The classes of this module add five
limits to them:

- a request must arrive within `Limits.seconds`, or at a pace of at least `PACE`; otherwise the answer is 408;
- an answer must be read at the same pace, otherwise the client is disconnected;
- a process has at most `Limits.connections` connections, and an address at most `Limits.by_address` of them.
  Another connection disconnects the client that has waited longest without a complete request;
- at most `AT_ONCE` requests of a connection are read at once; the next one is answered with 503;
- the bodies that have not arrived completely hold at most `Limits.buffered` bytes.
"""

from __future__ import annotations

import socket
import time
from collections import Counter
from contextlib import suppress
from typing import Any, NamedTuple

from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer, UnixWSGIServer
from waitress.task import ErrorTask

from casino.runtime.operations.event_loop import EventLoop
from casino.runtime.operations.refusals import refusal
from casino.runtime.operations.request_parser import Parser, TooMany
from casino.runtime.operations.stream_connection import StreamTask

PACE = 500
"""Minimum average number of bytes per second that a client must send of a request, or read of an answer. The
average is taken over `Limits.seconds`.
"""
IDLE = 30.0
"""Seconds until a connection without a request is closed."""
LINGER = 2.0
"""Seconds for which the rest of a refused request is read and discarded, so that the client can read the
answer.
"""
ACCEPTED_AT_ONCE = 64
AT_ONCE = 64
"""Maximum number of requests that are parsed at once from received bytes. While they are parsed, the event
loop handles no other connection.
"""
SEND_BUFFER = 128 * 1024


class Limits(NamedTuple):
    """The limits of one process. If `by_address` is 0, an address may have any number of connections, for
    example because all clients come through one proxy.
    """

    connections: int
    by_address: int
    seconds: float
    buffered: int


class Pace:
    """The speed at which a client sends or reads, measured in consecutive windows of `Limits.seconds`."""

    def __init__(self) -> None:
        self.since: float | None = None
        self.bytes = self.before = 0

    def start(self, clock: float) -> None:
        """Begin to measure how many bytes the client sends or reads per second."""
        self.since, self.bytes, self.before = clock, 0, 0

    def is_too_slow(self, clock: float, seconds: float) -> bool:
        """Return True if `seconds` have passed in which the client sent or read fewer bytes than PACE
        requires.
        """
        if self.since is None or clock < self.since + seconds:
            return False
        if self.bytes - self.before < PACE * (clock - self.since):
            return True
        self.since, self.before = clock, self.bytes
        return False


class Connections:
    """All connections of a process, in the order in which they were opened."""

    def __init__(self, limits: Limits, loop: EventLoop) -> None:
        self.limits, self.loop = limits, loop
        self.channels: dict[Channel, None] = {}
        self.by_address: Counter[str] = Counter()
        self.streams = 0
        self.next_check = 0.0

    def add(self, channel: Channel) -> None:
        """Count a new connection."""
        self.channels[channel] = None
        self.by_address[channel.address] += 1

    def remove(self, channel: Channel) -> None:
        """Stop counting a connection that was closed."""
        if channel in self.channels:
            self.streams -= channel.is_stream
            del self.channels[channel]
            self.by_address[channel.address] -= 1
            if not self.by_address[channel.address]:
                del self.by_address[channel.address]

    def make_room(self, address: str) -> bool:
        """Return True if another connection of this address may be opened. If the process or the address has
        the maximum number of connections, first disconnect the oldest connection without a complete request.
        Return False if there is no such connection.
        """
        full = len(self.channels) >= self.limits.connections
        crowded = bool(address and 0 < self.limits.by_address <= self.by_address[address])
        if not full and not crowded:
            return True
        waiting = (
            channel
            for channel in self.channels
            if channel.is_waiting() and (channel.address == address or not crowded)
        )
        victim = next(waiting, None)
        if victim is None:
            return False
        victim.handle_close()
        return True

    def check(self, threads: int) -> None:
        """Disconnect clients that are too slow. The event loop may call this at any time; it does its work
        once a second.
        """
        clock = time.monotonic()
        if clock < self.next_check:
            return
        self.next_check = clock + 1.0
        for channel in [*self.channels]:
            channel.check(clock)
            self.loop.changed(channel)
        receiving = [channel for channel in self.channels if channel.is_waiting() and channel.request]
        held = sum(channel.buffered() for channel in receiving)
        for channel in receiving:
            if held <= self.limits.buffered:
                break
            held -= channel.buffered()
            channel.refuse(503)
        blocked = sorted((c for c in self.channels if c.blocks_thread), key=lambda c: c.sends.bytes)
        for channel in blocked[: max(0, len(blocked) - max(1, threads // 2))]:
            channel.will_close = True


class Refusal(ErrorTask):  # type: ignore[misc]
    """The answer to a request that cannot be parsed or is too large."""

    def execute(self) -> None:
        """Send the answer, and close the connection."""
        self.status, headers, body = refusal(
            self.request.error.code, getattr(self.request, "path", ""), self._most()
        )
        self.response_headers.extend(headers)
        self.set_close_on_finish()
        self.content_length = len(body)
        self.channel.lingers = True
        self.write(body)

    def _most(self) -> int:
        adjustments = getattr(self.request, "adj", self.channel.adj)
        return int(adjustments.max_request_body_size)


class Channel(HTTPChannel):  # type: ignore[misc]
    """One connection. All methods run in the event loop, except `service`, `write_soon` and
    `_flush_outbufs_below_high_watermark`.
    """

    task_class, error_task_class = StreamTask, Refusal
    request: Any
    is_stream = False
    lingers = False
    drains_until = 0.0
    blocks_thread = False
    answers = 0
    parsers = 0

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        self.address = str(addr[0])
        self.receives, self.sends = Pace(), Pace()
        self.idle_since = time.monotonic()
        super().__init__(server, sock, addr, adj, map=map)
        server.connections.add(self)
        server.connections.loop.changed(self)

    def parser_class(self, adjustments: Any) -> Parser:
        """Return a new parser for the next request of the connection."""
        self.parsers += 1
        return (Parser if self.parsers <= AT_ONCE else TooMany)(adjustments)

    def is_waiting(self) -> bool:
        """Return True if the connection has no complete request and no answer is being sent."""
        return not (self.is_stream or self.requests or self.total_outbufs_len or self.close_when_flushed)

    def buffered(self) -> int:
        """Return how many bytes of an incomplete body have arrived."""
        return self.request.body_bytes_received if self.request is not None else 0

    def check(self, clock: float) -> None:
        """Disconnect the client if it is too slow."""
        limits = self.server.connections.limits
        if self.drains_until:
            if clock > self.drains_until:
                self.handle_close()
            return
        if not self.total_outbufs_len:
            self.sends.since = None
        elif self.sends.since is None:
            self.sends.start(clock)
        elif self.sends.is_too_slow(clock, limits.seconds):
            self.will_close = True
        if not self.is_waiting():
            return
        if self.request is not None:
            if self.receives.is_too_slow(clock, limits.seconds):
                self.refuse(408)
        elif clock > self.idle_since + (IDLE if self.answers else limits.seconds):
            self.handle_close()

    def received(self, data: bytes) -> bool:
        """Parse received bytes. Large bodies are stored on the disk. If the disk reports an error, send an
        error answer. Return True if the bytes were parsed, and False if the connection accepts no more.
        """
        if self.drains_until or self.is_stream:
            return False
        if self.request is None:
            self.receives.start(time.monotonic())
        self.receives.bytes += len(data)
        self.parsers = 0
        try:
            received: bool = super().received(data)
        except OSError:
            self.refuse(507)
            return False
        return received

    def refuse(self, code: int) -> None:
        """Answer the incomplete request with an error, and close the connection."""
        path = getattr(self.request, "path", "")
        status, headers, body = refusal(code, path, self.adj.max_request_body_size)
        lines = [f"{name}: {value}" for name, value in headers]
        lines += [f"Content-Length: {len(body)}", "Connection: close"]
        answer = "\r\n".join((f"HTTP/1.1 {status}", *lines, "", "")).encode() + body
        if self.request is not None:
            self.request.close()
            self.request = None
        with self.outbuf_lock:
            self.outbufs[-1].append(answer)
            self.total_outbufs_len += len(answer)
        self.lingers = self.close_when_flushed = True
        self.handle_write()

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send some bytes of the answer. Return how many bytes were sent."""
        sent: int = super().send(data, do_close=do_close)
        self.sends.bytes += sent or 0
        return sent

    def _flush_some(self, do_close: bool = True) -> bool:
        """Send waiting bytes. The event loop and the thread of the streams may both do it."""
        with self.outbuf_lock:
            return bool(super()._flush_some(do_close=do_close))

    def service(self) -> None:
        """Handle the next complete request in a thread."""
        super().service()
        self.answers += 1
        self.idle_since = time.monotonic()
        self._wake()

    def write_soon(self, data: Any) -> int:
        """Send a part of the answer, or store it until the client reads. Return its number of bytes."""
        written: int = super().write_soon(data)
        if self.total_outbufs_len:
            self._wake()
        return written

    def may_stay_open(self) -> bool:
        """Return True if an answer may stay open. At most half of the connections are streams."""
        connections: Connections = self.server.connections
        return 2 * connections.streams < connections.limits.connections

    def begin_stream(self) -> None:
        """Keep the connection open. Nothing more is read from it."""
        self.is_stream = True
        self.server.connections.streams += 1

    def flush_soon(self) -> None:
        """Send waiting bytes in the event loop. Any thread may call this."""
        self._wake()

    def end_stream(self) -> None:
        """Close the connection after the waiting bytes were sent. Any thread may call this."""
        self.close_when_flushed = True
        self._wake()

    def _wake(self) -> None:
        """Notify the event loop, because what this connection waits for may have changed."""
        self.server.connections.loop.changed(self)
        self.server.pull_trigger()

    def _flush_outbufs_below_high_watermark(self) -> None:
        self.blocks_thread = True
        try:
            super()._flush_outbufs_below_high_watermark()
        finally:
            self.blocks_thread = False

    def readable(self) -> bool:
        """Return True if more bytes may be received."""
        return bool(self.drains_until or super().readable())

    def handle_write(self) -> None:
        """Send the data that can be sent. After a refusal, wait until the client has read it."""
        if not (self.lingers and self.close_when_flushed and not self.requests):
            super().handle_write()
            return
        self._flush_exception(self._flush_some)
        if not self.connected or self.will_close:
            self.handle_close()
        elif not self.total_outbufs_len:
            self.close_when_flushed = False
            self.drains_until = time.monotonic() + LINGER
            try:
                self.socket.shutdown(socket.SHUT_WR)
            except OSError:
                self.handle_close()

    def del_channel(self, map: Any = None) -> None:
        """Remove the connection, which is being closed."""
        if self._fileno is not None:
            self.server.connections.loop.forget(self._fileno)
        super().del_channel(map)
        self.server.connections.remove(self)


class _Server:
    """Base class of `TcpServer` and `UnixServer`."""

    channel_class = Channel
    connections: Connections
    adj: Any
    socket: Any
    accepting: bool
    _map: dict[int, Any]

    def maintenance(self, clock: float) -> None:
        """Disconnect clients that are too slow."""
        self.connections.check(self.adj.threads)

    def handle_accept(self) -> None:
        """Accept new connections, and disconnect others if there are too many."""
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                accepted = self.socket.accept()
            except OSError:
                return
            client, address = accepted
            with suppress(OSError):
                address = self.fix_addr(address)
                if self.connections.make_room(str(address[0])):
                    self.set_socket_options(client)
                    self.channel_class(self, client, address, self.adj, map=self._map)
                    continue
            client.close()

    def fix_addr(self, address: Any) -> Any:
        """Return the address of a client as a pair of host and port."""
        return address

    def set_socket_options(self, client: Any) -> None:
        """Set the options of a new connection."""


class TcpServer(_Server, TcpWSGIServer):  # type: ignore[misc]
    """Accepts connections at a port."""

    def set_socket_options(self, client: Any) -> None:
        """Send answers without delay, and limit the data that the kernel stores for a client that does not
        read.
        """
        TcpWSGIServer.set_socket_options(self, client)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)


class UnixServer(_Server, UnixWSGIServer):  # type: ignore[misc]
    """Accepts connections at a Unix socket. Its clients have no address."""

    def fix_addr(self, address: Any) -> Any:
        """Return an empty address."""
        return "", 0

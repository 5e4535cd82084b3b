"""A process of the web server. Gunicorn starts, watches and stops it, and waitress receives its requests.

A thread handles a request only after the request has arrived completely
(casino/runtime/operations/connections.py). Slow clients therefore do not keep threads busy.
"""

from __future__ import annotations

import logging
import os
import resource
import socket
import sys
import time
from copy import copy
from typing import Any

from django.conf import settings
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments

from casino.runtime import environment, replica
from casino.runtime.database_watch import replica_watch, watch
from casino.runtime.operations.connections import Connections, Limits, TcpServer, UnixServer
from casino.runtime.operations.event_loop import EventLoop
from casino.runtime.operations.request_queue import Threads

MIB = 1 << 20
HEADERS = 32 * 1024
"""Maximum bytes of a request's first line and headers. It is large enough for the cursor of a list, which may
contain long names.
"""
FORM_BYTES = 64 * 1024
"""Maximum bytes of an upload form, without the file."""
SPOOLED = 64 * MIB
"""Maximum bytes of an answer that wait in a temporary file for a slow client. If there are more, the thread
that produces the answer waits.
"""
IN_MEMORY = MIB // 4
"""Maximum bytes of a request or answer that are stored in memory. The rest is stored in a temporary file."""
INCOMPLETE = 256 * MIB
"""Maximum bytes of incomplete request bodies that a process stores."""
OTHER_FILES = 256
"""Number of files and connections that a process needs in addition to the connections of clients."""
FILES_PER_CLIENT = 2


class Wakeup(wasyncore.file_dispatcher):  # type: ignore[misc]
    """Ends the wait of the event loop when a signal arrives."""

    def handle_read(self) -> None:
        """Read and discard the signal numbers that gunicorn writes into its pipe."""
        self.recv(1024)

    def writable(self) -> bool:
        """Return False, because nothing is written into the pipe."""
        return False


class BufferingWorker(Worker):  # type: ignore[misc]
    """The web process. Gunicorn calls `run` after the application has been loaded."""

    def run(self) -> None:
        """Serve requests until gunicorn stops the process, or until gunicorn itself has ended."""
        for name, level in (("waitress", logging.WARNING), ("waitress.queue", logging.ERROR)):
            logging.getLogger(name).setLevel(level)
        watch.start()
        if replica.is_configured():
            replica_watch.start()
        adjustments, limits = adjusted(self.cfg.threads), limits_now()
        loop, threads = EventLoop(), Threads()
        connections = Connections(limits, loop)
        threads.set_thread_count(self.cfg.threads)
        Wakeup(self.PIPE[0], loop.map)
        servers = []
        for listener in self.sockets:
            listening = getattr(listener, "sock", listener)
            of = UnixServer if listening.family == socket.AF_UNIX else TcpServer
            of.connections = connections
            place = (listening.family, listening.type, listening.proto, listening.getsockname())
            servers.append(
                of(self.wsgi, loop.map, True, listening, threads, adjustments, place, bind_socket=False)
            )
        channels, notified = [*loop.map.values()], 0.0
        while self.alive and self.ppid == os.getppid():
            if time.monotonic() - notified > 1.0:
                self.notify()
                notified = time.monotonic()
            loop.run_once(1.0, channels)
        self.finish(servers, connections, threads)

    def finish(self, servers: list[Any], connections: Connections, threads: Threads) -> None:
        """Answer the requests that have arrived completely, for at most `graceful_timeout` seconds."""
        for server in servers:
            server.accepting = False
            connections.loop.forget(server._fileno)
            server.del_channel()
            server.socket.close()
        deadline = time.monotonic() + self.cfg.graceful_timeout
        while time.monotonic() < deadline:
            self.notify()
            for channel in [*connections.channels]:
                if channel.is_waiting() or channel.is_stream:
                    channel.handle_close()
            if not connections.channels:
                break
            pipes = [pipe for pipe in connections.loop.map.values() if pipe not in connections.channels]
            connections.loop.run_once(0.1, pipes)
        threads.shutdown(timeout=1)


def adjusted(threads: int) -> Adjustments:
    """Return the settings with which waitress runs in a web process with this number of threads."""
    adjustments = Adjustments(
        threads=threads,
        clear_untrusted_proxy_headers=False,  # casino/accounts/client_ip.py decides which are trusted
        ident=None,
        backlog=2048,
        recv_bytes=65_536,
        inbuf_overflow=IN_MEMORY,
        outbuf_overflow=IN_MEMORY,
        outbuf_high_watermark=SPOOLED,
        cleanup_interval=1,
        connection_limit=sys.maxsize,  # casino/runtime/operations/connections.py has the limits
        log_socket_errors=False,
        max_request_header_size=HEADERS,
        max_request_body_size=settings.POST_BYTES + 1,
        channel_request_lookahead=1,  # notices a client that has gone before its request is handled
    )
    adjustments.ident = ""
    adjustments.for_files = copy(adjustments)
    adjustments.for_files.max_request_body_size = (
        max(settings.POST_BYTES, settings.FILE_BYTES + FORM_BYTES) + 1
    )
    adjustments.for_files.session_cookie = settings.SESSION_COOKIE_NAME
    return adjustments


def limits_now() -> Limits:
    """Return the limits of this process. The number of connections may be lower than configured if the system
    allows fewer.
    """
    variables = environment.read()
    wanted = variables.web_connections
    files, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted * FILES_PER_CLIENT + OTHER_FILES
    if files != resource.RLIM_INFINITY and files < needed:
        files = needed if maximum == resource.RLIM_INFINITY else min(needed, maximum)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, maximum))
        wanted = min(wanted, max(16, (files - OTHER_FILES) // FILES_PER_CLIENT))
    return Limits(
        connections=wanted,
        by_address=0 if settings.PROXIES else variables.address_connections,
        seconds=variables.request_seconds,
        buffered=INCOMPLETE,
    )

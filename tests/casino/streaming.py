"""A web server in the test process that can keep answers open, and a reader of server-sent events."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import requests
from django.conf import settings
from msgspec import json

from casino.runtime.operations.connections import Connections, Limits, TcpServer
from casino.runtime.operations.event_loop import EventLoop
from casino.runtime.operations.request_queue import Threads
from casino.runtime.operations.web_worker import adjusted
from casino.web.streams import OPEN_STREAMS
from casino.wsgi import application
from tests.casino.logins import logged_in
from tests.casino.waiting import until

THREADS = 4


@contextmanager
def serving() -> Iterator[str]:
    """Serve the pages as a web process of gunicorn does, with THREADS threads. Yield the address."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    loop, threads = EventLoop(), Threads()
    TcpServer.connections = Connections(Limits(1000, 0, 20, 2**20), loop)
    threads.set_thread_count(THREADS)
    place = (listener.family, listener.type, listener.proto, listener.getsockname())
    TcpServer(application, loop.map, True, listener, threads, adjusted(THREADS), place, bind_socket=False)
    channels, ends = [*loop.map.values()], threading.Event()

    def run() -> None:
        while not ends.is_set():
            loop.run_once(0.1, channels)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        ends.set()
        thread.join()
        for channel in [*loop.map.values()]:
            channel.handle_close()
        threads.shutdown(timeout=5)
        until(lambda: OPEN_STREAMS.count("")[0] == 0)
        time.sleep(0.1)


class Reader:
    """A client that reads a stream in a thread. `events` are those that arrived, each as (id, name, data)."""

    def __init__(self, address: str, path: str, person: str | None, last: str = "") -> None:
        cookies = {}
        if person is not None:
            self.browser = logged_in(person)
            cookies = {settings.SESSION_COOKIE_NAME: self.browser.cookies[settings.SESSION_COOKIE_NAME].value}
        headers = {"Last-Event-ID": last} if last else {}
        self.answer = requests.get(
            address + path, cookies=cookies, headers=headers, stream=True, allow_redirects=False, timeout=60
        )
        self.status, self.last = self.answer.status_code, last
        self.events: list[tuple[str, str, dict[str, Any]]] = []
        self.has_ended = threading.Event()
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        fields: dict[str, str] = {}
        try:
            self.answer.encoding = "utf-8"  # a refusal names no encoding
            for line in self.answer.iter_lines(chunk_size=1, decode_unicode=True):
                if line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                elif "data" in fields:
                    self.last = fields["id"]
                    if fields["event"] != "open":
                        self.events.append((fields["id"], fields["event"], json.decode(fields["data"])))
                    fields = {}
        except (requests.RequestException, AttributeError, ValueError, OSError):
            pass  # the test has cut the connection
        self.has_ended.set()

    def wait_for(self, count: int) -> None:
        """Wait until this number of events has arrived."""
        until(lambda: len(self.events) >= count)

    def cut(self) -> str:
        """Cut the connection. Return the ID of the last event."""
        connection = self.answer.raw._fp.fp.raw._sock
        connection.shutdown(socket.SHUT_RDWR)
        self.thread.join(10)
        self.answer.close()
        return self.last

"""A real web server that receives webhooks. It checks each signature with the reference package. If a test
asks for it, it answers late or with an error.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

from audit import tasks
from audit.database import rows
from audit.jobs import leases
from audit.jobs.alarms import Alarm
from casino import tasks as of_the_office  # noqa: F401 - adds the jobs of this package
from casino.alerts import publish


class Receiver:
    """Receives webhooks. `got` has the accepted messages in order, each as (webhook-id, body). `answers` has
    the answers to the next requests: a status, or a number of seconds to wait before 200. If it is empty, the
    answer is 200.
    """

    def __init__(self, port: int = 0) -> None:
        self.got: list[tuple[str, dict[str, Any]]] = []
        self.answers: list[int | float] = []
        self.headers: dict[str, str] = {}
        self.body = b""
        self.secret = ""
        self.refused = 0
        self.extra: dict[str, str] = {}
        self.server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def numbers(self) -> list[int]:
        """Return the numbers of the accepted events, in the order in which they came."""
        return [body["number"] for _, body in self.got]

    @property
    def types(self) -> list[str]:
        return [body["type"] for _, body in self.got]

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def take(self, headers: dict[str, str], body: bytes) -> int:
        """Check the signature of a message and store the message in `got`. Return the status of the
        answer.
        """
        self.headers, self.body = headers, body
        answer = self.answers.pop(0) if self.answers else 200
        if answer == 200 or isinstance(answer, float):
            try:
                content = Webhook(self.secret).verify(body, headers)
            except WebhookVerificationError:
                self.refused += 1
                return 401
            self.got.append((headers["webhook-id"], content))
        if isinstance(answer, float):
            time.sleep(answer)
            return 200
        return answer

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = (
                True  # otherwise the body of an answer waits 40 ms for an acknowledgement
            )

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = receiver.take({name.lower(): value for name, value in self.headers.items()}, body)
                text = b"taken" if status == 200 else b"not taken"
                with suppress(OSError):  # the sender may have given up
                    self.send_response(status)
                    for name, value in receiver.extra.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)

            def log_message(self, *words: Any) -> None:
                """Write no log message."""

        return Handler


@contextmanager
def receiving(port: int = 0) -> Iterator[Receiver]:
    """Run a receiver of webhooks during this block."""
    receiver = Receiver(port)
    try:
        yield receiver
    finally:
        receiver.stop()


def work(maximum: int = 50, *, wait: bool = False) -> int:
    """Do the jobs that are due, as workers do, and return how many there were. With `wait` true, also do
    those that wait because they failed.
    """
    count = 0
    for _ in range(maximum):
        publish.request_due()
        condition = "" if wait else "AND due_at <= clock_timestamp()"
        ids = [row[0] for row in rows(f"SELECT id FROM job WHERE state = 'due' {condition} ORDER BY id")]
        if not ids:
            return count
        for id in ids:
            with suppress(Alarm):  # a worker logs it
                tasks.examine(id)
            count += 1
    return count


def hurry() -> None:
    """Make jobs that wait after a failure due at once."""
    for (id,) in rows("SELECT id FROM job WHERE state = 'due'"):
        leases.revive([id], "m-101")

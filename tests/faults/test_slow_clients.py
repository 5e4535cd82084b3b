"""Slow, broken and too many connections: a web server of the Procfile answers `/healthz` at once while
clients send half a request or do not read the answer, and disconnects them in time. No client has a login.

With CATWALK_COUNTS=long, 1,000 connections are opened.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from tests.counts import LONG
from tests.faults import web
from tests.manage import free_port

EACH = 1000 if LONG else 40
SECONDS = 2
"""The value of CATWALK_REQUEST_SECONDS for the server under test."""
MOST = EACH * 3
"""The value of CATWALK_ADDRESS_CONNECTIONS for the server under test. Each of its two processes allows this
number.
"""
POST_BYTES = 300_000
HALF_HEADERS = b"GET /login/ HTTP/1.1\r\nHost: localhost\r\nX-Half: "
HALF_BODY = (
    b"POST /api/v1/facts HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
    b"Content-Length: 10000\r\n\r\n{"
)
LARGE = (
    b"GET /static/drf_spectacular_sidecar/redoc/bundles/redoc.standalone.js HTTP/1.1\r\n"
    b"Host: localhost\r\n\r\n"
)
KINDS = {"half headers": HALF_HEADERS, "half bodies": HALF_BODY, "unread answers": LARGE}


class Server:
    """A web server with two processes, which listens at a port and at a Unix socket."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.unix, self.log = folder / "web.sock", folder / "web.log"
        self.process = web.start(
            self.log,
            folder / "installation",
            f"127.0.0.1:{self.port},unix:{self.unix}",
            CATWALK_REQUEST_SECONDS=str(SECONDS),
            CATWALK_ADDRESS_CONNECTIONS=str(MOST),
            CATWALK_POST_BYTES=str(POST_BYTES),
            CATWALK_WEB_WORKERS="2",
        )
        deadline = time.monotonic() + 300
        while self.get("/healthz") != 200:
            assert time.monotonic() < deadline, self.log.read_text()
            assert self.process.poll() is None, self.log.read_text()
            time.sleep(0.1)

    def get(self, path: str) -> int:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=60) as answer:
                answer.read()
                return int(answer.status)
        except OSError:
            return 0

    def connect(self, sent: bytes = b"", receive_buffer: int = 0) -> socket.socket:
        client = socket.socket()
        if receive_buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        client.settimeout(60)
        client.connect(("127.0.0.1", self.port))
        client.sendall(sent)
        return client

    def ask(self, sent: bytes) -> bytes:
        """Send these bytes and return everything that the server sends until it closes the connection."""
        with self.connect(sent) as client:
            return everything(client)


def everything(client: socket.socket) -> bytes:
    """Return everything that the server sends on this connection until it closes the connection."""
    parts = []
    while part := client.recv(65536):
        parts.append(part)
    return b"".join(parts)


def is_closed(client: socket.socket) -> bool:
    """Read what the server has sent, and return True if the server has closed the connection."""
    try:
        everything(client)
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False
    return True


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    files, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    running = Server(tmp_path_factory.mktemp("web"))
    yield running
    running.process.terminate()
    try:
        running.process.wait(30)
    finally:
        running.process.kill()
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, limit))


def healthz_seconds(server: Server, times: int) -> list[float]:
    """Return the seconds that each of several requests for /healthz took, in ascending order."""
    taken = []
    for _ in range(times):
        began = time.monotonic()
        assert server.get("/healthz") == 200
        taken.append(time.monotonic() - began)
    return sorted(taken)


@pytest.mark.parametrize("kind", [*KINDS, "all"])
def test_healthz_answers_at_once_while_slow_clients_are_connected(server: Server, kind: str) -> None:
    with ExitStack() as opened:
        for name, sent in KINDS.items():
            count = {name: EACH, "all": EACH // len(KINDS)}.get(kind, 0)
            for _ in range(count):
                opened.enter_context(server.connect(sent, 4096 if name == "unread answers" else 0))
        taken = healthz_seconds(server, 20)
    print(f"{EACH} {kind}: /healthz median {taken[10]:.3f} s, longest {taken[-1]:.3f} s")
    assert taken[10] < SECONDS, "nobody waits until the slow clients are disconnected"
    assert not LONG or taken[-1] < 1.0


@pytest.mark.parametrize("sent", [HALF_HEADERS, HALF_BODY])
def test_half_a_request_gets_408_in_time_even_if_bytes_keep_coming(server: Server, sent: bytes) -> None:
    began = time.monotonic()
    with server.connect(sent) as waiting, server.connect(sent) as dripping:
        while time.monotonic() - began < SECONDS - 0.3:
            dripping.sendall(b"x")
            time.sleep(0.2)
        answers = [everything(waiting), everything(dripping)]
    assert SECONDS <= time.monotonic() - began < SECONDS + 30
    for answer in answers:
        assert answer.startswith(b"HTTP/1.1 408 Request Timeout\r\n"), answer
    if sent == HALF_BODY:
        assert json.loads(answers[0].partition(b"\r\n\r\n")[2])["code"] == "too-slow"


@pytest.mark.long
def test_a_client_that_does_not_read_is_disconnected_and_one_that_reads_slowly_is_not(server: Server) -> None:
    with server.connect(LARGE, 4096) as unread, server.connect(LARGE, 4096) as slow:
        began, read = time.monotonic(), 0
        while time.monotonic() - began < 2 * SECONDS + 2:
            read += len(slow.recv(2000))
            time.sleep(0.05)
        assert is_closed(unread)
        assert read > 40_000, "the slow client still gets its answer"
        while read < 500_000:
            read += len(slow.recv(65536))


def test_a_new_connection_is_accepted_although_others_wait(server: Server) -> None:
    """Open more connections than the two processes together allow for one address."""
    with ExitStack() as opened:
        half = b"GET /healthz HTTP/1.1\r\n"
        clients = [opened.enter_context(server.connect(half)) for _ in range(2 * MOST + 20)]
        assert healthz_seconds(server, 5)[-1] < 1.0
        for client in clients[-5:]:
            client.sendall(b"Host: localhost\r\nConnection: close\r\n\r\n")
            assert everything(client).startswith(b"HTTP/1.1 200 OK\r\n")


TOO_LONG = b"POST /api/v1/facts HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    "sent",
    [
        TOO_LONG + b"Content-Length: 300001\r\n\r\n",
        TOO_LONG + b"Content-Length: 99999999999\r\nExpect: 100-continue\r\n\r\n",
        TOO_LONG + b"Content-Length: 400000\r\n\r\n" + b"x" * 400_000,
        TOO_LONG + b"Transfer-Encoding: chunked\r\n\r\n" + (b"10000\r\n" + b"x" * 65536 + b"\r\n") * 6,
    ],
)
def test_a_body_that_is_too_long_is_refused_before_it_is_read(server: Server, sent: bytes) -> None:
    with server.connect(sent) as client:
        head, _, body = client.recv(65536).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 413 Content Too Large\r\n"), head
        problem = json.loads(body or client.recv(65536))
    assert (problem["code"], problem["status"]) == ("too-large", 413)
    assert problem["detail"].startswith(f"The request is longer than {POST_BYTES} bytes.")


FILE = (
    b"POST /cases/aurora/2026-0001/file/ HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Length: 400000\r\nConnection: close\r\n"
)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (FILE + b"\r\n", 413),
        (FILE + b"Cookie: sessionid=x\r\n\r\n" + b"x" * 400_000, 403),
        (FILE.replace(b"/cases/", b"/queue/") + b"Cookie: sessionid=x\r\n\r\n", 413),
    ],
)
def test_only_pages_that_take_files_accept_long_bodies_and_only_with_a_session(
    server: Server, sent: bytes, status: int
) -> None:
    assert int(server.ask(sent).split()[1]) == status


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET / HTTP/1.1\r\nX-Long: " + b"x" * 40_000, 431),
        (b"GET /" + b"x" * 40_000, 431),
        (b"\x00\x16\x03\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", 400),
        (b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n", 400),
    ],
)
def test_bytes_that_are_not_a_request_are_refused(server: Server, sent: bytes, status: int) -> None:
    assert int(server.ask(sent).split()[1]) == status


def test_requests_of_one_connection_are_answered_in_order(server: Server) -> None:
    answer = server.ask(
        b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
        b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab"
        b"HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    )
    heads = [part.split(b"\r\n")[0] for part in answer.split(b"HTTP/1.1 ")[1:]]
    assert heads == [b"200 OK", b"405 Method Not Allowed", b"200 OK", b"200 OK"]
    assert answer.endswith(b"\r\n\r\nok\n")


@pytest.mark.parametrize("sent", [b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", b"\r\n\r\n"])
def test_a_client_with_too_many_requests_at_once_is_disconnected(server: Server, sent: bytes) -> None:
    """Test that the event loop does not parse thousands of requests, or of empty lines, of one client while
    the others wait.
    """
    with server.connect(sent * (60_000 // len(sent))) as client:
        answer = everything(client)
    heads = [part.split(b"\r\n")[0] for part in answer.split(b"HTTP/1.")[1:]]
    assert heads[-1].endswith(b"503 Service Unavailable")
    assert len(heads) < 1000
    assert {head[2:] for head in heads[:-1]} <= {b"200 OK"}


def test_a_unix_socket_answers_too(server: Server) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(60)
        client.connect(str(server.unix))
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert everything(client).endswith(b"ok\n")


@pytest.mark.long
def test_a_killed_process_is_replaced(server: Server) -> None:
    before = psutil.Process(server.process.pid).children()
    for child in before:
        os.kill(child.pid, signal.SIGKILL)
    deadline = time.monotonic() + 300
    while server.get("/healthz") != 200:
        assert time.monotonic() < deadline, server.log.read_text()
        time.sleep(0.1)
    assert not {child.pid for child in before} & {
        child.pid for child in psutil.Process(server.process.pid).children()
    }


def test_sigterm_disconnects_waiting_clients_and_ends_at_once(server: Server) -> None:
    """Stop the server while clients wait. No later test may use this server."""
    with server.connect(HALF_BODY) as half, server.connect() as idle:
        time.sleep(0.2)
        began = time.monotonic()
        server.process.terminate()
        assert server.process.wait(60) == 0
        assert time.monotonic() - began < 25
        assert is_closed(half)
        assert is_closed(idle)
    assert not [line for line in server.log.read_text().splitlines() if '"error":' in line]

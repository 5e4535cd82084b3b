"""Measure requests in the server: all of Django's middleware and the real database, without a test client.

Each request runs through the WSGI application in this process. The benchmark measures the elapsed time, the
CPU time of this process and of the database's processes, and the number of queries. On a machine under load,
the elapsed time includes waiting for a processor; the CPU time does not.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from http.cookies import SimpleCookie
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple
from urllib.parse import quote

from tests.counted_queries import counted_queries

ASKED, FIRST = 40, 3
"""ASKED: the number of measured requests of each kind. FIRST: the number of requests before them, which fill
the caches.
"""


class Served(NamedTuple):
    """One request: its status, elapsed milliseconds, milliseconds of CPU time, and number of queries."""

    status: int
    wall: float
    cpu: float
    queries: int
    length: int


class Figures(NamedTuple):
    """The requests of one kind, in milliseconds.

    Attributes:
        first: the time of the first request.
        queries: the largest number of queries of a request.
    """

    first: float
    p50: float
    p95: float
    cpu_p50: float
    cpu_p95: float
    queries: int
    kilobytes: int


class Officer:
    """A user who is logged in, and whose requests are measured in a process that is prepared like a process
    of the web server.
    """

    def __init__(self, person: str) -> None:
        from django.core.wsgi import get_wsgi_application
        from django.test import Client

        from casino.models import Person
        from casino.runtime.operations.web_server import post_worker_init

        client = Client()
        client.force_login(Person.objects.get(pk=person), backend="django.contrib.auth.backends.ModelBackend")
        self.cookies: SimpleCookie = client.cookies
        self.application = get_wsgi_application()
        post_worker_init(None)

    def get(self, address: str, *, partial: bool = False) -> Served:
        """Request an address. Return the status, the times and the number of queries.

        Args:
            partial: True for a request of htmx.
        """
        environ, began = self._environ(address, partial=partial), Cost()
        status: list[str] = []
        with counted_queries() as queries:
            start = perf_counter()
            answer = self.application(
                environ, lambda status_line, headers, error=None: status.append(status_line)
            )
            body = b"".join(answer)
            wall = perf_counter() - start
            cpu = began.until_now()
            answer.close()
        return Served(int(status[0][:3]), wall * 1000, cpu * 1000, len(queries), len(body))

    def _environ(self, address: str, *, partial: bool) -> dict[str, Any]:
        path, _, query = address.partition("?")
        environ = {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": "",
            "PATH_INFO": path.encode().decode("latin-1"),
            "QUERY_STRING": quote(query, safe="=&%+,:|-_."),
            "SERVER_NAME": "testserver",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_COOKIE": "; ".join(f"{name}={value.value}" for name, value in self.cookies.items()),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        return environ | ({"HTTP_HX_REQUEST": "true"} if partial else {})


class Cost:
    """Measures CPU time: that of this process and of its database connections, since this object was made."""

    def __init__(self) -> None:
        self.backends = list(_backends())
        self.before = {file: _nanoseconds(file) for file in self.backends}
        self.began = process_time()

    def until_now(self) -> float:
        """Return the seconds of CPU time since this object was made."""
        return process_time() - self.began + self.of_database()

    def of_database(self) -> float:
        """Return the seconds of CPU time of the database since this object was made."""
        return sum(_nanoseconds(file) - self.before[file] for file in self.backends) / 1e9


def _backends() -> Iterator[Path]:
    """Yield a file for each open database connection of this process. In this file the kernel shows the CPU
    time of the Postgres process that serves the connection.
    """
    from django.db import connections

    for connection in connections.all(initialized_only=True):
        if connection.connection is not None and not connection.connection.closed:
            file = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
            if file.exists():
                yield file


def _nanoseconds(file: Path) -> int:
    try:
        return int(file.read_text().split()[0])
    except FileNotFoundError:
        return 0


def measure(
    officer: Officer, addresses: Sequence[str], count: int = ASKED, *, partial: bool = False
) -> Figures:
    """Request these addresses in turn, and return the figures. Raise SystemExit if a request is not
    answered.
    """
    taken = []
    for place in range(count + FIRST):
        address = addresses[place % len(addresses)]
        served = officer.get(address, partial=partial)
        while served.status == 202:  # the page is still being computed
            served = officer.get(address, partial=partial)
        if served.status not in (200, 204, 404):
            raise SystemExit(f"{address} answered {served.status}")
        taken.append(served)
    shown = taken[FIRST:]
    return Figures(
        taken[0].wall,
        *spread([answer.wall for answer in shown]),
        *spread([answer.cpu for answer in shown]),
        max(answer.queries for answer in shown),
        max(answer.length for answer in shown) // 1024,
    )


def spread(taken: Iterable[float]) -> tuple[float, float]:
    """Return the median and the p95 of these values."""
    sample = sorted(taken)
    return sample[len(sample) // 2], sample[int(len(sample) * 0.95)]


def print_figures(figures: dict[str, Figures], bare: str) -> dict[str, dict[str, float]]:
    """Print a row for each kind of request, and return the same figures for the JSON line.

    Args:
        figures: the figures of each kind.
        bare: the kind whose p95 the other kinds are compared with: a page without figures.
    """
    print(
        f"  {'':<24}{'first':>8}{'p50':>8}{'p95':>8}{'cpu p50':>9}{'cpu p95':>9}{'ratio':>7}  queries    KB"
    )
    kinds = {}
    for kind, taken in figures.items():
        ratio = taken.p95 / figures[bare].p95
        times = "".join(f"{time:>8.1f}" for time in (taken.first, taken.p50, taken.p95))
        cpu = "".join(f"{time:>9.1f}" for time in (taken.cpu_p50, taken.cpu_p95))
        print(f"  {kind:<24}{times}{cpu}{ratio:>7.1f}{taken.queries:>9}{taken.kilobytes:>6}")
        kinds[kind.replace(",", "").replace(" ", "_")] = {
            "p50_ms": round(taken.p50, 1),
            "p95_ms": round(taken.p95, 1),
            "cpu_p95_ms": round(taken.cpu_p95, 1),
            "ratio": round(ratio, 1),
            "queries": taken.queries,
        }
    return kinds

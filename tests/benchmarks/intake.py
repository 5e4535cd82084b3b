"""How fast facts are recorded through the REST API and through AMQP, compared with COPY: `python -m
tests.benchmarks.intake [--facts N] [--turns N]`.

The benchmark has its own embedded server in a temporary folder, with `fsync`. In one run it alternates
between these ways, so that the load of the machine affects them equally:

- `rest`: four client processes post 500 facts at a time to a web server of the Procfile, each with the token
  of its own device, each post committed;
- `amqp`: `manage.py consume` takes facts from a queue of RabbitMQ, one fact a message. The queue is filled
  before the consumer starts;
- `amqp_lines`: the same with 100 facts a message, one a line;
- `copy`: COPY of the same number of rows into a table with the same keys, as in `append`.

The bar is 30,000 facts a second through REST, or 0.35 of COPY. The time of `rest` is the elapsed time from
the first post to the last one. It includes the work of the clients on the same machine.

Elapsed times depend on the load of the machine. So the CPU time of `rest` is printed too, for each fact: that
of the web server and that of the database. The CPU time of the clients is not included.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter, sleep, time
from typing import Any, NamedTuple

from tests.benchmarks.append import Copy, batches, call_each, night
from tests.benchmarks.cpu_time import seconds_of_group, seconds_of_server
from tests.benchmarks.own import own_house
from tests.manage import PROJECT, free_port

CLIENTS = 4
BAR, BAR_RATIO = 30_000, 0.35
"""The bar of REST in facts a second, and as a share of COPY. One of the two must be met."""
LINES = 100
"""Facts in one message of the way `amqp_lines`."""
PROPERTY = "bench"
READY_SECONDS = 120
"""Maximum number of seconds to wait for a server."""
SQL = """WITH batch AS (SELECT recorded_at, count(*) AS facts FROM fact
        WHERE property = %s AND stream LIKE %s GROUP BY recorded_at)
    SELECT sum(facts), (SELECT facts FROM batch ORDER BY recorded_at DESC LIMIT 1),
        extract(epoch FROM max(recorded_at) - min(recorded_at)) FROM batch"""
"""The facts of a table, those of its last transaction, and the seconds between the starts of its first and
its last transaction.
"""


def client(port: int, token: str, table: str, count: int, go: float) -> tuple[float, float]:
    """Post the facts of one table, beginning at the instant `go`. Return the instants of the first and the
    last post.
    """
    bodies = [b"\n".join(batch) for batch in batches(night(table, count))]
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/x-ndjson"}
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    sleep(max(0.0, go - time()))
    start = time()
    for body in bodies:
        connection.request("POST", "/api/v1/facts", body, headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 201:
            raise SystemExit(f"The server refused a post with status {answer.status}: {text[:300]!r}")
    end = time()
    connection.close()
    return start, end


class Web(NamedTuple):
    """A running web server: its port and its process group."""

    port: int
    group: int


class Cost(NamedTuple):
    """The seconds of a way, and the CPU seconds of the web server and of the database."""

    elapsed: float
    web: float
    database: float


def rest(web: Web, data: Path, tokens: list[str], turn: int, count: int) -> Cost:
    """Return the cost of posting this number of facts with four clients."""
    before = seconds_of_group(web.group), seconds_of_server(data)
    go = time() + 3 + count / 20_000
    with ProcessPoolExecutor(CLIENTS, mp_context=get_context("spawn")) as pool:
        runs = [
            pool.submit(client, web.port, token, f"{PROPERTY}/rest-{turn}-{place}", count // CLIENTS, go)
            for place, token in enumerate(tokens)
        ]
        spans = [run.result() for run in runs]
    after = seconds_of_group(web.group), seconds_of_server(data)
    elapsed = max(end for _, end in spans) - min(start for start, _ in spans)
    return Cost(elapsed, after[0] - before[0], after[1] - before[1])


@contextmanager
def web_server(data: Path, before: str = "", **variables: str) -> Iterator[Web]:
    """Run a web server of the installation in its own process group, and yield it.

    Args:
        before: Python code that the server runs before it starts its processes.
        variables: further environment variables.
    """
    from casino.runtime.supervisor import web

    port = free_port()
    environment = os.environ | {"CATWALK_DATA": str(data), "CATWALK_HOSTS": "127.0.0.1"} | variables
    code = f"{before}; from gunicorn.app.wsgiapp import run; run('gunicorn')"
    command = ("-c", code, *web(port)[2:]) if before else web(port)
    with (data / "web.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *command],
            env=environment,
            cwd=PROJECT,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        wait_for(partial(answers, port), data / "web.log")
        yield Web(port, process.pid)
    finally:
        process.terminate()
        process.wait(60)


def answers(port: int) -> bool:
    """Return True if the web server answers."""
    try:
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/login/")
        return connection.getresponse().status == 200
    except OSError:
        return False


def wait_for(condition: Any, log: Path) -> None:
    """Wait until the condition is true. Raise SystemExit with the end of the log if it takes too long."""
    ends = monotonic() + READY_SECONDS
    while not condition():
        if monotonic() > ends:
            raise SystemExit(log.read_text()[-3000:])
        sleep(0.1)


class Queue:
    """A RabbitMQ broker with one queue of facts, and the consumer of this queue."""

    def __init__(self, data: Path) -> None:
        from tests.casino.brokers import RabbitMq

        self.data, self.broker = data, RabbitMq(data / "broker")
        self.broker.start()

    def fill(self, lines: list[bytes], facts: int) -> None:
        """Publish these facts, this number in each message."""
        from tests.casino.brokers import WINDOW, AmqpSender

        bodies = [b"\n".join(lines[place : place + facts]) for place in range(0, len(lines), facts)]
        sender = AmqpSender(self.broker)
        for place in range(0, len(bodies), WINDOW):
            sender.send(bodies[place : place + WINDOW])
        sender.close()

    def consume(self, tables: str, count: int) -> float:
        """Run the consumer until the queue is empty. Return the seconds that it took for the facts of these
        tables (a pattern of LIKE), without the start of the consumer.

        The database has the start of each transaction, and not the end of the last one. So the time of the
        last transaction is calculated from its number of facts.
        """
        from audit.database import rows

        url = f"{PROPERTY}/queue={self.broker.url}"
        environment = os.environ | {"CATWALK_DATA": str(self.data), "CATWALK_FACT_QUEUES": url}
        command = [sys.executable, "manage.py", "consume", f"{PROPERTY}/queue", "--idle", "2"]
        log_file = self.data / "consumer.log"
        with log_file.open("ab") as log:
            process = subprocess.Popen(command, env=environment, cwd=PROJECT, stdout=log, stderr=log)
        if process.wait(READY_SECONDS + count // 100):
            raise SystemExit(log_file.read_text()[-3000:])
        ((recorded, of_last, span),) = rows(SQL, [PROPERTY, f"{tables}/%"])
        if recorded != count:
            raise SystemExit(f"{recorded} of {count} facts are recorded\n{log_file.read_text()[-3000:]}")
        return float(span) * count / (count - of_last)

    def stop(self) -> None:
        self.broker.stop()


def measure(data: Path, facts: int, turns: int) -> tuple[dict[str, float], list[Cost]]:
    """Return how many facts a second are recorded in each way, and the cost of a fact by REST in each
    turn.
    """
    from django.db import connections

    from audit.facts import check

    tokens = devices()
    connections["owner"].ensure_connection()
    copy = Copy(connections["owner"].connection)
    seconds: defaultdict[str, float] = defaultdict(float)
    count = facts // turns // CLIENTS * CLIENTS
    costs: list[Cost] = []
    queue = Queue(data)
    try:
        with web_server(data) as web:
            rest(web, data, tokens, 0, 2_000)  # the first posts of a server load its code
            for turn in range(1, turns + 1):
                packed = copy.packed([check(line) for line in night(f"{PROPERTY}/copy-{turn}", count)])
                start = perf_counter()
                call_each(copy.post, packed)
                seconds["copy"] += perf_counter() - start
                cost = rest(web, data, tokens, turn, count)
                seconds["rest"] += cost.elapsed
                costs.append(Cost(*(part / count for part in cost)))
                for way, facts_each in (("amqp", 1), ("amqp_lines", LINES)):
                    table = f"{PROPERTY}/{way}-{turn}"
                    queue.fill(night(table, count), facts_each)
                    seconds[way] += queue.consume(table, count)
    finally:
        queue.stop()
    return {way: count * turns / taken for way, taken in seconds.items()}, costs


def devices() -> list[str]:
    """Register four devices that post and one for the queue. Return the tokens of the four."""
    from casino.accounts.services import issue_token
    from casino.reference.entries import Entry
    from casino.reference.recording import set_registers

    names = [f"client-{place}" for place in range(CLIENTS)]
    rights = {"tables": ["*"], "people": True, "house": False}
    entries = [Entry("devices", name, rights) for name in (*names, "queue")]
    set_registers(PROPERTY, entries, by="m-1", second="m-2")
    return [issue_token(made_by="m-1", property=PROPERTY, device=name) for name in names]


def main(argv: list[str]) -> int:
    """Print the figures, with one JSON object as the last line. Return 1 if the bar is not met."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.intake", description="Facts a second by REST and AMQP."
    )
    parser.add_argument("--facts", type=int, default=60_000, help="how many in each way (default 60000)")
    parser.add_argument("--turns", type=int, default=3, help="how often the ways alternate (default 3)")
    options = parser.parse_args(argv)
    load = os.getloadavg()[0]
    with own_house() as data:
        speed, costs = measure(data, options.facts, options.turns)
    ratio = {way: speed[way] / speed["copy"] for way in speed}
    print(f"facts a second, {os.cpu_count()} cores, load {load:.1f} before the run:")
    names = {
        "rest": "REST, four clients, posts of 500",
        "amqp": "AMQP, one fact a message",
        "amqp_lines": f"AMQP, {LINES} facts a message",
        "copy": "COPY into the same keys, posts of 500",
    }
    for way, name in names.items():
        print(f"  {name:<40}{speed[way]:>10,.0f}   {ratio[way]:.2f} of COPY")
    of_fact = [cost.web + cost.database for cost in costs]
    print(
        f"  CPU of a fact by REST: web server {median(cost.web for cost in costs) * 1e6:.1f} µs, database"
        f" {median(cost.database for cost in costs) * 1e6:.1f} µs: {1 / median(of_fact):,.0f} facts a CPU"
        f" second, at least {1 / max(of_fact):,.0f}"
    )
    holds = speed["rest"] >= BAR or ratio["rest"] >= BAR_RATIO
    print(f"  bar of REST: {BAR:,} or {BAR_RATIO} of COPY: {'met' if holds else 'missed'}")
    figures: dict[str, Any] = {"bench": "intake", "bar": BAR, "bar_ratio": BAR_RATIO, "holds": holds}
    figures |= {way: {"facts_per_s": round(speed[way]), "ratio": round(ratio[way], 3)} for way in speed}
    figures["facts_per_cpu_s"] = {"least": round(1 / max(of_fact)), "median": round(1 / median(of_fact))}
    print(json.dumps(figures | {"load": round(load, 1)}))
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

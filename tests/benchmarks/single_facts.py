"""How fast single facts are recorded, each acknowledged alone: `python -m tests.benchmarks.single_facts
[--facts N] [--outstanding N] [--turns N]`.

The benchmark has its own embedded server in a temporary folder, with `fsync`. In one run it alternates
between these ways, each with groups of posts (audit/ledger/group_commit.py) and with one transaction a
post:

- `waiting`: four processes post with `post_prepared`, and each waits for an answer before the next post;
- `outstanding`: the same with several threads in each process, so that a process waits for several answers;
- `rest`: four client processes post to a web server of the Procfile, each on one connection;
- `rest_many`: the same with several connections in each client process;
- `amqp`: four processes publish one fact a message to RabbitMQ, and `manage.py consume` records them. The
  consumer takes all messages that wait, so it has no way with one transaction a post.

A transaction waits for the disk while it has the lock of the ledger. So the time of an fsync bounds the
number of transactions: it is measured in each turn, and printed with the facts of a transaction. Elapsed
times depend on the load of the machine, which is printed too.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from http.client import HTTPConnection
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median
from time import perf_counter, sleep, time
from typing import Any, NamedTuple

from tests.benchmarks.append import night
from tests.benchmarks.cpu_time import seconds_of_group, seconds_of_server
from tests.benchmarks.intake import PROPERTY, Queue, Web, devices, web_server
from tests.benchmarks.own import own_house

WRITERS = 4
BAR = 5_570
"""The bar of `outstanding` and `amqp` in facts a second."""
SYNCS = 50
THREADS = 32
"""Threads of each of the two processes of the web server."""
CONNECTIONS = 16
"""Connections of each client of `rest_many`."""
FEWER = 20
"""How many times fewer facts a slow way has."""
ALONE_THREADS = 20
"""Maximum number of threads of a process without groups, because each has a connection to the database."""
ALONE = "from audit.ledger import group_commit; group_commit.LARGEST = 0"
"""Python code that turns groups off in a process."""
SQL = """SELECT count(*), count(DISTINCT recorded_at) FROM fact
    WHERE property = %s AND stream LIKE %s AND kind <> 'table-opened'"""


class Speed(NamedTuple):
    """Facts a second, facts of a transaction, and CPU seconds of a fact. The CPU seconds of clients of REST,
    and those of publishers and the consumer of AMQP, are not included.
    """

    facts: float
    size: float
    cpu: float

    def allowed(self, fsync: float) -> float:
        """Return how many facts a second the disk and the processor allow: an fsync for each transaction, one
        after the other, and the CPU time of each fact on all cores.
        """
        return min(self.size / fsync, (os.cpu_count() or 1) / self.cpu)


def fsync_seconds(folder: Path) -> float:
    """Return the mean of the seconds that the disk needs to store one page."""
    taken = []
    descriptor = os.open(folder / "fsync", os.O_CREAT | os.O_WRONLY)
    try:
        os.write(descriptor, bytes(8192 * SYNCS))
        os.fsync(descriptor)
        for place in range(SYNCS):
            start = perf_counter()
            os.pwrite(descriptor, b"1" * 8192, 8192 * place)
            os.fdatasync(descriptor)
            taken.append(perf_counter() - start)
    finally:
        os.close(descriptor)
    return mean(taken)


def writer(table: str, threads: int, count: int, is_alone: bool, go: float) -> tuple[float, float, float]:
    """Post this number of facts in several threads, beginning at the instant `go`. Return the instants of the
    first and the last post, and the CPU seconds.
    """
    import django

    django.setup()
    from audit.facts import check
    from audit.ledger.intake import Sender, post_prepared

    if is_alone:
        exec(ALONE)
    sender = Sender("bench")
    parts = []
    for thread in range(threads):
        facts = [check(line) for line in night(f"{table}-{thread}", count // threads + 1)]
        post_prepared(facts[:1], sender)
        parts.append(facts[1:])

    def post_each(facts: list[Any]) -> None:
        sleep(max(0.0, go - time()))
        for fact in facts:
            post_prepared([fact], sender)

    before = os.times()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(post_each, parts))
    after = os.times()
    return go, time(), after.user + after.system - before.user - before.system


def client(port: int, token: str, table: str, connections: int, count: int, go: float) -> tuple[float, float]:
    """Post this number of facts on several connections, beginning at the instant `go`. Return the instants of
    the first and the last post.
    """
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/x-ndjson"}
    parts = [night(f"{table}-{place}", count // connections + 1) for place in range(connections)]

    def post_each(lines: list[bytes]) -> None:
        connection = HTTPConnection("127.0.0.1", port, timeout=120)
        for number, line in enumerate(lines):
            connection.request("POST", "/api/v1/facts", line, headers)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 201:
                raise SystemExit(f"The server refused a post with status {answer.status}: {text[:300]!r}")
            if number == 0:
                sleep(max(0.0, go - time()))
        connection.close()

    with ThreadPoolExecutor(connections) as pool:
        list(pool.map(post_each, parts))
    return go, time()


def publisher(port: int, table: str, count: int, go: float) -> tuple[float, float]:
    """Publish this number of facts, one a message, beginning at the instant `go`. Return the instants of the
    first and the last fact.
    """
    from amqp import Connection, Message

    from tests.casino.brokers import PASSWORD, PERSISTENT

    lines = night(f"{table}-0", count)
    with Connection(f"127.0.0.1:{port}", "catwalk", PASSWORD) as broker:
        channel = broker.channel()
        channel.queue_declare("facts", durable=True, auto_delete=False)
        sleep(max(0.0, go - time()))
        for line in lines:
            channel.basic_publish(Message(line, delivery_mode=PERSISTENT), routing_key="facts")
    return go, time()


def spans(task: Callable[..., Any], arguments: list[tuple[Any, ...]]) -> list[Any]:
    """Call a function in one process for each of these arguments, and return the results."""
    with ProcessPoolExecutor(len(arguments), mp_context=get_context("spawn")) as pool:
        runs = [pool.submit(task, *values) for values in arguments]
        return [run.result() for run in runs]


class Bench:
    """An installation whose facts are posted in several ways. `facts` is the number of facts of a way whose
    posts share transactions. A way without groups has fewer, because it is slow.
    """

    def __init__(self, data: Path, facts: int, outstanding: int) -> None:
        self.data, self.facts, self.outstanding = data, facts, outstanding
        self.tokens, self.runs = devices(), 0

    def next_table(self) -> str:
        """Return the beginning of the names of the tables of the next way."""
        self.runs += 1
        return f"{PROPERTY}/W{self.runs}"

    def speed(self, table: str, elapsed: float, cpu: float) -> Speed:
        """Return the speed at which the facts of these tables were recorded."""
        from audit.database import rows

        ((facts, transactions),) = rows(SQL, [PROPERTY, f"{table}-%"])
        return Speed(facts / elapsed, facts / transactions, cpu / facts)

    def direct(self, threads: int, is_alone: bool) -> Speed:
        """Measure four processes that post with this number of threads each."""
        threads = min(threads, ALONE_THREADS) if is_alone else threads
        table, go = self.next_table(), time() + 4 + threads / 20
        count = max(threads, self.facts // WRITERS // (FEWER if is_alone or threads == 1 else 1))
        before = seconds_of_server(self.data)
        results = spans(
            writer, [(f"{table}-{place}", threads, count, is_alone, go) for place in range(WRITERS)]
        )
        cpu = sum(seconds for _, _, seconds in results) + seconds_of_server(self.data) - before
        return self.speed(table, max(end for _, end, _ in results) - go, cpu)

    def rest(self, web: Web, connections: int) -> Speed:
        """Measure four clients that post to a web server on this number of connections each."""
        table, go = self.next_table(), time() + 4 + connections / 10
        count = max(connections, self.facts // WRITERS // FEWER)
        arguments = [
            (web.port, token, f"{table}-{place}", connections, count, go)
            for place, token in enumerate(self.tokens)
        ]
        before = seconds_of_group(web.group) + seconds_of_server(self.data)
        end = max(end for _, end in spans(client, arguments))
        cpu = seconds_of_group(web.group) + seconds_of_server(self.data) - before
        return self.speed(table, end - go, cpu)

    def amqp(self, queue: Queue) -> Speed:
        """Measure the consumer while four processes publish. It begins with the first messages."""
        table, go = self.next_table(), time() + 4
        count = self.facts // WRITERS
        before = seconds_of_server(self.data)
        with ThreadPoolExecutor(1) as thread:
            arguments = [(queue.broker.port, f"{table}-{place}", count, go) for place in range(WRITERS)]
            publishers = thread.submit(spans, publisher, arguments)
            sleep(max(0.0, go - time()))
            elapsed = queue.consume(f"{table}-%", count * WRITERS)
            publishers.result()
        return self.speed(table, elapsed, seconds_of_server(self.data) - before)


def measure(data: Path, facts: int, outstanding: int, turns: int) -> dict[str, list[Any]]:
    """Return the speeds of each way in each turn, and the seconds of an fsync. Print each to stderr."""
    bench, results = Bench(data, facts, outstanding), defaultdict[str, list[Any]](list)
    queue = Queue(data)

    def note(way: str, figure: Any) -> None:
        results[way].append(figure)
        print(f"{way}: {figure}", file=sys.stderr, flush=True)

    try:
        for _ in range(turns):
            note("fsync", fsync_seconds(data))
            for suffix, is_alone in (("", False), ("_alone", True)):
                note(f"waiting{suffix}", bench.direct(1, is_alone))
                note(f"outstanding{suffix}", bench.direct(outstanding, is_alone))
                variables = {"CATWALK_WEB_THREADS": str(THREADS)}
                with web_server(data, before=ALONE if is_alone else "", **variables) as web:
                    bench.rest(web, 1)  # the first posts of a server load its code
                    note(f"rest{suffix}", bench.rest(web, 1))
                    note(f"rest_many{suffix}", bench.rest(web, CONNECTIONS))
            note("amqp", bench.amqp(queue))
    finally:
        queue.stop()
    return results


NAMES = {
    "waiting": "four processes, each waits for its answer",
    "outstanding": "four processes, each waits for {outstanding} answers",
    "rest": "REST, four clients, one connection each",
    "rest_many": f"REST, four clients, {CONNECTIONS} connections each",
    "amqp": "AMQP, four publishers, one fact a message",
}


def main(argv: list[str]) -> int:
    """Print the figures, with one JSON object as the last line. Return 1 if the bar is not met."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.single_facts", description="Single facts a second."
    )
    parser.add_argument("--facts", type=int, default=20_000, help="how many in a way (default 20000)")
    parser.add_argument("--outstanding", type=int, default=64, help="threads of a process (default 64)")
    parser.add_argument("--turns", type=int, default=1, help="how often the ways alternate (default 1)")
    options = parser.parse_args(argv)
    with own_house(CATWALK_KEEP="600") as data:
        results = measure(data, options.facts, options.outstanding, options.turns)
    fsync = median(results.pop("fsync"))
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; an fsync takes {fsync * 1000:.1f} ms,")
    print(f"so at most {1 / fsync:,.0f} transactions a second can be recorded one after the other")
    print("'allowed' is what the disk and all cores would allow without other load, from fsync and CPU time")
    print(f"  {'':46}{'facts/s':>9}{'a trans.':>10}{'CPU µs':>9}{'allowed':>9}{'ratio':>8}")
    middle = {way: Speed(*map(median, zip(*speeds, strict=True))) for way, speeds in results.items()}
    for way, name in NAMES.items():
        for suffix, text in (("", ""), ("_alone", "  one transaction a post")):
            if speed := middle.get(way + suffix):
                ratio = f"{middle[way].facts / speed.facts:8.1f}" if suffix else ""
                allowed = speed.allowed(fsync)
                label = text or name.format(outstanding=options.outstanding)
                figures = f"{speed.facts:>9,.0f}{speed.size:>10.1f}{speed.cpu * 1e6:>9.0f}{allowed:>9,.0f}"
                print(f"  {label:<46}{figures}{ratio}")
    holds = min(middle["outstanding"].facts, middle["amqp"].facts) >= BAR
    print(f"  bar of the second and the last way: {BAR:,} facts/s: {'met' if holds else 'missed'}")
    shown: dict[str, Any] = {"bench": "single_facts", "bar": BAR, "holds": holds, "fsync_ms": fsync * 1e3}
    for way, speed in middle.items():
        shown[way] = {
            "facts_per_s": round(speed.facts),
            "allowed": round(speed.allowed(fsync)),
            "size": round(speed.size, 1),
            "cpu_us": round(speed.cpu * 1e6),
        }
    print(json.dumps(shown))
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""How soon a finding is shown: `python -m tests.benchmarks.latency [--seconds N] [--before ROUNDS]`.

The benchmark has its own embedded installation in a temporary folder, with web, worker (two processes) and
beat as in production, and a screen on which an officer's queue is open (tests/benchmarks/screen.py). Twenty
tables have already played for a while. Each of them sends one post a second through the REST API, with 100
facts. The tables send their posts at different times within the second. In each post in which money moves,
one payment or take is wrong. The findings that each post must cause are computed beforehand, by replaying the
same facts in this process.

For each finding, the benchmark measures the time from the acknowledgement of its post until another process
can read its row. The reader polls every few milliseconds, so each figure is too long by up to that. For each
hand, it measures the time from sending the post that causes its first finding until its row is on the screen.
The goal applies to this second figure.

In the same run, after the installation has ended, the library `eventsourcing` records the same facts at the
same rate in the same Postgres, and a projection of it follows (tests/benchmarks/library_latency.py). The
library judges nothing: it has no rules. The two are compared from the commit to the row.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from multiprocessing import Queue, get_context
from threading import Thread
from time import monotonic, sleep
from typing import Any

from tests.benchmarks import library_latency
from tests.benchmarks.cpu_time import processor_seconds
from tests.benchmarks.event_library import NAME
from tests.benchmarks.latency_days import GIVE_UP, POST, TABLES, Night, share, together, watch
from tests.benchmarks.own import own_house
from tests.benchmarks.screen import screen
from tests.manage import free_port

BAR = 1.0
FINDINGS = "SELECT id FROM finding WHERE property = 'bench' AND id = ANY(%s)"
PREPARED = 300.0
"""The longest time, in seconds, that the tables may need for the rounds before the measurement."""


def table_posts(night: Night, door: tuple[str, str], begin: float, phase: float, messages: Any) -> None:
    """Post the facts of one table, once a second. For each post, put a message into the queue `messages`:
    when it was sent and acknowledged, and which findings and rows it must cause.
    """
    for second, lines in enumerate(night.posts):
        sleep(max(0.0, begin + second + phase - monotonic()))
        sent, clock = monotonic(), time.time()
        send(door, lines)
        messages.put((monotonic(), monotonic() - sent, clock, night.found[second], night.hands[second]))


def send(door: tuple[str, str], lines: list[bytes]) -> None:
    """Send one post to the REST API.

    Args:
        door: the address of the API and a token.
    """
    address, token = door
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/x-ndjson"}
    with urllib.request.urlopen(
        urllib.request.Request(f"{address}/api/v1/facts", b"\n".join(lines), headers), timeout=60
    ) as answer:
        answer.read()


def poster(seconds: int, before: int, door: tuple[str, str], orders: Any, messages: Any) -> None:
    """Post the facts of all tables. This function runs in a process of its own. It first posts the rounds
    before the measurement. It then posts the measured rounds, beginning at the time that `orders` gives.
    """
    import django

    django.setup()
    from django.db import connection

    from audit.ledger.intake import Sender, post_prepared

    nights = [Night(place, seconds, before) for place in range(TABLES)]
    for night in nights:
        for start in range(0, len(night.before), 500):
            post_prepared(night.before[start : start + 500], Sender("bench"))
    connection.close()
    for _ in range(3):  # warm up the REST API by sending recorded facts again, all at once
        together(
            [
                Thread(target=send, args=(door, [fact.body for fact in night.before[-POST:]]))
                for night in nights
            ]
        )
    assert all(len(lines) == POST for night in nights for lines in night.posts), "the days are too short"
    messages.put(sum(len(night.before) for night in nights))
    begin: float = orders.get()
    together(
        [
            Thread(target=table_posts, args=(night, door, begin, place / TABLES, messages))
            for place, night in enumerate(nights)
        ]
    )
    messages.put(None)


def on_screen(officer: Any, sent: dict[str, float]) -> tuple[list[float], int]:
    """Return two results: for each row that was shown, the seconds from the post until it was on the screen;
    and the number of rows that were never shown.
    """
    deadline = monotonic() + GIVE_UP
    while not sent.keys() <= (shown := officer.times_seen()).keys() and monotonic() < deadline:
        sleep(0.2)
    return sorted(shown[key] - sent[key] for key in sent if key in shown), len(sent.keys() - shown.keys())


def settled() -> bool:
    """Return True if no job is due or in progress."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM job WHERE state <> 'done'")
        return cursor.fetchone() == (0,)


def run(seconds: int, before: int) -> dict[str, Any]:
    """Do the whole measurement once, in the installation that the environment names. Return the results by
    name.
    """
    from django.db import connection

    from casino.reference.demo_users import create_demo_users
    from casino.runtime import supervisor

    logins = create_demo_users("bench")
    door = f"http://127.0.0.1:{(port := free_port())}", next(login.token for login in logins if login.token)
    with supervisor.Running() as house, ExitStack() as ending:
        worker = house.start("worker", supervisor.WORKER)
        house.start("beat", supervisor.BEAT)
        web = house.start("web", supervisor.web(port))
        context = get_context("spawn")
        orders: Queue[float] = context.Queue()
        messages: Queue[Any] = context.Queue()
        tables = context.Process(target=poster, args=(seconds, before, door, orders, messages), daemon=True)
        tables.start()
        ending.callback(tables.kill)
        count = messages.get(timeout=PREPARED)
        _until(settled)
        officer = screen(door[0], logins[0].id, logins[0].password)
        ending.callback(officer.close)
        pids = [worker.process.pid, web.process.pid]
        used = [processor_seconds([pid]) for pid in pids]
        orders.put(monotonic() + 0.5)
        delays, posted, unreached, sent = watch(messages, FINDINGS)
        used = [
            (processor_seconds([pid]) - before_run) / seconds
            for pid, before_run in zip(pids, used, strict=True)
        ]
        tables.join()
        shown, unseen = on_screen(officer, sent)
        connection.close()
    return {
        "before": count,
        "seen": sorted(delays),
        "posted": sorted(posted),
        "never": unreached,
        "worker": used[0],
        "web": used[1],
        "shown": shown,
        "unseen": unseen,
        "screen": officer.says,
    }


def _until(true: Callable[[], bool], patience: float = 120) -> None:
    deadline = monotonic() + patience
    while not true():
        if monotonic() > deadline:
            sys.exit(f"{true.__name__} did not come true in {patience} s")
        sleep(0.1)


def main(argv: list[str]) -> int:
    """Print the figures, with one JSON object as the last line. Return 1 if the goal is not met."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.latency", description="Fact posted to finding on screen."
    )
    parser.add_argument("--seconds", type=int, default=20, help="how long the tables post (default 20)")
    parser.add_argument(
        "--before", type=int, default=200, help="rounds that each table has played before (default 200)"
    )
    options = parser.parse_args(argv)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # so that worker and beat end too
    # Playwright's event loop runs in this thread. Django would therefore refuse the queries made here.
    with own_house(DJANGO_ALLOW_ASYNC_UNSAFE="1") as folder:
        result = run(options.seconds, options.before)
        library = library_latency.run(options.seconds, options.before, folder)
    return say(options, result, library)


def say(options: argparse.Namespace, result: dict[str, Any], library: dict[str, Any]) -> int:
    """Print the figures for people, then the JSON line for programs. Return 1 if the goal is not met."""
    lines = [
        ("post acknowledged", result["posted"]),
        ("acknowledged, finding there", result["seen"]),
        ("posted, on screen", result["shown"]),
        ("library: committed, row there", library["seen"]),
    ]
    p99 = share(result["shown"], 0.99)
    holds = p99 < BAR and not result["never"] and not result["unseen"]
    print(
        f"{TABLES} tables, {POST} facts a second each in one post, {options.seconds} s, after"
        f" {result['before']:,} facts of the same day:"
    )
    for name, values in lines:
        figures = (f"{word} {figure * 1000:7.1f} ms" for word, figure in _shares(values).items())
        print(f"  {name:<29} {'   '.join(figures)}")
    print(
        f"  {len(result['seen']):,} findings, {result['never']} never;"
        f" {len(result['shown']):,} rows on screen, {result['unseen']} never"
    )
    print(
        f"  {result['screen']}; of a processor the worker used {result['worker']:.2f},"
        f" web {result['web']:.2f}"
    )
    ratios = library_ratios(result, library)
    print(
        f"  {NAME} judges nothing (no rules), its projection used {library['cpu']:.2f};"
        f" {len(library['seen']):,} rows, {library['never']} never;\n"
        f"  a finding takes {ratios['p50']:.1f} times its median and {ratios['p95']:.1f} times its p95"
        f" (load average {os.getloadavg()[0]:.1f})"
    )
    print(json.dumps(_figures(result, lines, p99, holds) | {"library": _library_figures(library, ratios)}))
    return 0 if holds else 1


def _shares(values: list[float]) -> dict[str, float]:
    parts = {"p50": share(values, 0.5), "p95": share(values, 0.95), "p99": share(values, 0.99)}
    return parts | {"last": values[-1]}


def library_ratios(result: dict[str, Any], library: dict[str, Any]) -> dict[str, float]:
    """Return two ratios, for the median and for p95: the time until a finding can be read, divided by the
    time until a row of the library's projection can be read.
    """
    own, other = _shares(result["seen"]), _shares(library["seen"])
    return {name: own[name] / other[name] for name in ("p50", "p95")}


def _library_figures(library: dict[str, Any], ratios: dict[str, float]) -> dict[str, Any]:
    """Return the data of the library for the JSON line."""
    rows, posts = _shares(library["seen"]), _shares(library["posted"])
    return {
        "name": NAME,
        "rules": None,
        "readable_p50_s": round(rows["p50"], 4),
        "readable_p95_s": round(rows["p95"], 4),
        "post_p99_s": round(posts["p99"], 4),
        "rows": len(library["seen"]),
        "never": library["never"],
        "cpu": round(library["cpu"], 3),
        "ratio_p50": round(ratios["p50"], 2),
        "ratio_p95": round(ratios["p95"], 2),
    }


def _figures(
    result: dict[str, Any], lines: list[tuple[str, list[float]]], p99: float, holds: bool
) -> dict[str, Any]:
    """Return the data of the JSON line: every figure, and the goal with the figure to which it applies."""
    posted, readable, shown, _ = (_shares(values) for _, values in lines)
    return {
        "bench": "latency",
        "p50_s": round(shown["p50"], 4),
        "p99_s": round(p99, 4),
        "last_s": round(shown["last"], 4),
        "readable_p50_s": round(readable["p50"], 4),
        "readable_p95_s": round(readable["p95"], 4),
        "readable_p99_s": round(readable["p99"], 4),
        "post_p99_s": round(posted["p99"], 4),
        "findings": len(result["seen"]),
        "rows": len(result["shown"]),
        "never": result["never"] + result["unseen"],
        "facts_per_s": TABLES * POST,
        "worker_cpu": round(result["worker"], 3),
        "against": {
            "what": "the limit, from the post's sending to the row on screen",
            "seconds": BAR,
            "screen": result["screen"],
        },
        "ratio": round(BAR / p99, 3),
        "bar": 1.0,
        "holds": holds,
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

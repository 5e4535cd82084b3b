"""How soon a finding shows: `python -m tests.benchmarks.latency [--seconds N] [--before ROUNDS]`.

Its own embedded house in a temporary folder, with a worker (two processes) and beat as in a real one. Twenty tables that have played
for a while post 100 facts a second each, in one post a second through intake.post, the tables spread over the second. In each post
where money moves one payment or take is wrong. Which findings a post makes known is computed beforehand by folding the same facts here.

Measured for each such finding: from the moment its post was acknowledged to the moment another process can read its row. The reader
looks every few milliseconds, so each figure is that much too long.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import date
from multiprocessing import Queue, get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic, sleep
from typing import Any

TABLES, POST = 20, 100
BAR = 1.0
LOOK = 0.005
"""Seconds between two looks."""
GIVE_UP = 20.0
"""Seconds for the last finding to come."""
PREPARED = 300.0
"""Seconds for the tables to have played what comes before."""
WRONG = {"pay", "take", "return"}


class Night:
    """One table: the posts of its day, and the ids of the findings that each makes known."""

    def __init__(self, place: int, seconds: int, before: int) -> None:
        from audit.facts import check
        from audit.fold import Fold
        from casino.sample import honest_day

        game = ("easy_over_under", "andar_bahar")[place % 2]
        rounds = before + seconds * POST // 20
        facts = honest_day(game, seed=place, property="bench", table=f"T-{place:02}", day=date(2026, 11, 27), rounds=rounds)
        begin = next(at for at, fact in enumerate(facts) if fact["kind"] == "round-opened" and fact["round"] == f"r-{before + 1:04}")
        posts = [facts[start : start + POST] for start in range(begin, begin + seconds * POST, POST)]
        for post in posts:
            wrong = next((fact for fact in post if fact["kind"] in WRONG), None)
            if wrong is not None:
                wrong["amount"] += 100
        self.before = [check(json.dumps(fact).encode()) for fact in facts[:begin]]
        self.posts = [[json.dumps(fact).encode() for fact in post] for post in posts]
        self.found = list(_found(Fold, self.before, self.posts))


def _found(fold_of: Any, before: list[Any], posts: list[list[bytes]]) -> Any:
    """The ids of the findings that each post makes known."""
    from audit.facts import check, decode

    fold = fold_of(before[0].stream)
    number = 0
    for fact in before:
        fold.take(number := number + 1, decode(fact.body))
    known = set(fold.findings)
    for post in posts:
        for line in post:
            fold.take(number := number + 1, decode(check(line).body))
        yield sorted(set(fold.findings) - known)
        known |= set(fold.findings)


def table_posts(night: Night, begin: float, phase: float, told: Any) -> None:
    """One table: a post a second; tells when each was acknowledged, how long that took, and what it makes known."""
    from django.db import connection

    from audit.intake import Sender, post

    for second, lines in enumerate(night.posts):
        sleep(max(0.0, begin + second + phase - monotonic()))
        asked = monotonic()
        post(lines, Sender("bench"))
        done = monotonic()
        told.put((done, done - asked, night.found[second]))
    connection.close()


def poster(seconds: int, before: int, orders: Any, told: Any) -> None:
    """The tables, as another process; posts what was played before, then waits for the word to begin."""
    import django

    django.setup()
    from django.db import connection

    from audit.intake import Sender, post_prepared

    nights = [Night(place, seconds, before) for place in range(TABLES)]
    for night in nights:
        for start in range(0, len(night.before), 500):
            post_prepared(night.before[start : start + 500], Sender("bench"))
    connection.close()
    assert all(len(lines) == POST for night in nights for lines in night.posts), "the days are too short"
    told.put(sum(len(night.before) for night in nights))
    begin: float = orders.get()
    threads = [Thread(target=table_posts, args=(night, begin, place / TABLES, told)) for place, night in enumerate(nights)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told.put(None)


def watch(told: Any) -> tuple[list[float], list[float], int]:
    """Seconds from acknowledgement to sight of every finding, those of the posts themselves, and how many never came."""
    from django.db import connection

    waiting: dict[str, float] = {}
    seen: list[float] = []
    posted: list[float] = []
    ended: float | None = None
    while ended is None or (waiting and monotonic() < ended + GIVE_UP):
        while not told.empty():
            message = told.get()
            if message is None:
                ended = monotonic()
            else:
                done, took, ids = message
                posted.append(took)
                waiting |= dict.fromkeys(ids, done)
        if waiting:
            with connection.cursor() as cursor:
                cursor.execute("SELECT id FROM finding WHERE property = 'bench' AND id = ANY(%s)", [list(waiting)])
                now = monotonic()
                seen += [now - waiting.pop(row[0]) for row in cursor.fetchall()]
        sleep(LOOK)
    return seen, posted, len(waiting)


def settled() -> bool:
    """Whether nothing is due any more."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM job WHERE state <> 'done'")
        return cursor.fetchone() == (0,)


def processor_seconds(pids: list[int]) -> float:
    """What these processes and their children have used."""
    import psutil

    own = [psutil.Process(pid) for pid in pids]
    return sum(sum(each.cpu_times()[:2]) for one in own for each in (one, *one.children(recursive=True)))


def run(seconds: int, before: int) -> dict[str, Any]:
    """The figures of one run in the house that the environment names."""
    from django.db import connection

    from casino import running

    with running.Running() as house:
        worker = house.start("worker", running.WORKER)
        house.start("beat", running.BEAT)
        context = get_context("spawn")
        orders: Queue[float] = context.Queue()
        told: Queue[Any] = context.Queue()
        tables = context.Process(target=poster, args=(seconds, before, orders, told), daemon=True)
        tables.start()
        count = told.get(timeout=PREPARED)
        _until(settled)
        used = processor_seconds([worker.process.pid])
        orders.put(monotonic() + 0.5)
        seen, posted, never = watch(told)
        used = processor_seconds([worker.process.pid]) - used
        tables.join()
        connection.close()
    return {"before": count, "seen": sorted(seen), "posted": sorted(posted), "never": never, "worker": used / seconds}


def _until(true: Callable[[], bool], patience: float = 120) -> None:
    deadline = monotonic() + patience
    while not true():
        if monotonic() > deadline:
            sys.exit(f"{true.__name__} did not come true in {patience} s")
        sleep(0.1)


def share(values: list[float], part: float) -> float:
    """The value below which this part of the sorted values lies."""
    return values[min(len(values) - 1, int(len(values) * part))]


def main(argv: list[str]) -> int:
    """Print the figures; the last line is one JSON object. Exit 1 when the bar is not held."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.latency", description="Fact posted to finding readable.")
    parser.add_argument("--seconds", type=int, default=20, help="how long the tables post (default 20)")
    parser.add_argument("--before", type=int, default=200, help="rounds that each table has played before (default 200)")
    options = parser.parse_args(argv)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # the worker and beat end with us
    with TemporaryDirectory(prefix="catwalk-bench-", ignore_cleanup_errors=True) as folder:
        os.environ.update(CATWALK_DATA=folder, DJANGO_SETTINGS_MODULE="casino.settings")
        for name in ("DATABASE_URL", "DATABASE_OWNER_URL", "CELERY_BROKER_URL"):
            os.environ.pop(name, None)
        import django

        django.setup()
        from django.db import connections

        from casino.embedded import leave

        connections["default"].ensure_connection()
        try:
            told = run(options.seconds, options.before)
        finally:
            connections.close_all()
            leave(Path(folder))
    return say(options, told)


def say(options: argparse.Namespace, told: dict[str, Any]) -> int:
    """The figures for people, then the line for programs."""
    seen, posted = told["seen"], told["posted"]
    p50, p99 = share(seen, 0.5), share(seen, 0.99)
    holds = p99 < BAR and not told["never"]
    print(f"{TABLES} tables, {POST} facts a second each in one post, {options.seconds} s, after {told['before']:,} facts of the same day:")
    print(f"  post acknowledged             p50 {share(posted, 0.5) * 1000:7.1f} ms   p99 {share(posted, 0.99) * 1000:7.1f} ms")
    print(f"  acknowledged, finding there   p50 {p50 * 1000:7.1f} ms   p99 {p99 * 1000:7.1f} ms   last {seen[-1] * 1000:7.1f} ms")
    print(f"  {len(seen):,} findings seen, {told['never']} never; the worker used {told['worker']:.2f} of a processor")
    figures = {
        "bench": "latency",
        "p50_s": round(p50, 4),
        "p99_s": round(p99, 4),
        "last_s": round(seen[-1], 4),
        "post_p99_s": round(share(posted, 0.99), 4),
        "findings": len(seen),
        "never": told["never"],
        "facts_per_s": TABLES * POST,
        "worker_cpu": round(told["worker"], 3),
        "against": {"what": "the limit, from acknowledgement to the row being readable", "seconds": BAR},
        "ratio": round(BAR / p99, 3),
        "bar": BAR,
        "holds": holds,
    }
    print(json.dumps(figures))
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

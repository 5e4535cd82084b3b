"""The days that tests/benchmarks/latency.py posts, and how it waits for the results."""

from __future__ import annotations

import json
from datetime import date
from threading import Thread
from time import monotonic, sleep
from typing import Any

TABLES, POST = 20, 100
LOOK = 0.01
"""The seconds that the reader waits between two polls."""
GIVE_UP = 20.0
"""How many seconds to wait for the last finding."""
WRONG = {"pay", "take", "return"}


class Night:
    """The day of one table: its posts, and the ids of the findings that each post must cause.

    Attributes:
        wrong: for each post, the index of the fact whose amount is wrong, or None if no money moves.
    """

    def __init__(self, place: int, seconds: int, before: int) -> None:
        from audit.facts import check
        from audit.replay.fold import Fold
        from casino.sample import honest_day

        game = ("easy_over_under", "andar_bahar")[place % 2]
        rounds = before + seconds * POST // 20
        facts = honest_day(
            game, seed=place, property="bench", table=f"T-{place:02}", day=date(2026, 11, 27), rounds=rounds
        )
        begin = next(
            at
            for at, fact in enumerate(facts)
            if fact["kind"] == "round-opened" and fact["round"] == f"r-{before + 1:04}"
        )
        posts = [facts[start : start + POST] for start in range(begin, begin + seconds * POST, POST)]
        self.wrong = [
            next((at for at, fact in enumerate(post) if fact["kind"] in WRONG), None) for post in posts
        ]
        for post, wrong in zip(posts, self.wrong, strict=True):
            if wrong is not None:
                post[wrong]["amount"] += 100
        self.before = [check(json.dumps(fact).encode()) for fact in facts[:begin]]
        self.posts = [[json.dumps(fact).encode() for fact in post] for post in posts]
        self.found, self.hands = zip(*_found(Fold, self.before, self.posts), strict=True)


def _found(fold_of: Any, before: list[Any], posts: list[list[bytes]]) -> Any:
    """Yield for each post the ids of the findings that it must cause, and the rows that they add to the queue
    (`stream|hand`).
    """
    from audit.facts import check, decode
    from audit.review.projections import hand_of

    fold = fold_of(before[0].stream)
    number = 0
    for fact in before:
        fold.take(number := number + 1, decode(fact.body))
    known, shown = set(fold.findings), set[str]()
    for post in posts:
        for line in post:
            fold.take(number := number + 1, decode(check(line).body))
        fresh = sorted(set(fold.findings) - known)
        queued = [fold.findings[id] for id in fresh if fold.findings[id].grade != "notice"]
        rows = {f"{item.stream}|{hand_of(item.round, item.number)}" for item in queued} - shown
        yield fresh, sorted(rows)
        known |= set(fold.findings)
        shown |= rows


def together(threads: list[Thread]) -> None:
    """Start all threads, and wait until they end."""
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def watch(
    messages: Any, query: str, database: str = "default"
) -> tuple[list[float], list[float], int, dict[str, float]]:
    """Return four results: for each finding that came, the seconds from the acknowledgement of its post until
    the finding could be read; the seconds that each post took; how many findings never came; and for each row
    that the queue must show, the time of day at which its post was sent.

    Args:
        query: SQL that returns those of the given ids whose finding can be read.
        database: the name of Django's connection that reads them.
    """
    from django.db import connections

    waiting: dict[str, float] = {}
    delays: list[float] = []
    posted: list[float] = []
    sent: dict[str, float] = {}
    ended: float | None = None
    while ended is None or (waiting and monotonic() < ended + GIVE_UP):
        while not messages.empty():
            message = messages.get()
            if message is None:
                ended = monotonic()
            else:
                acknowledged, took, clock, ids, rows = message
                posted.append(took)
                waiting |= dict.fromkeys(ids, acknowledged)
                sent |= dict.fromkeys(rows, clock)
        if waiting:
            with connections[database].cursor() as cursor:
                cursor.execute(query, [list(waiting)])
                instant = monotonic()
                delays += [instant - waiting.pop(row[0]) for row in cursor.fetchall()]
        sleep(LOOK)
    return delays, posted, len(waiting), sent


def share(values: list[float], part: float) -> float:
    """Return a quantile of the sorted values: `part` is 0.5 for the median and 0.99 for p99."""
    return values[min(len(values) - 1, int(len(values) * part))]

"""Floods: 500 posters at once, and one address with many requests while a user works at another."""

from __future__ import annotations

import http.client
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from casino.runtime import embedded
from casino.sample import honest_day
from tests.counts import LONG
from tests.faults.web import Web, web_server
from tests.manage import Manage

POSTERS = 500 if LONG else 60
OTHER = "127.0.0.9"
"""Another address of this machine, from which the flood comes."""


def facts_of(number: int) -> list[dict[str, Any]]:
    """Return the first facts of a table."""
    return honest_day("easy_over_under", seed=number, table=f"FLOOD-{number}", rounds=1)[:12]


def post_until_recorded(web: Web, number: int, start: threading.Barrier) -> tuple[int, float]:
    """Post facts of a table, and repeat the post while the answer is 503. Return the number of posts, and the
    seconds that the last one took.
    """
    body = "\n".join(map(json.dumps, facts_of(number))).encode()
    start.wait()
    for times in range(1, 50):
        began = time.monotonic()
        client = http.client.HTTPConnection("127.0.0.1", web.port, timeout=300)
        headers = {"Authorization": f"Bearer {web.token}", "Content-Type": "application/x-ndjson"}
        client.request("POST", "/api/v1/facts", body, headers)
        answer = client.getresponse()
        answer.read()
        client.close()
        if answer.status == 201:
            return times, time.monotonic() - began
        assert answer.status == 503, answer.status
        time.sleep(int(answer.headers["Retry-After"]))
    raise AssertionError("never recorded")


def flood(web: Web, over: threading.Event) -> int:
    """Request pages from another address of this machine, without a pause. Return how many requests were
    answered.
    """
    count = 0
    while not over.is_set():
        client = http.client.HTTPConnection(
            "127.0.0.1", web.port, timeout=60, source_address=("127.0.0.9", 0)
        )
        client.request("GET", "/login/")
        client.getresponse().read()
        client.close()
        count += 1
    return count


@pytest.mark.long
def test_many_posters_at_once_are_all_recorded_once_and_healthz_answers(
    installation: Manage, tmp_path: Path
) -> None:
    with web_server(installation, tmp_path) as web, ThreadPoolExecutor(POSTERS) as posters:
        start, over = threading.Barrier(POSTERS + 1), threading.Event()
        posted = [posters.submit(post_until_recorded, web, number, start) for number in range(POSTERS)]
        start.wait()
        began, probes = time.monotonic(), []
        while not all(job.done() for job in posted):
            code, seconds, _ = web.ask("/healthz")
            assert code == 200
            probes.append(seconds)
            time.sleep(0.05)
        took = time.monotonic() - began
        answers = [answer.result() for answer in posted]
        assert {times for times, _ in answers} == {1}
        with psycopg.connect(host=embedded.address(web.data), user="catwalk_app", dbname="catwalk") as app:
            query = "SELECT count(*), count(DISTINCT stream) FROM fact WHERE stream LIKE 'aurora/FLOOD-%'"
            facts = sum(len(facts_of(number)) for number in range(POSTERS))
            assert app.execute(query).fetchall() == [(facts, POSTERS)]
        longest = max(seconds for _, seconds in answers)
        print(f"{POSTERS} posters at once: all recorded in {took:.1f} s, longest {longest:.1f} s;", end=" ")
        print(f"/healthz longest {max(probes):.2f} s")
        assert max(probes) < 2.0

        floods = [posters.submit(flood, web, over) for _ in range(40)]
        time.sleep(0.5)
        own = [web.ask("/login/") for _ in range(20)]
        over.set()
        flooded = sum(answer.result() for answer in floods)
        slowest = max(seconds for _, seconds, _ in own)
        print(
            f"flood of {flooded} requests from one address: a page for another takes at most {slowest:.2f} s"
        )
        assert {code for code, _, _ in own} == {200}
        assert slowest < 2.0

"""How long the server takes for a page of a list in the REST API: `python -m tests.benchmarks.lists [--facts
N]`.

The database is filled as for `tests.benchmarks.pages`. For each list, the benchmark requests pages of a
hundred rows, from the beginning and after cursors further on. It reads the facts in pages of a thousand. The
goal is the same as for every other page: 100 ms at p95. Rows a second are printed too.

Elapsed times depend on the load of the machine. So the CPU time of a page is printed too: that of the web
process together with that of the database.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

from tests.benchmarks.cpu_time import seconds_of_server
from tests.benchmarks.own import PAGES, own_house
from tests.benchmarks.pages import BAR, LIMIT_MS
from tests.benchmarks.recorded_days import fill

ASKED = 40
"""The number of requests for each kind of page."""
WARM = 2
"""The number of requests of each kind that are not measured, because the first ones load code."""
WALKED = 50
"""The number of pages of a thousand facts."""
LISTS = {
    "facts": "facts?page_size=100",
    "of a table": "facts?table=EOU-0001&page_size=100",
    "of a day": "facts?from=2026-11-27&page_size=100",
    "of a seldom kind": "facts?kind=alarm&page_size=100",
    "rounds": "rounds?page_size=100",
    "findings": "findings?page_size=100",
    "of a code": "findings?code=late-bet&page_size=100",
    "tallies": "tallies?page_size=100",
    "fills": "fills?page_size=100",
    "ledger": "ledger",
}


def client() -> Any:
    """Return a client of the REST API with the token of an auditor."""
    from django.conf import settings
    from django.test import Client

    from casino.accounts.services import activate_user, issue_token
    from casino.reference.entries import Entry
    from casino.reference.recording import set_registers

    settings.API_RATE = 10**9
    set_registers(
        "aurora", [Entry("people", "i-101", {"role": "internal-audit"})], by="m-101", second="m-102"
    )
    activate_user("i-101", "Igor")
    return Client(headers={"Authorization": f"Bearer {issue_token(made_by='m-101', person='i-101')}"})


def page(door: Any, path: str) -> dict[str, Any]:
    """Return one page. Raise SystemExit if the answer is not a page."""
    answer = door.get(f"/api/v1/{path}")
    if answer.status_code != 200:
        raise SystemExit(f"{path} answered {answer.status_code}: {answer.content[:200]!r}")
    page_of_list: dict[str, Any] = json.loads(answer.content)
    return page_of_list


class Times(NamedTuple):
    """Milliseconds of a page: median and p95 of the server time, and the mean of the CPU time."""

    median: float
    p95: float
    cpu: float


def measure(door: Any, data: Path) -> dict[str, Times]:
    """Return the times of each kind of page. Each page begins where the previous one ended."""
    figures = {}
    for kind, path in LISTS.items():
        taken, cursor = [], ""
        cpu = 0.0
        for number in range(WARM + ASKED):
            if number == WARM:
                cpu = process_time() + seconds_of_server(data)
            start = perf_counter()
            answer = page(door, f"{path}{cursor}")
            taken.append((perf_counter() - start) * 1000)
            cursor = f"&cursor={answer['next']}" if answer.get("next") else ""
        cpu = process_time() + seconds_of_server(data) - cpu
        sample = sorted(taken[WARM:])
        median, p95 = sample[len(sample) // 2], sample[int(len(sample) * 0.95)]
        figures[kind] = Times(median, p95, cpu * 1000 / ASKED)
    return figures


def walk(door: Any) -> float:
    """Return how many facts a second are read, page by page."""
    start, rows, cursor = perf_counter(), 0, ""
    for _ in range(WALKED):
        answer = page(door, f"facts?page_size=1000{cursor}")
        rows += len(answer["items"])
        if not answer["next"]:
            break
        cursor = f"&cursor={answer['next']}"
    return rows / (perf_counter() - start)


def main(argv: list[str]) -> int:
    """Print the figures, with one JSON object as the last line. Return 1 if the goal is not met."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.lists", description="Server time of lists by REST."
    )
    parser.add_argument(
        "--facts", type=int, default=200_000, help="how many facts are recorded (default 200000)"
    )
    count = parser.parse_args(argv).facts
    load = os.getloadavg()[0]
    with own_house(**PAGES) as data:
        facts, _ = fill(count)
        door = client()
        figures, speed = measure(door, data), walk(door)
    print(
        f"{facts:,} facts, one request after another, {ASKED} pages of 100 rows of each kind; load"
        f" {load:.1f}; milliseconds:"
    )
    for kind, times in figures.items():
        print(f"  {kind:<18} median {times.median:>7.1f}   p95 {times.p95:>7.1f}   CPU {times.cpu:>6.1f}")
    print(f"  facts walked through in pages of 1000: {speed:,.0f} a second")
    worst = max(times.p95 for times in figures.values())
    kinds = {
        kind.replace(" ", "_"): {
            "p50_ms": round(times.median, 1),
            "p95_ms": round(times.p95, 1),
            "cpu_ms": round(times.cpu, 1),
        }
        for kind, times in figures.items()
    }
    result = {
        "bench": "lists",
        "facts": facts,
        "lists": kinds,
        "rows_s": round(speed),
        "p95_ms": round(worst, 1),
        "against": LIMIT_MS,
    }
    ratio = round(LIMIT_MS / worst, 2)
    print(json.dumps(result | {"ratio": ratio, "bar": BAR, "holds": ratio >= BAR}))
    return 0 if ratio >= BAR else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""How long the server takes for a page of a list in the REST API: `python -m tests.benchmarks.lists [--facts
N]`.

The database is filled as for `tests.benchmarks.pages`. For each list, the benchmark requests pages of a
hundred rows, from the beginning and after cursors further on. It reads the facts in pages of a thousand. The
goal is the same as for every other page: 100 ms at p95. Rows a second are printed too.
"""

from __future__ import annotations

import argparse
import json
import sys
from time import perf_counter
from typing import Any

from tests.benchmarks.own import PAGES, own_house
from tests.benchmarks.pages import BAR, LIMIT_MS
from tests.benchmarks.recorded_days import fill

ASKED = 40
"""The number of requests for each kind of page."""
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


def measure(door: Any) -> dict[str, tuple[float, float]]:
    """Return the median and p95 of each kind of page, in milliseconds of server time. Each page begins where
    the previous one ended.
    """
    figures = {}
    for kind, path in LISTS.items():
        taken, cursor = [], ""
        for _ in range(ASKED + 2):
            start = perf_counter()
            answer = page(door, f"{path}{cursor}")
            taken.append((perf_counter() - start) * 1000)
            cursor = f"&cursor={answer['next']}" if answer.get("next") else ""
        sample = sorted(taken[2:])
        figures[kind] = sample[len(sample) // 2], sample[int(len(sample) * 0.95)]
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
    with own_house(**PAGES):
        facts, _ = fill(count)
        door = client()
        figures, speed = measure(door), walk(door)
    print(
        f"{facts:,} facts, one request after another, {ASKED} pages of 100 rows of each kind; milliseconds:"
    )
    for kind, (median, p95) in figures.items():
        print(f"  {kind:<18} median {median:>7.1f}   p95 {p95:>7.1f}")
    print(f"  facts walked through in pages of 1000: {speed:,.0f} a second")
    worst = max(p95 for _, p95 in figures.values())
    kinds = {
        kind.replace(" ", "_"): {"p50_ms": round(median, 1), "p95_ms": round(p95, 1)}
        for kind, (median, p95) in figures.items()
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

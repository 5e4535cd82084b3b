"""How fast a ledger is verified, compared with bare reading: `python -m tests.benchmarks.verify [--facts N]`.

The benchmark has its own embedded installation in a temporary folder. In one run it alternates between:

- `read`: read all columns of all facts in binary form through one cursor, without looking at them;
- `one`: all that `manage.py verify --only ledger` proves: bytes, leaves, chain, numbers, columns, heads,
  streams, and the tree with its tiles and checkpoints, in one process;
- `two`: the same with two processes.

The benchmark also measures how long the tree takes to grow by one fact, at the beginning and at the end of
the ledger.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable
from time import perf_counter
from typing import Any

from tests.benchmarks.append import BATCH, night
from tests.benchmarks.own import own_house

BAR = 0.5
TURNS = 3
TABLES = 10


def fill(count: int) -> dict[str, float]:
    """Record facts of ten tables, and let the tree grow meanwhile. Return the microseconds that its growth
    takes for each fact, in the first and in the last tenth of the ledger.
    """
    from audit.facts import check
    from audit.ledger.intake import Sender, post_prepared
    from audit.tree import store

    spent = []
    for table in range(TABLES):
        facts = [check(line) for line in night(f"bench/T-{table}", count // TABLES)]
        for start in range(0, len(facts), BATCH):
            post_prepared(facts[start : start + BATCH], Sender("bench"))
        start_of_posts = perf_counter()
        store.grow("bench")
        spent.append((perf_counter() - start_of_posts) * 1e6 / len(facts))
    return {"first": spent[0], "last": spent[-1]}


def read() -> None:
    """Read all columns of all facts, and do nothing with them."""
    from audit import database
    from audit.ledger import stored

    with database.snapshot():
        for _ in stored.read_pages("bench"):
            pass


def prove(processes: int) -> None:
    """Prove the ledger and its tree, which must have no fault."""
    from audit.proofs.registry import LEDGER, Options, selected
    from audit.proofs.run import run

    assert run(selected([LEDGER]), options=Options(processes=processes)).faults == []


def main(argv: list[str]) -> int:
    """Print the figures, with one JSON object as the last line. Return 1 if the goal is not met."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.verify", description="Facts a second, against bare reading."
    )
    parser.add_argument("--facts", type=int, default=400_000, help="facts in the ledger (default 400000)")
    count = parser.parse_args(argv).facts // TABLES * TABLES
    with own_house():
        from casino.checkpoints import make

        growth = fill(count)
        make.make("bench")
        acts: dict[str, Callable[[], Any]] = {
            "read": read,
            "one": lambda: prove(1),
            "two": lambda: prove(2),
        }
        seconds: defaultdict[str, float] = defaultdict(float)
        for turn in range(TURNS):
            for way in sorted(acts, reverse=bool(turn % 2)):
                start_of_turn = perf_counter()
                acts[way]()
                seconds[way] += perf_counter() - start_of_turn
    return say({way: count * TURNS / taken for way, taken in seconds.items()}, growth, count)


def say(speed: dict[str, float], growth: dict[str, float], count: int) -> int:
    """Print the figures for people, then the JSON line for programs. Return 1 if the goal is not met."""
    ratio = {way: speed[way] / speed["read"] for way in ("one", "two")}
    print(f"{count:,} facts, facts a second:")
    print(f"  bare reading, one process        {speed['read']:>10,.0f}")
    print(f"  verify, one process              {speed['one']:>10,.0f}   {ratio['one']:.2f} of reading")
    print(f"  verify, two processes            {speed['two']:>10,.0f}   {ratio['two']:.2f}, bar {BAR}")
    print(f"tree: {growth['first']:.2f} us a fact at the beginning, {growth['last']:.2f} us at the end")
    figures = {
        "bench": "verify",
        "facts": count,
        "read": round(speed["read"]),
        "one": round(speed["one"]),
        "two": round(speed["two"]),
        "tree_us": {name: round(value, 2) for name, value in growth.items()},
        "against": "reading all columns of the same facts through one cursor",
        "ratio": round(ratio["two"], 3),
        "bar": BAR,
        "holds": ratio["two"] >= BAR,
    }
    print(json.dumps(figures))
    return 0 if figures["holds"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

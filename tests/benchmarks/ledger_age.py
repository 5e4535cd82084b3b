"""How fast a ledger of many facts records new ones, compared with an empty ledger in the same run:
`python -m tests.benchmarks.ledger_age [--behind N] [--folder F]`.

The benchmark has its own embedded server with two properties. The ledger of the first is empty. The ledger of
the second has N facts (100,000,000 by default, about 50 GB): copies of one gaming day with their own streams
and with uids in the order of time, written by the database. Then both record the same posts in turns: posts
of 500 facts, single facts, and posts that were recorded before. A kept folder is filled only once.

The goal is that the database needs at most LIMIT times the CPU time for a fact of the second ledger, in posts
of 500 facts.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from tests.benchmarks.append import batches, call_each, night
from tests.benchmarks.own import own_house
from tests.benchmarks.partitions import server_seconds

BEHIND = 100_000_000
DAY = 10_000
"""Number of facts of a gaming day of the filled ledger."""
STEP = 100
"""Number of days that one statement copies."""
OLD, YOUNG = "old", "young"
TABLE = "fact_bench_old"
POSTED, SINGLE, TURNS = 10_000, 200, 9
LIMIT = 1.1
DAY_COPY = f"""INSERT INTO {TABLE}
    SELECT property, position + copy * {DAY}, format('old/T-%%s/2016-01-01', lpad(copy::text, 6, '0')),
        number, kind, (lpad(to_hex(('x' || left(replace(uid::text, '-', ''), 12))::bit(48)::bigint
            - (%(days)s - copy) * {DAY // 50}), 12, '0') || substr(replace(uid::text, '-', ''), 13))::uuid,
        round, body, leaf, sha256(chain || int8send(copy)), recorded_at
    FROM generate_series(%(first)s::bigint, %(last)s) copy CROSS JOIN bench_day ORDER BY copy, position"""


class Cost(NamedTuple):
    """Elapsed seconds of a turn, and CPU seconds of the database in it."""

    elapsed: float
    server: float


def fill(owner: Any, facts: int) -> None:
    """Make the filled ledger in one transaction, so that its new table needs no write-ahead log."""
    from audit.facts import check
    from audit.ledger.intake import Sender, post_prepared

    for batch in batches([check(line) for line in night("day/T-1", DAY)]):
        post_prepared(batch, Sender("bench"))
    days = facts // DAY
    with owner.transaction():
        owner.execute(
            "CREATE TEMP TABLE bench_day ON COMMIT DROP AS"
            " SELECT %s::text AS property, position, number, kind, uid, round, body, leaf, chain, recorded_at"
            " FROM fact WHERE property = 'day'",
            [OLD],
        )
        owner.execute(f"CREATE TABLE {TABLE} (LIKE fact INCLUDING ALL)")
        for first in range(0, days, STEP):
            last = min(first + STEP, days) - 1
            owner.execute(DAY_COPY, {"days": days, "first": first, "last": last})
            print(f"  {(last + 1) * DAY:,} facts", file=sys.stderr, flush=True)
        owner.execute(f"ALTER TABLE {TABLE} ADD CHECK (property = '{OLD}')")
        owner.execute(f"ALTER TABLE fact ATTACH PARTITION {TABLE} FOR VALUES IN ('{OLD}')")
        owner.execute(
            "INSERT INTO stream (property, name, number, sealed)"
            f" SELECT property, stream, {DAY}, false FROM {TABLE} WHERE number = {DAY}"
        )
        owner.execute(
            "INSERT INTO head (property, position, chain, recorded_at)"
            f" SELECT property, position, chain, recorded_at FROM {TABLE} ORDER BY position DESC LIMIT 1"
        )
    owner.execute(f"ANALYZE {TABLE}")


def cost(act: Callable[[], Any]) -> Cost:
    """Call the function. Return the elapsed time and the CPU time of the database's process."""
    from django.db import connection

    before, start = server_seconds(connection.connection), perf_counter()
    act()
    return Cost(perf_counter() - start, server_seconds(connection.connection) - before)


def turn(property: str, number: int) -> dict[str, Cost]:
    """Record one table's facts of a property in each of the three ways. Return the cost of each way."""
    from audit.facts import check
    from audit.ledger.intake import Sender, post_prepared

    facts = [check(line) for line in night(f"{property}/N-{number}", POSTED + SINGLE)]
    posts, single = list(batches(facts[:POSTED])), [[fact] for fact in facts[POSTED:]]
    post = partial(call_each, partial(post_prepared, sender=Sender("bench")))
    ways = (("posts of 500", posts), ("single facts", single), ("posts sent again", posts))
    return {way: cost(partial(post, sent)) for way, sent in ways}


def compare() -> dict[str, Any]:
    """Print for each way the facts a second of both ledgers, and the ratios. Return the figures."""
    for property in (YOUNG, OLD):  # warm up
        turn(property, -1)
    costs: dict[str, list[dict[str, Cost]]] = {YOUNG: [], OLD: []}
    for number in range(TURNS):
        for property in sorted(costs, reverse=bool(number % 2)):
            costs[property].append(turn(property, number))
    figures: dict[str, Any] = {}
    for way in costs[YOUNG][0]:
        facts = SINGLE if way == "single facts" else POSTED
        elapsed = {name: median(turns[way].elapsed for turns in costs[name]) / facts for name in costs}
        server = {name: sum(turns[way].server for turns in costs[name]) / facts / TURNS for name in costs}
        figures[way] = {
            "empty_per_s": round(1 / elapsed[YOUNG]),
            "filled_per_s": round(1 / elapsed[OLD]),
            "ratio": round(elapsed[OLD] / elapsed[YOUNG], 3),
            "server_us": [round(server[name] * 1e6, 2) for name in (YOUNG, OLD)],
        }
        print(
            f"  {way:<17} empty {1 / elapsed[YOUNG]:>8,.0f} facts/s, filled {1 / elapsed[OLD]:>8,.0f}:"
            f" {elapsed[OLD] / elapsed[YOUNG]:.2f} times the time; CPU of the database"
            f" {server[YOUNG] * 1e6:.1f} and {server[OLD] * 1e6:.1f} us a fact"
        )
    return figures


def main(argv: list[str]) -> int:
    """Print the figures, with one JSON object as the last line. Return 1 if the goal is not met."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.ledger_age", description=__doc__)
    parser.add_argument("--behind", type=int, default=BEHIND, help=f"facts before (default {BEHIND:,})")
    parser.add_argument("--folder", type=Path, help="keep the installation in this folder")
    options = parser.parse_args(argv)
    with own_house(options.folder):
        from django.db import connections

        connections["owner"].ensure_connection()
        owner = connections["owner"].connection
        if owner.execute("SELECT to_regclass(%s)", [TABLE]).fetchone()[0] is None:
            fill(owner, options.behind)
        ((behind, size),) = owner.execute(
            f"SELECT position, pg_total_relation_size('{TABLE}') FROM head WHERE property = '{OLD}'"
        )
        print(f"a ledger of {behind:,} facts ({size / 1e9:.1f} GB) and an empty one, {TURNS} turns:")
        figures = compare()
    young, old = figures["posts of 500"]["server_us"]
    holds = old <= LIMIT * young
    print(json.dumps({"bench": "ledger_age", "behind": behind, "holds": holds} | figures))
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""How much CPU time the rules need: `python -m tests.benchmarks.replay [--rounds N] [--days N]`.

The benchmark has its own embedded installation in a temporary folder, filled with gaming days of all games
without faults. One run alternates between three tasks, each done by two processes. The benchmark measures the
CPU time of these processes, without the CPU time of the database:

- `replay`: examine every stream from its start with all rules, and write findings and tally;
- `read`: only read the same facts, recompute and compare each leaf hash, and decode;
- `library`: the replay of aggregates by the library `eventsourcing`: read the same facts as its events,
decode them and count them, without any rule (tests/benchmarks/event_library.py).

If `make fast` has compiled the modules that judge facts, the same replay is measured with them too, in a
process of its own.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any

from casino.runtime import compiled
from casino.runtime.compiled import FOLDER
from tests.benchmarks.event_library import NAME, Aggregates
from tests.benchmarks.own import own_house

BAR = 0.3
AIM = 0.5
PROCESSES = 2
TURNS = 3


def fill(rounds: int, days: int) -> int:
    """Record days without faults of every game. Return the number of facts."""
    from audit.facts import check
    from audit.ledger.intake import Sender, post_prepared
    from casino.sample import TABLES, honest_day

    count = 0
    for number in range(days):
        for game in TABLES:
            table = f"{game}-{number}"
            facts = honest_day(
                game, seed=number, property="bench", table=table, day=date(2026, 11, 27), rounds=rounds
            )
            checked = [check(json.dumps(fact).encode()) for fact in facts]
            for start in range(0, len(checked), 500):
                post_prepared(checked[start : start + 500], Sender("bench"))
            count += len(checked)
    return count


def streams() -> list[tuple[str, str]]:
    """Return the property and name of every stream that was recorded."""
    from audit.ledger import store

    return [(row.property, row.name) for row in store.streams()]


def read(name: tuple[str, str]) -> int:
    """Verify and decode one stream. It is read in pages of the same size and with the same query as in a
    replay.
    """
    from django.db import connection
    from psycopg import Cursor

    from audit.facts import decode
    from audit.facts.chain import leaf_of
    from audit.ledger.store import PAGE

    connection.ensure_connection()
    query = (
        "SELECT number, body, leaf FROM fact WHERE property = %s AND stream = %s AND number > %s ORDER BY"
        " number LIMIT %s"
    )
    count = after = 0
    while True:
        with Cursor(connection.connection) as cursor:
            page = cursor.execute(query, (*name, after, PAGE), prepare=True, binary=True).fetchall()
        for _, body, leaf in page:
            assert leaf_of(body) == leaf
            decode(body)
        count += len(page)
        if len(page) < PAGE:
            return count
        after = page[-1][0]


def in_library(folder: Path) -> Aggregates:
    """Record the same facts in the event store of the library, and return its aggregates."""
    from django.db import connections

    from audit.ledger import store

    connections["owner"].ensure_connection()
    library = Aggregates(folder, connections["owner"].connection)
    for property, stream in streams():
        bodies = (bytes(body) for page in store.read_bodies(property, stream) for _, body in page)
        library.record(stream, bodies)
    return library


def replay(name: tuple[str, str]) -> int:
    """Replay one stream from its start. If the result differs from the stored one, store it. Return the
    number of facts.
    """
    from audit.findings.examine import reexamine_stream

    return reexamine_stream(*name).facts


def begin() -> None:
    """Prepare a process, which must open its own database connection."""
    from django.db import connections

    connections.close_all()
    gc.freeze()


def cpu(act: Callable[[tuple[str, str]], int]) -> tuple[float, float, int]:
    """Call a function for every stream, in two processes. Return the CPU seconds of these processes, the
    clock seconds, and the number of facts.
    """
    names = streams()
    from django.db import connections

    import audit.findings.examine  # noqa: F401 - imported before the fork, as in `manage.py examine`, so that the two processes need not import it

    connections.close_all()
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("fork"), initializer=begin) as pool:
        facts = sum(pool.map(act, names))
    after, ended = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, ended - start, facts


def cpu_compiled() -> tuple[float, float, int]:
    """Return the same figures as `cpu`, for a replay by the compiled modules. They are measured in another
    process, because this process uses the sources.
    """
    ran = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.replay", "--once"],
        env=os.environ | {compiled.VARIABLE: str(FOLDER)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    seconds, clock, facts = json.loads(ran.stdout)
    return seconds, clock, facts


def once() -> int:
    """Replay the installation that CATWALK_DATA names once, by the compiled modules, and print the figures.
    Return the exit code.
    """
    import django

    django.setup()
    assert compiled.STATE.modules, compiled.STATE.problem
    print(json.dumps(cpu(replay)))
    return 0


def main(argv: list[str]) -> int:
    """Print the figures, with one JSON object as the last line. Return 1 if the goal is not met."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.replay", description="Replay with all rules, against reading alone."
    )
    parser.add_argument("--rounds", type=int, default=1_000, help="rounds of each gaming day (default 1000)")
    parser.add_argument("--days", type=int, default=1, help="gaming days of each game (default 1)")
    parser.add_argument("--once", action="store_true", help="used by the benchmark itself")
    options = parser.parse_args(argv)
    if options.once:
        return once()
    with own_house() as folder:
        facts = fill(options.rounds, options.days)
        library = in_library(folder)
        ways: dict[str, Callable[[], tuple[float, float, int]]] = {
            "read": lambda: cpu(read),
            "replay": lambda: cpu(replay),
            "library": lambda: cpu(library.replay),
        }
        if FOLDER.exists():
            ways["compiled"] = cpu_compiled
        spent: dict[str, list[tuple[float, float, int]]] = {name: [] for name in ways}
        for turn in range(TURNS):
            for name in ways if turn % 2 else reversed(ways):
                spent[name].append(ways[name]())
    return say(facts, spent)


def say(facts: int, spent: dict[str, list[tuple[float, float, int]]]) -> int:
    """Print the figures for people, then the JSON line for programs. Return 1 if the goal is not met."""
    best = {name: min(turns) for name, turns in spent.items()}
    speed: dict[str, Any] = {name: best[name][2] / best[name][0] for name in best}
    ratio = speed["replay"] / speed["read"]
    print(f"{facts} facts, {PROCESSES} processes, facts a second of CPU time (best of {TURNS}):")
    print(
        f"  read, verify, decode                   {speed['read']:>10,.0f}   {best['read'][1]:.2f} s by the"
        " clock"
    )
    print(
        f"  replay, findings and tally written     {speed['replay']:>10,.0f}   {best['replay'][1]:.2f} s by"
        " the clock"
    )
    if "compiled" in best:
        gain = speed["compiled"] / speed["replay"]
        print(
            f"  replay by compiled modules             {speed['compiled']:>10,.0f}"
            f"   {best['compiled'][1]:.2f} s by the clock, {gain:.2f} times the sources"
        )
    else:
        print("  replay by compiled modules: not measured, because `make fast` was not run")
    print(
        f"  {NAME + ', aggregates':<37}  {speed['library']:>10,.0f}   without rules;"
        f" {speed['replay'] / speed['library']:.2f} times as many here"
    )
    print(f"  ratio {ratio:.2f}, bar {BAR}, aim {AIM}")
    figures = {
        "bench": "replay",
        "facts": facts,
        "replay": round(speed["replay"]),
        "compiled": round(speed["compiled"]) if "compiled" in speed else None,
        "library": {"name": NAME, "facts_per_s": round(speed["library"])},
        "against": {
            "what": "read, verify, decode the same facts, same processes, CPU time",
            "facts_per_s": round(speed["read"]),
        },
        "ratio": round(ratio, 3),
        "bar": BAR,
        "aim": AIM,
        "holds": ratio >= BAR,
    }
    print(json.dumps(figures))
    return 0 if ratio >= BAR else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""How fast a ledger is verified, compared with bare reading: `python -m tests.benchmarks.verify [--facts N]`.

The benchmark has its own embedded installation in a temporary folder. In one run it alternates between these
ways, each in one process and in two:

- `read`: read each row of the table of facts with all its columns as Python values, and do nothing with them.
  The rows are read in binary form through a cursor of the server, in pages of 5,000 rows, by position;
- `verify`: all that `manage.py verify --only ledger` proves: bytes, leaves, chain, numbers, columns, heads,
  streams, and the tree with its tiles and checkpoints.

The library `eventsourcing` has nothing to verify events with. The benchmark prints what reading them costs
there: `library` reads the facts of one of the ten tables through its notification log, in one process
(tests/benchmarks/event_library.py).

The goal compares verifying with reading in the same number of processes. CPU time is compared, because other
programs use the machine too: of the command, its processes and the database server together. Other programs
can only add CPU time, because they use the caches of the processors. So the turn with the least CPU time
counts. The elapsed time is printed as well.

The benchmark also measures how long the tree takes to grow by one fact, at the beginning and at the end of
the ledger.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from math import inf
from time import perf_counter
from typing import Any

import psutil

from tests.benchmarks.append import BATCH, night
from tests.benchmarks.event_library import NAME, EventLibrary
from tests.benchmarks.own import own_house

BAR = 0.5
TURNS = 5
TABLES = 10
PROCESSES = (1, 2)
LIBRARY = "library"


@dataclass
class Spent:
    """The seconds that reading or verifying took, in the turn with the least CPU time."""

    elapsed: float = inf
    cpu: float = inf


def fill(count: int, library: EventLibrary) -> dict[str, float]:
    """Record facts of ten tables, and let the tree grow meanwhile. Record the facts of the first table in the
    library too. Return the microseconds that the growth of the tree takes for each fact, in the first and in
    the last tenth of the ledger.
    """
    from audit.facts import check
    from audit.ledger.intake import Sender, post_prepared
    from audit.tree import store

    spent = []
    for table in range(TABLES):
        facts = [check(line) for line in night(f"bench/T-{table}", count // TABLES)]
        for start in range(0, len(facts), BATCH):
            post_prepared(facts[start : start + BATCH], Sender("bench"))
            if table == 0:
                library.record(library.events(facts[start : start + BATCH]))
        start_of_posts = perf_counter()
        store.grow("bench")
        spent.append((perf_counter() - start_of_posts) * 1e6 / len(facts))
    return {"first": spent[0], "last": spent[-1]}


def read_part(property: str, begins: int, ends: int) -> None:
    """Read all columns of the facts after position `begins` up to `ends`, and do nothing with them."""
    from audit.ledger import stored

    for _ in stored.read_pages(property, begins, ends):
        pass


def read(processes: int, count: int) -> None:
    """Read all columns of all facts and do nothing with them. The processes divide the facts into ranges of
    the same size as when they verify.
    """
    from audit import database
    from audit.ledger.verify import RANGE
    from audit.snapshot_map import snapshot_map

    with database.snapshot(), snapshot_map(processes) as parallel:
        ranges = [("bench", begins, min(begins + RANGE, count)) for begins in range(0, count, RANGE)]
        for _ in parallel(read_part, [("bench", 0, count)] if processes == 1 else ranges):
            pass


def prove(processes: int) -> None:
    """Verify the ledger and its tree with this number of processes. Assert that no fault is found."""
    from audit.proofs.registry import LEDGER, Options, selected
    from audit.proofs.run import run

    assert run(selected([LEDGER]), options=Options(processes=processes)).faults == []


def cpu_seconds(server: psutil.Process) -> float:
    """Return the CPU time of this process, the database server and all their processes, also ended ones."""
    own = os.times()
    seconds = own.user + own.system + own.children_user + own.children_system
    for process in (server, *server.children()):
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            seconds += times.user + times.system
            if process is server:
                seconds += times.children_user + times.children_system
    return seconds


def measure(acts: dict[str, Callable[[], Any]], server: psutil.Process) -> dict[str, Spent]:
    """Run each of these functions in turn, and return the time that each took in its best turn."""
    spent = {way: Spent() for way in acts}
    for turn in range(TURNS):
        for way in sorted(acts, reverse=bool(turn % 2)):
            start, cpu = perf_counter(), cpu_seconds(server)
            acts[way]()
            taken = Spent(perf_counter() - start, cpu_seconds(server) - cpu)
            spent[way] = min(spent[way], taken, key=lambda turn: turn.cpu)
    return spent


def main(argv: list[str]) -> int:
    """Print the figures, with one JSON object as the last line. Return 1 if the goal is not met."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.verify", description="Facts a second, against bare reading."
    )
    parser.add_argument("--facts", type=int, default=400_000, help="facts in the ledger (default 400000)")
    count = parser.parse_args(argv).facts // TABLES * TABLES
    with own_house() as folder, ExitStack() as closing:
        from django.db import connections

        from casino.checkpoints import make

        connections["owner"].ensure_connection()
        library = EventLibrary(folder, connections["owner"].connection)
        closing.callback(library.close)
        growth = fill(count, library)
        make.make("bench")
        with connections["owner"].cursor() as owner:
            owner.execute("VACUUM (ANALYZE) fact")  # as autovacuum does in an installation that runs
        acts: dict[str, Callable[[], Any]] = {LIBRARY: library.read}
        for processes in PROCESSES:
            acts[f"read {processes}"] = partial(read, processes, count)
            acts[f"verify {processes}"] = partial(prove, processes)
        pid = (folder / "postgres" / "cluster" / "postmaster.pid").read_text().split()[0]
        spent = measure(acts, psutil.Process(int(pid)))
    return show(spent, growth, count)


def show(spent: dict[str, Spent], growth: dict[str, float], count: int) -> int:
    """Print the figures for people, then the JSON line for programs. Return 1 if the goal is not met."""
    ratio = {n: spent[f"read {n}"].cpu / spent[f"verify {n}"].cpu for n in PROCESSES}
    print(f"{count:,} facts; CPU time of command and server; load average {os.getloadavg()[0]:.1f}:")
    in_library = spent.pop(LIBRARY).cpu / (count // TABLES) * 1e6
    for way, time in sorted(spent.items()):
        print(
            f"  {way:9} {time.cpu / count * 1e6:6.2f} us a fact {count / time.elapsed:>10,.0f} facts a second"
        )
    for processes, value in ratio.items():
        print(f"  verify against read, {processes} each: {value:.2f}, bar {BAR}")
    print(
        f"{NAME} verifies nothing; reading its events takes {in_library:.2f} us each,"
        f" {in_library / (spent['verify 1'].cpu / count * 1e6):.2f} times as much as verifying here"
    )
    print(f"tree: {growth['first']:.2f} us a fact at the beginning, {growth['last']:.2f} us at the end")
    figures = {
        "bench": "verify",
        "facts": count,
        "cpu_us": {way: round(time.cpu / count * 1e6, 2) for way, time in spent.items()},
        "facts_a_second": {way: round(count / time.elapsed) for way, time in spent.items()},
        "library": {"name": NAME, "read_us": round(in_library, 2)},
        "tree_us": {name: round(value, 2) for name, value in growth.items()},
        "against": "CPU time of reading all columns of the same facts in the same number of processes",
        "ratio": round(ratio[2], 3),
        "bar": BAR,
        "holds": ratio[2] >= BAR,
    }
    print(json.dumps(figures))
    return 0 if figures["holds"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

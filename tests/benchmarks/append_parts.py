"""Where the time of an append goes: `python -m tests.benchmarks.append_parts [--facts N] [--turns N]`.

The benchmark prints microseconds for each fact, as medians of several turns, for the import of a checked file
and for COPY as in tests/benchmarks/append.py:

- `elapsed`: from the first post to the last commit;
- `client`: CPU time of the importing process;
- `server`: CPU time of the server process that serves it;
- `other`: what remains of the elapsed time. It is negative if client and server work at the same time. It
  contains the wait for the disk at each commit, and the wait for a processor if other programs run.

The last columns are the bytes of the write-ahead log for each fact, and the milliseconds to write and commit
the bytes of one post to a file of the same folder.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from tests.benchmarks.append import BATCH, Copy, call_each, night
from tests.benchmarks.own import own_house

COLUMNS = ("elapsed", "client", "server", "other", "wal_bytes")


def server_seconds(pid: int) -> float:
    """Return the CPU seconds of a process, exact to nanoseconds."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def log_position(owner: Any) -> int:
    """Return how many bytes the write-ahead log has ever had."""
    return int(owner.execute("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn").fetchone()[0])


def measure(act: Callable[[], Any], pid: int, owner: Any, count: int) -> dict[str, float]:
    """Run a function that records facts through the server process `pid`. Return the columns."""
    log, server, client, start = log_position(owner), server_seconds(pid), process_time(), perf_counter()
    act()
    elapsed, own = perf_counter() - start, process_time() - client
    served = server_seconds(pid) - server
    seconds = {"elapsed": elapsed, "client": own, "server": served, "other": elapsed - own - served}
    parts = {name: value / count * 1e6 for name, value in seconds.items()}
    return parts | {"wal_bytes": (log_position(owner) - log) / count}


def commit_milliseconds(folder: Path, size: int) -> float:
    """Return the median time to write this many bytes to a file and bring them to the disk."""
    spent = []
    with (folder / "commits").open("wb", buffering=0) as file:
        for _ in range(40):
            start = perf_counter()
            file.write(bytes(size))
            os.fdatasync(file.fileno())
            spent.append((perf_counter() - start) * 1e3)
    return median(spent)


def turns(count: int, times: int, opened: ExitStack) -> dict[str, list[dict[str, float]]]:
    """Return the columns of each way in each turn. The ways alternate."""
    from django.db import connections

    from audit.facts import check
    from audit.ledger.intake import Sender
    from casino.importing import posting
    from casino.importing.spool import Spool

    for name in ("owner", "default"):
        connections[name].ensure_connection()
    owner, app = connections["owner"].connection, connections["default"].connection
    copy = Copy(owner)
    parts: dict[str, list[dict[str, float]]] = {"file": [], "copy": []}
    for turn in range(times):
        facts = [check(line) for line in night(f"bench/T-{turn}", count)]
        spool, packed = opened.enter_context(Spool()), copy.packed(facts)
        for number, fact in enumerate(facts, 1):
            spool.add(0, number, fact)
        record = partial(posting.post, spool, Sender("bench"), strict=True, progress=lambda count: None)
        acts: dict[str, tuple[Callable[[], Any], int]] = {
            "file": (record, app.info.backend_pid),
            "copy": (partial(call_each, copy.post, packed), owner.info.backend_pid),
        }
        for way in sorted(acts, reverse=bool(turn % 2)):
            act, pid = acts[way]
            parts[way].append(measure(act, pid, owner, count))
    return parts


def main(argv: list[str]) -> int:
    """Print the parts, with one JSON object as the last line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.append_parts", description="Where the time of an append goes."
    )
    parser.add_argument("--facts", type=int, default=20_000, help="facts in each turn (default 20000)")
    parser.add_argument("--turns", type=int, default=7, help="turns of each way (default 7)")
    options = parser.parse_args(argv)
    with own_house() as folder, ExitStack() as opened:
        parts = turns(options.facts, options.turns, opened)
        shown = {way: {name: median(turn[name] for turn in parts[way]) for name in COLUMNS} for way in parts}
        for columns in shown.values():
            columns["commit_ms"] = commit_milliseconds(folder, int(columns["wal_bytes"] * BATCH))
    ratio = shown["copy"]["elapsed"] / shown["file"]["elapsed"]
    print(f"us a fact, medians of {options.turns} turns; load average {os.getloadavg()[0]:.1f}:")
    print(f"{'':6}{''.join(f'{name:>11}' for name in (*COLUMNS, 'commit_ms'))}")
    for way, columns in shown.items():
        print(f"{way:6}{''.join(f'{value:11.2f}' for value in columns.values())}")
    print(f"file {ratio:.2f} of COPY")
    print(json.dumps({"bench": "append_parts", "us": shown, "ratio": round(ratio, 3)}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

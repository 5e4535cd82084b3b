"""How long exact odds take to compute: `python -m tests.benchmarks.certificate [--turns N]`.

The command prints the whole certificate of all games. Each turn runs it in a new process, which is limited to
one core and shares no cache with the other turns. The goal is ten seconds of that core, including the start
of Python, and 500 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[2]
LIMIT_SECONDS, LIMIT_MB = 10.0, 500.0
BAR = 1.0
FIGURES = ("edge", "rtp", "variance", "hit", "push")
TURNS = 3


class Turn(NamedTuple):
    """The CPU seconds, clock seconds, peak memory and printed lines of one turn."""

    cpu: float
    clock: float
    peak_mb: float
    lines: list[dict[str, object]]


def turn() -> Turn:
    """Run the command once in a new process, and return its figures."""
    with TemporaryDirectory(prefix="catwalk-bench-") as folder:
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
        process = subprocess.run(
            [sys.executable, "manage.py", "certificate", "--format", "json"],
            cwd=PROJECT,
            env=os.environ | {"CATWALK_DATA": folder},
            stdout=subprocess.PIPE,
            check=True,
            preexec_fn=one_core,
        )
        clock, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Turn(cpu, clock, after.ru_maxrss / 1024, json.loads(process.stdout))


def one_core() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def main(argv: list[str]) -> int:
    """Print the figures, with one JSON object as the last line. Return 1 if the goal is not met."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.certificate", description="The exact odds of all games, cold."
    )
    parser.add_argument(
        "--turns", type=int, default=TURNS, help=f"cold runs, of which the slowest counts (default {TURNS})"
    )
    turns = [turn() for _ in range(max(parser.parse_args(argv).turns, 1))]
    slowest = max(turns, key=lambda turn: turn.cpu)
    peak = max(turn.peak_mb for turn in turns)
    games = sorted({str(line["game"]) for line in slowest.lines})
    count = len(FIGURES) * len(slowest.lines)
    ratio = LIMIT_SECONDS / slowest.cpu
    print(f"{count} exact figures of {len(games)} games, cold, one core (slowest of {len(turns)} turns):")
    print(f"  {slowest.cpu:.2f} s of the core, {slowest.clock:.2f} s by the clock, {peak:.0f} MB at most")
    print(f"  ratio {ratio:.2f}, bar {BAR}; limits {LIMIT_SECONDS:.0f} s and {LIMIT_MB:.0f} MB")
    holds = ratio >= BAR and peak < LIMIT_MB
    result = {
        "bench": "certificate",
        "seconds": round(slowest.cpu, 3),
        "seconds_by_clock": round(slowest.clock, 3),
        "peak_mb": round(peak, 1),
        "figures": count,
        "lines": len(slowest.lines),
        "games": len(games),
        "against": {"what": "limit, one core, cold", "seconds": LIMIT_SECONDS, "mb": LIMIT_MB},
        "ratio": round(ratio, 3),
        "bar": BAR,
        "holds": holds,
    }
    print(json.dumps(result))
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

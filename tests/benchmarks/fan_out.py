"""How long `reexamine` takes with workers: `python -m tests.benchmarks.fan_out [--facts N] [--workers
1,2,4]`.

The benchmark has its own embedded installation with days of one table, copied to many tables, with a fault in
every tenth hand. `reexamine --dry-run` runs in one process, then with `--on-workers` by each number of Celery
workers, and then once more while one worker is killed with SIGKILL. Each worker is a process of its own, with
one child process for tasks. Some rows are changed first, so that there is something to print. The output must
be the same every time.

The option --broker names another broker than the embedded one.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep

from tests.benchmarks.own import own_house
from tests.benchmarks.recorded_days import fill

WORKER = ("-m", "celery", "-q", "--skip-checks", "-A", "casino", "worker", "-c", "1", "-P", "prefork")
STARTED = 12.0
"""Seconds that workers get to start before the time is taken."""


@contextmanager
def workers(count: int, log: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Run this number of Celery workers, each in its own process group."""
    with log.open("ab") as file:
        running = [
            subprocess.Popen(
                [sys.executable, *WORKER, "--without-gossip", "--without-mingle", "-n", f"w{number}@bench"],
                stdout=file,
                stderr=file,
                start_new_session=True,
            )
            for number in range(count)
        ]
    try:
        sleep(STARTED)
        yield running
    finally:
        for worker in running:
            end(worker)


def end(worker: subprocess.Popen[bytes]) -> None:
    """Kill a worker and its processes."""
    if worker.poll() is None:
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


def reexamine(*options: str) -> subprocess.Popen[str]:
    """Start `manage.py reexamine` with these options, and return its process."""
    return subprocess.Popen(
        [sys.executable, "manage.py", "reexamine", "--dry-run", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def timed(command: subprocess.Popen[str]) -> tuple[str, float]:
    """Wait for the command. Return its output, and the seconds by the clock."""
    start = perf_counter()
    out, err = command.communicate()
    if "differences" not in err:
        raise RuntimeError(err)
    return out, perf_counter() - start


def done_units() -> int:
    """Return the number of units of work that workers have finished."""
    from audit import database

    return int(database.rows("SELECT count(result) FROM work_unit")[0][0])


def same(out: str, expected: str) -> str:
    """Return `the same` if an output equals that of one process, and `DIFFERS` if not."""
    return "the same" if out == expected else "DIFFERS"


def spoil() -> None:
    """Change some of the rows that replay stored, so that the command has differences to print."""
    from audit import database

    for table, change in (("tally", "taken = taken + 1"), ("round_tally", "rank = rank + 1")):
        database.execute(f"UPDATE {table} SET {change} WHERE ctid IN (SELECT ctid FROM {table} LIMIT 7)")


def main(argv: list[str]) -> int:
    """Print the seconds of each run. Return 1 if an output differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.fan_out", description=__doc__)
    parser.add_argument("--facts", type=int, default=200_000)
    parser.add_argument("--workers", default="1,2,4", help="numbers of workers (default 1,2,4)")
    parser.add_argument("--broker", default="", help="CELERY_BROKER_URL; the embedded broker if absent")
    options = parser.parse_args(argv)
    counts = [int(count) for count in options.workers.split(",")]
    with own_house() as folder:
        facts, _ = fill(options.facts)
        spoil()
        if options.broker:
            os.environ["CELERY_BROKER_URL"] = options.broker
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        expected, seconds = timed(reexamine())
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{facts:,} facts; one process: {seconds:.1f} s by the clock, {cpu:.1f} s of CPU time")
        figures = {"bench": "fan_out", "facts": facts, "alone": round(seconds, 1), "cpu": round(cpu, 1)}
        holds = True
        for count in counts:
            with workers(count, folder / "workers.log"):
                out, seconds = timed(reexamine("--on-workers"))
            holds = holds and out == expected
            print(f"{count} workers: {seconds:.1f} s by the clock, output {same(out, expected)}")
            figures[f"workers_{count}"] = round(seconds, 1)
        with workers(max(counts), folder / "workers.log") as running:
            command, start = reexamine("--on-workers"), perf_counter()
            while not done_units():
                sleep(0.05)
            end(running[0])
            left = done_units()
            out, _ = timed(command)
            seconds = perf_counter() - start
        holds = holds and out == expected
        print(
            f"{max(counts)} workers, one killed after {left} units: {seconds:.1f} s by the clock, output"
            f" {same(out, expected)}"
        )
        print(json.dumps(figures | {"killed": round(seconds, 1), "holds": holds}))
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

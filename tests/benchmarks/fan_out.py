"""How long commands take with workers: `python -m tests.benchmarks.fan_out [--facts N] [--workers 1,2,4]
[--command reexamine] [--rabbitmq] [--compiled FOLDER]`.

The benchmark has its own embedded installation with days of one table, copied to many tables, with a fault in
every tenth hand. The command runs in one process, then with `--on-workers` by each number of Celery workers,
and then once more while one worker is killed with SIGKILL. Each worker is a process group of its own, with
one child process for tasks, and has settings and a data folder of its own. Some rows are changed first, so
that there is something to print. The output must be the same every time.

Seconds are those of the clock. CPU seconds are those of the command, of its workers and of the database,
without those that the command needs in an empty installation.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import perf_counter, sleep
from typing import NamedTuple
from urllib.parse import quote

from tests.benchmarks.cpu_time import seconds_of_group, seconds_of_server
from tests.benchmarks.own import own_house
from tests.benchmarks.recorded_days import fill

WORKER = ("-m", "celery", "-q", "--skip-checks", "-A", "casino", "worker", "-c", "1", "-P", "prefork")
STARTED = 12.0
"""Seconds that workers get to start before the time is taken."""
COMMANDS = {
    "reexamine": ("reexamine", "--dry-run"),
    "verify": ("verify", "--only", "ledger,replay"),
    "what-if": ("reexamine", "--as", "pay_tables=spread:B"),
}


class Run(NamedTuple):
    """A run of the command: what it printed, the seconds by the clock, and the CPU seconds."""

    out: str
    seconds: float
    cpu: float


class Bench:
    """The installation of the benchmark, and the command that is measured."""

    def __init__(self, folder: Path, command: tuple[str, ...], broker: str) -> None:
        from django.conf import settings

        from casino.runtime import embedded

        self.folder, self.command = folder, command
        self.idle = 0.0
        """CPU seconds of the command in an empty installation."""
        socket = quote(embedded.address(folder))
        self.settings = {
            "DATABASE_URL": f"postgres://catwalk_app@/catwalk?host={socket}&port=5432",
            "DATABASE_OWNER_URL": f"postgres://catwalk_owner@/catwalk?host={socket}&port=5432",
            "CELERY_BROKER_URL": broker,
            "CATWALK_SECRET_KEY": str(settings.SECRET_KEY),
        }
        os.environ["CELERY_BROKER_URL"] = broker

    @contextmanager
    def workers(self, count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
        """Run this number of Celery workers, each with its own settings and data folder."""
        running = []
        with (self.folder / "workers.log").open("ab") as log:
            for number in range(count):
                own = self.folder / f"worker-{number}"
                own.mkdir(exist_ok=True)
                name = ("--without-gossip", "--without-mingle", "-n", f"w{number}@bench")
                running.append(
                    subprocess.Popen(
                        [sys.executable, *WORKER, *name],
                        stdout=log,
                        stderr=log,
                        start_new_session=True,
                        env=os.environ | self.settings | {"CATWALK_DATA": str(own)},
                    )
                )
        try:
            sleep(STARTED)
            yield running
        finally:
            for worker in running:
                end(worker)

    def start(self, *options: str) -> subprocess.Popen[str]:
        """Start the command with these options, in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "manage.py", *self.command, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def measure(self, *options: str, workers: list[subprocess.Popen[bytes]] | None = None) -> Run:
        """Run the command to its end."""
        before = self._cpu(workers or [])
        start = perf_counter()
        command = self.start(*options)
        usage = os.times()
        out, err = command.communicate()
        if "Traceback" in err or not out:
            raise RuntimeError(err + (self.folder / "workers.log").read_text()[-2000:])
        seconds, ended = perf_counter() - start, os.times()
        own = ended.children_user + ended.children_system - usage.children_user - usage.children_system
        return Run(out, seconds, own + self._cpu(workers or []) - before - self.idle)

    def _cpu(self, workers: list[subprocess.Popen[bytes]]) -> float:
        return seconds_of_server(self.folder) + sum(seconds_of_group(worker.pid) for worker in workers)

    def measure_killed(self, count: int) -> tuple[Run, int]:
        """Run the command with this number of workers, and kill one after the first unit. Return the run, and
        the number of units that were done before.
        """
        with self.workers(count) as running:
            command, start = self.start("--on-workers"), perf_counter()
            while not (done_units_before := done_units()):
                sleep(0.02)
            end(running[0])
            out, _ = command.communicate()
            return Run(out, perf_counter() - start, 0.0), done_units_before


def end(worker: subprocess.Popen[bytes]) -> None:
    """Kill a worker and its processes."""
    if worker.poll() is None:
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()


def done_units() -> int:
    """Return the number of units of work that workers have finished."""
    from audit import database

    return int(database.rows("SELECT count(result) FROM work_unit")[0][0])


def same(out: str, expected: str) -> str:
    """Return `the same` if an output equals that of one process, and `DIFFERS` if not."""
    return "the same" if out == expected else "DIFFERS"


def change_results() -> None:
    """Change some of the rows that replay stored, so that the command has differences to print."""
    from audit import database

    for table, change in (("tally", "taken = taken + 1"), ("round_tally", "rank = rank + 1")):
        database.execute(f"UPDATE {table} SET {change} WHERE ctid IN (SELECT ctid FROM {table} LIMIT 7)")


def measure(bench: Bench, count: int, workers: list[int]) -> dict[str, object]:
    """Run the command in all ways, print a line for each, and return the figures."""
    bench.idle = bench.measure().cpu
    facts, _ = fill(count)
    change_results()
    single = bench.measure()
    per_fact = single.cpu / facts * 1e6
    costs = f"{single.seconds:.1f} s, {single.cpu:.1f} CPU s, {per_fact:.1f} µs a fact"
    print(f"{facts:,} facts; one process: {costs}")
    figures: dict[str, object] = {"facts": facts, "alone": round(single.seconds, 1)}
    figures |= {"cpu": round(single.cpu, 1), "us_a_fact": round(per_fact, 1)}
    outputs = []
    for number in workers:
        with bench.workers(number) as running:
            run = bench.measure("--on-workers", workers=running)
        outputs.append(run.out)
        print(
            f"{number} workers: {run.seconds:.1f} s, {run.cpu:.1f} CPU s, output {same(run.out, single.out)}"
        )
        figures[f"workers_{number}"] = [round(run.seconds, 1), round(run.cpu, 1)]
    run, finished = bench.measure_killed(max(workers))
    outputs.append(run.out)
    print(
        f"{max(workers)} workers, one killed after {finished} units: {run.seconds:.1f} s, output"
        f" {same(run.out, single.out)}"
    )
    holds = all(out == single.out for out in outputs)
    return figures | {"killed": round(run.seconds, 1), "holds": holds}


def main(argv: list[str]) -> int:
    """Print the seconds of each run. Return 1 if an output differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.fan_out", description=__doc__)
    parser.add_argument("--facts", type=int, default=200_000)
    parser.add_argument("--workers", default="1,2,4", help="numbers of workers, at least 2 in one of them")
    parser.add_argument("--command", default="reexamine", choices=COMMANDS)
    parser.add_argument("--rabbitmq", action="store_true", help="RabbitMQ as the broker, not Valkey")
    parser.add_argument("--compiled", default="", help="the folder of compiled modules that `make fast` made")
    options = parser.parse_args(argv)
    extra = {"CATWALK_COMPILED": options.compiled} if options.compiled else {}
    with own_house(**extra) as folder, ExitStack() as stack:
        from tests.casino.brokers import RabbitMq, Valkey

        broker = (RabbitMq if options.rabbitmq else Valkey)(folder / "message-broker")
        stack.callback(broker.stop)
        broker.start()
        bench = Bench(folder, COMMANDS[options.command], broker.url.partition("?")[0])
        figures = measure(bench, options.facts, list(map(int, options.workers.split(","))))
        names = {"bench": "fan_out", "command": options.command, "compiled": bool(options.compiled)}
        names["broker"] = "RabbitMQ" if options.rabbitmq else "Valkey"
        print(json.dumps(names | figures))
    return 0 if figures["holds"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

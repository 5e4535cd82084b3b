"""How fast a million rows are exported as files: `python -m tests.benchmarks.export [--rows N] [--turns N]
[--formats csv,ndjson,…]`.

The benchmark has its own embedded installation, with the tally filled as in the benchmark of reports. Each
file is written as `manage.py export` does, including manifest and control totals. A separate process writes
it. The process reports its seconds, the time at which its first thousand bytes were written, and its memory
before and at the peak.

CSV alternates with psql, which copies the same database table into a file in two ways. The first is the query
of the export, which gives the same CSV except for the protection against formulas. The second copies the rows
as they are stored, with amounts in minor units. The goal is half of psql's rows a second for the same CSV,
with less than 150 MB. The ratio to the second way is printed too. Each ratio is the median of the turns. It
compares exports and copies that ran one after the other, so that other load on the machine affects both.

If other programs use the processors at the same time, an export waits for them in both of its processes, and
the elapsed times say little. So the ratio of the CPU time is printed too: that of the client together with
that of its database server.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import IO, Any, NamedTuple

import psycopg

from tests.benchmarks.cpu_time import seconds_of_server
from tests.benchmarks.own import PAGES, own_house

BEGINS = date(2026, 1, 1)
TABLES, ROWS_A_DAY = 100, 40
BAR, LIMIT_MB = 0.5, 150.0
FORMATS = ("csv", "ndjson", "parquet", "xlsx")
FIRST = 1000
"""The number of bytes from which a file counts as begun, because a heading alone is shorter."""
PLAIN = """SELECT property, stream, day, currency, shift, hour, dealer, wager, pay_table, price_class,
    opening, rounds, bets, staked, paid, taken, returned, squared, voided, found
    FROM tally JOIN examination USING (property, stream)
    ORDER BY property, stream, currency, shift, hour, dealer, wager, pay_table, price_class, opening"""


class Timed:
    """A file that records when its first bytes were written."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.length, self.first = file, 0, 0.0

    def write(self, part: bytes) -> int:
        self.length += len(part)
        if not self.first and self.length >= FIRST:
            self.first = perf_counter()
        return self.file.write(part)


def memory() -> float:
    """Return the megabytes of memory that this process uses now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def cpu_seconds(data: Path) -> float:
    """Return the CPU seconds of this process, its ended children and the database server."""
    processes = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    usages = [resource.getrusage(process) for process in processes]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages) + seconds_of_server(data)


def write_one(format: str, path: str) -> int:
    """Write one file and print its figures. This is what the separate process runs."""
    import django

    django.setup()
    from django.db import connection

    from casino.exports import datasets
    from casino.exports.as_of import snapshot
    from casino.exports.datasets import Selection
    from casino.exports.formats import registry
    from casino.exports.manifest import Subject, manifest

    connection.ensure_connection()
    Path("/proc/self/clear_refs").write_text("5")  # the peak so far is the peak of the parent process
    data = Path(os.environ["CATWALK_DATA"])
    before, start, cpu = memory(), perf_counter(), cpu_seconds(data)
    with snapshot(None, folded=True) as ledgers, open(path, "wb") as output:
        sheet, file = datasets.sheet("tally", Selection()), Timed(output)
        written = registry.write(sheet, format, file)  # type: ignore[arg-type]
        manifest(Subject("tally", format, None, None, None), sheet, written, ledgers)
    seconds, cpu = perf_counter() - start, cpu_seconds(data) - cpu
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    peak = int(status["VmHWM"].split()[0]) * 1024 / 1e6
    result = {
        "rows": written.rows,
        "seconds": round(seconds, 2),
        "cpu_seconds": round(cpu, 2),
        "rows_a_second": round(written.rows / seconds),
        "first_ms": round((file.first - start) * 1000, 1),
        "megabytes": round(written.length / 1e6, 1),
        "before_mb": round(before, 1),
        "peak_mb": round(peak, 1),
    }
    print(json.dumps(result))
    return 0


def export(format: str, folder: Path) -> dict[str, Any]:
    """Export one file in a separate process, and return its figures."""
    out = folder / f"out.{format}"
    export_command = [sys.executable, "-m", "tests.benchmarks.export", "--one", format, str(out)]
    ran = subprocess.run(export_command, capture_output=True, text=True, check=False)
    out.unlink(missing_ok=True)
    if ran.returncode:
        raise SystemExit(ran.stderr)
    result: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return result


def psql(query: str, folder: Path) -> tuple[float, float]:
    """Return the seconds, and the CPU seconds, that psql takes to copy the rows of a query into a file as
    CSV.
    """
    from django.conf import settings

    from casino.runtime.embedded import binaries

    database, out = settings.DATABASES["default"], folder / "psql.csv"
    psql_command = [
        "-X",
        "-q",
        "-h",
        database["HOST"],
        "-p",
        str(database["PORT"] or 5432),
        "-U",
        database["USER"],
        "-d",
        database["NAME"],
        "-o",
        str(out),
    ]
    start, cpu = perf_counter(), cpu_seconds(folder)
    command = [
        str(binaries.find(None).folder / "psql"),
        *psql_command,
        "-c",
        f"COPY ({query}) TO STDOUT (FORMAT csv, HEADER)",
    ]
    subprocess.run(
        command,
        env=os.environ | {"PGPASSWORD": str(database.get("PASSWORD") or "")},
        check=True,
        capture_output=True,
    )
    seconds, cpu = perf_counter() - start, cpu_seconds(folder) - cpu
    out.unlink()
    return seconds, cpu


def same_query() -> str:
    """Return the query of the export with its parameters filled in."""
    from django.db import connection

    from casino.exports import datasets
    from casino.exports.datasets import Selection

    query = datasets.sheet("tally", Selection()).query
    assert query is not None
    return psycopg.ClientCursor(connection.connection).mogrify(query.text, query.values)


class Turn(NamedTuple):
    """The figures of one turn: those of our CSV, and the seconds that psql needed for each of two queries.
    `plain` copies the rows as stored; `same` runs the query of the export. `same_cpu`: its CPU seconds.
    """

    ours: dict[str, Any]
    plain: float
    same: float
    same_cpu: float


def by_turns(folder: Path, turns: int) -> list[Turn]:
    """Export as CSV, and then copy with psql, in each of this number of turns. Return the figures of each
    turn.
    """
    query = same_query()
    return [Turn(export("csv", folder), psql(PLAIN, folder)[0], *psql(query, folder)) for _ in range(turns)]


def arguments(argv: list[str]) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.export", description="Files of many rows."
    )
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of the tally (default 1,000,000)")
    parser.add_argument(
        "--turns", type=int, default=3, help="times that CSV and psql are measured by turns (default 3)"
    )
    parser.add_argument("--formats", default=",".join(FORMATS), help="which, with commas")
    parser.add_argument("--one", nargs=2, metavar=("FORMAT", "FILE"), help=argparse.SUPPRESS)
    return parser.parse_args(argv)


def measure(rows: int, turns: int, formats: list[str]) -> tuple[list[Turn], dict[str, Any]]:
    """Return the turns of CSV and psql for this number of rows, and the figures of each format. The figures
    of CSV are those of the turn with the median time.
    """
    with own_house(**PAGES) as folder:
        from tests.benchmarks.reports import fill

        days = max(round(rows / (TABLES * ROWS_A_DAY)), 1)
        fill(TABLES, BEGINS, BEGINS + timedelta(days=days - 1))
        taken = by_turns(folder, turns)
        by_seconds = sorted((turn.ours for turn in taken), key=lambda result: float(result["seconds"]))
        results = {"csv": by_seconds[len(taken) // 2]}
        return taken, results | {format: export(format, folder) for format in formats if format != "csv"}


def show(results: dict[str, Any], plain: float, queried: float) -> None:
    """Print a line for each format, and the seconds of psql for both queries."""
    rows = results["csv"]["rows"]
    print(f"{rows:,} rows of the tally, 20 columns; each with its manifest and control totals:")
    for format, result in results.items():
        print(
            f"  {format:<8} {result['rows_a_second']:>9,} rows/s {result['seconds']:7.2f} s,"
            f" CPU {result['cpu_seconds']:6.2f} s, first bytes {result['first_ms']:8.1f} ms,"
            f" {result['megabytes']:7.1f} MB long,"
            f" memory {result['before_mb']:.0f} -> {result['peak_mb']:.0f} MB"
        )
    print(
        f"  psql     {rows / plain:>9,.0f} rows/s {plain:7.2f} s as CSV, the same rows as they lie in the"
        " tables"
    )
    print(
        f"  psql     {rows / queried:>9,.0f} rows/s {queried:7.2f} s as CSV, the query of the export: amounts"
        " written as decimals"
    )


def main(argv: list[str]) -> int:
    """Print the figures, with one JSON object as the last line. Return 1 if a goal is not met."""
    options = arguments(argv)
    if options.one:
        return write_one(*options.one)
    taken, results = measure(options.rows, options.turns, options.formats.split(","))
    rows, peak = results["csv"]["rows"], results["csv"]["peak_mb"]
    ratio = median(turn.same / turn.ours["seconds"] for turn in taken)
    of_plain = median(turn.plain / turn.ours["seconds"] for turn in taken)
    of_cpu = [turn.same_cpu / turn.ours["cpu_seconds"] for turn in taken]
    plain, queried = median(turn.plain for turn in taken), median(turn.same for turn in taken)
    show(results, plain, queried)
    holds = ratio >= BAR and peak <= LIMIT_MB
    print(
        f"CSV has {ratio:.2f} of psql's rows a second for the same CSV, bar {BAR}, and {of_plain:.2f} of its"
        f" rows as they lie; by CPU time {median(of_cpu):.2f}, at least {min(of_cpu):.2f}"
    )
    figures = {
        "bench": "export",
        "rows": rows,
        "formats": results,
        "against": {"what": "psql COPY of the same CSV", "rows_a_second": round(rows / queried)},
        "against_minor_units": {"rows_a_second": round(rows / plain), "ratio": round(of_plain, 3)},
        "turns": [[turn.ours["seconds"], round(turn.plain, 2), round(turn.same, 2)] for turn in taken],
        "ratio": round(ratio, 3),
        "cpu_ratio": {"least": round(min(of_cpu), 3), "median": round(median(of_cpu), 3)},
        "bar": BAR,
        "peak_mb": peak,
        "limit_mb": LIMIT_MB,
        "holds": holds,
    }
    print(json.dumps(figures))
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

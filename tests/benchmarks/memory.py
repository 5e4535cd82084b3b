"""How much memory an examination needs: `python -m tests.benchmarks.memory [--findings N] [--lines N]`.

The benchmark has its own embedded installation in a temporary folder, filled with one table's day. In its
rounds, chips are paid on wagers that nobody made. Each of these payments is a finding. A separate process
examines the day. The figure is the growth of its resident memory up to its peak.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
from time import perf_counter
from typing import Any

from tests.audit.floor import fact, opened
from tests.benchmarks.own import own_house


def lines(findings: int, per_round: int) -> list[bytes]:
    """Return the facts of the day, one JSON line each."""
    facts = [opened(1)]
    for number in range(-(-findings // per_round)):
        place, named = 3 * number + 2, {"round": f"R{number}"}
        paid = [[f"{spot}", "over", 500] for spot in range(per_round)]
        facts += [
            fact(place, "round-opened", **named),
            fact(place + 1, "settled", taken=[], paid=paid, **named),
            fact(place + 2, "round-closed", **named),
        ]
    return [json.dumps(fact).encode() for fact in facts]


def peak() -> float:
    """Return the highest resident memory of this process so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure() -> dict[str, Any]:
    """Examine all streams in a child process. Return the memory of that process before the examination, its
    peak memory, and the seconds that the examination took.
    """
    from django.db import connections

    from audit.findings import examine

    connections.close_all()
    reader, writer = os.pipe()
    if os.fork() == 0:
        before, start = peak(), perf_counter()
        examine.examine()
        usage = {"before": before, "peak": peak(), "seconds": perf_counter() - start}
        os.write(writer, json.dumps(usage).encode())
        os._exit(0)
    os.close(writer)
    os.wait()
    with os.fdopen(reader) as read:
        result: dict[str, Any] = json.load(read)
    return result


def results() -> tuple[int, str]:
    """Return the number of findings, and one digest of all rows that an examination writes."""
    from audit import database

    digest = hashlib.sha256()
    for table in ("finding", "tally", "queued", "examination"):
        left_out = {"queued": " - 'touched'", "examination": " - 'seal'"}.get(table, "")
        query = f'SELECT (to_jsonb(t){left_out})::text COLLATE "C" FROM {table} t ORDER BY 1'
        for (row,) in database.stream_rows(query):
            digest.update(row.encode())
    return database.rows("SELECT count(*) FROM finding")[0][0], digest.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--findings", type=int, default=200_000)
    parser.add_argument("--lines", type=int, default=500, help="findings in one round")
    options = parser.parse_args()
    with own_house():
        from audit.ledger.intake import Sender, post

        day = lines(options.findings, options.lines)
        for start in range(0, len(day), 100):
            post(day[start : start + 100], Sender("bench"))
        usage = measure()
        count, digest = results()
    print(f"{count} findings in {usage['seconds']:.1f} s")
    print(f"memory: {usage['before']:.0f} MB before, {usage['peak']:.0f} MB at the peak")
    print(f"results: {digest}")


if __name__ == "__main__":
    main()

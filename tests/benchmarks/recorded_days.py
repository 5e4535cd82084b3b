"""Record days of one table for a benchmark: 500 hands each, with a fault in one of ten hands."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from uuid import UUID

POST = 500
PLANTED = (
    "wrong-settlement:over:overpaid",
    "late-bet:new",
    "not-settled:over",
    "too-few-shakes:four",
    "wrong-settlement:under:underpaid",
)


def day() -> list[bytes]:
    """Return the facts of one table's day of 500 hands as lines, with a fault in every tenth hand."""
    from casino.sample import FAULTS
    from casino.sample.tables.day import Day
    from casino.sample.tables.table import TABLES

    recorded_day = Day(
        "easy_over_under",
        "pages",
        table="EOU-0000",
        **(TABLES["easy_over_under"].exact | {"currency": "USD"}),
    )
    recorded_day.open()
    for place in range(50):
        recorded_day.honest(9)
        FAULTS["easy_over_under"][PLANTED[place % len(PLANTED)]].act(recorded_day)
    return [json.dumps(fact).encode() for fact in recorded_day.facts()]


def tables(lines: list[bytes], count: int) -> Iterator[list[bytes]]:
    """Yield the same day at one table after another, each fact with a uid of its own, up to this number of
    facts.
    """
    uids = [UUID(json.loads(line)["uid"]).int for line in lines]
    for table in range(-(-count // len(lines))):
        own_lines = lines[: max(1, count - table * len(lines))]
        yield [
            line.replace(b"EOU-0000", b"EOU-%04d" % table).replace(
                str(UUID(int=uid)).encode(), str(UUID(int=uid ^ (table + 1))).encode()
            )
            for uid, line in zip(uids, own_lines, strict=False)
        ]


def fill(count: int) -> tuple[int, int]:
    """Record and examine this number of facts. Return the number of facts, and the number of hands in the
    queue.
    """
    from django.db import connection, connections

    from audit.facts import check
    from audit.findings import examine as findings
    from audit.ledger import intake
    from audit.ledger.intake import Sender

    recorded = 0
    for table in tables(day(), count):
        for start in range(0, len(table), POST):
            recorded += len(
                intake.post_prepared([check(line) for line in table[start : start + POST]], Sender("bench"))
            )
        if sys.stderr.isatty():
            print(f"\r{recorded:,} facts recorded", end="", file=sys.stderr, flush=True)
    findings.examine()
    with connections["owner"].cursor() as cursor:  # the application's role owns no table, so it may not
        cursor.execute("ANALYZE")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM queued")
        return recorded, cursor.fetchone()[0]

"""How long the close of a gaming day takes: `python -m tests.benchmarks.closing [--tables N] [--rounds N]`.

The benchmark has its own embedded installation, with a day of 100 tables in three shifts. Each table has
hands, fills, credits, markers, and three drop boxes counted twice, as in the sample. Accounting opens the
page and closes all tables with one button, the new facts are examined, and the closed and the restated books
of the day are read. The goal is ten clock seconds for all of this.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections.abc import Callable
from datetime import date, timedelta
from time import perf_counter, process_time
from typing import Any
from uuid import uuid4

from tests.benchmarks.own import PAGES, own_house

DAY = date(2026, 11, 27)
LIMIT_SECONDS = 10.0
BAR = 1.0
BATCH = 500


def record(tables: int, rounds: int) -> int:
    """Record and examine the day of each table up to its close. Return the number of facts."""
    from audit.facts import canonical
    from audit.findings import examine as findings
    from audit.ledger import intake
    from audit.ledger.intake import Sender
    from casino.reference.demo_users import create_demo_users
    from casino.sample import honest_day

    create_demo_users("bench")
    games = ("easy_over_under", "high_side", "casino_over_under")
    count = 0
    for place in range(tables):
        name = f"T-{place:03}"
        facts_of_day = honest_day(
            games[place % 3],
            seed=place,
            property="bench",
            table=name,
            day=DAY,
            rounds=rounds,
            house=True,
            shifts=3,
        )
        facts = [
            fact for fact in facts_of_day if fact["table"] == f"bench/{name}" and fact["kind"] != "day-closed"
        ]
        for start in range(0, len(facts), BATCH):
            intake.post([canonical(fact) for fact in facts[start : start + BATCH]], Sender("bench"))
        count += len(facts)
    findings.examine()
    return count


def measured(steps: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Run the steps in this order, and return the clock seconds of each, by name."""
    seconds = {}
    for name, step in steps.items():
        start, cpu = perf_counter(), process_time()
        step()
        seconds[name] = perf_counter() - start
        print(
            f"  {name:<28} {seconds[name]:7.3f} s by the clock, {process_time() - cpu:7.3f} s of a core,"
            " Postgres' own time aside"
        )
    return seconds


def close(tables: int) -> dict[str, float]:
    """Return the clock seconds of each step of the close. Raise AssertionError if the day is not closed at
    the end.
    """
    from django.test import Client

    from audit.findings import examine as findings
    from audit.queries.span import CLOSED, RESTATED, Span
    from casino.day_close import queries as day_close
    from casino.models import Person
    from casino.reports import catalog

    browser = Client()
    browser.force_login(Person.objects.get(pk="a-101"), backend="django.contrib.auth.backends.ModelBackend")
    page, span = f"/closing/?property=bench&day={DAY}", Span(DAY, DAY + timedelta(days=1), "bench")
    codes = [table.code for table in day_close.tables("bench", DAY) if table.ready]
    assert len(codes) == tables, [table for table in day_close.tables("bench", DAY) if table.blockers][:3]
    answers: list[Any] = []
    explained = {f"explanation-{code}": "benchmark" for code in codes}
    form = {"uid": str(uuid4()), "tables": codes, "looked": "yes"} | explained
    browser.get("/help/")  # the first request of a process loads the code of all pages
    seconds = measured(
        {
            "the page": lambda: answers.append(browser.get(page)),
            "the close": lambda: answers.append(browser.post(page, form)),
            "what it brings, examined": findings.examine,
            "the closed books": lambda: list(
                catalog.report("hold").sheet(span._replace(books=CLOSED), ("table",)).rows
            ),
            "the restated books": lambda: list(
                catalog.report("hold").sheet(span._replace(books=RESTATED), ("table",)).rows
            ),
            "closed and restated": lambda: answers.append(browser.get(page)),
        }
    )
    assert [answer.status_code for answer in answers] == [200, 302, 200]
    assert all(table.closed for table in day_close.tables("bench", DAY))
    return seconds


def main(argv: list[str]) -> int:
    """Print the figures, with one JSON object as the last line. Return 1 if the goal is not met."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.closing", description="The close of a gaming day."
    )
    parser.add_argument("--tables", type=int, default=100, help="tables of the day (default 100)")
    parser.add_argument("--rounds", type=int, default=60, help="hands at each (default 60)")
    options = parser.parse_args(argv)
    with own_house(**PAGES):
        facts = record(options.tables, options.rounds)
        print(f"a day of {options.tables} tables, {facts} facts:")
        seconds = close(options.tables)
    total = sum(seconds.values())
    ratio, peak = LIMIT_SECONDS / total, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"  {total:.2f} s in all, limit {LIMIT_SECONDS:.0f} s; ratio {ratio:.2f}, bar {BAR}; {peak:.0f} MB at"
        " most"
    )
    result = {
        "bench": "closing",
        "tables": options.tables,
        "facts": facts,
        "seconds": round(total, 3),
        "steps": {name: round(spent, 3) for name, spent in seconds.items()},
        "peak_mb": round(peak, 1),
        "against": {"what": "limit", "seconds": LIMIT_SECONDS},
        "ratio": round(ratio, 3),
        "bar": BAR,
        "holds": ratio >= BAR,
    }
    print(json.dumps(result))
    return 0 if ratio >= BAR else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

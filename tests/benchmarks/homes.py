"""How long the server takes for each role's home page and for the floor's map, with a year of 100 tables:
`python -m tests.benchmarks.homes [--tables N] [--days N] [--folder PATH]`.

The benchmark has its own embedded installation with the days that `large_house` describes. Each table is also
open today, with hands, slips and boxes. One user of each role requests their home page, and a supervisor
requests the floor's board and map. In the same run, a page without figures is requested. `ratio` is the p95
of a kind of page divided by the p95 of this bare page. `cpu` is the CPU time of the server and the database,
which does not include waiting for other processes of the machine. The goal is 100 ms of CPU time at p95.

With `--folder`, the installation is kept and used again by a run on the same gaming day.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from tests.benchmarks.large_house import fill, size
from tests.benchmarks.own import PAGES, own_house
from tests.benchmarks.served import ASKED, Figures, Officer, measure, print_figures

LIMIT_MS = 100.0
BAR = 1.0
ROUNDS = 60
"""The number of hands at each table today."""
POST = 500
BARE = "bare page"
"""A page that reads only the user and the property: the form with which users change their passwords."""
PEOPLE = {
    "v-101": "surveillance",
    "g-101": "table-games",
    "f-101": "supervisor",
    "c-101": "cage",
    "n-101": "count",
    "a-101": "accounting",
    "i-101": "internal-audit",
    "r-101": "regulator",
    "l-101": "compliance",
    "m-101": "administrator",
}
"""The users, with the role of each. Each role with a home page has one user."""
SUPERVISOR = "f-101"
PAR = {"10000": 200, "2500": 600, "500": 1_500, "100": 200}
"""Pieces of each denomination that the tray of every table should hold."""
GAMES = ("easy_over_under", "high_side", "casino_over_under")
BUILT = "homes.json"


def build(tables: int, days: int, folder: Path) -> dict[str, Any]:
    """Build the property and return its figures. If the folder has it from an earlier run on this gaming day,
    only return the figures. Raise SystemExit if the folder was built on another gaming day.
    """
    from casino.reference.calendar import gaming_day

    record = folder / BUILT
    if record.exists():
        built: dict[str, Any] = json.loads(record.read_text())
        if built["today"] != f"{gaming_day('aurora')}":
            raise SystemExit(f"{folder} was built on {built['today']}. Delete it to build it for today.")
        return built
    register(tables)
    today = gaming_day("aurora")
    fill(tables, today - timedelta(days=days), today - timedelta(days=1))
    built = {"today": f"{today}", "facts_today": play(tables, today), **size()}
    record.write_text(json.dumps(built))
    return built


def register(tables: int) -> None:
    """Set the registers: users, dealers, the beginning of the gaming day, shifts, pits, tables and the chart
    of accounts.
    """
    from casino.accounts.services import activate_user
    from casino.reference import profiles
    from casino.reference.entries import Entry
    from casino.reference.recording import set_registers

    chart = profiles.get_profile("chart-of-accounts")
    assert chart is not None
    entries = [Entry("people", person, {"role": role}) for person, role in PEOPLE.items()]
    entries += [Entry("people", f"d-{place}", {"role": "dealer"}) for place in range(300)]
    entries.append(Entry("day-begins", "aurora", {"time": "06:00", "zone": "America/Los_Angeles"}))
    entries += [
        Entry("shifts", name, {"begins": begins})
        for name, begins in (("day", "06:00"), ("swing", "14:00"), ("grave", "22:00"))
    ]
    entries.append(Entry("thresholds", "dealer-break", {"minutes": 60}))
    entries += [
        Entry(
            "tables", f"T{place:04}", {"game": GAMES[place % 3], "pit": f"pit-{1 + place // 10}", "par": PAR}
        )
        for place in range(1, tables + 1)
    ]
    entries += profiles.entries(chart, "USD", "2020-01-01")
    set_registers("aurora", entries, by="m-101", second="m-102")
    for person in PEOPLE:
        activate_user(person, person)


def play(tables: int, today: date) -> int:
    """Record and examine today's facts of each table. The tables stay open. Return the number of facts."""
    from django.db import connections

    from audit.facts import canonical
    from audit.findings import examine as findings
    from audit.ledger import intake
    from audit.ledger.intake import Sender

    count = 0
    for place in range(1, tables + 1):
        lines = [canonical(fact) for fact in facts_of(place, today)]
        for start in range(0, len(lines), POST):
            count += len(intake.post(lines[start : start + POST], Sender("bench")))
    findings.examine()
    with connections["owner"].cursor() as cursor:  # the application's role owns no table, so it may not
        cursor.execute("ANALYZE")
    return count


def facts_of(place: int, today: date) -> list[dict[str, Any]]:
    """Return today's facts of one table, up to its last count. One hand of ten has a wrong settlement."""
    from casino.sample import FAULTS
    from casino.sample.tables.day import Day

    game, code = GAMES[place % 3], f"T{place:04}"
    fault = FAULTS[game]["late-bet:new"]
    table = Day(game, place, property="aurora", table=code, day=today, house=True, shifts=3)
    table.open()
    for number in range(1, ROUNDS + 1):
        if number in (ROUNDS // 3, 2 * ROUNDS // 3):
            table.change_shift(*table.shifts[3 * number // ROUNDS])
        if number % 10:
            table.honest()
        else:
            fault.act(table)
    table.close()
    facts = [fact for fact in table.facts() if fact["table"] == f"aurora/{code}"]
    closer = next(at for at, fact in enumerate(facts) if fact["kind"] == "closer-counted")
    return facts[:closer]


def kinds() -> dict[str, tuple[str, str]]:
    """Return the user and the address of each kind of request."""
    homes = {f"home of {role}": (person, "/home/") for person, role in PEOPLE.items()}
    floor = {
        "floor board": "/floor/",
        "floor map": "/floor/?view=map",
        "floor limits": "/floor/?view=limits",
        "floor news": "/floor/news/?view=map",
    }
    return {
        BARE: (SUPERVISOR, "/password/"),
        **homes,
        **{kind: (SUPERVISOR, address) for kind, address in floor.items()},
    }


def main(argv: list[str]) -> int:
    """Print the figures, with one JSON object as the last line. Return 1 if the goal is not met."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.homes", description="Server time of home pages and of the floor."
    )
    parser.add_argument("--tables", type=int, default=100, help="number of tables (default 100)")
    parser.add_argument("--days", type=int, default=365, help="number of days before today (default 365)")
    parser.add_argument(
        "--folder",
        type=Path,
        help="keep the installation in this folder, and use it again in a run on the same gaming day",
    )
    parser.add_argument("--asked", type=int, default=ASKED, help="how many requests of each kind")
    parser.add_argument("--only", default="", help="only the kinds whose name begins with this")
    wanted = parser.parse_args(argv)
    with own_house(wanted.folder, **PAGES) as folder:
        built = build(wanted.tables, wanted.days, folder)
        figures = {
            kind: measure(Officer(person), [address], wanted.asked)
            for kind, (person, address) in kinds().items()
            if kind.startswith(wanted.only) or kind == BARE
        }
    return report(built, figures, wanted.asked)


def report(built: dict[str, Any], figures: dict[str, Figures], requests: int) -> int:
    """Print the figures for people, then the JSON line for programs. Return 1 if the goal is not met."""
    print(
        f"{built['examination']:,} table days, {built['tally']:,} rows of tallies,"
        f" {built['facts_today']:,} facts today; {requests} requests of each kind; milliseconds:"
    )
    kinds = print_figures(figures, BARE)
    worst = max(taken.cpu_p95 for taken in figures.values())
    ratio = round(LIMIT_MS / worst, 2)
    data = {
        "bench": "homes",
        "table_days": built["examination"],
        "facts_today": built["facts_today"],
        "kinds": kinds,
        "cpu_p95_ms": round(worst, 1),
        "against": LIMIT_MS,
        "ratio": ratio,
        "bar": BAR,
        "holds": ratio >= BAR,
    }
    print(json.dumps(data))
    return 0 if data["holds"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

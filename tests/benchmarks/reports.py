"""What a report costs in a large house: `python -m tests.benchmarks.reports [--tables N] [--days N] [--times N]`.

A generator fills the tallies of its own embedded house straight (no facts: reports read none): felt and live-dealer tables, openers,
closers, slips, drops counted twice, dealers who change by the hour, a mistake in every fiftieth row. Then every report is asked for by
itself and as a page: what adds up over the whole last year, lists over its last month, those of every shift over both. The same again
when the house has grown to `--times` as many days. The first asking adds up and keeps; printed are that one, one after a table's day has
changed, and the median of the others. The bars are 100 ms in the database and 300 ms as a page; that the cost does not grow is shown by
the second house.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from datetime import date, timedelta
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from tests.benchmarks.own import PAGES, own_house

LAST = date(2026, 12, 31)
DATABASE_MS, PAGE_MS = 100.0, 300.0
BAR = 1.0
TURNS = 5
ROWS_A_DAY = 40
"""Tally rows of one table's day: ten hours, three wagers and the whole rounds."""
YEAR = (
    ("hold", "table"), ("hold", "game"), ("hold", "month"), ("hold", "shift"), ("hold", "dealer"), ("hold", "hour"),
    ("hold-to-date", "table"), ("dealer-errors", "dealer"), ("live-dealer", "table"), ("statistics", "table"), ("statistics", "dealer"),
    ("voids", "table"), ("master-game-report", "game"), ("new-jersey", "month"), ("base-level", "table"),
    ("restated", "table"), ("where-the-hold-went", "table"), ("where-the-hold-went", "dealer"),
)  # fmt: skip


LISTS = ("drop-variance", "stiff-sheet", "table-drop")
"""Lists of every shift: of the last month as all lists, and of the whole year too."""


def month() -> list[str]:
    """Every other report lists, and is asked for its last month."""
    from casino import reports

    return [name for name in reports.names() if name not in dict(YEAR)]


FILL = """
INSERT INTO examination (property, stream, "table", day, cursor, rules, game, live_dealer, closed, boxes, settings)
SELECT 'aurora', t || '/' || d, t, d, 1000, 'bench', g, g = 'andar_bahar', 1, CASE WHEN g <> 'andar_bahar' THEN 4 END,
    jsonb_build_array(jsonb_build_array(1, g, '["bet"]'::jsonb, CASE WHEN g = 'andar_bahar' THEN 'ezugi' ELSE '2010-02-05' END,
        CASE WHEN g = 'andar_bahar' THEN 1 ELSE 6 END, '{}'::jsonb))
FROM (SELECT 'aurora/T' || to_char(n, 'FM0000') AS t, CASE WHEN n %% 5 = 0 THEN 'andar_bahar' ELSE 'easy_over_under' END AS g
      FROM generate_series(1, %(tables)s) n) x,
    LATERAL (SELECT i::date AS d FROM generate_series(%(begins)s::date, %(last)s::date, '1 day') i) y;
INSERT INTO tally (property, stream, currency, shift, hour, dealer, wager, pay_table, price_class, opening,
    rounds, bets, staked, paid, taken, returned, squared, decided, owed, choices, parts, voided, found)
SELECT property, stream, 'USD', CASE WHEN h < 5 THEN 'day' ELSE 'swing' END, day || 'T' || to_char(h + 10, 'FM00') || '-08:00',
    'd-' || (h * 37 + right("table", 4)::int * 3 + extract(doy FROM day)::int) %% 300, w.wager, '', '', 1,
    50 + h, 80 * w.bet, 400000 * w.bet, (180000 + h * 1000) * w.bet, (190000 + h * 1100) * w.bet, 0, 2400000000::numeric * w.bet,
    400000 * w.bet, (10000 + h * 100) * 2 * w.bet, h * w.bet, 2,
    (h = 3)::int, CASE WHEN w.bet = 1 AND (h + extract(doy FROM day)::int) %% 50 = 0
        THEN '{"wrong-settlement": [2, "1500", "0"]}'::jsonb ELSE '{}'::jsonb END
FROM examination, generate_series(0, 9) h, LATERAL (
    SELECT * FROM (VALUES ('', 0), ('over', 1), ('under', 1), ('spread', 1)) e (wager, bet) WHERE NOT live_dealer
    UNION ALL SELECT * FROM (VALUES ('', 0), ('andar', 1), ('bahar', 1), ('1-5', 1)) a (wager, bet) WHERE live_dealer) w
WHERE day BETWEEN %(begins)s AND %(last)s;
INSERT INTO cage_tally (property, stream, currency, shift, kind, number, amount)
SELECT property, stream, 'USD', s, kind, 1, amount + extract(doy FROM day)::int * 7
FROM examination, (VALUES ('day'), ('swing')) f (s), (VALUES ('opener-counted', 5000000), ('closer-counted', 4800000),
    ('fill-sent', 200000), ('credit-sent', 100000), ('box-pulled', 0), ('drop-counted', 900000), ('count-verified', 900000),
    ('chips-bought', 890000)) k (kind, amount)
WHERE NOT live_dealer AND day BETWEEN %(begins)s AND %(last)s;
INSERT INTO tray_tally (property, stream, place, kind, currency, shift, amount)
SELECT property, stream, place, kind, 'USD', 'day', 5000000
FROM examination, (VALUES (1, 'opener-counted'), (2, 'closer-counted')) k (place, kind)
WHERE NOT live_dealer AND day BETWEEN %(begins)s AND %(last)s;
INSERT INTO slip_tally (property, stream, kind, slip, currency, shift, number, amount, stands)
SELECT property, stream, kind, letter || right("table", 5) || '-' || to_char(day, 'YYYYMMDD'), 'USD', 'day', 1, 200000, true
FROM examination, (VALUES ('fill-sent', 'F'), ('credit-sent', 'C'), ('marker-issued', 'M')) k (kind, letter)
WHERE NOT live_dealer AND day BETWEEN %(begins)s AND %(last)s;
"""


class Cost(NamedTuple):
    """Milliseconds: in the database and as a page, each the median; the first asking, and one after a table's day has changed."""

    database: float
    page: float
    first: float
    changed: float


def fill(tables: int, begins: date, last: date) -> None:
    from django.db import connection, connections

    with connection.cursor() as cursor:
        for statement in FILL.split(";\n"):
            if statement.strip():
                cursor.execute(statement, {"tables": tables, "begins": begins, "last": last})
    with connections["owner"].cursor() as cursor:  # the application may not: it owns no table
        cursor.execute("ANALYZE")


def size() -> dict[str, int]:
    """How many rows stand in the house."""
    from django.db import connection

    with connection.cursor() as cursor:
        found = {}
        for table in ("examination", "tally", "cage_tally", "tray_tally", "slip_tally"):
            cursor.execute(f"SELECT count(*) FROM {table}")
            found[table] = cursor.fetchone()[0]
    return found


def in_database(ask: Callable[[], Any]) -> float:
    """Milliseconds that the statements of this call took, rows brought here included."""
    from django.db import connection

    taken = 0.0

    def timed(execute: Any, *args: Any) -> Any:
        nonlocal taken
        begun = perf_counter()
        try:
            return execute(*args)
        finally:
            taken += perf_counter() - begun

    with connection.execute_wrapper(timed):
        ask()
    return taken * 1000


def ms(ask: Callable[[], Any]) -> float:
    begun = perf_counter()
    ask()
    return (perf_counter() - begun) * 1000


def cost(client: Any, name: str, by: str, begins: date, turns: int) -> Cost:
    """What one report costs."""
    from django.db import connection

    from audit.queries import Span
    from casino import reports

    one, span = reports.report(name), Span(begins, LAST + timedelta(days=1), "aurora")
    address = f"/reports/{name}/?from={begins}&to={LAST}" + (f"&by={by}" if by else "")

    def page() -> None:
        if (status := client.get(address).status_code) != 200:
            raise SystemExit(f"{address} answered {status}")

    def sheet() -> None:
        list(one.sheet(span, (by,) if by else one.DEFAULT_BY).rows)

    first = ms(sheet)
    with connection.cursor() as cursor:
        for _ in range(2):  # the first time a month is split into its days, later a change costs a day
            cursor.execute("UPDATE examination SET cursor = cursor + 1 WHERE stream = %s", [f"aurora/T0001/{LAST}"])
            changed = ms(sheet)
    page()
    return Cost(median(in_database(sheet) for _ in range(turns)), median(ms(page) for _ in range(turns)), first, changed)


def measure(turns: int, only: str) -> dict[str, Cost]:
    """Every report whose name begins so, over the last year of the house or its last month; printed as they are measured."""
    from django.test import Client

    from casino import profiles
    from casino.importing.register import Entry
    from casino.models import Person
    from casino.people import let_in, set_registers

    chart = profiles.named("chart-of-accounts")
    assert chart is not None
    booked = profiles.entries(chart, "USD", "2020-01-01")
    set_registers("aurora", [Entry("people", "v-101", {"role": "surveillance"}), *booked], by="m-101", second="m-102")
    let_in("v-101", "Dana")
    client = Client()
    client.force_login(Person.objects.get(pk="v-101"), backend="django.contrib.auth.backends.ModelBackend")
    found = {}
    year, last = LAST.replace(month=1, day=1), LAST.replace(day=1)
    asked = [(name, by, year) for name, by in YEAR] + [(name, "", last) for name in month()] + [(name, "", year) for name in LISTS]
    print("  ".join(f"{name} {count:,}" for name, count in size().items()))
    print(f"{'milliseconds':<34}{'database':>10}{'page':>10}{'first':>10}{'changed':>10}")
    for name, by, begins in asked:
        if name.startswith(only):
            called = f"{name} by {by}, a year" if by else f"{name}, a {'year' if begins == year else 'month'}"
            found[called] = cost(client, name, by, begins, turns)
            print(f"{called:<34}" + "".join(f"{figure:>10.0f}" for figure in found[called]), flush=True)
    return found


def main(argv: list[str]) -> int:
    """Print the figures; the last line is one JSON object. Exit 1 when a bar is not held."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.reports", description="Reports of a large house.")
    parser.add_argument("--tables", type=int, default=100, help="tables of the house (default 100)")
    parser.add_argument("--days", type=int, default=365, help="days of the first house (default 365)")
    parser.add_argument("--times", type=int, default=5, help="how many times as many days the second has (default 5)")
    parser.add_argument("--turns", type=int, default=TURNS, help=f"askings of which the median counts (default {TURNS})")
    parser.add_argument("--only", default="", help="reports whose name begins so; the bars speak of all")
    wanted = parser.parse_args(argv)
    with own_house(**PAGES):
        return run(wanted)


def run(wanted: argparse.Namespace) -> int:
    """Fill, measure, grow, measure."""
    from django.db import connection

    begins = LAST - timedelta(days=wanted.days - 1)
    fill(wanted.tables, begins, LAST)
    small, found = size(), measure(wanted.turns, wanted.only)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM summed")
    fill(wanted.tables, LAST - timedelta(days=wanted.days * wanted.times - 1), begins - timedelta(days=1))
    large, grown = size(), measure(wanted.turns, wanted.only)
    return say((small, large), found, grown)


def say(sizes: tuple[dict[str, int], dict[str, int]], small: dict[str, Cost], large: dict[str, Cost]) -> int:
    """The line for programs."""
    both = [*small.values(), *large.values()]
    database, page = max(one.database for one in both), max(one.page for one in both)
    ratio = round(min(DATABASE_MS / database, PAGE_MS / page), 2)
    said = {
        "bench": "reports", "table_days": [of["examination"] for of in sizes], "tally_rows": [of["tally"] for of in sizes],
        "reports": {name: {"database_ms": [round(one.database, 1), round(large[name].database, 1)],
                           "page_ms": [round(one.page, 1), round(large[name].page, 1)]} for name, one in small.items()},
        "database_ms": round(database, 1), "page_ms": round(page, 1), "against": {"database_ms": DATABASE_MS, "page_ms": PAGE_MS},
        "ratio": ratio, "bar": BAR, "holds": ratio >= BAR,
    }  # fmt: skip
    print(json.dumps(said))
    return 0 if ratio >= BAR else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The report of openers compares each opener with the count before it, also across months, and its totals are
the sums of its rows. A page reads only the tables that it shows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import product
from random import Random

from django.db import connection

from audit.queries.span import Span
from casino.reports.catalog import report
from casino.reports.limits import sheet

FIRST = date(2026, 10, 29)
DAYS = 9
TABLES = ("a/T1", "a/T2", "a/T3", "b/T1")
Count = tuple[str, str, int, str, str, int]
"""A table, a day, an ordinal, a currency, a kind, and an amount."""


def fill(rng: Random) -> list[Count]:
    """Record random counts of trays of four tables on several days of two months. Return the counts."""
    counts: list[Count] = []
    with connection.cursor() as cursor:
        for table, place in product(TABLES, range(DAYS)):
            day = FIRST + timedelta(days=place)
            if rng.random() < 0.2:
                continue
            stream = f"{table}/{day}"
            cursor.execute(
                'INSERT INTO examination (property, stream, "table", day) VALUES (%s, %s, %s, %s)',
                [table[0], stream, table, day],
            )
            for ordinal in range(1, rng.randrange(1, 5)):
                kind = rng.choice(("opener-counted", "closer-counted"))
                currency, amount = rng.choice(("USD", "USD", "EUR")), rng.randrange(1000)
                cursor.execute(
                    "INSERT INTO tray_tally (property, stream, place, kind, currency, shift, amount)"
                    " VALUES (%s, %s, %s, %s, %s, %s, %s)",
                    [table[0], stream, ordinal, kind, currency, rng.choice(("day", "swing")), amount],
                )
                counts.append((table, str(day), ordinal, currency, kind, amount))
    return counts


def compared(counts: list[Count], begins: date | None, ends: date | None) -> list[tuple[str, ...]]:
    """Return the table, day, currency and difference in minor units of each opener of these days. The
    difference is empty if there is no closer before the opener.
    """
    before: dict[tuple[str, str], Count] = {}
    rows: list[tuple[str, ...]] = []
    for count in sorted(counts):
        table, day, _, currency, kind, amount = count
        last = before.get((table, currency))
        before[table, currency] = count
        if kind == "opener-counted" and str(begins or date.min) <= day < str(ends or date.max):
            has_closer = last is not None and last[4] == "closer-counted"
            rows.append((table, day, currency, str(amount - last[5]) if last and has_closer else ""))
    return rows


def test_openers_and_their_totals_equal_a_simple_comparison(house: object) -> None:
    counts = fill(Random(5))
    bounds = [None, *(FIRST + timedelta(days=place) for place in range(-1, DAYS + 1, 2))]
    checked = 0
    for begins, ends, property in product(bounds, bounds, (None, "a", "b")):
        span = Span(begins, ends, property)
        own = [count for count in counts if property in (None, count[0][0])]
        expected = compared(own, begins, ends)
        full_sheet = report("opener-closer").sheet(span, ())
        rows = [
            (row[0], row[1], row[3], str(round(float(row[7]) * 100)) if row[6] else "")
            for row in full_sheet.rows
        ]
        assert rows == expected, span
        sums: dict[str, int] = defaultdict(int)
        for _, _, currency, difference in expected:
            if difference:
                sums[currency] += int(difference)
                checked += 1
        assert {total[3]: round(float(total[7]) * 100) for total in full_sheet.totals} == sums, span
    assert checked > 100


def test_a_page_of_openers_is_a_slice_of_all_openers(house: object) -> None:
    fill(Random(6))
    rows = report("opener-closer").sheet(Span(FIRST, None, "a"), ()).rows
    every = list(rows)
    assert isinstance(rows, Sequence)
    assert len(rows) == len(every) > 10
    for begins, size in product(range(len(every) + 2), (1, 3, 50)):
        assert list(rows[begins : begins + size]) == every[begins : begins + size]


def test_the_totals_of_one_table_are_those_of_its_rows(house: object) -> None:
    counts = fill(Random(7))
    for table in TABLES:
        limited = sheet(report("opener-closer"), Span(property=table[0]), (), {"table": table})
        sums: dict[str, int] = defaultdict(int)
        for _, _, currency, difference in compared(
            [count for count in counts if count[0] == table], None, None
        ):
            if difference:
                sums[currency] += int(difference)
        assert {total[3]: round(float(total[7]) * 100) for total in limited.totals} == sums

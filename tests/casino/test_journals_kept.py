"""The journal as a report keeps how many lines each day has: whatever comes, and however late, its rows are those of the plain journal."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import product

import pytest
from django.db import connection

from audit.queries import Span
from casino.importing.register import Entry
from casino.journals import DAY, SHIFT, journal
from casino.journals.kept_lines import Lines, lines_of
from casino.people import set_registers
from casino.reports import report
from casino.reports.journal import sheet_of
from tests.casino.books import counted, map_accounts, marked
from tests.casino.test_reports import BY, Any, at, felt, live, record
from tests.casino.test_restated import adjust, close, without_a_pull

Made = dict[str, Any]
OLD, LAST_YEAR, EVE, FIRST, NEW, LATER = "2024-01-05", "2025-11-27", "2025-12-30", "2026-01-02", "2026-01-03", "2026-01-05"
SPANS = [
    Span(None if begins is None else date.fromisoformat(begins), None if ends is None else date.fromisoformat(ends), "aurora")
    for begins, ends in (
        (None, None), ("2026-01-01", "2027-01-01"), ("2025-12-01", "2026-01-04"), (FIRST, "2026-01-04"), (LATER, None), (None, LAST_YEAR),
    )
]  # fmt: skip


def whole(drop: int, win: int, table: str, day: str, **opening: Any) -> list[Made]:
    """A table's day that has shifts, counted twice."""
    return counted(drop, win, table=f"aurora/{table}", day=day, shifts={"day": f"{day}T06:00:00-08:00"}, **opening)


def opener(day: str, amount: int, table: str = "aurora/T1") -> list[Made]:
    return [at(table=table, day=day)("opener-counted", chips={}, amount=amount, **BY)]


def happenings() -> Iterator[list[list[Made]]]:
    """What comes to the ledger, a post after the other: late days, boxes that stay over the new year, days adjusted long after."""
    yield [whole(1000, 1100, "T1", EVE), close(EVE), whole(700, 50, "T1", FIRST), close(FIRST)]
    yield [whole(500, 10, "T2", day) for day in (EVE, FIRST)]
    yield [close(EVE, "aurora/T2"), close(FIRST, "aurora/T2")]
    yield [adjust("drop", 25, EVE, made_on=NEW), live(1000, 100), close(table="aurora/L1")]
    yield [whole(300, 30, "T1", "2025-12-31")]  # a late import between two closed days, still open
    yield [close("2025-12-31")]
    yield [without_a_pull("2025-12-31", 400, 300, "aurora/T3"), close("2025-12-31", "aurora/T3")]
    yield [whole(900, 90, "T3", NEW), close(NEW, "aurora/T3")]  # its box was on the table since last year
    yield [adjust("fill", -40, "2025-12-31", made_on="2026-01-04", table="aurora/T3")]
    yield [felt(0, 0, "aurora/T4", FIRST)[:1], whole(400, 40, "T4", LATER), close(LATER, "aurora/T4")]
    yield [opener(FIRST, 5000, "aurora/T4")]  # an open day gets its tray after a later one was closed
    yield [close(FIRST, "aurora/T4")]
    yield [whole(800, 80, "T5", OLD), close(OLD, "aurora/T5")]
    yield [
        whole(600, 60, "T5", LATER),
        whole(60, 6, "T6", LATER, currency="EUR"),
        close(LATER, "aurora/T6"),
        marked("aurora/T5", LATER, issued=70),
        close(LATER, "aurora/T5"),
    ]
    yield [adjust("closer", -5, EVE, made_on=LATER), adjust("closer", 15, OLD, made_on="2026-01-08", table="aurora/T5")]
    yield [adjust("drop", 35, FIRST, made_on=LATER)]  # one more on a day that has one
    yield [whole(150, 15, "T5", "2024-02-01")]  # what was counted last, before two years
    yield [close("2024-02-01", "aurora/T5")]
    yield [whole(120, 12, "T5", "2024-01-03"), close("2024-01-03", "aurora/T5")]  # the opener of a day adjusted since is held against it


def test_whatever_comes_the_rows_of_a_journal_that_is_kept_are_those_of_the_plain_one(house: Any) -> None:
    map_accounts("2026-01-01")
    for place, posts in enumerate(happenings()):
        record(*posts)
        compare(SPANS[:1], place, DAY)
    compare(SPANS, "all of it", DAY, SHIFT)
    set_registers(
        "aurora", [Entry("accounts", "win/easy_over_under", {"number": "9", "name": "Win", "type": "income"})], by="m-101", second="a-101"
    )
    compare(SPANS[:1], "what is mapped since", DAY)
    map_accounts()
    compare(SPANS[:1], "what was not mapped before", DAY)
    # as if a worker were behind: what is closed is learned late, and with it that a day before it came late
    last = f"aurora/T1/{FIRST}"
    with connection.cursor() as cursor:
        cursor.execute("UPDATE examination SET closed = NULL WHERE stream = %s", [last])
        compare(SPANS[:1], "behind", DAY)
        closed = "(SELECT position FROM fact f WHERE f.stream = x.stream AND kind = 'day-closed')"
        cursor.execute(f"UPDATE examination x SET closed = {closed} WHERE stream = %s", [last])
        compare(SPANS[:1], "no longer behind", DAY)
    assert len(list(report("journal").sheet(SPANS[0], (DAY,)).rows)) > 50


def compare(spans: list[Span], when: Any, *periods: str) -> None:
    for span, by in product(spans, periods):
        plain, found = sheet_of(journal(span, by).documents), report("journal").sheet(span, (by,))
        assert list(found.rows) == list(plain.rows), (when, span, by)
        assert found.totals == plain.totals, (when, span, by)
        assert len(found.rows) == len(plain.rows)  # type: ignore[arg-type]


@pytest.mark.parametrize("by", [DAY, SHIFT])
def test_any_part_of_the_lines_is_what_the_whole_has_there(house: Any, by: str) -> None:
    map_accounts()
    days = [str(date(2026, 1, 29) + timedelta(days=place)) for place in range(6)]
    record(*(whole(1000, 100, "T1", day) for day in days), *(close(day) for day in days if day != days[3]))
    every = Span(property="aurora")
    lines, expected = Lines(every, by), list(lines_of(journal(every, by).documents))
    assert len(lines) == len(expected) > 10
    for begins, ends in product(range(0, len(expected) + 2, 3), repeat=2):
        assert lines[begins:ends] == expected[begins:ends]
    assert (lines[-1], lines[0], lines[::-3], list(lines)) == (expected[-1], expected[0], expected[::-3], expected)

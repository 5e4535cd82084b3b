"""The journal caches the documents of each day. For any facts, however late, it has the same rows as a
journal without a cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice, product

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit.findings.as_of import as_of
from audit.queries import heads
from audit.queries.cache.aggregates import write_cache
from audit.queries.cache.cached_rows import read_cache
from audit.queries.cache.time_budget import time_budget
from audit.queries.span import Span
from casino.journals.books import DAY, ENTRY, SHIFT, journal
from casino.journals.cache import documents as kept_documents
from casino.journals.cache.adjustments import adjusted
from casino.journals.cache.lines import Lines, lines_of
from casino.journals.documents import RESTATED, Document, Posting
from casino.journals.report import sheet_of
from casino.reference.chart import Account
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports.catalog import report
from tests.casino.books import counted, map_accounts, marked
from tests.casino.test_reports import BY, Any, at, felt, live, record
from tests.casino.test_restated import adjust, close, without_a_pull

Made = dict[str, Any]
OLD, LAST_YEAR, EVE, FIRST, NEW, LATER = (
    "2024-01-05",
    "2025-11-27",
    "2025-12-30",
    "2026-01-02",
    "2026-01-03",
    "2026-01-05",
)
SPANS = [
    Span(
        None if begins is None else date.fromisoformat(begins),
        None if ends is None else date.fromisoformat(ends),
        "aurora",
    )
    for begins, ends in (
        (None, None),
        ("2026-01-01", "2027-01-01"),
        ("2025-12-01", "2026-01-04"),
        (FIRST, "2026-01-04"),
        (LATER, None),
        (None, LAST_YEAR),
    )
]


def one_shift_day(drop: int, win: int, table: str, day: str, **opening: Any) -> list[Made]:
    """Return the facts of a table's day with one shift. The drop box was counted and recounted."""
    return counted(
        drop, win, table=f"aurora/{table}", day=day, shifts={"day": f"{day}T06:00:00-08:00"}, **opening
    )


def opener(day: str, amount: int, table: str = "aurora/T1") -> list[Made]:
    return [at(table=table, day=day)("opener-counted", chips={}, amount=amount, **BY)]


def happenings() -> Iterator[list[list[Made]]]:
    """Yield the facts that the test records one after the other: late days, boxes that stay at the table over
    New Year, and days that are adjusted long after their close.
    """
    yield [
        one_shift_day(1000, 1100, "T1", EVE),
        close(EVE),
        one_shift_day(700, 50, "T1", FIRST),
        close(FIRST),
    ]
    yield [one_shift_day(500, 10, "T2", day) for day in (EVE, FIRST)]
    yield [close(EVE, "aurora/T2"), close(FIRST, "aurora/T2")]
    yield [adjust("drop", 25, EVE, made_on=NEW), live(1000, 100), close(table="aurora/L1")]
    yield [
        one_shift_day(300, 30, "T1", "2025-12-31")
    ]  # a late import between two closed days, not closed yet
    yield [close("2025-12-31")]
    yield [without_a_pull("2025-12-31", 400, 300, "aurora/T3"), close("2025-12-31", "aurora/T3")]
    yield [
        one_shift_day(900, 90, "T3", NEW),
        close(NEW, "aurora/T3"),
    ]  # its box was at the table since last year
    yield [adjust("fill", -40, "2025-12-31", made_on="2026-01-04", table="aurora/T3")]
    yield [felt(0, 0, "aurora/T4", FIRST)[:1], one_shift_day(400, 40, "T4", LATER), close(LATER, "aurora/T4")]
    yield [opener(FIRST, 5000, "aurora/T4")]  # an opener for an open day after a later day was closed
    yield [close(FIRST, "aurora/T4")]
    yield [one_shift_day(800, 80, "T5", OLD), close(OLD, "aurora/T5")]
    yield [
        one_shift_day(600, 60, "T5", LATER),
        one_shift_day(60, 6, "T6", LATER, currency="EUR"),
        close(LATER, "aurora/T6"),
        marked("aurora/T5", LATER, issued=70),
        close(LATER, "aurora/T5"),
    ]
    yield [
        adjust("closer", -5, EVE, made_on=LATER),
        adjust("closer", 15, OLD, made_on="2026-01-08", table="aurora/T5"),
    ]
    yield [adjust("drop", 35, FIRST, made_on=LATER)]  # a second adjustment on a day that has one
    yield [one_shift_day(150, 15, "T5", "2024-02-01")]  # the last count before this one is two years old
    yield [close("2024-02-01", "aurora/T5")]
    yield [
        one_shift_day(120, 12, "T5", "2024-01-03"),
        close("2024-01-03", "aurora/T5"),
    ]  # the next day, whose opener is compared with this closer, was adjusted meanwhile


def test_a_cached_journal_equals_an_uncached_one_for_any_facts(house: Any) -> None:
    map_accounts("2026-01-01")
    for place, posts in enumerate(happenings()):
        record(*posts)
        compare(SPANS[:1], place, DAY)
    compare(SPANS, "all of it", DAY, SHIFT)
    set_registers(
        "aurora",
        [Entry("accounts", "win/easy_over_under", {"number": "9", "name": "Win", "type": "income"})],
        by="m-101",
        second="a-101",
    )
    compare(SPANS[:1], "what is mapped since", DAY)
    map_accounts()
    compare(SPANS[:1], "what was not mapped before", DAY)
    # as if a worker were late: the close of a day and the late arrival of an earlier day are processed later
    last = f"aurora/T1/{FIRST}"
    with connection.cursor() as cursor:
        cursor.execute("UPDATE examination SET closed = NULL WHERE stream = %s", [last])
        compare(SPANS[:1], "behind", DAY)
        closed = "(SELECT position FROM fact f WHERE f.stream = x.stream AND kind = 'day-closed')"
        cursor.execute(f"UPDATE examination x SET closed = {closed} WHERE stream = %s", [last])
        compare(SPANS[:1], "no longer behind", DAY)
    assert len(list(report("journal").sheet(SPANS[0], (DAY,)).rows)) > 50


def compare(spans: list[Span], description: Any, *periods: str) -> None:
    for span, by in product(spans, periods):
        plain, stored = sheet_of(journal(span, by).documents), report("journal").sheet(span, (by,))
        assert list(stored.rows) == list(plain.rows), (description, span, by)
        assert stored.totals == plain.totals, (description, span, by)
        assert len(stored.rows) == len(plain.rows)  # type: ignore[arg-type]


@pytest.mark.parametrize("by", [DAY, SHIFT])
def test_a_slice_of_the_lines_equals_that_of_all_lines(house: Any, by: str) -> None:
    map_accounts()
    days = [str(date(2026, 1, 29) + timedelta(days=place)) for place in range(6)]
    record(
        *(one_shift_day(1000, 100, "T1", day) for day in days),
        *(close(day) for day in days if day != days[3]),
    )
    every = Span(property="aurora")
    lines, expected = Lines(every, by), list(lines_of(journal(every, by).documents))
    assert len(lines) == len(expected) > 10
    for begins, ends in product(range(0, len(expected) + 2, 3), repeat=2):
        assert lines[begins:ends] == expected[begins:ends]
    assert (lines[-1], lines[0], lines[::-3], list(lines)) == (
        expected[-1],
        expected[0],
        expected[::-3],
        expected,
    )


def lines_and_statements(span: Span, by: str = DAY) -> tuple[list[Any], list[str]]:
    """Return all lines of a journal, and the SQL statements that read them."""
    with CaptureQueriesContext(connection) as taken:
        lines = list(Lines(span, by))
    return lines, [query["sql"] for query in taken.captured_queries]


@pytest.mark.parametrize("by", [DAY, SHIFT])
def test_cached_documents_equal_computed_ones_and_reading_computes_none(house: Any, by: str) -> None:
    map_accounts()
    for posts in islice(happenings(), 11):  # without the later posts, whose days are too old to be cached
        record(*posts)
    every = Span(date(2025, 12, 1), date(2026, 2, 1), "aurora")
    expected_lines = list(lines_of(journal(every, by).documents))
    assert {document.kind for document, *_ in expected_lines} >= {ENTRY, RESTATED}
    lines_and_statements(every, by)
    lines, taken = lines_and_statements(every, by)
    assert lines == expected_lines
    types = [
        [[type(value) for value in value] for value in (document, posting)]
        for document, _, posting in expected_lines
    ]
    assert [
        [[type(value) for value in value] for value in (document, posting)] for document, _, posting in lines
    ] == types
    assert not [sql for sql in taken if "cage_tally" in sql], "nothing is made"
    assert len(taken) <= 20, (
        "what stamps are made of, and three months; here days came late, which are asked for besides"
    )


def test_deleted_or_foreign_entries_of_the_cache_are_never_shown(house: Any) -> None:
    map_accounts()
    days = [str(date(2026, 1, 29) + timedelta(days=place)) for place in range(6)]
    record(
        *(one_shift_day(1000, 100, "T1", day) for day in days),
        *(close(day) for day in days),
        adjust("drop", 25, days[0], made_on=days[2]),
    )
    every = Span(property="aurora")
    expected, name = list(lines_of(journal(every).documents)), kept_documents.name(DAY)
    assert list(Lines(every, DAY)) == expected
    with connection.cursor() as cursor:
        for pattern in (
            "journal lines%",
            "journal documents%",
            "journal adjustments%",
            "journal day%",
            "journal%",
        ):
            cursor.execute("DELETE FROM summed WHERE name LIKE %s", [pattern])
            assert cursor.rowcount > 0
            assert list(Lines(every, DAY)) == expected, pattern
    stamp, content = read_cache("aurora", name, ["2026-01"])["2026-01"]
    january = kept_documents.of_month("aurora", DAY, "2026-01")
    swapped = dict(zip(january, reversed(january.values()), strict=True))
    lines = Lines(every, DAY)
    write_cache("aurora", "2026-01", name, stamp, kept_documents.written(swapped))
    assert list(lines) == expected, "documents under another day's stamp are built again"
    assert lines[:3] == expected[:3]
    write_cache("aurora", "2026-01", name, "another", content)
    assert list(lines) == list(Lines(every, DAY)) == expected
    assert read_cache("aurora", name, ["2026-01"])["2026-01"] == (stamp, content), (
        "and is kept again as it was"
    )


def test_documents_are_not_cached_if_facts_arrive_meanwhile(house: Any) -> None:
    record(one_shift_day(1000, 100, "T1", EVE), close(EVE), one_shift_day(700, 50, "T1", FIRST), close(FIRST))
    map_accounts()
    late = [adjust("drop", 25, EVE, made_on=FIRST)]

    def meanwhile() -> bool:
        if late:
            record(late.pop())
        return False

    span = Span(property="aurora")
    with time_budget(meanwhile):
        lines = list(Lines(span, DAY))
    assert lines == list(lines_of(journal(span, DAY).documents))
    assert {*kept_documents.of_month("aurora", DAY, EVE[:7])} == {EVE}, "it came before the adjustment"
    assert kept_documents.of_month("aurora", DAY, FIRST[:7]) == {}
    assert list(Lines(span, DAY)) == lines
    assert {*kept_documents.of_month("aurora", DAY, FIRST[:7])} == {FIRST}


def test_adjustments_are_read_once_and_only_from_their_position_on(
    house: Any,
) -> None:
    record(one_shift_day(1000, 100, "T1", FIRST), close(FIRST), adjust("drop", 25, FIRST, made_on=NEW))
    position = heads.head("aurora").position
    first = adjusted("aurora")
    assert [tuple(row) for row in first] == [(date.fromisoformat(NEW), date.fromisoformat(FIRST), position)]
    record(adjust("drop", 15, FIRST, made_on=LATER), one_shift_day(500, 50, "T2", FIRST))
    two_adjustments = adjusted("aurora")
    assert (two_adjustments[0], len(two_adjustments), str(two_adjustments[1].made)) == (first[0], 2, LATER)
    with CaptureQueriesContext(connection) as taken:
        assert adjusted("aurora") == two_adjustments
    assert not [query for query in taken.captured_queries if "INSERT" in query["sql"]]
    with as_of("aurora", position):
        assert adjusted("aurora") == first
    assert adjusted("aurora") == two_adjustments


def test_cached_amounts_of_any_size_and_texts_in_any_script_are_unchanged() -> None:
    account = Account("1010", "Caja:Sala ñ 賭", "asset")
    postings = tuple(
        Posting("drop", "drop", sign * 10**30, account) for sign, account in ((1, account), (-1, None))
    )
    document = Document(
        "aurora/T1/2026-01-02/1",
        "entry",
        "aurora",
        "T1",
        "lucky_7",
        FIRST,
        date.fromisoformat(FIRST),
        "",
        "USD",
        1,
        "賭 ñ \u2028",
        "",
        ("b1", "b2"),
        2**63,
        postings,
    )
    assert kept_documents.unpacked(kept_documents.packed("stamp", [document])) == [document]

"""The tallies of a month are read once for all reports together. Sums from the cache equal sums that are
computed from the tallies, to the last minor unit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from itertools import chain, combinations, product
from typing import Any

import pytest
from django.db import connection

from audit.queries.cache import play as kept_play
from audit.queries.cache import play_errors
from audit.queries.cache import table_days as kept_days
from audit.queries.cache.aggregates import cached_names
from audit.queries.examination import covered
from audit.queries.hold_attribution import divided
from audit.queries.play import DIMENSIONS, exposed, played
from audit.queries.span import CLOSED, RESTATED, Span
from audit.queries.table_days import table_days
from casino.reports import cache_warming
from casino.reports.columns import RowChance, Sheet
from casino.reports.definitions import (
    coverage,
    dealer_errors,
    hold,
    live_dealer,
    master_game_report,
    statistics,
)
from casino.reports.definitions import where_the_hold_went as where
from tests.casino.conftest import Cast
from tests.casino.test_kept_again import books as books  # a ledger in which every report has rows
from tests.casino.test_kept_again import record_later_facts
from tests.casino.test_reports import felt, record

NOVEMBER = Span(date(2026, 11, 1), date(2026, 12, 1), "aurora")
SPANS = [NOVEMBER._replace(books=of) for of in ("", CLOSED, RESTATED)]
NAMES = ("property", "table", "game", "days_game", "edition", "month", "shift", "wager", "day", "dealer")
HOURS = ("written_hour", "day", "property")
BY = (
    *chain.from_iterable(combinations(NAMES, number) for number in (0, 1, 2)),
    where.ODDS,
    ("dealer", *where.ODDS),
    HOURS,
    (*HOURS, *where.ODDS),
    tuple(DIMENSIONS),
)


@contextmanager
def readings(after: Callable[[], None] = lambda: None) -> Iterator[list[str]]:
    """Yield a list of the statements that read tallies, except those for named streams. A statement is added
    when it is executed, and then `after` is called.
    """
    statements: list[str] = []

    def noted(execute: Any, sql: str, values: Any, *arguments: Any) -> Any:
        result = execute(sql, values, *arguments)
        if re.search(r"FROM (cage_)?tally ", sql) and not any(
            isinstance(value, list) for value in values or ()
        ):
            statements.append(sql)
            after()
        return result

    with connection.execute_wrapper(noted):
        yield statements


def same_as_read(span: Span) -> None:
    for by_shift in (False, True):
        assert list(kept_days.table_days(span, by_shift=by_shift)) == list(
            table_days(span, by_shift=by_shift)
        )
        assert list(kept_days.counted(span, by_shift=by_shift)) == list(
            table_days(span, by_shift=by_shift, play="live")
        )
        assert list(kept_days.without_play(span, by_shift=by_shift)) == list(
            table_days(span, by_shift=by_shift, play="nowhere")
        )
    for by in BY:
        assert sorted(kept_play.played(span, by), key=repr) == sorted(played(span, by), key=repr), by
        assert sorted(kept_play.divided(span, by), key=repr) == sorted(divided(span, by), key=repr), by


def test_cached_findings_equal_those_of_the_tally_in_every_grouping(books: Cast) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            """UPDATE tally SET found = jsonb_build_object('wrong-settlement', jsonb_build_array(2, '7/2', 3),
                'late-bet', jsonb_build_array(1, 100, '1/3')) WHERE wager <> ''"""
        )
        cursor.execute("UPDATE examination SET cursor = cursor + 1")
    names = (*NAMES, "written_hour")
    for span, number in product(SPANS, (0, 1, 2)):
        for by in combinations([name for name in names if name not in ("days_game", "edition")], number):
            for codes in (("wrong-settlement", "late-bet"), ("late-bet", "unpaid")):
                rows = sorted(play_errors.exposed(span, by, codes), key=repr)
                assert span.books or any(row.number for row in rows), by
                played_rows = [
                    row for row in exposed(span, by, codes) if row.bets or row.rounds or row.number
                ]
                assert [row for row in rows if row.bets or row.rounds or row.number] == sorted(
                    played_rows, key=repr
                ), by
    with readings() as statements:
        dealer_errors.sheet(NOVEMBER, ("dealer",))
    assert statements == []


@pytest.mark.long
def test_cached_sums_of_a_month_are_right_before_and_after_new_facts(books: Cast) -> None:
    for change in (lambda: None, lambda: None, record_later_facts, lambda: None):
        change()
        for span in SPANS:
            same_as_read(span)
        same_as_read(NOVEMBER._replace(begins=date(2026, 11, 2)))
        same_as_read(NOVEMBER._replace(property=None))


def test_unobserved_fractions_are_cached_exactly(books: Cast) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tally SET unseen = rounds * 7 + 1, parts = 3 WHERE wager <> ''")
        cursor.execute("UPDATE examination SET cursor = cursor + 1")
    for _ in range(2):
        same_as_read(NOVEMBER)
    assert any(day.unseen % 1 for day in kept_days.table_days(NOVEMBER))


def test_other_groupings_and_books_read_hardly_any_tally_again(books: Cast) -> None:
    with readings() as first:
        where.sheet(NOVEMBER, ("table",))
    assert len(first) == 2
    with readings() as closed:
        where.sheet(NOVEMBER._replace(books=CLOSED), ("table",))
        where.sheet(NOVEMBER._replace(books=RESTATED), ("table",))
    assert len(closed) == 1
    with readings() as others:
        for by in (("game",), ("month", "table"), ("shift",), ("table", "shift"), ()):
            for span in SPANS:
                where.sheet(span, by)
                hold.sheet(span, by)
                master_game_report.sheet(span, by)
    assert others == []


def judged(sheet: Sheet) -> list[RowChance]:
    """Return how each row of a report compares with chance, if the report compares them."""
    chances = sheet.chances() if sheet.chances is not None else None
    return [] if chances is None else [chances.judge(row) for row in sheet.rows]


OF_TABLES = ("property", "table", "game", "month", "shift")


def test_a_month_added_up_from_its_tables_equals_its_days(books: Cast) -> None:
    """Compare the sums of a whole month with the sums of the same month without its first day, on which
    nothing was recorded. The first are added up by table, the second by day.
    """
    groupings = [by for number in range(3) for by in combinations(OF_TABLES, number)]
    for change in (lambda: None, record_later_facts):
        change()
        for span, by in product(SPANS, groupings):
            for definition in (hold, where):
                of_month, of_days = (
                    definition.sheet(days, by) for days in (span, span._replace(begins=date(2026, 11, 2)))
                )
                assert list(of_month.rows) == list(of_days.rows), (definition, span, by)
                assert judged(of_month) == judged(of_days), (definition, span, by)
                without = {"rows": (), "chances": None}
                assert of_month._replace(**without) == of_days._replace(**without), (definition, span, by)


def test_no_report_by_dealer_or_hour_reads_the_tally_after_warming(books: Cast) -> None:
    cache_warming.warm()
    with readings() as read:
        for by in (("dealer",), ("hour",)):
            for definition in (hold, where, statistics, live_dealer):
                assert definition.sheet(NOVEMBER, by).rows, definition
    assert read == []


def test_a_day_with_two_openings_is_counted_once_in_the_coverage(house: Any) -> None:
    """Test days on which a table is opened twice. The second opening names the same kinds in another order.
    The report `coverage` counts each day once.
    """
    sees = ["round-opened", "bet", "deal"]
    for day in ("2026-10-31", "2026-11-01", "2026-11-27"):
        second_opening, *_ = felt(1000, 100, day=day, sees=sees[::-1])
        record([*felt(1000, 100, day=day, sees=sees), second_opening])
    every = Span(date(2026, 1, 1), date(2027, 1, 1), "aurora")
    for _ in range(2):
        rows = list(coverage.sheet(every, ()).rows)
        assert rows
        assert {tuple(row[4:7]) for row in rows} == {(3, "2026-10-31", "2026-11-27")}
    with connection.cursor() as cursor:
        cursor.execute("UPDATE examination SET cursor = cursor + 1 WHERE day = '2026-11-27'")
    assert list(coverage.sheet(every, ()).rows) == rows


def test_facts_recorded_while_a_month_is_read_are_in_its_cache_or_nothing_is_cached(
    house: Any,
) -> None:
    def recorded() -> None:
        if late:
            with covered():  # as if another process examined facts meanwhile
                record(late.pop())

    record(felt(1000, 100))
    late = [felt(500, 50, "aurora/T2")]
    with readings(recorded):
        assert [day.table for day in kept_days.table_days(NOVEMBER)] == ["aurora/T1"], (
            "it came behind the reading"
        )
    assert not late
    assert not [name for name in cached_names("aurora") if name.startswith(kept_days.NAME)]
    assert [day.table for day in kept_days.table_days(NOVEMBER)] == ["aurora/T1", "aurora/T2"]
    assert [name for name in cached_names("aurora") if name.startswith(kept_days.NAME)]


@pytest.mark.parametrize("days", [1, 5])
def test_only_changed_days_are_read_again_unless_there_are_many(house: Any, days: int) -> None:
    record(*(felt(1000, 100, day=f"2026-11-{day:02}") for day in range(10, 20)))
    list(kept_days.table_days(NOVEMBER))
    record(*(felt(500, 50, "aurora/T2", f"2026-11-{day:02}") for day in range(10, 10 + days)))
    with readings() as read:
        all_days = list(kept_days.table_days(NOVEMBER))
    assert len(read) == 1
    with readings() as read:
        assert list(kept_days.table_days(NOVEMBER)) == all_days
    assert not read
    assert all_days == list(table_days(NOVEMBER))

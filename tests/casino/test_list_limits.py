"""Markers, deposits, journals, forms and investigations that are limited: their rows are rows of the whole
report, and the totals of all values add up to the totals of the whole report.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from audit.queries.span import Span
from casino.reports import catalog, limits
from casino.reports.columns import Absent
from casino.reports.statistical_review import investigate, rows_of
from tests.casino import pages
from tests.casino.books import counted, map_accounts, marked
from tests.casino.conftest import Cast
from tests.casino.test_cage_reports import SEES, hands
from tests.casino.test_reports import at, felt, record
from tests.casino.test_restated import adjust, close
from tests.furnished import furnishing

FIRST, SECOND, THIRD = "2026-10-31", "2026-11-01", "2026-11-02"
SPAN = Span(date(2026, 10, 1), date(2026, 12, 1), "aurora")
SIGNED = {"carrier": "armoured", "by": "c-1", "second": "c-2"}
OF_ROW = {"markers": "issued_on", "marker-ageing": "issued_on", "deposits": "sent_on", "journal": "booked"}
"""For each report: the column with the day of a row."""
VALUES = {
    "table": ("aurora/T1", "aurora/T2"),
    "game": ("easy_over_under",),
    "day": (FIRST, SECOND, THIRD),
    "month": ("2026-10", "2026-11"),
}
"""For each limit: all its values in the recorded facts."""
LIMITED = [
    (name, limit)
    for name in (*OF_ROW, "new-jersey")
    for limit in VALUES
    if limit in limits.names_of(catalog.report(name))
]


@furnishing
def books() -> Cast:
    """Record three closed days of two tables with markers and an adjustment, and deposits."""
    cast = Cast()
    map_accounts()
    for place, (table, day) in enumerate((table, day) for day in VALUES["day"] for table in VALUES["table"]):
        amounts = {"issued": 5_000 + place, "paid": 1_000 * (place % 2)}
        papers = marked(table, day, slip=f"M-{place}", **amounts)
        opening, *others = counted(9_000 + place, 700, table=table, day=day)
        record([opening, *papers, *others, *close(day, table)])
    record(adjust("settlement", 500, of_day=FIRST, made_on=SECOND))
    for place, day in enumerate(VALUES["day"]):
        make = at(table="aurora/house", day=day)
        bag = {"deposit": f"B-{place}", "currency": "USD", "amount": 1_000 + place}
        confirmed = make("deposit-confirmed", **bag, reference="bank", by="a-1")
        record([make("deposit-sent", **bag, **SIGNED), *([confirmed] if place else [])])
    return cast


def cells(sheet: Any, rows: Any) -> list[dict[str, Any]]:
    keys = [column.key for column in sheet.columns]
    return [dict(zip(keys, row, strict=True)) for row in rows]


def sums(totals: list[dict[str, Any]], columns: list[str]) -> dict[tuple[str, str], Decimal]:
    """Return the sums of these totals by currency and column."""
    added: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
    for total in totals:
        for column in columns:
            if not isinstance(total[column], Absent) and total[column] != "":
                added[total["currency"], column] += Decimal(str(total[column]))
    return added


def value_of(name: str, row: dict[str, Any], limit: str) -> str:
    """Return the value that a row has for a limit."""
    if limit in row:
        return str(row[limit])
    return str(row[OF_ROW[name]])[: len("2026-11") if limit == "month" else None]


@pytest.mark.parametrize(("name", "limit"), LIMITED)
def test_a_limited_list_is_a_part_of_the_whole_list(books: Cast, name: str, limit: str) -> None:
    report = catalog.report(name)
    groupings: list[tuple[str, ...]] = [(grouping,) for grouping in report.BY]
    for by in groupings or [()]:
        full_sheet = report.sheet(SPAN, by)
        rows, totals = cells(full_sheet, full_sheet.rows), cells(full_sheet, full_sheet.totals)
        if (name, limit) == ("journal", "game"):  # documents about money have no game
            rows, totals = [row for row in rows if row["game"]], []
        assert rows
        parts, number = [], 0
        for value in VALUES[limit]:
            sheet = limits.sheet(report, SPAN, by, {limit: value})
            assert sheet.columns == full_sheet.columns
            own = cells(sheet, sheet.rows)
            assert own or by == ("month",)
            if name != "new-jersey":
                assert own == [row for row in rows if value_of(name, row, limit) == value], value
            number += len(own)
            parts += cells(sheet, sheet.totals)
        assert number == len(rows) or name == "new-jersey"
        if totals:
            money = [column.key for column in full_sheet.columns if column.type == "money"]
            assert sums(parts, money) == sums(totals, money), by


def test_a_limited_form_has_the_units_of_its_tables(books: Cast) -> None:
    report = catalog.report("new-jersey")
    sheet = limits.sheet(report, SPAN, ("month",), {"table": "aurora/T1", "month": "2026-11"})
    (row,) = cells(sheet, sheet.rows)
    assert (row["month"], row["game"], row["units"]) == ("2026-11", "easy_over_under", 1)
    assert sheet.totals[0][2:] == next(iter(sheet.rows))[2:]
    assert list(limits.sheet(report, SPAN, ("month",), {"game": "andar_bahar"}).rows) == []


def test_impossible_days_of_a_journal_have_no_rows(books: Cast) -> None:
    report = catalog.report("journal")
    for values in ({"day": "2026-02-30"}, {"month": "x"}, {"day": FIRST, "month": "2026-11"}):
        sheet = limits.sheet(report, SPAN, ("day",), values)
        assert (list(sheet.rows), sheet.totals) == ([], ())


def test_investigations_are_limited_to_the_values_of_their_rows(books: Cast) -> None:
    report, person = catalog.report("investigations"), books.person("Alma")
    bets = [("d-1", 1000, "pay", 1000)] * 3, [("d-2", 1000, "pay", 1000)]
    record(
        felt(0, 0, "aurora/T3", **SEES)[:1],
        *(hands("aurora/T3", *own, round=str(place)) for place, own in enumerate(bets)),
    )
    reviews = [*rows_of("statistics", SPAN, ("table",)), *rows_of("statistics", SPAN, ("table", "dealer"))]
    assert len(reviews) == 3
    for place, review in enumerate(reviews):
        investigate(person, review.subject, "chance", "looked", str(UUID(int=place + 1, version=4)))
    every = list(report.sheet(Span(property="aurora"), ()).rows)
    assert len(every) == len(reviews)
    all_days = Span(property="aurora")
    day = every[0][0]
    for name, value, expected in (
        ("table", "aurora/T3", every),
        ("dealer", "d-2", [row for row in every if "d-2" in row[3]]),
        ("day", day, every),
        ("month", day[:7], every),
        ("day", FIRST, []),
        ("table", "aurora/T1", []),
        ("shift", "swing", []),
    ):
        rows = list(limits.sheet(report, all_days, (), {name: value}).rows)
        assert rows == expected, (name, value)
    assert len(list(limits.sheet(report, all_days, (), {"dealer": "d-1"}).rows)) == 1


def test_pages_keep_the_limits_and_name_the_possible_ones(books: Cast) -> None:
    boris = books.browser("Boris")
    days = "property=aurora&from=2026-10-01&to=2026-11-30"
    for name in ("markers", "marker-ageing"):
        page = pages.markup(boris.get(f"/reports/{name}/?{days}&table=T1&month=2026-11"))
        assert "table=aurora%2FT1&amp;month=2026-11" in page, name
        assert "/reports/" in page
    for address, words in (
        ("markers/?dealer=d-1", "cannot be limited by dealer. Choose table, day, month."),
        ("deposits/?table=T1", "cannot be limited by table. Choose day, month."),
        ("journal/?table=T1", "cannot be limited by table. Choose game, day, month."),
        ("new-jersey/?shift=day", "cannot be limited by shift. Choose table, game, month."),
        ("investigations/?spot=1", "cannot be limited by spot. Choose table, game, pit, day, month"),
    ):
        answer = boris.get(f"/reports/{address}")
        assert (answer.status_code, words in pages.text(answer)) == (400, True), address
    assert books.browser("Eve").get(f"/reports/markers/?{days}&table=T1").status_code == 403

"""The sentences above the table of a report: how many rows are marked, how many would be by chance alone, and
how many are not judged.
"""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from audit.queries.span import Span
from casino.exports.report_charts import charts_of
from casino.exports.report_notes import MOST_COUNTED, notes_of
from casino.reports.columns import Absent, Column, ExpectedRange, Row, Sheet
from casino.reports.definitions import statistics
from casino.reports.part_of_month import days_of_month, notes_on_months, parts_of_months
from tests.casino.conftest import Cast
from tests.casino.pages import text
from tests.casino.test_report_charts import WHOLE
from tests.casino.test_report_pages import DAYS, floor

__all__ = ["floor"]

COLUMNS = (
    Column("table", "table"),
    Column("currency", "currency"),
    Column("z", "z", "percent"),
    Column("verdict", "verdict"),
)
SPAN = Span(date(2026, 11, 24), date(2026, 12, 1), "aurora")
RANGE = ExpectedRange(Fraction(-2), Fraction(2), "the band is the range of chance", 95)
OUTSIDE: Row = ("aurora/A", "USD", "2.1", "outside 95 %")
INSIDE: Row = ("aurora/B", "USD", "0.3", "")
NO_PLAY: Row = ("aurora/C", "USD", Absent("n/a"), "")
SHORT: Row = ("aurora/D", "USD", "9.0", "base of 4 days")


def notes(*rows: Row, expected: ExpectedRange | None = RANGE) -> list[str]:
    return notes_of(Sheet("Review", COLUMNS, rows, expected=expected, notes=("Only a part.",)), SPAN, ())[1:]


def test_marked_rows_are_compared_with_what_chance_alone_would_mark() -> None:
    assert notes(OUTSIDE, *[INSIDE] * 10) == [
        "1 of 11 judged rows is marked: outside 95 % (1). Chance alone puts 0.6 of 11 outside on average."
    ]
    assert notes(INSIDE, expected=None) == ["0 of 1 judged row is marked."]


def test_rows_that_are_not_judged_are_counted_apart() -> None:
    assert notes(INSIDE, NO_PLAY, SHORT, SHORT, expected=None) == [
        "0 of 1 judged row is marked. 3 rows are not judged: base of 4 days (2)."
    ]
    assert notes(SHORT, SHORT) == [
        "No row is judged, so nothing can be concluded. 2 rows are not judged: base of 4 days (2)."
    ]


def test_the_verdicts_of_too_many_rows_are_not_counted_and_the_page_says_so() -> None:
    (note,) = notes(*[INSIDE] * (MOST_COUNTED + 1))
    assert note.startswith("The report has more than 2,000 rows")
    assert notes() == []
    assert notes_of(Sheet("Slips", COLUMNS[:2], [("F-1", "USD")]), SPAN, ()) == []


def test_the_bar_of_a_row_outside_its_bounds_is_marked() -> None:
    sheet = Sheet("Review", COLUMNS, [OUTSIDE, INSIDE], expected=RANGE)
    (chart,) = charts_of(statistics, sheet, [OUTSIDE, INSIDE], WHOLE._replace(by=("table",)))  # type: ignore[arg-type]
    assert [row.bar.outside for row in chart.rows] == [True, False]


def test_a_page_counts_the_verdicts_above_its_table(floor: Cast) -> None:
    page = text(floor.browser("Dana").get(f"/reports/base-level/?property=aurora&{DAYS}"))
    assert "No row is judged, so nothing can be concluded." in page
    assert "no base level (" in page


def test_dealer_errors_say_when_a_row_is_marked_and_how_many_have_too_few_wagers(floor: Cast) -> None:
    page = text(floor.browser("Dana").get(f"/reports/dealer-errors/?property=aurora&{DAYS}"))
    assert "the probability that chance alone marks any row is below 5 %" in page
    assert "not judged: too few wagers (" in page


@pytest.mark.parametrize(
    ("begins", "ends", "days"),
    [
        ((11, 24), (12, 1), "only gaming days 2026-11-24 to 2026-11-30, not the whole month"),
        ((11, 30), (12, 1), "only gaming day 2026-11-30, not the whole month"),
        ((10, 3), (11, 15), "only gaming days 2026-11-01 to 2026-11-14, not the whole month"),
        ((11, 1), (12, 1), ""),
        ((1, 1), (12, 31), ""),
    ],
)
def test_a_part_of_a_month_names_its_days(begins: tuple[int, int], ends: tuple[int, int], days: str) -> None:
    span = Span(date(2026, *begins), date(2026, *ends), "aurora")
    assert days_of_month(span, "2026-11") == days


def test_only_the_first_and_the_last_month_of_a_report_can_be_parts() -> None:
    assert [month for month, _ in parts_of_months(Span(date(2026, 9, 2), date(2026, 11, 2)))] == [
        "2026-09",
        "2026-11",
    ]
    assert parts_of_months(Span()) == []
    assert notes_on_months(SPAN, ("month", "table")) == (
        "Nov 2026: only gaming days 24 Nov 2026 to 30 Nov 2026, not the whole month.",
    )
    assert notes_on_months(SPAN, ("table",)) == ()


def test_the_new_jersey_form_of_a_part_of_a_month_names_its_days_on_the_page_and_in_its_file(
    floor: Cast,
) -> None:
    dana = floor.browser("Dana")
    page = text(dana.get(f"/reports/new-jersey/?property=aurora&{DAYS}"))
    assert "Nov 2026: only gaming day 27 Nov 2026, not the whole month." in page
    lines = b"".join(dana.get(f"/reports/new-jersey/csv/?property=aurora&{DAYS}")).decode().splitlines()
    assert all("only gaming day 2026-11-27, not the whole month" in line for line in lines[1:])
    month = dana.get("/reports/new-jersey/csv/?property=aurora&from=2026-11-01&to=2026-11-30")
    assert b"not the whole month" not in b"".join(month)

"""Small charts over time: on the page of a report by table and day, and on the hold page."""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction

import pytest

from casino.exports.report_charts import Drawn
from casino.exports.report_small_charts import SmallCharts, small_charts_of
from casino.presentation.formatting import MINUS
from casino.reports import win_by_day
from casino.reports.columns import Column, ExpectedRange, Row, Sheet
from casino.reports.definitions import hold, slips
from casino.reports.row_links import Scope
from tests.casino.conftest import Cast
from tests.casino.pages import markup
from tests.casino.test_charts import drawn as tag_drawn
from tests.casino.test_reports import felt, record

SCOPE = Scope("aurora", date(2026, 11, 1), date(2026, 11, 26))
BY_TABLE_AND_DAY = Drawn(SCOPE, ("table", "day"), "?bars=all#charts", False, False)
COLUMNS = (
    Column("table", "table"),
    Column("day", "day", "day"),
    Column("basis", "basis"),
    Column("currency", "currency"),
)
PERCENT = Column("hold_percent", "hold %", "percent")
ROWS: tuple[Row, ...] = (
    ("aurora/A", "2026-11-01", "win / drop", "USD", "20.0"),
    ("aurora/A", "2026-11-03", "win / drop", "USD", "-1000.5"),
    ("aurora/B", "2026-11-03", "win / drop", "USD", "10.0"),
)


def drawn(
    *rows: Row, by: Drawn = BY_TABLE_AND_DAY, expected: ExpectedRange | None = None
) -> list[SmallCharts]:
    sheet = Sheet("Hold", (*COLUMNS, PERCENT), rows, expected=expected)
    return small_charts_of(hold, sheet, rows, by)  # type: ignore[arg-type]


def test_a_report_by_table_and_day_has_a_small_chart_for_each_table_with_a_column_for_each_day() -> None:
    (charts,) = drawn(*ROWS)
    assert (charts.says, charts.unit) == ("Hold, win / drop", "%")
    a, b = charts.multiples.charts
    assert [(a.name, a.written), (b.name, b.written)] == [("A", "−1,000.5 to 20.0"), ("B", "10.0")]
    assert [column[0] for column in a.columns] == ["0.00%", "50.00%"]
    assert [column[0] for column in b.columns] == ["50.00%"], "B has no figure on the first day"
    assert a.href == "/hold/where/?property=aurora&from=2026-11-01&to=2026-11-26&table=aurora%2FA"
    assert charts.multiples.note == "A column for each day, the earliest first."
    assert a.tip == ["highest 1 Nov 2026: 20.0", f"lowest 3 Nov 2026: {MINUS}1,000.5"]
    assert a.label == f"A: {MINUS}1,000.5 to 20.0; {a.tip[0]}; {a.tip[1]}"
    assert [drawing.column.href for drawing in a.columns if drawing.column] == [
        "/hold/where/aurora/A/2026-11-01/",
        "/hold/where/aurora/A/2026-11-03/",
    ]
    assert (a.high, b.high, charts.multiples.high) == ("1k", "10", ""), "each chart has its own scale"


def test_a_figure_outside_the_expected_range_is_marked() -> None:
    (charts,) = drawn(*ROWS, expected=ExpectedRange(Fraction(-15), Fraction(15), "between −15 and 15 %", 95))
    assert [[column[4] for column in chart.columns] for chart in charts.multiples.charts] == [
        ["falarm", "falarm"],
        ["mark"],
    ]
    assert charts.multiples.note.endswith("Red with a triangle: outside; between −15 and 15 %")
    page = tag_drawn("multiples", charts.multiples)
    assert page.count("▲") == 2
    assert page.count('tabindex="-1"') == 3, "each column is a link for the pointer"
    assert charts.multiples.high == "1k %", "charts that are judged by one range have one scale"


def test_days_of_a_small_chart_are_in_order_although_the_first_name_has_not_all_of_them() -> None:
    (charts,) = drawn(*ROWS, (*ROWS[2][:1], "2026-11-02", *ROWS[2][2:]))
    _, b = charts.multiples.charts
    assert [(drawing.x, drawing.column.name) for drawing in b.columns if drawing.column] == [
        ("33.33%", "2 Nov 2026"),
        ("66.67%", "3 Nov 2026"),
    ]


def test_amounts_of_a_small_chart_are_added_up() -> None:
    columns = (*COLUMNS[:2], COLUMNS[3], Column("amount", "amount", "money"))
    rows = [("aurora/A", "2026-11-01", "USD", "999.50"), ("aurora/A", "2026-11-02", "USD", "0.75")]
    (charts,) = small_charts_of(slips, Sheet("Slips", columns, rows), rows, BY_TABLE_AND_DAY)  # type: ignore[arg-type]
    assert [chart.written for chart in charts.multiples.charts] == ["1,000.25"]


def test_there_are_no_small_charts_without_a_time_something_else_and_two_times() -> None:
    assert drawn(*ROWS, by=BY_TABLE_AND_DAY._replace(by=("table",))) == []
    assert drawn(*ROWS, by=BY_TABLE_AND_DAY._replace(by=("day",))) == []
    assert drawn(ROWS[0]) == []


def two_days() -> None:
    record(felt(500_00, 100_00, "aurora/T1", "2026-11-26"), felt(500_00, -50_00, "aurora/T1", "2026-11-27"))


def test_the_page_of_a_report_by_table_and_day_shows_small_charts_in_place_of_bars(cast: Cast) -> None:
    two_days()
    page = markup(
        cast.browser("Boris").get(
            "/reports/hold/?property=aurora&from=2026-11-26&to=2026-11-27&by=table&by=day"
        )
    )
    charts = page.partition('<div id="charts">')[2]
    assert '<ul class="multiples" aria-label="Hold, win / drop">' in charts
    assert '<span class="v">−10.0 to 20.0</span>' in charts
    assert 'class="wf' not in charts, "there are no bars"


def test_the_hold_page_shows_the_win_of_each_table_by_day(cast: Cast) -> None:
    two_days()
    page = markup(cast.browser("Boris").get("/hold/?from=2026-11-25&to=2026-11-27"))
    charts = page.partition("Win by gaming day")[2].partition("</figure>")[0]
    table = "/hold/where/?property=aurora&amp;from=2026-11-25&amp;to=2026-11-27&amp;table=aurora%2FT1"
    state = ", not judged: no play"
    marks = f"highest 26 Nov 2026: 100.00{state}; lowest 27 Nov 2026: {MINUS}50.00{state}"
    assert f'<a class="what" href="{table}" aria-label="T1: 50.00; {marks}">' in charts
    assert '<a href="/hold/where/aurora/T1/2026-11-27/" tabindex="-1">' in charts
    assert re.findall(r'<rect class="(\w+)" fill="url\(#unjudged\)" x="([\d.]+%)"', charts) == [
        ("unjudged", "33.33%"),
        ("unjudged", "66.67%"),
    ], "the first day has no win, and without play no win is judged"
    report = "/reports/hold/?property=aurora&amp;from=2026-11-25&amp;to=2026-11-27&amp;by=table&amp;by=day"
    assert f'<a href="{report}">as a table</a>' in charts
    assert "No row is judged. 2 of 2 are not judged: no play (2)." in charts


def test_the_hold_page_of_one_day_or_by_shift_has_no_small_charts(cast: Cast) -> None:
    two_days()
    for days in ("from=2026-11-27&to=2026-11-27", "from=2026-11-26&to=2026-11-27&by=shift"):
        page = markup(cast.browser("Boris").get(f"/hold/?{days}"))
        assert "T1" in page
        assert "multiples" not in page
        assert "by table and gaming day" not in page


@pytest.mark.parametrize("days", ["from=2026-10-27&to=2026-11-27", "from=2026-11-20&to=2026-11-27"])
def test_the_hold_page_with_too_many_days_or_wins_has_a_link_in_place_of_small_charts(
    cast: Cast, days: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_days()
    monkeypatch.setattr(win_by_day, "MOST_WINS", 7)
    page = markup(cast.browser("Boris").get(f"/hold/?{days}"))
    report = f"/reports/hold/?property=aurora&{days}&by=table&by=day".replace("&", "&amp;")
    assert f'<a href="{report}">Win and hold by table and gaming day</a>' in page
    assert "multiples" not in page

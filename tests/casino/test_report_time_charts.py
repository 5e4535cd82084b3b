"""The charts over time of reports by gaming day, compared with the days before, and the tooltips of bars."""

from __future__ import annotations

import re
from datetime import date

from casino.exports.report_charts import Drawn, charts_of
from casino.exports.report_time_charts import TimeChart, earlier_scope, is_drawn, time_charts_of
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.definitions import hold
from casino.reports.row_links import Scope
from tests.casino.conftest import Cast
from tests.casino.pages import markup
from tests.casino.test_reports import felt, record

SCOPE = Scope("aurora", date(2026, 11, 25), date(2026, 11, 27))
BY_DAY = Drawn(SCOPE, ("day",), "?bars=all#charts", False, False)
COLUMNS = (
    Column("day", "day", "day"),
    Column("basis", "basis"),
    Column("currency", "currency"),
    Column("win", "win", "money"),
    Column("hold_percent", "hold %", "percent"),
)


def hold_of(day: str, percent: str) -> Row:
    return (day, "win / drop", "USD", "100.00", percent)


def charts(rows: list[Row], earlier: list[Row], drawn: Drawn = BY_DAY) -> list[TimeChart]:
    sheet, before = Sheet("Hold", COLUMNS, rows), Sheet("Hold", COLUMNS, earlier)
    return time_charts_of(hold, sheet, rows, drawn, before)  # type: ignore[arg-type]


def test_each_day_has_a_column_and_is_compared_with_the_day_as_many_days_before() -> None:
    (chart,) = charts(
        [hold_of("2026-11-25", "20.0"), hold_of("2026-11-27", "-1000.5")], [hold_of("2026-11-22", "15.0")]
    )
    assert (chart.plot.says, chart.plot.unit, chart.compared) == (
        "Hold, win / drop",
        "%",
        "dots: the 3 days before",
    )
    first, second, third = chart.plot.points
    assert (first.name, first.value, first.before, first.tip) == ("25 Nov", 20, 15, ("22 Nov: 15.0",))
    assert first.href == "/hold/where/?property=aurora&from=2026-11-25&to=2026-11-25"
    assert (second.value, second.written, second.href) == (None, "no figure", "")
    assert (third.written, third.before, third.tip) == ("−1,000.5", None, ())


def test_without_earlier_figures_nothing_is_compared() -> None:
    (chart,) = charts([hold_of("2026-11-25", "20.0"), hold_of("2026-11-26", "10.0")], [])
    assert chart.compared == ""
    assert all(point.before is None for point in chart.plot.points)


def test_a_few_earlier_figures_are_not_drawn_as_if_they_were_the_days_before() -> None:
    month = BY_DAY._replace(scope=SCOPE._replace(begins=date(2026, 11, 18)))
    (chart,) = charts([hold_of("2026-11-26", "20.0")], [hold_of("2026-11-09", "15.0")], month)
    assert chart.compared == "not compared: 1 of the 10 days before has figures"
    assert all(point.before is None for point in chart.plot.points)


def test_a_part_of_the_rows_or_several_rows_of_a_day_have_no_chart_over_time() -> None:
    rows = [hold_of("2026-11-25", "20.0"), hold_of("2026-11-26", "10.0")]
    assert charts(rows, [], BY_DAY._replace(is_part=True)) == []
    assert charts([*rows, rows[0]], []) == []


def test_only_reports_by_day_of_two_days_to_three_months_have_a_chart_over_time() -> None:
    assert is_drawn(SCOPE, ("day",))
    assert not is_drawn(SCOPE, ("table",))
    assert not is_drawn(SCOPE, ("day", "table"))
    assert not is_drawn(SCOPE._replace(begins=SCOPE.last), ("day",))
    assert not is_drawn(SCOPE._replace(begins=date(2026, 8, 27)), ("day",))
    earlier = earlier_scope(SCOPE)
    assert (earlier.begins, earlier.last) == (date(2026, 11, 22), date(2026, 11, 24))


def test_the_page_of_a_report_by_day_compares_with_the_days_before(cast: Cast) -> None:
    for day, win in (("2026-11-24", 50_00), ("2026-11-26", 100_00), ("2026-11-27", -50_00)):
        record(felt(500_00, win, "aurora/T1", day))
    page = markup(
        cast.browser("Boris").get("/reports/hold/?property=aurora&from=2026-11-26&to=2026-11-27&by=day")
    )
    drawing = page.partition('<div id="charts">')[2]
    assert "dots: the 2 days before" in drawing
    assert re.search(r'aria-label="26 Nov: 20\.0, not judged: no play, 24 Nov: 10\.0"', drawing)


def test_a_bar_has_a_tooltip_with_the_other_figures_of_its_row() -> None:
    columns = (Column("table", "table"), *COLUMNS[1:3], Column("rounds", "rounds", "count"), *COLUMNS[3:])
    rows: list[Row] = [
        ("aurora/A", "win / drop", "USD", 1200, "1500.00", "20.0"),
        ("aurora/B", "win / drop", "USD", 7, Absent("pending"), "10.0"),
    ]
    drawn = BY_DAY._replace(by=("table",))
    (chart,) = charts_of(hold, Sheet("Hold", columns, rows), rows, drawn)  # type: ignore[arg-type]
    assert [row.bar.tip for row in chart.rows] == [("rounds 1,200", "win 1,500.00"), ("rounds 7",)]

"""The charts on the page of a report: their titles, units, order and scope."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

from audit.queries.span import Span
from casino.exports.report_charts import Drawn, charts_of
from casino.presentation.charts.rows import RowChart
from casino.presentation.formatting import MINUS
from casino.reports.columns import Column, ExpectedRange, Row, Sheet
from casino.reports.definitions import hold, slips, statistics, unopened_tables
from casino.reports.row_links import Scope
from tests.casino.conftest import Cast
from tests.casino.test_reports import live, record

SCOPE = Scope("aurora", date(2026, 11, 1), date(2026, 11, 26))
WHOLE = Drawn(SCOPE, (), "?bars=all#charts", False, False)
SLIPS = (Column("slip", "slip"), Column("kind", "kind"), Column("currency", "currency"))
AMOUNT = Column("amount", "amount", "money")


def charts(module: object, columns: tuple[Column, ...], *rows: Row, drawn: Drawn = WHOLE) -> list[RowChart]:
    return charts_of(module, Sheet("Slips", columns, rows), rows, drawn)  # type: ignore[arg-type]


def bars(chart: RowChart) -> list[str]:
    return [row.bar.name for row in chart.rows]


def test_an_amount_has_its_currency_as_unit_and_its_kind_in_the_title() -> None:
    fills, credits = charts(
        slips,
        (*SLIPS, AMOUNT),
        ("F-1", "fill", "USD", "100.00"),
        ("F-2", "fill", "USD", "300.00"),
        ("C-1", "credit", "EUR", "50.00"),
    )[::-1]
    assert [(chart.says, chart.unit) for chart in (fills, credits)] == [
        ("Amount, fill", "USD"),
        ("Amount, credit", "EUR"),
    ]
    assert (bars(fills), fills.note) == (["F-2", "F-1"], "the largest first")


def test_a_rate_names_its_currency_only_if_there_are_several() -> None:
    columns = (Column("table", "table"), Column("basis", "basis"), Column("currency", "currency"))
    columns = (*columns, Column("hold_percent", "hold %", "percent"))
    rows = [("aurora/A", "win / drop", "USD", "20.0"), ("aurora/B", "win / drop", "EUR", "10.0")]
    by_table = WHOLE._replace(by=("table",))
    (single,) = charts(hold, columns, rows[0], drawn=by_table)
    assert (single.says, single.unit) == ("Hold, win / drop", "%")
    several = charts(hold, columns, *rows, drawn=by_table)
    assert [chart.says for chart in several] == ["Hold, win / drop, EUR", "Hold, win / drop, USD"]


def test_counts_of_all_currencies_are_in_one_chart_with_whole_ticks() -> None:
    columns = (Column("table", "table"), Column("day", "day", "day"), Column("currency", "currency"))
    columns = (*columns, Column("days", "days", "count"))
    rows = [("aurora/A", "2026-11-02", "USD", 1), ("aurora/B", "2026-11-02", "", 2)]
    (chart,) = charts(unopened_tables, columns, *rows)
    assert (chart.says, chart.unit, len(chart.rows)) == ("Days", "", 2)
    assert [tick.label for tick in chart.ticks] == ["0", "1", "2"]


def test_a_chart_of_one_of_several_pages_says_so() -> None:
    rows = [(f"F-{number}", "fill", "USD", f"{number}.00") for number in range(1, 31)]
    (chart,) = charts(slips, (*SLIPS, AMOUNT), *rows, drawn=WHOLE._replace(is_part=True))
    assert (chart.shown, chart.total, chart.note) == (20, 30, "the largest first; only the rows of this page")
    assert bars(chart)[:2] == ["F-30", "F-29"]
    assert charts(slips, (*SLIPS, AMOUNT), ("F-1", "fill", "USD", "0.00")) == [], "there is nothing to draw"


def test_the_chart_of_a_statistical_review_shows_the_range_of_chance() -> None:
    columns = (Column("table", "table"), Column("currency", "currency"), Column("z", "z", "percent"))
    rows = [("aurora/A", "USD", "0.5"), ("aurora/B", "USD", "-0.7")]
    by_chance = ExpectedRange(Fraction(-2), Fraction(2), "the band is the range of chance", 95)
    sheet = Sheet("Review", columns, rows, expected=by_chance)
    (chart,) = charts_of(statistics, sheet, rows, WHOLE._replace(by=("table",)))  # type: ignore[arg-type]
    assert chart.note == "the farthest from zero first; the band is the range of chance"
    assert all(row.band is not None for row in chart.rows)
    labels = [tick.label for tick in chart.ticks]
    assert (labels[0], labels[-1]) == (f"{MINUS}2", "2"), "a small result does not fill the chart"


def test_the_statistical_review_has_the_range_of_its_confidence(cast: Cast) -> None:
    record(live(2000, 50))
    expected = statistics.sheet(Span(), ("table",)).expected
    assert expected is not None
    assert (round(float(expected.low), 2), round(float(expected.high), 2)) == (-1.96, 1.96)
    assert "95 %" in expected.words


def test_bars_below_zero_are_ordered_by_their_distance_from_zero_and_the_chart_says_so() -> None:
    (chart,) = charts(
        slips,
        (*SLIPS, AMOUNT),
        ("F-1", "fill", "USD", "100.00"),
        ("F-2", "fill", "USD", "-300.00"),
    )
    assert (bars(chart), chart.note) == (["F-2", "F-1"], "the farthest from zero first")

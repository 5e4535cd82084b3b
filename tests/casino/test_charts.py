"""Charts that the server draws: axes, bars, waterfalls, lines and columns. Each bar or point is a link."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from django.template import Context, Template
from hypothesis import given
from hypothesis import strategies as st

from casino.presentation.charts.cells import money_axis, rate_axis
from casino.presentation.charts.multiples import Column, Rows, small_multiples
from casino.presentation.charts.rows import Bar, Step, bar_chart, waterfall_chart
from casino.presentation.charts.scales import nice_step, percent, scale_for, tick_label
from casino.presentation.charts.series import Point, column_chart, line_chart
from casino.presentation.formatting import MINUS, money, signed

NUMBERS = st.fractions(-(10**9), 10**9, max_denominator=1000)


def drawn(tag: str, chart: object) -> str:
    return Template(f"{{% load charts %}}{{% {tag} chart %}}").render(Context({"chart": chart}))


@given(st.integers(-(10**12), 10**12), st.sampled_from(("USD", "JPY", "KWD", "UYW")))
def test_an_integer_and_a_fraction_are_written_alike(amount, currency):
    assert money(amount, currency) == money(Fraction(amount), currency) == money(str(amount), currency)
    assert signed(amount, currency) == signed(Fraction(amount), currency)


def number(text: str) -> Fraction:
    return Fraction(text.removesuffix("%"))


@given(st.lists(NUMBERS, max_size=8), st.integers(1, 8))
def test_an_axis_has_zero_and_every_value_and_few_ticks(values, maximum):
    scale = scale_for(values, maximum=maximum)
    assert 0 in scale.values
    assert scale.low <= min([0, *values])
    assert scale.high >= max([0, *values])
    assert len(scale.values) <= maximum + 3
    assert scale.values[0] == scale.low
    assert scale.values[-1] == scale.high
    labels = [tick.label for tick in scale.ticks if tick.label]
    assert len({*labels}) == len(labels), "no two ticks have one label"
    assert len(labels) >= len(scale.ticks) // 2


@given(st.fractions(Fraction(1, 10**6), 10**9))
def test_a_step_is_the_smallest_nice_one(minimum):
    step = nice_step(minimum)
    assert minimum <= step < minimum * Fraction(5, 2) + Fraction(1, 10**9)
    digits = str(step.numerator if step >= 1 else step.denominator).rstrip("0")
    assert digits in ("1", "2", "5")


def test_ticks_are_written_short_with_one_unit_and_a_true_minus():
    assert [tick_label(Fraction(value), Fraction(1000)) for value in (-2000, 0, 10_000)] == [
        "−2k",
        "0",
        "10k",
    ]
    assert [tick_label(Fraction(value), Fraction(500)) for value in (500, 1500)] == ["500", "1,500"]
    assert tick_label(Fraction(1, 2), Fraction(1, 4)) == "0.50"
    assert tick_label(Fraction(1_500_000), Fraction(500_000)) == "1.5M"
    assert [percent(Fraction(part, 3)) for part in (-1, 0, 1, 3)] == ["-33.33%", "0.00%", "33.33%", "100.00%"]


def test_counts_have_no_tick_between_two_whole_numbers():
    assert [tick.label for tick in scale_for([1], is_count=True).ticks] == ["0", "1"]


def test_bars_begin_at_zero_and_each_is_a_link_with_its_figure_and_its_bounds():
    bars = [
        Bar(
            "T1",
            Fraction(-50),
            "−50.00",
            "/t1/",
            Fraction(-10),
            (Fraction(-60), Fraction(40)),
            tip=("expected −10",),
        ),
        Bar("T2", Fraction(100), "100.00"),
    ]
    chart = bar_chart(bars, "Win by table", unit="USD", note="the largest first", total=44, every="?all")
    first, second = chart.rows
    zero = number(next(tick.at for tick in chart.ticks if tick.label == "0"))
    assert number(first.span.x) + number(first.span.width) == zero == number(second.span.x)
    assert number(second.span.width) == 2 * number(first.span.width)
    assert first.band is not None
    assert number(first.band.width) == 2 * number(first.span.width)
    page = drawn("bars", chart)
    assert '<a class="bar-row" href="/t1/" aria-label="T1: −50.00, expected −10">' in page
    assert 'class="floss"' in page
    assert 'class="fgain"' in page
    assert "2 of 44 shown, the largest first" in " ".join(page.split())
    assert '<a href="?all">All 44</a>' in page
    assert 'aria-label="Win by table, USD"' in page
    assert "style=" not in page
    assert "<script" not in page


def test_a_bar_too_short_to_see_is_drawn_and_a_bar_of_zero_is_not():
    small, zero, _ = bar_chart([Bar("a", -1, "−1"), Bar("b", 0, "0"), Bar("c", 10**6, "1,000,000")], "x").rows
    assert number(small.span.width) > 0 == number(zero.span.width)


def test_a_waterfall_begins_each_bar_where_the_one_before_ended():
    steps = [
        Step("Theoretical", Fraction(100), "1.00", href="/t/"),
        Step("Luck", Fraction(-150), "−1.50"),
        Step("Unexplained", Fraction(-30), "−0.30", unexplained=True),
        Step("Counted", Fraction(-80), "−0.80", total=True),
    ]
    chart = waterfall_chart(steps, "How it came about", "USD")
    spans = [(number(row.span.x), number(row.span.width)) for row in chart.rows]
    for place, row in enumerate(chart.rows[:-1]):
        assert row.joined_below == chart.rows[place + 1].joined_above
    low, high = spans[1][0], spans[0][0] + spans[0][1]
    assert (low, high) == (spans[2][0] + spans[2][1], spans[1][0] + spans[1][1])
    assert [round(width / spans[0][1], 1) for _, width in spans] == [
        1,
        Fraction(3, 2),
        Fraction(3, 10),
        Fraction(4, 5),
    ]
    page = drawn("waterfall", chart)
    assert [page.count(f'class="{kind}"') for kind in ("fgain", "hatch", "fsum")] == [1, 1, 1]
    assert page.count("<a ") == 1


def test_a_line_breaks_where_a_day_has_no_value_and_its_place_stays_empty():
    values = [1, 2, None, 4, 5]
    points = [
        Point(f"{day} Nov", value, str(value), f"/{day}/", Fraction(3), (1, 6), 2, value == 5, ("more",))
        for day, value in enumerate(values, 1)
    ]
    chart = line_chart(points, "Win by day", unit="USD")
    assert [len(run.split()) for run in chart.line] == [2, 2]
    assert [len(run.split()) for run in (*chart.expected, *chart.before)] == [5, 5]
    assert [len(band.split()) for band in chart.bands] == [10]
    assert [place.left for place in chart.places] == ["0.00%", "20.00%", "40.00%", "60.00%", "80.00%"]
    page = drawn("plot", chart)
    assert page.count('<a href="/') == 10, "each mark and each row of the table"
    assert page.count('class="outring"') == 1
    assert 'role="group"' in page
    assert "style=" not in page


def test_bands_and_expected_values_are_broken_where_a_mark_is_not_judged():
    judged = [Point(str(day), 3, "3", expected=2, bounds=(1, 4)) for day in range(4)]
    judged[1] = Point("1", 3, "3", not_judged="pending days", tip=("2 boxes",))
    chart = column_chart(judged, "Hold")
    assert [len(band.split()) for band in chart.bands] == [4, 4]
    single, run = (line.split() for line in chart.expected)
    assert [point.split(",")[0] for point in single] == ["37.5", "212.5"], "as wide as its column"
    assert [point.split(",")[0] for point in run] == ["625.0", "875.0"], "from middle to middle"
    assert [place.kind for place in chart.places] == ["mark", "unjudged", "mark", "mark"]
    assert judged[1].label == "1: 3, not judged: pending days, 2 boxes"
    assert drawn("plot", chart).count('class="unjudged" fill="url(#unjudged)"') == 1


@pytest.mark.parametrize("values", [[], [0, 0], [3, 0, -2]])
def test_columns_stand_on_the_zero_line(values):
    chart = column_chart(
        [Point(str(place), value, str(value)) for place, value in enumerate(values)], "x", money=True
    )
    for place in chart.places:
        top, height = Fraction(place.bar_y), Fraction(place.bar_height)
        assert Fraction(chart.zero) in (top, top + height) or not place.point.value
    page = drawn("plot", chart)
    assert page.count('class="fgain"') == sum(value > 0 for value in values)
    assert page.count('class="floss"') == sum(value < 0 for value in values)
    assert 'role="img"' in page


def test_a_tooltip_stays_inside_its_plot():
    points = [Point(f"{day}", day, "a long text of a figure") for day in range(20)]
    for place in column_chart(points, "x").places:
        left = place.tip.left
        assert (left > 0) == (number(place.tip.x) < 50)
        assert 0 <= Fraction(place.tip.y) <= 188


def test_small_multiples_share_one_scale():
    chart = small_multiples(
        [Rows("a", "4", "/a/", [4, 0]), Rows("b", "2", "", [2, 0], frozenset({0}))], "x", total=5
    )
    (first, *_), (second, *_) = (small.columns for small in chart.charts)
    assert Fraction(first.height) == 2 * Fraction(second.height)
    assert (first.kind, second.kind) == ("mark", "falarm")
    page = " ".join(drawn("multiples", chart).split())
    assert "2 of 5 shown" in page
    assert "the upper line is 4" in page


def test_the_tooltip_of_a_small_multiple_names_the_columns_that_matter():
    columns = [Column(f"day {day}", f"{day}.00") for day in range(1, 8)]
    columns[2] = Column("day 3", "")
    row = Rows("a", "28.00", "/a/", [1, 2, 0, 4, 5, 6, 7], frozenset({0, 1, 3, 4, 5}), columns)
    (chart,) = small_multiples([row], "x").charts
    assert chart.tip == [
        "highest day 7: 7.00",
        "lowest day 1: 1.00",
        *(f"marked day {day}: {day}.00" for day in (1, 2, 4, 5)),
        "1 more marked",
    ]
    page = drawn("multiples", small_multiples([row], "x"))
    assert page.count("▲") == 5
    assert "<title>day 4: 4.00</title>" in page
    assert "day 3" not in page, "a day without a figure has no column and no tooltip"


def test_rates_and_money_in_a_table_have_one_axis():
    axis = rate_axis([Fraction(20), Fraction(32)], Fraction(2))
    cell = axis.cell(
        Fraction(20), (Fraction(12), Fraction(90)), "20.0, between 12.0 and 90.0", marked=True, judged=True
    )
    assert cell.high == "100.00%", "a bound beyond the axis ends at its edge"
    page = drawn("rate_cell", (axis, cell))
    assert 'role="img" aria-label="20.0, between 12.0 and 90.0"' in page
    assert 'class="outring"' in page
    money = money_axis([(100, 300), (50, 0)]).cell(50, 300)
    assert (money.zero, money.house.x, money.house.width) == ("25.00%", "12.50%", "12.50%")
    assert money.players == ("25.00%", "75.00%")
    assert re.search(r'class="floss" x="25.00%" width="75.00%"', drawn("money_cell", money))


def test_labels_of_many_ticks_leave_every_second_one_out_but_never_zero() -> None:
    labels = [tick.label for tick in scale_for([Fraction(-1886), Fraction(613)]).ticks]
    assert labels == ["−2,000", "", "−1,000", "", "0", "", "1,000"]
    assert [tick.label for tick in scale_for([Fraction(5)]).ticks] == ["0", "1", "2", "3", "4", "5"]


def test_labels_on_a_phone_do_not_run_into_each_other_and_zero_is_one_of_them() -> None:
    def on_phone(*values: int) -> list[str]:
        ticks = scale_for([Fraction(value) for value in values]).ticks
        return [tick.label for tick in ticks if not tick.minor]

    assert on_phone(-1886, 613) == [f"{MINUS}2,000", "0", "1,000"]
    assert on_phone(-20, 44) == [f"{MINUS}20", "0", "20", "40", "60"]
    assert on_phone(71_000) == ["0", "20k", "40k", "80k"]

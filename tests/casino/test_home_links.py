"""Each figure of a home page is a link. The home of the floor shows staffing, limits and breaks."""

from __future__ import annotations

from datetime import timedelta

import pytest

from audit.queries.span import Span
from casino.home import floor, table_games, win
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.audit.floor import fact, opened
from tests.casino.conftest import Cast
from tests.casino.home_figures import Figures, figures
from tests.casino.nights import DAY, officers, record, troubled_day
from tests.casino.test_home import figure, table, viewer

NAMES = ("Dana", "Boris", "Finn", "Chi", "Nia", "Alma", "Igor", "Rhea")


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_of_a_home_page_is_a_link(faulty_day: Cast, name: str) -> None:
    page = figures(faulty_day.browser(name).get(f"/home/?day={DAY}"))
    assert page.links
    assert page.without_link == []


def test_a_figure_without_a_link_is_reported() -> None:
    page = Figures()
    page.feed('<section class="board-card"><h3>Boxes</h3><ul><li><span>shifts</span><span>3</span></li></ul>')
    page.feed('<p class="v">1,250.00</p><table><tr><td class="n"><a href="/x">7</a></td></tr></table>')
    assert page.without_link == ["Boxes: 3", "Boxes: 1,250.00"]
    assert [(link.text, link.address) for link in page.links] == [("7", "/x")]


def test_the_floor_sees_staffing_limits_and_breaks(cast: Cast) -> None:
    officers()
    set_registers(
        "aurora", [Entry("thresholds", "dealer-break", {"minutes": 80})], by="m-101", second="m-102"
    )
    seated = {"dealer": "d-101", "supervisor": "s-201", "at": f"{DAY}T10:00:00+00:00"}
    settings = {"limits": {"*": [1_000, 50_000]}, "sees": []}  # without equipment a table is never silent
    record(
        [
            opened(1, "aurora/EOU-07", str(DAY)) | settings,
            fact(2, "dealer-seated", "aurora/EOU-07", str(DAY), **seated),
        ]
    )
    finn = viewer(cast, "Finn")
    home = floor.home(finn)
    (line,) = table(home, "Open tables").lines
    texts = [cell.text for cell in line.cells]
    assert texts[0] == "EOU-07"
    assert texts[4] == "10.00 to 500.00 USD"
    assert line.cells[3].second == "break due"
    due = figure(home, "Breaks due")
    assert (due.value, due.says) == ("1", "of 1 dealer at tables")
    assert due.facts[0].label == "EOU-07"


def test_the_win_is_compared_with_the_period_before(cast: Cast) -> None:
    officers()
    record(troubled_day("EOU-07", times=1))
    span = Span(DAY - timedelta(days=2), DAY + timedelta(days=1), "aurora")
    shown = win.month_of(span)
    boris = viewer(cast, "Boris")
    (number,) = [chart.value for chart in [figure(table_games.home(boris, DAY), "Win of wagers")]]
    next_days = win.month_of(Span(DAY + timedelta(days=1), DAY + timedelta(days=4), "aurora"), "USD")
    assert win.days_before(next_days) == shown, "the three days before"
    by_day = win.by_day(boris, next_days, shown)
    assert [point.before is None for point in by_day.plot.points] == [True, True, False]
    last = by_day.plot.points[-1]
    assert last.tip == (f"{DAY.day} Nov: {number}",)
    assert last.before == shown.days[DAY].amount / 100
    assert by_day.says.endswith(f"dots: 3 days before, from {DAY.day} {DAY:%b}"), "the first two had no play"
    assert by_day.plot.before == [], "one earlier day is no line"
    to_date = win.to_date(boris, next_days, shown)
    assert [point.before for point in to_date.plot.points] == [None, None, last.before]
    assert "dots" not in win.to_date(boris, shown, win.days_before(shown)).says, "nobody played before"

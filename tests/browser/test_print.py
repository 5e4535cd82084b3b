"""Pages on paper: dark ink everywhere, no buttons, in the light and the dark color scheme."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from audit.review import queue
from tests.browser.conftest import Officer
from tests.casino.conftest import Cast
from tests.casino.nights import officers, record, troubled_day
from tests.casino.test_felts import NIGHTS, stream
from tests.furnished import furnishing

GAMES = ("casino_over_under", "easy_over_under", "andar_bahar")
PALE_TEXTS = """() => {
  const linear = (value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  const pale = (element) => {
    const [red, green, blue, alpha = 1] = getComputedStyle(element).color.match(/[0-9.]+/g).map(Number);
    const [r, g, b] = [red, green, blue].map((value) => linear(value / 255));
    return alpha < 1 || 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05) < 4.5;
  };
  const own = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  return [...document.querySelectorAll("#hand *")]
    .filter((element) => element.checkVisibility() && own(element) && pale(element))
    .map((element) => element.textContent.trim());
}"""
"""A script that returns the visible texts of a hand whose contrast with white paper is below 4.5."""

DAYS = "from=2026-11-01&to=2026-11-30"
CHART_COLORS = """() => {
  const style = getComputedStyle(document.documentElement);
  const names = ["band", "grid", "gain", "loss", "outside", "warn", "sunk", "alarm-soft"];
  return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}"""
"""A script that returns the colors of charts."""


@furnishing
def night() -> list[str]:
    """Record a hand with a wrong settlement for some games, and return the addresses of these hands."""
    Cast()
    officers()
    pages = []
    for game in GAMES:
        faults = tuple(name for name in NIGHTS[game] if name.startswith(("wrong", "settled", "not-settled")))
        record(troubled_day(game.upper(), 1, faults[:1] or NIGHTS[game][:1], game))
        row = queue.page(queue.Wanted(("aurora",), table=f"aurora/{game.upper()}")).rows[0]
        pages.append(f"/hand/{stream(game)}/{row.hand}/")
    return pages


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_printed_hand_has_dark_ink_and_no_buttons(officer: Officer, night: list[str], scheme: Any) -> None:
    officer.log_in("v-101")
    page = officer.page
    page.set_viewport_size({"width": 794, "height": 1123})  # a sheet of A4
    page.emulate_media(media="print", color_scheme=scheme)
    for path in night:
        page.goto(f"{officer.address}{path}")
        expect(page.locator("#hand h1")).to_be_visible()
        assert page.locator("#hand .stake.off:visible, #hand .chip:visible").count() > 0
        assert page.evaluate(PALE_TEXTS) == [], path
        controls = page.locator("#hand :is(button, kbd, input, select, .about-write)")
        assert controls.count() > 0
        expect(page.locator(".pane-back")).to_be_hidden()
        assert [control.inner_text() for control in controls.all() if control.is_visible()] == []


def test_charts_are_printed_in_the_same_colors_in_both_color_schemes(
    officer: Officer, night: list[str]
) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/reports/hold/?{DAYS}")
    shown = {}
    for scheme in ("light", "dark"):
        officer.page.emulate_media(media="print", color_scheme=scheme)  # type: ignore[arg-type]
        shown[scheme] = officer.page.evaluate(CHART_COLORS)
    assert shown["light"] == shown["dark"]
    assert all(shown["light"].values())
    buttons = officer.page.locator("main .filters-row button, main .seg")
    assert buttons.count() > 1
    assert [button.inner_text() for button in buttons.all() if button.is_visible()] == []


@pytest.mark.parametrize(
    ("path", "scope"),
    [
        ("/reports/hold/?by=table&by=shift&", ", by table, shift, everything recorded"),
        ("/hold/?", ", everything recorded"),
        ("/hold/where/?by=table&", ", everything recorded"),
        ("/hold/review/?by=table&", ", everything recorded"),
    ],
)
def test_a_printed_report_names_its_days_and_has_no_fields_and_downloads(
    officer: Officer, night: list[str], path: str, scope: str
) -> None:
    officer.log_in("v-101")
    page = officer.page
    page.goto(f"{officer.address}{path}{DAYS}")
    expect(page.locator("#filters")).to_be_visible()
    on_paper = page.locator(".on-paper")
    expect(on_paper).to_be_hidden()
    page.emulate_media(media="print")
    expect(on_paper).to_be_visible()
    assert on_paper.inner_text() == f"aurora, 1 Nov 2026 to 30 Nov 2026{scope}"
    controls = page.locator("main :is(input, select, button, [download], .downloads, .page-head a)")
    assert controls.count() > 3
    assert [control.inner_text() for control in controls.all() if control.is_visible()] == []


def test_the_totals_of_a_printed_table_are_at_its_end_and_not_at_the_end_of_each_sheet(
    officer: Officer, night: list[str]
) -> None:
    officer.log_in("v-101")
    for path in ("/reports/hold/?", "/hold/?", "/hold/where/?"):
        officer.page.goto(f"{officer.address}{path}{DAYS}")
        officer.page.emulate_media(media="print")
        foot = officer.page.locator("main tfoot").first
        assert foot.evaluate("element => getComputedStyle(element).display") == "table-row-group", path
        officer.page.emulate_media(media="screen")

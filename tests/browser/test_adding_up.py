"""A report whose sums are not cached yet: the browser shows the progress without accessibility barriers, and
then the report.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from casino.accounts.services import activate_user
from casino.reports import progress
from tests.browser.conftest import Officer
from tests.casino.conftest import Cast
from tests.casino.nights import PASSWORD
from tests.casino.test_reports import felt, record

A_STEP = re.compile("[1-7]")
"""Matches any step of the progress. A single step may be shown for less than a second, so a test must not
wait for one certain step.
"""
PAGE = "/reports/hold/?from=2026-01-01&to=2026-12-31"


@pytest.mark.long
def test_a_report_shows_its_progress_then_itself_and_keeps_the_keyboard_focus(
    officer: Officer, night: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(*(felt(1000, 100, "aurora/T9", f"2026-{month:02}-28") for month in range(4, 11)))
    monkeypatch.setattr(progress, "SLICE_SECONDS", 0.0)
    activate_user("a-101", "Alma", PASSWORD)
    officer.log_in("a-101")
    page = officer.page
    answered: list[int] = []
    page.on("response", lambda answer: answered.append(answer.status) if PAGE in answer.url else None)
    page.goto(f"{officer.address}{PAGE}")
    expect(page.get_by_role("progressbar")).to_have_attribute("value", A_STEP)
    page.keyboard.press("Tab")
    page.get_by_role("link", name="Reload").focus()
    assert officer.found_here("light") + officer.found_here("dark") == []
    expect(page.get_by_role("link", name="Reload")).to_be_focused()
    expect(page.get_by_role("table")).to_contain_text("T9")
    assert page.url.endswith(PAGE)
    assert (answered[0], answered[-1], {*answered}) == (202, 200, {200, 202})
    assert answered.count(202) > 2, "step by step"
    assert officer.complaints == []

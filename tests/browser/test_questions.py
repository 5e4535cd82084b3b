"""The questions of a shift, asked on the pages of the demo: how many clicks and seconds an answer takes.

Each line that a test prints compares with the pages before there was a home page for each role (commit
7d19f512^), where the same questions about the same sample month were answered in the same way.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.benchmarks.own import GIVEN
from tests.manage import free_port
from tests.screenshots import logins, sign_in, start_demo

BEFORE = {
    # for each question: clicks and filled fields, and seconds on a machine with a load of 11
    "what needs me now": (5, 2.8),
    "where did November's hold of EOU-02 go, to the hand": (8, 3.8),
    "close the oldest open day": (5, 2.0),
    "is d-110's error rate more than chance": (1, 1.0),
}
CALCULATES = "main progress"
"""A page that calculates its figures for the first time shows this bar, and then itself."""


class Demo(NamedTuple):
    """A running demo: its address, and (staff ID, password) of each user by first name."""

    address: str
    passwords: dict[str, tuple[str, str]]


class Question:
    """A question of a user who has just signed in: counts clicks and filled fields, and takes the time."""

    def __init__(self, text: str, page: Page, address: str) -> None:
        self.text, self.page, self.actions = text, page, 0
        page.goto(address)
        self.wait()
        self.began = time.perf_counter()

    def wait(self) -> None:
        """Wait until the page has its figures."""
        self.page.wait_for_load_state()
        expect(self.page.locator(CALCULATES)).to_have_count(0)

    def click(self, target: Locator) -> None:
        target.first.click()
        self.actions += 1
        self.wait()

    def fill(self, name: str, value: str) -> None:
        self.page.fill(f"[name={name}]", value)
        self.actions += 1

    def follow(self, address: str) -> None:
        """Open the entry of the navigation with this address."""
        self.click(self.page.locator(f"nav a[href='{address}']:visible"))

    def answered(self) -> None:
        """Print what the answer took, and test that it took no more than before."""
        seconds = time.perf_counter() - self.began
        actions, seconds_before = BEFORE[self.text]
        print(
            f"{self.text}: {self.actions} clicks and fields, {seconds:.1f} s; "
            f"before: {actions}, {seconds_before} s"
        )
        assert self.actions <= actions


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """Start the demo with its sample month, and return it."""
    data: Path = tmp_path_factory.mktemp("questions")
    with pytest.MonkeyPatch.context() as patch:
        for name in GIVEN:
            patch.delenv(name, raising=False)
        address = f"http://localhost:{free_port()}"
        process = start_demo(data, address)
    yield Demo(address, {name: (id, password) for id, name, _, password, *_ in logins(data)})
    process.send_signal(signal.SIGTERM)
    process.wait(60)


def page_of(chromium: Browser, demo: Demo, name: str) -> Page:
    """Return a page of a user who has signed in."""
    page = sign_in(chromium, demo.address, *demo.passwords[name]).new_page()
    page.set_default_timeout(60_000)
    page.set_viewport_size({"width": 1280, "height": 800})
    return page


@pytest.mark.long
def test_questions_of_a_manager_take_few_clicks(chromium: Browser, demo: Demo) -> None:
    page = page_of(chromium, demo, "Boris")
    needs = Question("what needs me now", page, demo.address)
    for title in ("Win of wagers on", "Hold", "Unexplained"):
        expect(page.locator("main").get_by_text(title).first).to_be_visible()
    needs.answered()
    chance = Question("is d-110's error rate more than chance", page, demo.address)
    chance.follow("/boards/")
    expect(page.locator("main tr", has_text="d-110").first).to_contain_text("more than chance")
    chance.answered()
    hold = Question("where did November's hold of EOU-02 go, to the hand", page, demo.address)
    hold.follow("/hold/")
    hold.click(page.get_by_role("link", name="30 days"))
    hold.click(page.locator("main table").get_by_role("link", name="EOU-02"))
    day = page.locator("table.wheres tbody tr", has_text="4 Nov 2026").filter(has_text="−216.00")
    hold.click(day.get_by_role("link", name="4 Nov 2026"))
    hold.click(page.locator("main a[href='?part=errors#list']"))
    hold.click(page.locator("main td a[href^='/hand/aurora/EOU-02/2026-11-04/']"))
    expect(page.locator("#hand .finding").first).to_contain_text("Wrong settlement")
    hold.answered()


@pytest.mark.long
def test_accounting_closes_the_oldest_open_day_in_few_clicks(chromium: Browser, demo: Demo) -> None:
    page = page_of(chromium, demo, "Alma")
    close = Question("close the oldest open day", page, demo.address)
    expect(page.locator("main").get_by_text("Gaming days to close").first).to_be_visible()
    close.follow("/closing/")
    close.fill("explanation-L7-01", "Counted twice, the log has the player's win")
    close.click(page.get_by_label("I have compared"))
    close.click(page.get_by_role("button", name="Close day of chosen tables"))
    expect(page.locator(".done")).to_be_visible()
    close.answered()
    assert page.locator("main [name=tables]").count() == 0, "every table is closed"

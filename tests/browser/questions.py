"""The questions of a shift: what a user clicks until the answer is on the screen, and figures in sight."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

from playwright.sync_api import Browser, Locator, Page, expect

from tests.screenshots import sign_in

SCREEN = {"width": 1280, "height": 800}
MILLISECONDS = 60_000
"""Time to wait for a page, also on a slow machine."""
CALCULATES = "main progress"
"""A page that calculates its figures for the first time shows this bar, and then itself."""
OUT_OF_SIGHT = """elements => elements.filter(element => {
  const box = element.getClientRects()[0]
  if (!box || !box.width || !box.height || scrollX || scrollY) return true
  const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight
  const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)
  return !inside || top === null || !element.contains(top)
}).map(element => element.textContent.trim())"""
"""Returns the texts of the elements that do not lie on the screen without scrolling, or that something covers
or clips.
"""


class Demo(NamedTuple):
    """A running demo: its address, and (staff ID, password) of each user by first name."""

    address: str
    passwords: dict[str, tuple[str, str]]

    def page_of(self, chromium: Browser, name: str) -> Page:
        """Return a page of a user who has signed in."""
        page = sign_in(chromium, self.address, *self.passwords[name]).new_page()
        page.set_default_timeout(MILLISECONDS)
        page.set_viewport_size({"width": SCREEN["width"], "height": SCREEN["height"]})
        return page


class Before(NamedTuple):
    """What the answer took with the pages before there was a home page for each role.

    Attributes:
        actions: clicks, choices and filled fields.
        missing: the figures that no page had, so that the actions led only to the others.
    """

    actions: int
    seconds: float
    missing: str = ""


def has_figures(page: Page) -> None:
    """Wait until a page has its figures."""
    page.wait_for_load_state()
    expect(page.locator(CALCULATES)).to_have_count(0, timeout=MILLISECONDS)


class Question:
    """A question of a user who has just signed in: counts clicks and filled fields, and takes the time."""

    def __init__(self, text: str, page: Page, address: str) -> None:
        self.text, self.page, self.actions = text, page, 0
        page.goto(address)
        self.wait()
        self.began = time.perf_counter()

    def wait(self) -> None:
        """Wait until the page has its figures."""
        has_figures(self.page)

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

    def answered(self, role: str, before: Before) -> None:
        """Print what the answer took, and test that it took no more actions than before."""
        seconds = time.perf_counter() - self.began
        missing = f", without {before.missing}" if before.missing else ""
        print(
            f"{role}: {self.text}: {self.actions} clicks and fields, {seconds:.1f} s; "
            f"before: {before.actions}, {before.seconds} s{missing}"
        )
        assert self.actions <= before.actions


Proof = Callable[[Page], str]
"""Reads a figure from the page to which it leads."""


class Shown(NamedTuple):
    """A figure of a home page, and what proves it on the page to which it leads.

    Attributes:
        card: the beginning of the title of its card.
        line: the label of its line in the card, or empty text for the card's large figure.
    """

    card: str
    line: str
    proof: Proof

    def on(self, page: Page) -> Locator:
        """Return the figure on a home page."""
        card = page.locator(".home-figures section", has=page.locator("h3", has_text=self.card)).first
        if not self.line:
            return card.locator(".v a")
        label = page.locator(".line-label", has_text=re.compile(rf"^\s*{re.escape(self.line)}\s*$"))
        return card.locator(".below li", has=label).locator("a")


def value(figure: Locator) -> str:
    """Return the number of a figure, without its unit and without the small text after it."""
    text: str = figure.evaluate("link => link.firstChild.textContent.trim()")
    return text.removesuffix(" %")


def out_of_sight(elements: Locator) -> list[str]:
    """Return the texts of the elements that do not lie on the screen without scrolling, or that something
    covers or clips.
    """
    texts: list[str] = elements.evaluate_all(OUT_OF_SIGHT)
    return texts


def list_cells(page: Page, title: str) -> Locator:
    """Return the cells of a list on a home page, or its sentence that there are no lines."""
    card = page.locator(".home-cards section", has=page.locator("h3", has_text=title)).first
    return card.locator("tbody tr > *, p.none")


def number_of(selector: str) -> Proof:
    """Count the elements that a figure leads to."""
    return lambda page: f"{page.locator(selector).count():,}"


def total_of(selector: str) -> Proof:
    """Add up the amounts that a figure leads to."""

    def proof(page: Page) -> str:
        texts = [text.replace("−", "-").replace(",", "") for text in page.locator(selector).all_inner_texts()]
        return f"{sum((Decimal(text) for text in texts if text.strip()), Decimal(0)):,}"

    return proof


def text_of(selector: str, pattern: str = r"(\S+)") -> Proof:
    """Read the figure from the text of an element. `pattern` has one group."""

    def proof(page: Page) -> str:
        text = page.locator(selector).first.inner_text()
        match = re.search(pattern, text)
        assert match is not None, f"{pattern} is not in {text!r}"
        return match[1]

    return proof

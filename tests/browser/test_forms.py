"""Forms: fields of one row are aligned even if a label has two lines, and checkboxes are no higher than a
line of text.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Officer

UNEVEN = """() => [...document.querySelectorAll(".fields")].flatMap((fields) => {
  const rows = new Map();
  for (const label of fields.querySelectorAll(":scope > label")) {
    const input = label.querySelector("input, select"), top = Math.round(label.getBoundingClientRect().top);
    if (input.offsetParent) rows.set(top, [...(rows.get(top) || []), input.getBoundingClientRect().bottom]);
  }
  return [...rows.values()].filter((row) => Math.max(...row) - Math.min(...row) > 1);
})"""
LARGE = """() => [...document.querySelectorAll("main label :is([type=checkbox], [type=radio])")].filter(
  (box) => box.offsetHeight > parseFloat(getComputedStyle(box.closest("label")).fontSize) * 1.2
).map((box) => box.name)"""


@pytest.mark.parametrize("path", ["/alerts/rules/", "/log/write/"])
def test_fields_are_level_and_boxes_are_no_larger_than_their_words(officer: Officer, path: str) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}{path}")
    expect(officer.page.locator("main .fields").first).to_be_visible()
    expect(officer.page.locator("main [type=checkbox]").first).to_be_visible()
    for width in (1280, 820, 390):
        officer.page.set_viewport_size({"width": width, "height": 800})
        assert officer.page.evaluate(UNEVEN) == []
        assert officer.page.evaluate(LARGE) == []
    assert officer.complaints == []


def test_five_boxes_take_a_small_part_of_the_screen(officer: Officer) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/alerts/rules/")
    grades = officer.page.locator("fieldset:has([name=grades])")
    for width, height in ((1280, 150), (390, 330)):
        officer.page.set_viewport_size({"width": width, "height": 800})
        box = grades.bounding_box()
        assert box is not None
        assert box["height"] < height, (width, box)

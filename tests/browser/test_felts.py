"""The table layout of every game in the browser: the browser reports no error and axe no accessibility
barrier, in the light and the dark color scheme.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from audit.review import queue
from tests.browser.conftest import Officer
from tests.casino.conftest import Cast
from tests.casino.nights import officers, record, troubled_day
from tests.casino.test_felts import NIGHTS, stream
from tests.counts import LONG
from tests.furnished import furnishing


@furnishing
def night() -> list[str]:
    """Create an officer. Return for each game the address of the hand with the gravest finding, and the
    address of a hand without findings.
    """
    Cast()
    officers()
    pages = []
    for game, faults in NIGHTS.items():
        record(troubled_day(game.upper(), 1, faults[:1], game))
        row = queue.page(queue.Wanted(("aurora",), table=f"aurora/{game.upper()}")).rows[0]
        pages += [f"/hand/{stream(game)}/{name}/" for name in (row.hand, "r-0001")]
    return pages


@pytest.mark.long
def test_no_table_layout_has_a_barrier_light_or_dark(officer: Officer, night: list[str]) -> None:
    officer.log_in("v-101")
    for path in night if LONG else night[::2]:
        officer.page.goto(f"{officer.address}{path}")
        expect(officer.page.locator(".felt svg.card").first).to_be_visible()
        felt = officer.page.locator(".felt").bounding_box() or {}
        right = felt["x"] + felt["width"] + 1
        boxes = officer.page.locator(".felt > *").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().right)"
        )
        assert [box for box in boxes if box > right] == [], path  # nothing is outside the layout
    assert officer.complaints == []
    pages = [(path, "") for path in night]
    # Hands of one game differ little, and the dark scheme changes only colors.
    light, dark = (pages, pages) if LONG else (pages[::3], pages[1::6])
    assert officer.barriers(light, "light", within="#hand") == []
    assert officer.barriers(dark, "dark", within="#hand") == []

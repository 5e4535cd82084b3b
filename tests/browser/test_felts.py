"""The felt of every game in the browser: nothing that the browser complains of, and nothing found by axe,
light and dark.
"""

from __future__ import annotations

import os

from playwright.sync_api import expect

from audit.review import queue
from tests.browser.conftest import Officer
from tests.casino.conftest import Cast
from tests.casino.nights import officers, record, troubled_day
from tests.casino.test_felts import NIGHTS, stream
from tests.furnished import furnishing


@furnishing
def night() -> list[str]:
    """An officer, and of each game the address of its gravest hand and of an honest one."""
    Cast()
    officers()
    pages = []
    for game, faults in NIGHTS.items():
        record(troubled_day(game.upper(), 1, faults[:1], game))
        row = queue.page(queue.Wanted(("aurora",), table=f"aurora/{game.upper()}")).rows[0]
        pages += [f"/hand/{stream(game)}/{name}/" for name in (row.hand, "r-0001")]
    return pages


def test_no_felt_has_a_barrier_light_or_dark(officer: Officer, night: list[str]) -> None:
    officer.log_in("v-101")
    for path in night:
        officer.page.goto(f"{officer.address}{path}")
        expect(officer.page.locator(".felt svg.card").first).to_be_visible()
        felt = officer.page.locator(".felt").bounding_box() or {}
        right = felt["x"] + felt["width"] + 1
        boxes = officer.page.locator(".felt > *").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().right)"
        )
        assert [box for box in boxes if box > right] == [], path  # nothing hangs out of the felt
    assert officer.complaints == []
    pages = [(path, "") for path in night]
    assert officer.barriers(pages, "light", within="#hand") == []
    # the other theme has the same elements in other colors: every fourth hand shows them
    dark = pages if os.environ.get("CATWALK_COUNTS") == "long" else pages[::4]
    assert officer.barriers(dark, "dark", within="#hand") == []

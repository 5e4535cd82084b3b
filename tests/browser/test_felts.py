"""The felt of every game in the browser: nothing that the browser complains of, and nothing found by axe, light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from audit import queue
from tests.browser.conftest import Officer
from tests.casino.nights import record, troubled_day
from tests.casino.test_felts import NIGHTS, stream


def flagged() -> list[str]:
    """Of each game, the address of its gravest hand and of an honest one."""
    pages = []
    for game, faults in NIGHTS.items():
        record(troubled_day(game.upper(), 1, faults[:1], game))
        row = queue.page(queue.Wanted(("aurora",), table=f"aurora/{game.upper()}")).rows[0]
        pages += [f"/hand/{stream(game)}/{name}/" for name in (row.hand, "r-0001")]
    return pages


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_felt_has_a_barrier(officer: Officer, scheme: str) -> None:
    pages = flagged()
    officer.log_in("v-101")
    for path in pages:
        officer.page.goto(f"{officer.address}{path}")
        expect(officer.page.locator(".felt svg.card").first).to_be_visible()
        felt = officer.page.locator(".felt").bounding_box() or {}
        for part in officer.page.locator(".felt > *").all():
            box = part.bounding_box()
            assert box is None or box["x"] + box["width"] <= felt["x"] + felt["width"] + 1, (
                path,
                box,
                felt,
            )  # nothing hangs out of the felt
    assert officer.complaints == []
    assert officer.barriers([(path, "") for path in pages], scheme) == []

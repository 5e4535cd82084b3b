"""The replay in the browser: a hand of each game stepped to its last fact by keyboard, played at the recorded
pace, moved along its clock, and opened from the queue and the hand page. No script is needed to read a step.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, expect

from audit.review import queue
from tests.browser.conftest import Officer
from tests.casino.conftest import Cast
from tests.casino.nights import officers, record, troubled_day
from tests.casino.test_felts import NIGHTS, stream
from tests.counts import LONG
from tests.furnished import furnishing

WIDTHS = (390, 820, 1280, 1920)


@furnishing
def night() -> dict[str, str]:
    """Create an officer. Return for each game the path of the hand with the gravest finding, without `/hand`
    in front.
    """
    Cast()
    officers()
    paths = {}
    for game, faults in NIGHTS.items():
        record(troubled_day(game.upper(), 1, faults[:1], game))
        row = queue.page(queue.Wanted(("aurora",), table=f"aurora/{game.upper()}")).rows[0]
        paths[game] = f"/{stream(game)}/{row.hand}/"
    return paths


def visible_texts(officer: Officer) -> list[str]:
    """Return the text and the labels of the layout, and the cells of each line of the table of wagers."""
    words = officer.page.locator(".felt").inner_text()
    labels = officer.page.locator(".felt [aria-label]").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label'))"
    )
    rows: list[Locator] = officer.page.locator("table.lines tbody tr").all()
    heads = officer.page.locator("table.lines thead tr").last.locator("th").all_inner_texts()
    columns = [place for place, head in enumerate(heads) if head not in ("Why", "Rule")]
    lines = [
        "|".join(row.locator("td").all_inner_texts()[place].strip() for place in columns) for row in rows
    ]
    return [re.sub(r"\s+", " ", words), *labels, *lines]


@pytest.mark.parametrize(
    "game", [game if game == "andar_bahar" else pytest.param(game, marks=pytest.mark.long) for game in NIGHTS]
)
def test_a_hand_is_stepped_to_its_last_fact_by_keyboard_and_is_then_the_hand_page(
    officer: Officer, night: dict[str, str], game: str
) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/hand{night[game]}")
    hand = visible_texts(officer)
    officer.press("p")
    expect(officer.page.locator("#replay")).to_be_visible()
    assert urlsplit(officer.page.url).path == f"/replay{night[game]}"
    officer.press("Home")
    step, count = officer.page.locator("#replay-step"), officer.page.locator("#replay-facts li").count()
    expect(step).to_have_text("1")
    for number in range(2, count + 1):
        officer.press("ArrowRight")
        if number % 10 == 0:
            expect(step).to_have_text(str(number))
    expect(step).to_have_text(str(count))
    officer.press("ArrowRight")
    expect(officer.page.locator("#replay-facts [aria-current=step]")).to_have_count(1)
    assert officer.page.locator("#replay-facts li.later").count() == 0
    assert urlsplit(officer.page.url).query == f"step={count}"
    expect(officer.page.locator("#replay-says")).to_contain_text(f"Fact {count} of {count}: ")
    assert visible_texts(officer) == hand
    officer.press("ArrowLeft")
    expect(step).to_have_text(str(count - 1))
    officer.page.reload()  # the address of a step shows this step
    expect(step).to_have_text(str(count - 1))
    officer.press("p")
    expect(officer.page.locator("#replay")).to_have_count(0)
    assert visible_texts(officer) == hand
    assert officer.complaints == []


def test_a_hand_is_played_at_its_pace_and_moved_along_its_clock(
    officer: Officer, night: dict[str, str]
) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/replay{night['easy_over_under']}?step=1")
    step, play = officer.page.locator("#replay-step"), officer.page.locator("#replay-play")
    offsets = officer.page.locator("#replay-facts li").evaluate_all(
        "all => all.map(one => Number(one.dataset.offset))"
    )
    officer.page.locator("#replay-paces [value='8']").check()
    officer.page.locator("#hand").focus()
    began = officer.page.evaluate("performance.now()")
    officer.press("Space")
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(step).to_have_text(re.compile(r"^([4-9]|\d\d)$"))
    passed = officer.page.evaluate("performance.now()") - began
    assert passed >= offsets[3] / 8
    officer.press("Space")
    expect(play).to_have_attribute("aria-pressed", "false")
    stopped = step.inner_text()
    officer.page.wait_for_timeout(300)
    assert step.inner_text() == stopped
    bar = officer.page.locator("#scrub").bounding_box() or {}
    officer.page.mouse.click(bar["x"] + bar["width"] * 0.984, bar["y"] + 27)
    expect(step).to_have_text(str(len(offsets)))
    officer.page.mouse.click(bar["x"] + bar["width"] * 0.016, bar["y"] + 27)
    expect(step).to_have_text("1")
    officer.page.locator("#scrub a").first.click()
    expect(officer.page.locator("#replay-facts li.pointed [aria-current=step]")).to_have_count(1)
    assert officer.complaints == []


def test_a_step_is_read_without_a_script_and_opened_from_the_queue(
    officer: Officer, night: dict[str, str]
) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/queue/?table=EASY_OVER_UNDER")
    officer.press("j", "Enter")
    expect(officer.page.locator("#hand .hand")).to_be_visible()
    officer.press("p")
    expect(officer.page.locator("#replay")).to_be_visible()
    expect(officer.page.locator("#rows [aria-current]")).to_have_count(1)
    context = officer.browser.new_context(
        java_script_enabled=False, storage_state=officer.context.storage_state()
    )
    page = context.new_page()
    page.goto(f"{officer.address}/replay{night['high_side']}?step=1")
    expect(page.locator("#replay-step")).to_have_text("1")
    page.get_by_role("link", name="Next fact").click()
    expect(page.locator("#replay-step")).to_have_text("2")
    page.get_by_role("link", name="Last fact").click()
    expect(page.locator("#replay-facts li.later")).to_have_count(0)
    expect(page.locator("#replay-play")).to_be_hidden()
    context.close()
    assert officer.complaints == []


def test_the_lines_of_a_replay_fit_next_to_the_queue_at_1280(officer: Officer, night: dict[str, str]) -> None:
    page = officer.page
    officer.log_in("v-101")
    for game in ("high_side", "lucky_7", "teen_patti"):
        page.goto(f"{officer.address}/queue/?table={game.upper()}")
        officer.press("Enter")
        expect(page.locator("#hand .hand")).to_be_visible()
        officer.press("p")
        expect(page.locator("#replay")).to_be_visible()
        officer.press("End")
        expect(page.locator("#replay-facts li.later")).to_have_count(0)
        lines = page.locator("#replay-lines .scroll")
        assert lines.evaluate("box => box.scrollWidth - box.clientWidth") <= 0, game
        paces, steps = page.locator(".paces").bounding_box(), page.locator("#replay-play").bounding_box()
        assert paces is not None
        assert steps is not None
        assert abs(paces["y"] - steps["y"]) < 5, f"{game}: the bar has one row of buttons"


@pytest.mark.long
def test_no_replay_has_a_barrier_or_is_wider_than_its_screen(officer: Officer, night: dict[str, str]) -> None:
    officer.log_in("v-101")
    paths = [f"/replay{path}" for path in night.values()]
    for path in paths if LONG else [*paths[:1], f"/replay{night['andar_bahar']}"]:
        for width in WIDTHS:
            officer.page.set_viewport_size({"width": width, "height": 800})
            officer.page.goto(f"{officer.address}{path}")
            assert officer.page.evaluate("document.documentElement.scrollWidth") == width, (path, width)
            felt = officer.page.locator(".felt").bounding_box() or {}
            outside = officer.page.locator(".felt > *").evaluate_all(
                "(all, right) => all.filter(one => one.getBoundingClientRect().right > right)"
                ".map(one => one.className)",
                felt["x"] + felt["width"] + 1,
            )
            assert outside == [], (path, width)
            if width >= 1280:  # the bar is on the screen without scrolling
                bar = officer.page.locator(".player").bounding_box() or {}
                assert bar["y"] + bar["height"] <= 800, (path, width)
    pages = [(path, ("End",)) for path in (paths if LONG else paths[::3])]
    assert officer.barriers(pages, "light", within="#hand") == []
    assert officer.barriers(pages[:2], "dark", within="#hand") == []
    assert officer.complaints == []


@pytest.mark.parametrize("width", [1280, 1920])
def test_the_facts_of_a_wide_pane_lie_to_the_right_of_the_table(
    officer: Officer, night: dict[str, str], width: int
) -> None:
    """Check a hand with a verdict bar and a hand without a finding, whose bar only offers to flag it."""
    officer.log_in("v-101")
    officer.page.set_viewport_size({"width": width, "height": 800})
    for path in (night["casino_over_under"], f"/{stream('casino_over_under')}/r-0001/"):
        officer.page.goto(f"{officer.address}/replay{path}")
        pane = officer.page.locator("#hand").bounding_box() or {}
        stage = officer.page.locator(".stage").bounding_box() or {}
        facts = officer.page.locator(".list-of-facts").bounding_box() or {}
        beside = facts["x"] >= stage["x"] + stage["width"]
        assert beside == (pane["width"] > 832), path
        assert facts["y"] == stage["y"] or not beside, path
    assert officer.complaints == []


def test_the_layout_and_the_lines_of_a_replay_are_in_sight_at_1280(
    officer: Officer, night: dict[str, str]
) -> None:
    page = officer.page
    officer.log_in("v-101")
    for game, path in night.items():
        page.goto(f"{officer.address}/replay{path}")
        boxes = [page.locator(selector).bounding_box() for selector in (".felt", "#replay-lines", ".player")]
        felt, lines, bar = [box or {} for box in boxes]
        assert felt["height"] > 100, game
        assert felt["y"] + felt["height"] <= lines["y"], game
        assert lines["y"] + min(lines["height"], 100) <= bar["y"], game
        cut = page.locator(".felt, #replay-lines").evaluate_all(
            "all => all.filter(one => one.scrollHeight > one.clientHeight + 1"
            " && getComputedStyle(one).overflowY !== 'auto').map(one => one.id || one.className)"
        )
        assert cut == [], f"{game}: a part that is cut has a scroll of its own"
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{officer.address}/replay{night['teen_patti']}")
    bar, tabs = page.locator(".player").bounding_box() or {}, page.locator("header.rail").bounding_box() or {}
    assert bar["y"] + bar["height"] <= tabs["y"]

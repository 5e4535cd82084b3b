"""An officer's work at the console by keyboard alone: triage, verdicts, a second reviewer, news, hold, and
signing out.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from audit.review.queue import Wanted, page
from audit.review.verdicts import findings_of
from casino.presentation.formatting import money
from tests.browser.conftest import Officer
from tests.casino.conftest import Cast
from tests.casino.nights import PASSWORD, STREAM, record, troubled_day
from tests.counts import LONG


def test_a_hand_shows_the_owed_amount_next_to_the_moved_one(officer: Officer) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/queue/?code=wrong-settlement")
    officer.press("j", "Enter")
    row = officer.page.locator("table.lines tr.off").first
    owed, moved, difference = (
        row.locator("td").nth(place).inner_text().replace("−", "-").replace(",", "") for place in (3, 4, 5)
    )
    assert round(float(moved) - float(owed), 2) == float(difference) != 0
    expect(officer.page.locator(".felt svg[role=img]").first).to_be_visible()
    expect(officer.page.locator(".finding cite").first).to_contain_text("EOU")
    officer.page.locator("tr.pointed details summary").first.click()
    assert len(officer.page.locator("tr.pointed details dd").first.inner_text()) == 64
    officer.press("]")
    expect(officer.page.locator(".clean, .finding").first).to_be_visible()
    assert officer.complaints == []


def test_a_large_amount_is_not_judged_by_one_person(officer: Officer) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/queue/?grade=money")
    officer.press("Enter")
    expect(officer.page.locator("#verdict-form")).to_be_visible()
    judged = officer.page.url
    officer.press("c")
    expect(officer.page.locator(".bar-second")).to_contain_text("a second reviewer")
    form = officer.page.locator("#verdict-form")
    form.locator("button.primary").click()
    expect(form.locator("[role=alert]")).to_contain_text("second reviewer")
    for second, password, says in (
        ("v-101", PASSWORD, "someone other than you"),
        ("v-102", "wrong", "rong id or password"),
        ("e-101", "wrong too", "rong id or password"),
    ):
        form.locator("[name=second]").fill(second)
        form.locator("[name=second_password]").fill(password)
        form.locator("button.primary").click()
        expect(form.locator("[name=second_password]")).to_have_value("")  # the form has been shown again
        expect(form.locator("[role=alert]")).to_contain_text(says)
        expect(form.locator("[name=second]")).to_be_focused()  # the field that must be corrected
        expect(form.locator("[name=second]")).to_have_attribute("aria-describedby", "verdict-refused")
    form.locator("[name=second]").fill("v-102")
    form.locator("[name=second_password]").fill(PASSWORD)
    form.locator("[name=note]").fill("Paid three for two; called down.")
    form.locator("button.primary").click()
    expect(officer.page.locator("#done")).to_contain_text("Confirmed")
    officer.page.goto(judged)
    expect(officer.page.locator(".verdict").first).to_contain_text("by v-101, second v-102")
    expect(officer.page.locator(".verdict .note").first).to_have_text("Paid three for two; called down.")
    assert officer.complaints == []


@pytest.mark.parametrize(
    ("code", "slip", "disposition"),
    [
        ("wrong-settlement", "overpaid", "dealer_error_uncorrected_house_loss"),
        ("wrong-settlement", "underpaid", "dealer_error_uncorrected_player_loss"),
        ("too-few-shakes", None, ""),
    ],
)
def test_confirming_proposes_a_disposition_and_the_loss(
    officer: Officer, code: str, slip: str | None, disposition: str
) -> None:
    rows = page(Wanted(("aurora",), code=code)).rows
    ((row, finding),) = [
        (row, finding)
        for row in rows
        for finding in findings_of("aurora", STREAM, row.hand)
        if finding.slip == slip
    ][:1]
    loss = money(finding.money, "USD").replace(",", "") if slip == "overpaid" and finding.money else ""
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/hand/{STREAM}/{row.hand}/")
    officer.press("c")
    losses = officer.page.locator("#verdict-form [name=losses]")
    chosen = officer.page.locator("#verdict-form [name=disposition]:checked")
    expect(chosen).to_have_count(int(bool(disposition)))
    assert [field.input_value() for field in chosen.all()] == [disposition] * bool(disposition)
    expect(losses).to_have_value(loss)
    officer.page.locator("#verdict-form [name=finding]").uncheck()  # nothing is judged, so nothing was lost
    expect(losses).to_have_value("")
    officer.page.locator("#verdict-form [name=finding]").check()
    expect(losses).to_have_value(loss)
    officer.page.locator("#verdict-form [value=dismissed]").check()
    expect(losses).to_have_value("")
    losses.fill("7.50")
    officer.page.locator("#verdict-form [value=confirmed]").check()
    expect(losses).to_have_value("7.50")  # the text typed by the officer is not overwritten
    assert officer.complaints == []


def test_a_new_finding_does_not_move_the_selected_row(officer: Officer) -> None:
    officer.log_in("v-101")
    rows = officer.page.locator("#rows .hand-row")
    expect(rows).to_have_count(24)
    officer.press(*"j" * 9)
    selected = officer.page.locator("#rows .selected")
    before, top = selected.get_attribute("data-key"), (selected.bounding_box() or {})["y"]
    record(
        troubled_day(
            "EOU-08",
            times=1,
            faults=("wrong-settlement:over:overpaid", "late-bet:new", "too-few-shakes:four"),
        )
    )
    expect(officer.page.locator("#news-pill")).to_have_text("3 new")
    expect(rows).to_have_count(27)
    assert selected.get_attribute("data-key") == before
    assert abs((selected.bounding_box() or {})["y"] - top) < 2
    places = [row.get_attribute("data-place") or "" for row in rows.all()]
    assert places == sorted(places)
    officer.press("n")
    expect(officer.page.locator("#news-pill")).to_have_text("2 new")
    assert officer.complaints == []


def test_an_officer_flags_a_hand_by_key_and_the_queue_shows_it_until_it_is_judged(
    officer: Officer,
) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}{CLEAN}")
    expect(officer.page.locator(".clean")).to_be_visible()
    officer.press("f")
    expect(officer.page.locator("#flag [name=why]")).to_be_focused()
    officer.page.keyboard.type("  ")
    officer.page.locator("#flag button.primary").press("Enter")
    expect(officer.page.locator("#flag [role=alert]")).to_contain_text("why this hand")
    expect(officer.page.locator("#flag [name=why]")).to_be_focused()
    officer.page.keyboard.type("seat 3 looks into the cup")
    officer.page.locator("#flag button.primary").press("Enter")
    expect(officer.page.locator("#hand .given")).to_contain_text("stays in the queue")
    expect(officer.page.locator("#hand .finding")).to_contain_text("v-101: seat 3 looks into the cup")
    row = officer.page.locator(f'#rows .hand-row[href="{CLEAN}"]')
    expect(row).to_contain_text("Flagged")
    officer.press("d", "1", "Control+Enter")
    expect(officer.page.locator("#done")).to_contain_text("Dismissed: EOU-07 r-0001, gaming day 27 Nov 2026.")
    expect(row).to_contain_text("decided")
    assert officer.complaints == []


def test_keys_open_help_search_and_pages_and_sign_out(officer: Officer) -> None:
    officer.log_in("v-101")
    officer.press("?")
    expect(officer.page.locator("#help")).to_be_visible()
    officer.press("Escape", "/")
    expect(officer.page.locator("#filter-state")).to_be_focused()
    officer.press("Escape", ".")
    expect(officer.page.locator("#jump")).to_be_focused()
    officer.press("Escape", "Control+k")
    expect(officer.page.locator("#jump")).to_be_focused()
    officer.page.keyboard.type("EOU-07 06:00:01 2026-11-27")
    expect(officer.page.locator("#found a").first).to_contain_text("Open the hand")
    officer.press("Enter")
    officer.page.wait_for_url(lambda url: "/jump/" in url or "/hand/" in url)
    officer.press("g", "q")
    officer.page.wait_for_url("**/queue/")
    if officer.page.locator("[data-go=h]").count():
        officer.press("g", "h")
        officer.page.wait_for_url("**/hold/")
    officer.page.get_by_role("button", name="Log out").click()
    officer.page.wait_for_url("**/login/")
    officer.page.goto(f"{officer.address}/queue/")
    assert urlsplit(officer.page.url).path == "/login/"
    assert [complaint for complaint in officer.complaints if "404" not in complaint] == []


FLAGGED, CLEAN = "/hand/aurora/EOU-07/2026-11-27/r-0002/", "/hand/aurora/EOU-07/2026-11-27/r-0001/"
PAGES = (
    ("/queue/", ""),
    ("/queue/?table=none", ""),
    ("/queue/", "?"),
    ("/queue/", "."),
    ("/find/?q=hold", ""),
    ("/home/", ""),
    (FLAGGED, ""),
    (FLAGGED, "c"),
    (CLEAN, ""),
    (CLEAN, "f"),
    (f"/fact/{STREAM}/1/", ""),
    ("/jump/?to=nowhere+22:05", ""),
    ("/help/", ""),
    ("/help/surveillance/", ""),
    ("/views/", ""),
    ("/nothing/", ""),
    ("/queue/more/?after=x", ""),
    ("/certificate/", ""),  # checking this long page takes so much time that only `make long` does it
    ("/jump/?to=EOU-07+02:00", ""),
    ("/hold/?from=yesterday", ""),
    ("/hold/?from=2026-11-27&to=2026-11-27&by=shift", ""),
    ("/floor/", ""),
    ("/floor/?view=map", ""),
    ("/floor/aurora/EOU-07/", ""),
    ("/reports/", ""),
    ("/reports/markers/", ""),
    ("/reports/hold/?from=yesterday", ""),
    ("/reports/dealer-errors/?from=2026-11-27&to=2026-11-27&by=dealer&by=wager", ""),
    ("/boards/dealers/?from=2026-11-27&to=2026-11-27", ""),
    ("/boards/codes/?from=2026-11-27&to=2026-11-27", ""),
    ("/wall/", ""),
    ("/boards/exposure/", ""),
    ("/boards/tables/?from=2026-11-27&to=2026-11-27", ""),
    ("/boards/officers/", ""),
)
"""Every page, and the keys pressed on it. Pages without permission and pages not found are included."""


def test_the_page_to_log_in_has_no_barrier_light_or_dark(officer: Officer) -> None:
    assert officer.barriers([("/login/", "")], "light", "dark") == []


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in (1, 2, 3))])
def test_no_page_has_a_barrier_light_or_dark(officer: Officer, part: int) -> None:
    """Check all pages for accessibility barriers, in four parts that run in parallel. `make long` checks
    every page in both color schemes.
    """
    officer.log_in("v-101")
    schemes = ("light", "dark")
    themes = schemes if LONG else schemes[part // 2 : part // 2 + 1]
    assert officer.barriers(PAGES[part::4], *themes) == []


def test_the_longest_navigation_makes_no_page_wider_than_its_screen(officer: Officer, night: Cast) -> None:
    officer.log_in("r-101", night.logins["Rhea"].password)
    officer.page.goto(f"{officer.address}/help/")
    assert officer.page.locator(".rail > .all a").count() >= 9
    for width in (390, 820, 1024, 1280):
        officer.page.set_viewport_size({"width": width, "height": 800})
        assert officer.page.evaluate("document.documentElement.scrollWidth") == width
        if width == 390:  # on a phone, everything but the first pages is behind a button
            officer.page.get_by_role("button", name="More").click()
        out = officer.page.locator("form[action*=logout] button:visible")
        expect(out).to_have_count(1)
        expect(out).to_be_in_viewport()
        if width == 390:
            officer.press("Escape")


@pytest.mark.parametrize("width", [390, 820])
def test_an_open_hand_covers_the_list_on_a_narrow_screen_and_leads_back_to_it(
    officer: Officer, width: int
) -> None:
    officer.log_in("v-101")
    officer.page.set_viewport_size({"width": width, "height": 800})
    officer.page.goto(f"{officer.address}/queue/?grade=money")
    officer.press("j", "j")
    row = officer.page.locator("#rows .selected").get_attribute("href")
    officer.press("Enter")
    expect(officer.page.locator("#hand .hand-head")).to_be_in_viewport()
    expect(officer.page.locator(".list")).to_be_hidden()
    bar = officer.page.locator("#verdict-form").bounding_box() or {}
    assert bar["y"] > 400, "the hand is read above its verdict bar"
    officer.page.get_by_role("link", name="Back to the queue").click()
    expect(officer.page.locator("#rows .selected")).to_be_in_viewport()
    assert officer.page.locator("#rows .selected").get_attribute("href") == row
    assert "grade=money" in officer.page.url
    officer.press("Enter")
    expect(officer.page.locator(".list")).to_be_hidden()
    officer.press("Escape")
    expect(officer.page.locator(".list")).to_be_visible()
    officer.page.go_back()
    expect(officer.page.locator("#hand .hand-head")).to_be_visible()
    assert officer.complaints == []


def test_a_phone_shows_no_keys_and_no_empty_pane_in_the_queue(officer: Officer) -> None:
    officer.log_in("v-101")
    context = officer.browser.new_context(
        storage_state=officer.context.storage_state(),
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
    )
    page = context.new_page()
    page.goto(f"{officer.address}/queue/")
    expect(page.locator("#rows .hand-row").first).to_be_visible()
    expect(page.locator("#hand .empty")).to_be_hidden()
    expect(page.locator(".list-acts kbd").first).to_be_hidden()
    page.locator("#rows .hand-row").first.click()
    expect(page.locator("#hand .hand")).to_be_visible()
    context.close()


def test_a_table_that_is_cut_at_its_right_has_a_shadow_there(officer: Officer) -> None:
    officer.log_in("v-101")
    officer.press("Enter")
    expect(officer.page.locator("#hand .scroll").first).to_be_visible()
    attachment = officer.page.locator("#hand .scroll").first.evaluate(
        "box => getComputedStyle(box).backgroundAttachment"
    )
    assert attachment == "local, scroll"  # the cover scrolls with the table, the shadow stays


def test_the_navigation_fits_a_low_window_or_scrolls_to_the_current_page(officer: Officer) -> None:
    page = officer.page
    officer.log_in("v-101")
    for path in ("/exports/", "/queue/"):  # with words, and with icons only
        page.goto(f"{officer.address}{path}")
        entries = page.locator(".rail > .all a")
        for height in (1000, 800, 720):
            page.set_viewport_size({"width": 1280, "height": height})
            for entry in (entries.first, entries.last):
                expect(entry).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 1280, "height": 480})
    page.goto(f"{officer.address}/exports/")
    expect(page.locator(".rail > .all [aria-current]")).to_be_in_viewport(ratio=1)
    expect(entries.first).not_to_be_in_viewport()
    attachment = page.locator(".rail > .all").evaluate("list => getComputedStyle(list).backgroundAttachment")
    assert attachment == "local, local, scroll, scroll"  # the covers scroll with the list, the shadows stay
    assert officer.complaints == []

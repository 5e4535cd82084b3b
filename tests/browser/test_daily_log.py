"""The daily log in a browser: an entry that is written by key appears on the page at once, and a correction
leads to its entry.
"""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Officer


def write(officer: Officer, words: str) -> None:
    """Write an entry of the first type in the open form, and send it with Ctrl+Enter."""
    form = officer.page.locator("#log-form")
    expect(form.locator("button.primary")).to_contain_text("Ctrl ↵")
    form.locator("[name=type]").select_option(index=1)
    form.locator("[name=words]").fill(words)
    officer.press("Control+Enter")


def test_an_entry_that_was_written_by_key_appears_in_the_log_at_once(officer: Officer) -> None:
    page = officer.page
    officer.log_in("v-101")
    page.goto(f"{officer.address}/log/")
    expect(page.locator(".log-table")).to_have_count(0)
    officer.press("l")
    page.locator("#log-form [name=pending]").check()
    write(officer, "The lamp of pit 2 is dark.")
    expect(page.locator("#log-dialog .log-done")).to_contain_text("Entry 1 is recorded")
    expect(page.locator(".log-table tbody tr")).to_have_count(1)
    expect(page.locator("#log-open")).to_contain_text("1 Drop")
    officer.press("Escape", "l")
    write(officer, "A visitor came.")
    expect(page.locator(".log-table tbody tr")).to_have_count(2)
    officer.press("Escape")
    expect(page.locator("#log-dialog[open]")).to_have_count(0)
    assert officer.complaints == []


def test_a_correction_is_sent_by_key_and_leads_to_its_entry(officer: Officer) -> None:
    page = officer.page
    officer.log_in("v-101")
    page.goto(f"{officer.address}/log/write/")
    write(officer, "The lamp of pit 2 is dark.")
    page.wait_for_url("**/log/aurora/1/")
    page.click("text=Correct with a new entry")
    page.locator("#log-form [name=words]").fill(" ")
    officer.press("Control+Enter")
    page.locator("#log-form [name=type]").select_option(index=2)
    write(officer, "The lamp of pit 3 is dark.")
    page.wait_for_url("**/log/aurora/2/")
    expect(page.locator("#log-form")).to_have_count(0)
    expect(page.locator(".log-fields")).to_contain_text("entry 1")


def test_an_entry_about_the_open_hand_appears_on_its_page(officer: Officer) -> None:
    page = officer.page
    officer.log_in("v-101")
    officer.press("Enter")
    expect(page.locator("#verdict-form")).to_be_visible()
    officer.press("c")
    page.locator("#verdict-form [name=note]").fill("not sent yet")
    page.evaluate("document.activeElement.blur()")
    officer.press("l")
    write(officer, "The dealer was relieved.")
    expect(page.locator("#about-log .about-entries")).to_contain_text("The dealer was relieved.")
    officer.press("Escape")
    expect(page.locator("#verdict-form [name=note]")).to_have_value("not sent yet")
    assert officer.complaints == []


def test_ctrl_enter_sends_the_dialogs_of_the_queue_and_each_says_so(officer: Officer) -> None:
    page = officer.page
    officer.log_in("v-101")
    page.goto(f"{officer.address}/queue/?code=wrong-settlement")
    officer.press("Enter")
    expect(page.locator("#verdict-form")).to_be_visible()
    for keys, dialog, result in (
        ("s", "#snooze", "1 hand snoozed until"),
        ("Shift+A", "#assign", "1 hand assigned to you"),
    ):
        officer.press(keys)
        expect(page.locator(f"{dialog}[open] button.primary")).to_contain_text("Ctrl ↵")
        officer.press("Control+Enter")
        expect(page.locator("#done")).to_contain_text(result)
        expect(page.locator(f"{dialog}[open]")).to_have_count(0)
    officer.press("f")
    expect(page.locator("#flag[open] button.primary")).to_contain_text("Ctrl ↵")
    officer.press("Control+Enter")
    expect(page.locator("#flag[open]")).to_have_count(1)  # the reason is required
    page.keyboard.type("The dealer looked at the card.")
    officer.press("Control+Enter")
    expect(page.locator("#hand")).to_contain_text("The dealer looked at the card.")
    assert officer.complaints == []


def test_an_entry_from_a_replay_is_about_the_hand_and_the_time_of_the_step(officer: Officer) -> None:
    page = officer.page
    officer.log_in("v-101")
    officer.press("Enter")
    expect(page.locator("#verdict-form")).to_be_visible()
    officer.press("p")
    expect(page.locator("#replay")).to_be_visible()
    times = []
    for key in ("Home", "End"):
        officer.press(key)
        expect(page.locator("#replay-facts li.later")).to_have_count(
            0 if key == "End" else page.locator("#replay-facts li").count() - 1
        )
        officer.press("l")
        expect(page.locator("#log-dialog[open]")).to_contain_text("About EOU-07, hand ")
        times.append(page.locator("#log-form [name=began]").input_value())
        officer.press("Escape")
        expect(page.locator("#log-dialog[open]")).to_have_count(0)
    assert "" not in times
    assert times[0] < times[1]
    officer.press("l")
    write(officer, "The dealer looked at the card.")
    expect(page.locator("#log-dialog .log-done")).to_be_visible()
    assert officer.complaints == []


def test_the_text_is_the_next_field_after_the_type(officer: Officer) -> None:
    officer.log_in("v-101")
    officer.press("l")
    expect(officer.page.locator("#log-form [name=type]")).to_be_focused()
    officer.press("Tab")
    expect(officer.page.locator("#log-form [name=words]")).to_be_focused()


def test_the_hand_takes_the_focus_when_a_dialog_closes_that_was_opened_without_one(officer: Officer) -> None:
    page = officer.page
    officer.log_in("v-101")
    officer.press("Enter")
    expect(page.locator("#verdict-form")).to_be_visible()
    page.reload()
    for key, dialog in (("l", "#log-dialog"), ("f", "#flag")):
        page.evaluate("document.activeElement.blur()")
        officer.press(key)
        expect(page.locator(f"{dialog}[open]")).to_have_count(1)
        officer.press("Escape")
        expect(page.locator("#hand")).to_be_focused()
    page.evaluate("document.activeElement.blur()")
    officer.press("l")
    write(officer, "The dealer was relieved.")
    expect(page.locator("#log-dialog .log-done [data-close]")).to_be_focused()
    officer.press("Enter")
    expect(page.locator("#hand")).to_be_focused()
    page.goto(f"{officer.address}/queue/")
    page.evaluate("document.activeElement.blur()")
    officer.press("l")
    expect(page.locator("#log-dialog[open]")).to_have_count(1)
    officer.press("Escape")
    expect(page.locator("#rows .selected")).to_be_focused()
    assert officer.complaints == []

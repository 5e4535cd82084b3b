"""An officer's night at the queue by keyboard alone: verdicts in two keys, hands judged together, verdicts
taken back, and two officers at once.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from audit.facts import HandAssigned, HandSnoozed, VerdictGiven, decode
from audit.ledger.store import read_kinds
from audit.review.queue import Wanted, counted, page
from tests.browser.conftest import AXE, Officer
from tests.casino.conftest import Cast
from tests.casino.nights import FOUND, officers, record, troubled_day
from tests.counts import LONG
from tests.furnished import furnishing

JUDGED = 50 if LONG else 20
"""The number of hands that are judged one after the other."""
NOBODY_SECONDS = 10**9
"""An amount that no verdict of this night reaches, so that no verdict needs a second reviewer's signature."""


@furnishing
def night() -> Cast:
    """Create an installation with two officers, and a day on which more hands have findings than the test
    judges.
    """
    cast = Cast()
    officers(NOBODY_SECONDS)
    record(troubled_day(times=JUDGED // len(FOUND) + 2))
    return cast


@pytest.fixture
def dora(officer: Officer, chromium: object, address: str) -> Iterator[Officer]:
    """Return a second officer in a browser of her own."""
    second_officer = Officer(officer.browser, address)
    second_officer.log_in("v-102")
    yield second_officer
    second_officer.context.close()


def verdicts() -> list[VerdictGiven]:
    facts = [decode(body) for *_, body in read_kinds("aurora", {"verdict-given"})]
    return [fact for fact in facts if isinstance(fact, VerdictGiven)]


def keys_before(needs_choice: bool) -> int:
    """Return the number of keys that a verdict took in release 0.2 and until commit d222d9dc, when there was
    a dialog instead of the verdict bar.

    Three keys opened the dialog: J, Enter and the letter of the verdict. One arrow key chose a disposition,
    if the amounts did not imply one. Five tabs led over savings, losses, recovered and note to the button.
    Enter pressed the button.
    """
    return len(("j", "Enter", "letter")) + needs_choice + 5 + len(("Enter",))


def open_title(page: Page) -> str:
    return page.locator("#hand .hand").get_attribute("data-title") or ""


@pytest.mark.long
def test_a_night_of_flags_is_judged_by_keyboard_alone_in_two_keys_each(officer: Officer) -> None:
    officer.log_in("v-101")
    before, start = counted(Wanted(("aurora",))), time.monotonic()
    officer.press("Enter")
    bar = officer.page.locator("#verdict-form")
    pressed, old = 1, 0
    for number in range(JUDGED):
        expect(bar).to_be_visible()
        title = open_title(officer.page)
        officer.press("cde"[number % 3])
        implied = bar.locator("[name=disposition]:checked").count() > 0
        officer.press("Control+Enter" if implied else "Shift+Digit1")
        pressed, old = pressed + 2, old + keys_before(not implied)
        expect(officer.page.locator("#done")).to_contain_text(title)
        expect(officer.page.locator(f'#hand .hand:not([data-title="{title}"])')).to_be_visible()
    seconds = time.monotonic() - start
    decided = len(page(Wanted(("aurora",), state="decided")).rows)
    escalated = len(page(Wanted(("aurora",), state="escalated")).rows)
    print(
        f"\n{JUDGED} hands: {pressed} keys in {seconds:.1f} s, {pressed / JUDGED:.2f} keys and"
        f" {seconds / JUDGED:.2f} s a hand; before: {old} keys, {old / JUDGED:.2f} a hand"
    )
    assert decided + escalated == JUDGED
    assert counted(Wanted(("aurora",))) == before - decided
    assert pressed <= 2 * JUDGED + 1
    assert old >= 4 * pressed
    assert officer.complaints == []


@pytest.mark.long
def test_a_verdict_that_was_just_sent_is_taken_back_with_one_key(officer: Officer) -> None:
    officer.log_in("v-101")
    officer.press("Enter")
    expect(officer.page.locator("#verdict-form")).to_be_visible()
    title = open_title(officer.page)
    officer.press("d", "Shift+Digit2")
    expect(officer.page.locator("#done")).to_contain_text(f"Dismissed: {title}, gaming day 27 Nov 2026.")
    expect(officer.page.locator(f'#hand .hand:not([data-title="{title}"])')).to_be_visible()
    officer.press("u")
    expect(officer.page.locator("#done")).to_contain_text("withdrawn")
    expect(officer.page.locator(f'#hand .hand[data-title="{title}"]')).to_be_visible()
    expect(officer.page.locator("#hand .verdict").first).to_contain_text("Withdrawn")
    expect(officer.page.locator("#rows [aria-current].selected")).to_have_count(1)
    expect(officer.page.locator("#rows .selected")).to_have_count(1)
    expect(officer.page.locator("#rows .state-decided")).to_have_count(0)
    given_verdicts = verdicts()
    assert [verdict.verdict for verdict in given_verdicts] == ["dismissed"] * (len(given_verdicts) // 2) + [
        "withdrawn"
    ] * (len(given_verdicts) // 2)
    assert officer.complaints == []


def test_hands_with_one_code_are_chosen_by_key_and_judged_together(officer: Officer) -> None:
    officer.log_in("v-101")
    officer.page.goto(f"{officer.address}/queue/?code=too-few-shakes")
    rows = officer.page.locator("#rows .hand-row")
    count = rows.count()
    assert count >= 2
    officer.press("x", *"j" * (count - 1), "Shift+X")
    expect(officer.page.locator("#chosen-count")).to_have_text(str(count))
    officer.press("c")
    bar = officer.page.locator("#verdict-form[data-many]")
    expect(bar.locator("[name=verdict]:checked")).to_have_value("confirmed")
    filled = bar.locator("#bar-filled")
    officer.press("e")
    expect(filled).to_have_text("Nothing is filled in.")
    officer.press("1")  # the officer has chosen
    expect(filled).to_be_empty()
    officer.press("d")
    expect(filled).to_have_text("Nothing is filled in.")
    officer.press("Control+Enter")  # no disposition yet
    expect(bar.locator("[role=alert]")).to_have_text("Choose a disposition.")
    expect(bar.locator("[name=disposition][value=no_error]")).to_be_focused()
    expect(filled).to_be_empty()
    officer.press("c", "Shift+Digit4")
    expect(officer.page.locator("#hand h1")).to_contain_text(f"{count} of {count} hands")
    assert {(verdict.verdict, verdict.disposition) for verdict in verdicts()} == {
        ("confirmed", "procedure_only_no_money")
    }
    expect(officer.page.locator("#rows .state-decided")).to_have_count(count)
    officer.press("u")
    expect(officer.page.locator("#done")).to_contain_text(f"{count} verdicts are withdrawn")
    expect(officer.page.locator("#hand h1")).to_contain_text(f"{count} hands need a verdict again")
    expect(officer.page.locator("#hand")).not_to_contain_text(re.compile("confirmed", re.IGNORECASE))
    expect(officer.page.locator("#rows .state-open")).to_have_count(count)
    officer.page.goto(f"{officer.address}/queue/")
    officer.press("*", "c")
    expect(officer.page.locator("#hand [role=alert]")).to_contain_text("the same codes")
    total = rows.count()
    officer.press("o")  # the hands with other codes are left out, and the verdict of the first key is chosen
    expect(bar.locator("[name=verdict]:checked")).to_have_value("confirmed")
    remaining = bar.locator("[name=hand]").count()
    assert 2 <= remaining < total
    expect(officer.page.locator("#chosen-count")).to_have_text(str(remaining))
    officer.press("Escape")
    expect(officer.page.locator("#chosen-form")).to_be_hidden()
    assert officer.complaints == []


def assert_choice_is_cleared(loser: Officer, title: str, winner_id: str) -> None:
    """Assert that after a conflict the page shows who decided, and that only a new choice is recorded."""
    refused = loser.page.locator("#verdict-refused")
    expect(refused).to_contain_text("changed after you opened it")
    expect(refused).to_contain_text(f"dismissed (No error (engine or data entry)) by {winner_id}")
    expect(loser.page.locator("#hand .finding .verdict").first).to_contain_text(f"by {winner_id}")
    expect(loser.page.locator("#verdict-form :is([name=verdict], [name=disposition]):checked")).to_have_count(
        0
    )
    loser.press("Control+Enter", "Shift+Digit1", "Control+Enter")  # what was chosen before is not sent again
    loser.page.wait_for_timeout(300)
    assert {verdict.by for verdict in verdicts()} == {winner_id}
    loser.press("d", "Shift+Digit1")  # the choice is made again, now that the verdict has been read
    expect(loser.page.locator("#done")).to_contain_text(title)
    assert {verdict.by for verdict in verdicts()} == {"v-101", "v-102"}


def test_two_officers_see_each_other_and_one_of_two_verdicts_is_accepted(
    officer: Officer, dora: Officer
) -> None:
    officer.log_in("v-101")
    officer.press("Enter")
    expect(officer.page.locator("#verdict-form")).to_be_visible()
    title, url = open_title(officer.page), officer.page.url
    dora.page.goto(url)
    expect(dora.page.locator("#company")).to_contain_text(
        "Dana has this hand open"
    )  # the first answer of the page says so
    # The open page is updated.
    expect(officer.page.locator("#company")).to_contain_text("Dora has this hand open")
    take_button = "#verdict-form [data-take]"
    expect(officer.page.locator(take_button)).to_have_text("Take A")
    officer.press("a")
    expect(officer.page.locator("#company")).to_contain_text("yours")
    expect(officer.page.locator(take_button)).to_have_text("Release A")
    expect(dora.page.locator("#company")).to_contain_text("assigned to Dana")
    expect(dora.page.locator(take_button)).to_have_text("Assign A")
    for person, label in ((officer, "Release A"), (dora, "Assign A")):
        person.press("x")
        expect(person.page.locator("[data-take-chosen]")).to_have_text(label)
        person.press("x")
    expect(dora.page.locator("#rows .hand-row[aria-current] .owner")).to_have_text("Dana")
    dora.press("a")  # one key is not enough to take a hand from another officer
    expect(dora.page.locator("#assign")).to_be_visible()
    dora.press("Escape")
    for person in (officer, dora):
        person.press("d", "1")
        expect(person.page.locator("#verdict-form [name=disposition]:checked")).to_have_value("no_error")
    with officer.page.expect_response("**/verdict/"), dora.page.expect_response("**/verdict/"):
        officer.press("Control+Enter")
        dora.press("Control+Enter")
    by = {verdict.by for verdict in verdicts()}
    winner, loser = (officer, dora) if by == {"v-101"} else (dora, officer)
    assert by in ({"v-101"}, {"v-102"})
    expect(winner.page.locator("#done")).to_contain_text(title)
    expect(winner.page.locator(f'#hand .hand:not([data-title="{title}"])')).to_be_visible()
    assert_choice_is_cleared(loser, title, winner_id=min(by))
    (assigned,) = [decode(body) for *_, body in read_kinds("aurora", {"hand-assigned"})]
    assert isinstance(assigned, HandAssigned)
    assert (assigned.to, assigned.by) == ("v-101", "v-101")
    assert officer.complaints == dora.complaints == []


@pytest.mark.long
def test_what_is_read_and_typed_stays_while_flags_arrive(officer: Officer, dora: Officer) -> None:
    officer.log_in("v-101")
    officer.press("j", "j", "Enter")
    expect(officer.page.locator("#verdict-form")).to_be_visible()
    officer.press("e", "2")
    officer.page.locator("#verdict-form [name=note]").fill("Looks twice")
    officer.page.locator("#hand").evaluate("pane => pane.scrollTo(0, 120)")
    officer.page.evaluate("document.activeElement.blur()")
    title, selected = open_title(officer.page), officer.page.locator("#rows .selected")
    top, row = officer.page.locator("#hand").evaluate("pane => pane.scrollTop"), selected.bounding_box()
    record(troubled_day("EOU-08", times=1, faults=("late-bet:new", "wrong-settlement:over:overpaid")))
    dora.page.goto(f"{dora.address}/hand/aurora/EOU-07/2026-11-27/r-0001/")
    dora.press("f")
    dora.page.locator("#flag [name=why]").fill("looks at the cup")
    dora.page.locator("#flag button.primary").press("Enter")
    expect(officer.page.locator("#news-pill")).to_have_text("3 new")
    assert open_title(officer.page) == title
    assert officer.page.locator("#hand").evaluate("pane => pane.scrollTop") == top > 0
    assert abs((selected.bounding_box() or {})["y"] - (row or {})["y"]) < 2
    expect(officer.page.locator("#verdict-form [name=verdict]:checked")).to_have_value("escalated")
    expect(officer.page.locator("#verdict-form [name=note]")).to_have_value("Looks twice")
    assert officer.complaints == dora.complaints == []


@pytest.mark.long
def test_a_hand_is_snoozed_and_assigned_by_key(officer: Officer) -> None:
    officer.log_in("v-101")
    rows = officer.page.locator("#rows .hand-row")
    address = rows.first.get_attribute("href")
    officer.press("s")
    officer.page.locator("#snooze button.primary").press("Enter")
    expect(officer.page.locator("#done")).to_contain_text("1 hand snoozed until")
    expect(rows.first).to_contain_text("snoozed until")
    officer.press("j", "Shift+A")
    officer.page.locator("#assign [name=to]").select_option("v-102")
    officer.page.locator("#assign button.primary").press("Enter")
    expect(officer.page.locator("#done")).to_contain_text("1 hand assigned to Dora.")
    expect(rows.nth(1).locator(".owner")).to_have_text("Dora")
    officer.page.goto(f"{officer.address}/queue/")
    expect(rows.first.locator(".owner")).to_have_text("Dora")
    expect(officer.page.locator(f"#rows .hand-row[href='{address}']")).to_have_count(0)
    expect(officer.page.locator(".scope")).to_contain_text("1 snoozed")
    (snoozed,) = [decode(body) for *_, body in read_kinds("aurora", {"hand-snoozed"})]
    assert isinstance(snoozed, HandSnoozed)
    assert snoozed.until is not None
    assert (snoozed.until - snoozed.at).total_seconds() == pytest.approx(900, abs=5)
    assert officer.complaints == []


def test_take_is_about_the_open_hand_and_not_about_the_selected_row(officer: Officer) -> None:
    officer.log_in("v-101")
    rows = officer.page.locator("#rows .hand-row")
    officer.press("Enter")
    expect(officer.page.locator("#verdict-form")).to_be_visible()
    officer.press("j", "a")
    expect(officer.page.locator("#done")).to_contain_text("1 hand assigned to you")
    expect(rows.first.locator(".owner")).to_have_text("Dana")
    expect(rows.nth(1).locator(".owner")).to_have_count(0)
    with officer.page.expect_response(re.compile("/queue/news/")):  # news for a search that found nothing
        officer.page.goto(f"{officer.address}/hands/?code=slip-serial-gap")
    officer.page.wait_for_timeout(200)
    assert officer.complaints == []


def test_the_keys_of_the_queue_are_in_the_help_dialog(officer: Officer) -> None:
    officer.log_in("v-101")
    officer.press("?")
    expect(officer.page.locator("#help-title")).to_be_in_viewport()
    help_text = officer.page.locator("#help").inner_text()
    for key, meaning in (
        ("X", "choose the selected row"),
        ("A", "take the hand"),
        ("S", "snooze"),
        ("U", "withdraw the verdict"),
        ("1", "disposition"),
    ):
        assert key in help_text
        assert meaning in help_text
    assert "send the verdict and open the next hand" in help_text


STEPS = (
    ("the bar of a hand", "Enter", "c", "#verdict-form.open"),
    ("chosen hands", "x", "c", "#verdict-form[data-many].open"),
    ("the dialog to assign", "j", "Shift+A", "#assign[open]"),
    ("the dialog to snooze", "j", "s", "#snooze[open]"),
)
"""For each step of the work: the keys that lead to it, and what is then shown."""


@pytest.mark.long
def test_no_step_of_the_queue_has_a_barrier(officer: Officer) -> None:
    officer.log_in("v-101")
    context = officer.browser.new_context(
        bypass_csp=True,
        storage_state=officer.context.storage_state(),
        viewport={"width": 1280, "height": 800},
        reduced_motion="reduce",
    )
    tab = context.new_page()
    for number, (name, first, second, shows) in enumerate(STEPS if LONG else STEPS[:2]):
        tab.emulate_media(color_scheme=("light", "dark")[number % 2])
        tab.goto(f"{officer.address}/queue/?code=too-few-shakes")
        tab.keyboard.press(first)
        if first == "Enter":
            expect(tab.locator("#verdict-form")).to_be_visible()
        tab.keyboard.press(second)
        expect(tab.locator(shows)).to_be_visible()
        tab.evaluate(AXE)
        part = {"include": [[shows.partition(".")[0].partition("[")[0]], [".list-foot"]]}
        violations = tab.evaluate("part => axe.run(part)", part)["violations"]
        assert [
            (name, violation["id"], node["html"]) for violation in violations for node in violation["nodes"]
        ] == []
    context.close()

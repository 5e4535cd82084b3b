"""The questions of a shift, asked by each role on the pages of the demo: how many clicks and seconds an
answer takes, and if what needs the role now is on one screen, with figures that their rows prove.

Each line that a test prints compares with the pages before there was a home page for each role (BEFORE).
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from casino.reference.demo_users import DEMO_USERS
from tests.benchmarks.own import GIVEN
from tests.browser.questions import (
    Before,
    Demo,
    Proof,
    Question,
    Shown,
    has_figures,
    list_cells,
    number_of,
    out_of_sight,
    text_of,
    total_of,
    value,
)
from tests.manage import free_port
from tests.screenshots import logins, start_demo

NEEDS = "what needs me now"
HOLD = "where did November's hold of EOU-02 go, to the hand"
CLOSE = "close the oldest open day"
CHANCE = "is d-110's error rate more than chance"

BEFORE = {
    (NEEDS, "surveillance"): Before(7, 6.7, "the money of the hands to judge"),
    (NEEDS, "table-games"): Before(11, 8.4),
    (NEEDS, "supervisor"): Before(1, 0.8, "limits and breaks"),
    (NEEDS, "cage"): Before(1, 0.7, "the sums of slips"),
    (NEEDS, "count"): Before(0, 0.1),
    (NEEDS, "accounting"): Before(5, 3.6, "the number of days to close and late exports"),
    (NEEDS, "internal-audit"): Before(5, 4.7, "controls with exceptions and days to close"),
    (NEEDS, "regulator"): Before(5, 5.5, "controls with exceptions and days to close"),
    (NEEDS, "administrator"): Before(1, 1.2, "the number of alerts that were not delivered"),
    (NEEDS, "security"): Before(0, 0.0),
    (NEEDS, "dealer"): Before(0, 0.0),
    (NEEDS, ""): Before(0, 0.0),
    (CHANCE, "surveillance"): Before(1, 1.3),
    (CHANCE, "table-games"): Before(1, 1.3),
    (CHANCE, "internal-audit"): Before(1, 1.9),
    (CHANCE, "regulator"): Before(1, 2.0),
    (HOLD, "surveillance"): Before(8, 6.8),
    (HOLD, "table-games"): Before(8, 4.9),
    (HOLD, "internal-audit"): Before(8, 6.3),
    (HOLD, "regulator"): Before(8, 7.6),
    (CLOSE, "accounting"): Before(5, 4.2),
}
"""For each question and role: what the answer took at commit 7d19f512^, the last one without home pages.

The same class `Question` drove the demo of that commit in the same browser on the same machine, with a
load of 12 on its two cores. It went the shortest way through the pages of that time to the figures of
today's homes: for surveillance the queue by state and by each grade and then the live wall; for table
games the queue by each grade, the hold of one day, its causes, the statistical review and the board of
dealers; for a supervisor the floor and the cage; for the cage its open markers; for accounting two days
back from the close of yesterday, and the open markers; for audit the queue by each grade and the viewing
log; for an administrator the tokens.
"""


class Needs(NamedTuple):
    """What must be in sight on the home page of a role.

    Attributes:
        figures: the figures, each with its proof. The first ones are proved first.
        lists: the beginnings of the titles of lists whose lines must all be in sight.
    """

    user: str
    figures: tuple[Shown, ...]
    lists: tuple[str, ...] = ()


def money_of(word: str) -> Proof:
    """Read an amount from the line of the queue with the sums of its hands. `word` follows the amount."""
    return text_of("[data-money-total]", rf"([\d,.]+) {word}")


TO_JUDGE = (
    Shown("Hands to judge", "", text_of("#count")),
    *(Shown("Hands to judge", grade, text_of("#count")) for grade in ("integrity", "money", "procedure")),
)
FLOOR_ROWS = number_of(".floor-list tbody tr:not(.pit)")
SLIPS = number_of("main [id^='slip-']")
MARKERS = "tr[id^='marker-']"
OWED = total_of(f"{MARKERS} td:nth-last-child(2)")
BOXES = number_of("table.board tbody tr")
TO_CLOSE = text_of("main", r"(\d+) gaming days? to close")
CONTROL = Needs(
    "Igor",
    (
        Shown("Views in the last", "", number_of("main tbody tr")),
        Shown("Views in the last", "of hands", number_of("main tbody tr")),
        Shown("Controls with exceptions", "", number_of("main td:nth-child(2):text-is('exceptions')")),
        Shown("Controls with exceptions", "exceptions", total_of("main table.rates td:nth-child(3)")),
        Shown(
            "Controls with exceptions",
            "gaming days to close",
            text_of("main", r"(\d+) gaming days? to close"),
        ),
        *TO_JUDGE,
    ),
    ("Controls", "Latest views"),
)
HOMES = {
    "surveillance": Needs(
        "Dana",
        (
            *TO_JUDGE,
            Shown("Money in hands to judge, USD", "", money_of("USD:")),
            Shown("Money in hands", "to players", money_of("to players")),
            Shown("Money in hands", "chips missing", money_of("chips missing")),
            Shown("Hands waiting for a second review", "", text_of("#count")),
            Shown("Silent feeds of open tables", "", FLOOR_ROWS),
        ),
        ("First hands in the queue", "Silent and late feeds"),
    ),
    "table-games": Needs(
        "Boris",
        (
            Shown("Win of wagers on", "", text_of("main tfoot td:nth-child(5)")),
            Shown("Win of wagers on", "expected", text_of("main tfoot td:nth-child(6)")),
            Shown("Hold on", "", text_of("main tfoot td:nth-child(2)")),
            Shown("Unexplained money", "", text_of("main", r"Unexplained\s+(−?[\d,.]+)")),
            Shown(
                "Dealers with more errors than chance",
                "",
                number_of("main table.rates tbody tr:has-text('more than chance')"),
            ),
            *TO_JUDGE,
        ),
        ("Tables on", "Unexplained by table"),
    ),
    "supervisor": Needs(
        "Finn",
        (
            Shown("Tables open", "", FLOOR_ROWS),
            Shown("Tables open", "boxes pulled, not counted", FLOOR_ROWS),
            Shown("Tables open", "changes of limits due", number_of("#limits tbody tr")),
            Shown("Silent feeds of open tables", "", FLOOR_ROWS),
            Shown("Fills on the way", "", SLIPS),
            Shown("Fills on the way", "late", SLIPS),
        ),
        ("Open tables: staffing and limits", "Slips waiting for signatures", "Silent and late feeds"),
    ),
    "cage": Needs(
        "Chi",
        (
            Shown("Slips waiting for signatures, USD", "", total_of("main tr:has([id^='slip-']) td.n")),
            Shown("Slips waiting for signatures, USD", "slips", SLIPS),
            Shown("Unpaid markers, USD", "", OWED),
            Shown("Unpaid markers, USD", "markers", number_of(MARKERS)),
            Shown("Gaps in slip numbers", "", number_of("main [id^='void-']")),
        ),
        ("Slips waiting for signatures", "Unpaid markers"),
    ),
    "count": Needs(
        "Nia",
        (
            Shown("Boxes to count", "", BOXES),
            Shown("Boxes to recount", "", BOXES),
            Shown("Counts that differ", "", BOXES),
        ),
        ("Boxes that wait for a count",),
    ),
    "accounting": Needs(
        "Alma",
        (
            Shown("Gaming days to close", "", TO_CLOSE),
            Shown("Gaming days to close", "tables that can be closed", number_of("main [name=tables]")),
            Shown("Gaming days to close", "tables blocked", text_of("main", r"Blocked\s+(\d+)")),
            Shown("Variances of the oldest open day", "", text_of("main", r"(\d+) open variance")),
            Shown("Unpaid markers, USD", "", OWED),
            Shown("Exports late", "", number_of("table.export-list td:nth-child(2):has-text('late')")),
        ),
        ("Blocks the close of", "Exports due"),
    ),
    "internal-audit": CONTROL,
    "regulator": CONTROL._replace(user="Rhea"),
    "administrator": Needs(
        "Mia",
        (
            Shown("Jobs that need attention", "", number_of("#result_list tbody tr")),
            Shown("Alerts not delivered", "", number_of("main tbody tr")),
            Shown("Tokens that end soon", "", number_of("main tbody tr")),
            Shown("Table days not examined yet", "", number_of("#result_list tbody tr")),
        ),
    ),
}
"""For each role of the demo with a home page: what must be in sight on it."""
PAGES = {
    "security": ("Gus", "Pull a box"),
    "dealer": ("Ada", "You have no rights on these pages"),
    "": ("Eve", "You have no rights on these pages"),
}
"""For each role of the demo without a home page: a user, and the heading of the first page."""
AT_HOME = "surveillance"
"""This role begins in the queue. All other roles with a home page begin there."""


@pytest.fixture(scope="module")
def demo(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """Start the demo with its sample month, request a fill, and return the demo."""
    data: Path = tmp_path_factory.mktemp("questions")
    with pytest.MonkeyPatch.context() as patch:
        for name in GIVEN:
            patch.delenv(name, raising=False)
        address = f"http://localhost:{free_port()}"
        process = start_demo(data, address)
    demo = Demo(address, {name: (id, password) for id, name, _, password, *_ in logins(data)})
    request_fill(demo.page_of(chromium, "Finn"))
    yield demo
    process.send_signal(signal.SIGTERM)
    process.wait(60)


def request_fill(page: Page) -> None:
    """Request a fill of 1,200.00 for a table. It waits for the signatures of the cage."""
    page.goto("/cage/ask/aurora/EOU-01/fill/")
    page.get_by_label("100.00", exact=True).fill("12")
    page.get_by_role("button", name="Request fill").click()
    expect(page.get_by_role("status").first).to_contain_text("The fill is requested.")
    page.close()


def test_every_role_of_the_demo_is_in_the_questions() -> None:
    assert {role for *_, role in DEMO_USERS} == {*HOMES, *PAGES}


@pytest.mark.long
@pytest.mark.parametrize("role", HOMES)
def test_what_needs_a_role_now_is_on_one_screen(chromium: Browser, demo: Demo, role: str) -> None:
    page, needs = demo.page_of(chromium, HOMES[role].user), HOMES[role]
    question = Question(NEEDS, page, demo.address)
    if role == AT_HOME:
        question.follow("/home/")
    for shown in needs.figures:
        assert out_of_sight(shown.on(page)) == [], shown
    values = [value(shown.on(page)) for shown in needs.figures]
    question.answered(role, BEFORE[NEEDS, role])
    for title in needs.lists:
        cells = list_cells(page, title)
        assert cells.count() > 0, title
        assert out_of_sight(cells) == [], title
    assert page.evaluate("document.documentElement.scrollHeight") == 800, "the page does not scroll"
    rows = page.context.new_page()
    for shown, text in zip(needs.figures, values, strict=True):
        rows.goto(shown.on(page).get_attribute("href") or "")
        has_figures(rows)
        assert shown.proof(rows) == text, shown


@pytest.mark.long
@pytest.mark.parametrize("role", PAGES)
def test_a_role_without_a_home_page_is_where_its_work_begins(
    chromium: Browser, demo: Demo, role: str
) -> None:
    name, heading = PAGES[role]
    page = demo.page_of(chromium, name)
    question = Question(NEEDS, page, demo.address)
    expect(page.locator("main h1")).to_contain_text(heading)
    assert out_of_sight(page.locator("main h1, main form button")) == []
    question.answered(role or "no role", BEFORE[NEEDS, role])
    options = page.locator("main [name=table] option:not([value=''])").all_text_contents()
    tables = {text.strip().partition(",")[0] for text in options}
    assert tables == ({"COU-01", "EOU-01", "EOU-03", "HS-01"} if role == "security" else set())


@pytest.mark.long
@pytest.mark.parametrize("role", ["table-games", "surveillance", "internal-audit", "regulator"])
def test_the_error_rate_of_a_dealer_is_compared_with_chance(chromium: Browser, demo: Demo, role: str) -> None:
    page = demo.page_of(chromium, HOMES[role].user)
    chance = Question(CHANCE, page, demo.address)
    chance.follow("/boards/")
    row = page.locator("main tr", has_text="d-110").first
    expect(row).to_contain_text("more than chance")
    assert out_of_sight(row) == []
    chance.answered(role, BEFORE[CHANCE, role])


@pytest.mark.long
@pytest.mark.parametrize("role", ["table-games", "surveillance", "internal-audit", "regulator"])
def test_the_hold_of_a_table_leads_to_the_hand(chromium: Browser, demo: Demo, role: str) -> None:
    page = demo.page_of(chromium, HOMES[role].user)
    hold = Question(HOLD, page, demo.address)
    hold.follow("/hold/")
    choose_november(hold)
    hold.click(page.locator("main table").get_by_role("link", name="EOU-02"))
    day = page.locator("table.wheres tbody tr", has_text="4 Nov 2026").filter(has_text="−216.00")
    hold.click(day.get_by_role("link", name="4 Nov 2026"))
    hold.click(page.locator("main a[href='?part=errors#list']"))
    hold.click(page.locator("main td a[href^='/hand/aurora/EOU-02/2026-11-04/']"))
    expect(page.locator("#hand .finding").first).to_contain_text("Wrong settlement")
    hold.answered(role, BEFORE[HOLD, role])


def choose_november(hold: Question) -> None:
    """Choose the month in the line of periods. If no period begins with the month, enter its days."""
    period: Locator = hold.page.locator("main nav.seg a[href*='from=2026-11-01']")
    if period.count():
        hold.click(period)
        return
    hold.fill("from", "2026-11-01")
    hold.fill("to", "2026-11-30")
    hold.click(hold.page.get_by_role("button", name="Show"))


@pytest.mark.long
def test_accounting_closes_the_oldest_open_day_in_few_clicks(chromium: Browser, demo: Demo) -> None:
    page = demo.page_of(chromium, "Alma")
    close = Question(CLOSE, page, demo.address)
    close.follow("/closing/")
    close.fill("explanation-L7-01", "Counted twice, the log has the player's win")
    close.click(page.get_by_label("I have compared"))
    close.click(page.get_by_role("button", name="Close day of chosen tables"))
    expect(page.locator(".done")).to_be_visible()
    close.answered("accounting", BEFORE[CLOSE, "accounting"])
    assert page.locator("main [name=tables]").count() == 0, "every table is closed"

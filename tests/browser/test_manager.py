"""A manager's day on the pages: a table is opened, filled, counted and closed. Its drop box is counted, and
its day is closed. Then the hold is traced to a single hand.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import json
from playwright.sync_api import Browser, Page, expect

from audit.facts import check
from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries import floor
from casino.floor.services import SETTINGS
from casino.presentation.formatting import MINUS, day_label, money
from casino.reference import chip_sets
from casino.reference.calendar import gaming_day
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.sample import FAULTS
from casino.sample.tables.cage import fewest_pieces, tray
from casino.sample.tables.day import Day
from casino.sample.tables.table import TABLES
from casino.web.recording import table_fact
from tests.browser.conftest import Officer
from tests.casino.conftest import Cast

TABLE = "EOU-09"
PLAY = ("wrong-settlement:over:overpaid",)


class House:
    """The people on shift in this test, each with a browser of their own."""

    def __init__(self, browser: Browser, address: str, cast: Cast) -> None:
        self.browser, self.address, self.cast = browser, address, cast
        self.screens: dict[str, Officer] = {}

    def of(self, name: str) -> Page:
        """Return the browser page on which this person is signed in."""
        if name not in self.screens:
            screen = self.screens[name] = Officer(self.browser, self.address)
            cookie = self.cast.browser(name).cookies["sessionid"]
            screen.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": self.address}])
        return self.screens[name].page

    def sign(self, page: Page, **names: str) -> None:
        """Fill in the staff IDs and passwords of these people, in the form fields with these names."""
        for field, name in names.items():
            page.fill(f"[name={field}]", self.cast.logins[name].id)
            page.fill(f"[name={field}_password]", self.cast.logins[name].password)

    def complaints(self) -> list[str]:
        return [complaint for screen in self.screens.values() for complaint in screen.complaints]


def play() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return two values: the settings of a table for the register of tables, and the facts of two hands at
    that table. The first hand has no fault, the second is overpaid.
    """
    day = Day(
        "easy_over_under",
        "manager",
        table=TABLE,
        day=gaming_day("aurora"),
        **(TABLES["easy_over_under"].exact | {"currency": "USD"}),
    )
    opened = day.open()
    day.honest()
    for name in PLAY:
        FAULTS["easy_over_under"][name].act(day)
    settings = {name: opened[name] for name in SETTINGS if name != "currency"} | {"pit": "pit-1"}
    dealt = [{name: value for name, value in fields.items() if name != "n"} for fields in day.facts()]
    return settings, [fact for fact in dealt if "round" in fact or fact["kind"] == "shuffled"]


def post_from_equipment(facts: list[dict[str, Any]]) -> None:
    """Post facts as the table's equipment reports them."""
    intake.post_prepared([check(json.encode(fact)) for fact in facts], Sender("gateway"))


def count(page: Page, amount: int, prefix: str = "chips") -> None:
    """Type an amount as numbers of pieces of each denomination, and expect that the total is shown
    at once.
    """
    of = chip_sets.chips("aurora", "USD") if prefix == "chips" else chip_sets.notes("aurora", "USD")
    for denomination, pieces in fewest_pieces(amount, of).items():
        page.fill(f"[name={prefix}-{denomination}]", str(pieces))
    expect(page.locator("[data-total]")).to_have_text(money(amount, "USD"))


@pytest.mark.long
def test_a_managers_day_from_the_opener_to_the_overpaid_hand(
    chromium: Browser, address: str, night: Cast
) -> None:
    settings, dealt = play()
    entries = [Entry("tables", TABLE, settings), Entry("pits", "pit-1", {"title": "Main pit"})]
    set_registers(
        "aurora",
        [*entries, Entry("property", "*", {"name": "Aurora", "currency": "USD"})],
        by="m-101",
        second="m-102",
    )
    house = House(chromium, address, night)
    post_from_equipment(
        [table_fact("dealer-seated", "aurora", "EOU-07", dealer="d-101", supervisor="s-202")]
    )  # another dealer took over, so that Abe is free
    opens_and_fills(house)
    post_from_equipment(dealt)
    bought = buys_chips(house)
    closes(house, dealt, bought)
    counts_the_box(house, bought)
    closes_the_day(house)
    findings.examine()
    reads_the_hold(
        house,
        sum(
            fact["amount"] * {"take": 1, "pay": -1}[fact["kind"]]
            for fact in dealt
            if fact["kind"] in ("take", "pay")
        ),
    )
    assert [complaint for complaint in house.complaints() if "400" not in complaint] == [], (
        "but that one form came back"
    )


def opens_and_fills(house: House) -> None:
    """Open the table by keyboard alone as Finn, and send a fill from the cage with five signatures."""
    page = house.of("Finn")
    page.goto(f"{house.address}/floor/")
    page.keyboard.press("Tab")
    expect(
        page.locator(".skip")
    ).to_be_focused()  # Tab begins in the content of the page, not in its header and filters
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/floor/aurora/{TABLE}/")
    page.get_by_role("link", name="Open table").press("Enter")
    page.locator("[name=dealer]").focus()
    page.keyboard.type("d-102")
    page.keyboard.press("Tab")
    page.keyboard.type("s-201")
    page.keyboard.press("Enter")
    expect(page.locator(".done")).to_contain_text(f"{TABLE} is open. Count its opener.")
    count(page, 2_000_000)
    page.get_by_role("button", name="Record").click()
    expect(page.locator("[role=alert]")).to_contain_text("Dealer: wrong id or password")
    expect(page.locator("[name=dealer]")).to_be_focused()
    count(page, 2_000_000)
    house.sign(page, dealer="Abe")
    page.get_by_role("button", name="Record").click()
    expect(page.locator(".done")).to_contain_text("The opener of")
    page.get_by_role("link", name="Fill").click()
    count(page, 100_000)
    house.sign(
        page, requested_by="Finn", sent_by="Chi", carried_by="Gus", received_by="Abe", verified_by="Fay"
    )
    page.get_by_role("button", name="Request fill").click()
    expect(page.locator(".done")).to_contain_text("F-")


def buys_chips(house: House) -> int:
    """Record as Finn that a player bought chips for cash at the table. Return the amount."""
    page = house.of("Finn")
    page.goto(f"{house.address}/cage/chips/aurora/{TABLE}/")
    page.fill("[name=spot]", "1")
    page.fill("[name=amount]", "500.00")
    page.get_by_role("button", name="Record").click()
    expect(page.locator(".done")).to_be_visible()
    return 50_000


def closes(house: House, dealt: list[dict[str, Any]], bought: int) -> None:
    """Count the closer, with the amount that the play has left in the tray, and close the table."""
    page = house.of("Finn")
    page.goto(f"{house.address}/floor/aurora/{TABLE}/")
    expect(page.locator(".figures")).to_contain_text("1,000.00")
    page.get_by_role("link", name="Close table").click()
    page.get_by_role("link", name="Count closer").click()
    count(page, tray([{"kind": "opener-counted", "amount": 2_100_000 - bought}, *dealt]))
    house.sign(page, dealer="Abe")
    page.get_by_role("button", name="Record").click()
    page.get_by_role("link", name="Close table").click()
    page.get_by_role("button", name=f"Close {TABLE}").click()
    expect(page.locator(".done")).to_contain_text("is closed")


def counts_the_box(house: House, bought: int) -> None:
    """Carry the drop box as security, count it with a team of three, and recount it in the cage without
    showing the first count.
    """
    page = house.of("Finn")
    page.goto(f"{house.address}/count/pull/?table={TABLE}")
    page.fill("[name=box]", "007")
    house.sign(page, second="Gus")
    page.get_by_role("button", name="Record pull").click()
    page = house.of("Nia")
    page.goto(f"{house.address}/count/")
    page.get_by_role("link", name="Count box 007").click()
    count(page, bought, "notes")
    house.sign(page, member_1="Nia", member_2="Ned", member_3="Nell")
    page.get_by_role("button", name="Record count").click()
    expect(page.locator(".done")).to_contain_text("waits for its recount")
    page = house.of("Chi")
    page.goto(f"{house.address}/count/")
    expect(page.locator("table.board")).not_to_contain_text("500.00")
    page.get_by_role("link", name="Recount box 007").click()
    count(page, bought, "notes")
    page.get_by_role("button", name="Record recount").click()
    expect(page.locator(".done")).to_contain_text("both counts say 500.00 USD")


def closes_the_day(house: House) -> None:
    """Close the day as accounting, once nothing prevents it."""
    page = house.of("Alma")
    page.goto(f"{house.address}/closing/?day={gaming_day('aurora')}")
    page.locator(f"[name=tables][value={TABLE}]").check()
    page.get_by_label("I have compared").check()
    page.get_by_role("button", name="Close day of chosen tables").click()
    expect(page.locator(".done")).to_be_visible()
    table = floor.table("aurora", TABLE, gaming_day("aurora"))
    assert table is not None
    assert table.sealed


def reads_the_hold(house: House, win: int) -> None:
    """Follow the hold as Boris: from the report to the table's day and to the one hand that was overpaid."""
    page, day = house.of("Boris"), gaming_day("aurora").isoformat()
    page.goto(f"{house.address}/hold/?from={day}&to={day}")
    expect(page.locator("tr", has_text=TABLE)).to_contain_text(money(win, "USD"))
    page.goto(f"{house.address}/hold/where/?from={day}&to={day}&by=table")
    row = page.locator("tbody tr", has_text=TABLE)
    headings = page.locator("table.wheres thead th").all_inner_texts()
    cells = dict(zip(headings, row.locator("th, td").all_inner_texts(), strict=True))
    assert (cells["Unexplained"], cells["Dealt"], cells["Counted"]) == (
        "0.00",
        money(win, "USD"),
        money(win, "USD"),
    )
    assert cells["Errors"].startswith(MINUS), "what was overpaid"
    row.get_by_role("link", name=TABLE).click()
    page.get_by_role("link", name=day_label(day)).first.click()
    page.locator("td a[href^='/hand/']").first.click()
    expect(page.locator("#hand .finding")).to_contain_text("overpaid")
    expect(page.locator("#hand .finding .diff")).to_contain_text(cells["Errors"].removeprefix(MINUS))

"""A fill is recorded without a mouse. The total is updated while its chips are typed, one wrong signature is
corrected, and axe reports no accessibility barrier.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from audit.ledger import intake
from audit.ledger.intake import Sender
from casino.reference.calendar import gaming_day
from tests.audit.floor import OPENING, fact, line
from tests.browser.conftest import Officer
from tests.casino.conftest import Cast
from tests.conftest import House


@pytest.fixture
def night(house: House) -> Cast:
    cast = Cast()
    day = gaming_day("aurora").isoformat()
    intake.post(
        [line(fact(place, table=f"aurora/EOU-0{place}", day=day, **OPENING)) for place in (1, 2)],
        Sender("test"),
    )
    return cast


def test_a_fill_is_asked_for_and_signed_by_keyboard_alone(
    chromium: Browser, address: str, night: Cast
) -> None:
    finn = Officer(chromium, address)
    finn.log_in("s-201", night.logins["Finn"].password)
    page = finn.page
    page.goto(f"{address}/cage/ask/aurora/EOU-01/fill/")
    page.get_by_label("100.00", exact=True).focus()
    page.keyboard.type("12")
    expect(page.locator("[data-total]")).to_have_text("1,200.00")
    expect(page.locator("[name=requested_by]")).to_have_value("s-201")
    finn.press("Enter")
    expect(page.get_by_role("status").first).to_have_text(
        "The fill is requested. It is pending until all have signed."
    )
    for field, name in (
        ("sent_by", "Chi"),
        ("carried_by", "Gus"),
        ("received_by", "Ada"),
        ("verified_by", "Abe"),
    ):
        page.locator(f"[name={field}]").focus()
        page.keyboard.type(night.logins[name].id)
        finn.press("Tab")
        page.keyboard.type(night.logins[name].password)
    finn.press("Enter")
    expect(page.locator("#refused")).to_contain_text("d-102 may not sign here")
    expect(page.locator("[name=verified_by]")).to_be_focused()
    expect(page.locator("[name=carried_by]")).to_have_value("g-101")
    expect(page.locator("[name=carried_by_password]")).to_have_value("")
    waits = page.url.removeprefix(address)
    barriers = finn.barriers([("/cage/", ()), ("/cage/ask/aurora/EOU-01/credit/", ()), (waits, ())], "light")
    assert barriers == []
    assert [complaint for complaint in finn.complaints if "400" not in complaint] == []

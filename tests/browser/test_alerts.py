"""Alerts in a browser: the count in the title of every page, a sound that users can switch off, and pages on
which axe finds nothing.
"""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from audit.database import execute, rows
from casino.alerts import publish, services, webhook_secrets
from casino.models import Person
from tests.browser.conftest import Officer
from tests.casino.receiver import receiving, work
from tests.casino.test_alerts import EMPTY

LISTEN = """() => { window.sounds = 0;
    document.addEventListener('catwalk:alert-sound', () => { window.sounds += 1; }); }"""
POLL = "() => htmx.trigger('#alert-news', 'load')"
PAGES = ("/alerts/", "/alerts/rules/", "/alerts/mine/", "/alerts/webhooks/", "/alerts/deliveries/")


def a_rule(**fields: Any) -> None:
    by = Person.objects.get(pk="v-101")
    services.set_rule(by, "aurora", str(uuid4()), "all", **(EMPTY | fields))


def publish_again(count: int) -> None:
    """Mark this many findings as not published yet, and publish them again."""
    execute(
        "UPDATE finding SET announced = NULL WHERE id IN (SELECT id FROM finding ORDER BY id LIMIT %s)",
        [count],
    )
    publish.publish("aurora")


def test_a_new_alert_is_in_the_title_and_sounds_until_it_is_switched_off(officer: Officer) -> None:
    publish.publish("aurora")
    a_rule()
    page = officer.page
    officer.log_in("v-101")
    expect(page.locator(".alert-sound")).to_have_text(re.compile("Sound on"))
    page.evaluate(LISTEN)
    bare = page.title()
    publish_again(2)
    page.evaluate(POLL)
    expect(page.locator(".alert-count")).to_contain_text("2 new alerts")
    expect(page).to_have_title(f"(2) {bare}")
    assert page.evaluate("window.sounds") == 1
    with page.expect_response("**/alerts/news/**"):
        page.evaluate(POLL)
    assert page.evaluate("window.sounds") == 1, "each alert sounds once"
    page.locator(".alert-sound").focus()
    officer.press("Enter")
    expect(page.locator(".alert-sound")).to_have_attribute("aria-pressed", "false")
    assert rows("SELECT sound FROM alert_contact WHERE person = 'v-101'") == [(False,)]
    publish_again(1)
    page.evaluate(POLL)
    expect(page).to_have_title(f"(3) {bare}")
    assert page.evaluate("window.sounds") == 1
    page.locator(".alert-count").focus()
    officer.press("Enter")
    page.get_by_role("button", name="Mark 3 as seen").focus()
    officer.press("Enter")
    expect(page.locator(".alert-count")).to_have_count(0)
    expect(page).to_have_title(re.compile("^Alerts"))
    assert officer.complaints == []


@pytest.mark.long
def test_axe_finds_nothing_on_the_pages_of_alerts(officer: Officer, settings: Any) -> None:
    settings.WEBHOOK_HTTP = True
    publish.publish("aurora")
    a_rule(quiet_from="22:00", quiet_to="06:00", grades=["money"], over=100, roles=["surveillance"])
    mia = Person.objects.get(pk="m-101")
    with receiving() as receiver:
        services.set_webhook(mia, "aurora", str(uuid4()), "soc", receiver.url, [])
        publish_again(3)
        work()
        assert webhook_secrets.history("aurora", "soc")
    officer.log_in("v-101")
    assert officer.barriers([(path, ()) for path in PAGES], "light", "dark") == []
    for width in (390, 820, 1920):
        officer.page.set_viewport_size({"width": width, "height": 800})
        for path in PAGES:
            officer.page.goto(f"{officer.address}{path}")
            wide = officer.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            assert wide <= 0, (path, width)
    assert officer.complaints == []


def test_on_a_phone_the_count_of_alerts_covers_no_button(officer: Officer) -> None:
    page = officer.page
    publish.publish("aurora")
    a_rule()
    page.set_viewport_size({"width": 390, "height": 800})
    officer.log_in("v-101")
    publish_again(2)
    page.goto(f"{officer.address}/queue/")
    page.locator("#rows .hand-row").first.click()
    expect(page.locator("#verdict-form")).to_be_visible()
    expect(page.locator(".alert-count")).to_be_visible()
    news, send = page.locator("#alert-news").bounding_box(), page.locator("#verdict-form").bounding_box()
    assert news is not None
    assert send is not None
    assert send["y"] + send["height"] <= news["y"] + 1, "the bar of alerts is below the verdict"
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert officer.complaints == []

"""Every page of the demo with rows, as each role finds it by links, at four widths."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests import every_page, page_pictures
from tests.benchmarks.own import GIVEN
from tests.manage import free_port
from tests.screenshots import start_demo
from tests.walk import rows

FORMS = """
audit_job_revive cage_number cage_spoil cage_withdraw case_add case_note correct
evidence export_again export_retry export_video flag hands_add hold_video log_accept logout open_video
queue_assign queue_snooze release_video report_keep report_preferences secure_video token_revoke verdict
verdict_many verdict_undo view_remove view_save
"""
SCRIPTS = "autocomplete export_state hands_complete jsi18n jump queue_chosen queue_more view_on_site"
FILES = """
case_file export_file export_manifest export_verifier fact_proof help_image journal_file kept_report
play_video proof_verifier report_file slip_print
"""
SIGNING_IN = "app_list home login openid openid_callback openid_code password_change password_change_done"
NOT_LINKED = frozenset(" ".join((FORMS, SCRIPTS, FILES, SIGNING_IN)).split())
"""The names of routes to which no link leads, because forms or scripts request them, or because they are
files.
"""
LOADED_OR_ADMIN = re.compile(r"(casino|audit)_\w+_(add|change|delete|history)|\w+_(news|stream)")
"""Names of routes that Django's admin gives to each model, and of parts that pages load by themselves."""


class Demo:
    """A running demo with its pages."""

    def __init__(self, browser: Browser, address: str, data: Path) -> None:
        self.browser, self.address = browser, address
        self.contexts, self.linked, self.places = page_pictures.walk(browser, address, data)


@pytest.fixture(scope="module")
def demo(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    data = tmp_path_factory.mktemp("pages")
    with pytest.MonkeyPatch.context() as patch:
        for name in GIVEN:
            patch.delenv(name, raising=False)
        for name, value in rows.SETTINGS.items():
            patch.setenv(name, value)
        address = f"http://localhost:{free_port()}"
        process = start_demo(data, address)
    try:
        yield Demo(chromium, address, data)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


@pytest.mark.long
def test_a_link_leads_to_each_page(demo: Demo) -> None:
    print(f"{len(demo.linked)} pages")
    unreached = [name for name in every_page.unreached(demo.linked) if not LOADED_OR_ADMIN.fullmatch(name)]
    assert frozenset(unreached) == NOT_LINKED


@pytest.mark.long
def test_no_page_scrolls_sideways_or_complains_in_the_console(demo: Demo) -> None:
    assert [
        f"{place.path}: {fault}"
        for place in demo.places
        for fault in page_pictures.faults(demo.contexts[place.user], place)
    ] == []


@pytest.mark.long
def test_axe_finds_nothing_on_any_page(demo: Demo) -> None:
    assert [
        f"{place.path}: {barrier}"
        for place in demo.places
        for barrier in page_pictures.barriers(demo.browser, demo.contexts[place.user], demo.address, place)
    ] == []

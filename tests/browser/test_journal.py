"""Accounting's journal in the browser: opened by keyboard, a file downloaded, and no accessibility barrier in
the light or dark color scheme.
"""

from __future__ import annotations

import pytest

from casino.accounts.services import activate_user
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.browser.conftest import Officer
from tests.casino.books import close, counted, map_accounts, marked
from tests.casino.conftest import Cast
from tests.casino.nights import PASSWORD
from tests.casino.test_reports import felt, live, record
from tests.casino.test_restated import NEXT, adjust

PAGE = f"/journal/?from={NEXT}&to=2026-11-28"


@pytest.mark.long
def test_accounting_opens_and_downloads_a_journal_by_keyboard(officer: Officer, night: Cast) -> None:
    activate_user("a-101", "Alma", PASSWORD)
    record(
        counted(1000, 100, 980), marked(issued=300), close(), adjust("closer", 25), felt(500, 50, "aurora/T2")
    )
    record(live(1000, 100), close(table="aurora/L1"))
    map_accounts()
    officer.log_in("a-101")
    page = officer.page
    page.goto(f"{officer.address}{PAGE}")
    page.focus("[name=by]")
    page.keyboard.type("shift")
    officer.press("Tab", "Enter")
    page.wait_for_url("**by=shift**")
    page.get_by_text(f"aurora/L1/{NEXT}/1", exact=True).wait_for()
    with page.expect_download() as loaded:
        page.get_by_role("link", name="QuickBooks IIF").press("Enter")
    assert loaded.value.suggested_filename == f"journal_aurora_{NEXT}_2026-11-28_shift_USD.iif"
    tall = page.evaluate(
        "() => [...document.querySelectorAll('main :is(a, button, select)')].map(each => each.offsetHeight)"
    )
    assert min(tall) >= 44, "a finger hits it"
    assert officer.complaints == []
    set_registers(
        "aurora", [Entry("accounts", key, None) for key in ("drop", "markers")], by="m-101", second="a-101"
    )
    record(felt(500, 50, "aurora/T4"), close(table="aurora/T4"))
    assert officer.barriers([(PAGE, ""), ("/journal/?by=year", "")], "light", "dark") == []
    page.goto(f"{officer.address}{PAGE}")
    page.get_by_text("No account for drop.").wait_for()

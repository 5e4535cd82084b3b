"""An administrator's change of reference data in the browser: made by keyboard, reviewed, signed by a second
person, without accessibility barriers.
"""

from __future__ import annotations

import pytest

from casino.accounts.services import activate_user
from casino.reference.registers import values_on
from tests.browser.conftest import Officer
from tests.casino.conftest import Cast
from tests.casino.nights import PASSWORD

FORMS = ("", "tables/?game=high_side", "people/?key=d-101", "profile/nevada-like/")


@pytest.mark.long
def test_a_shift_is_entered_by_keyboard_previewed_and_signed_by_a_second_person(
    officer: Officer, night: Cast
) -> None:
    for id, name in (("m-101", "Mia"), ("m-102", "Max")):
        activate_user(id, name, PASSWORD)
    officer.log_in("m-101")
    page = officer.page
    page.goto(f"{officer.address}/admin/casino/entry/set/shifts/")
    page.focus("#id_key")
    for typed in ("swing", "\t", "02:00PM"):
        page.keyboard.press("Tab") if typed == "\t" else page.keyboard.type(typed)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Before and after").wait_for()
    assert page.locator("#change ins").all_inner_texts() == ["14:00"]
    page.focus("#id_second")
    page.keyboard.type("m-102")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_text("The entry is recorded.").wait_for()
    assert values_on("aurora", "shifts") == {"swing": {"begins": "14:00"}}
    assert officer.complaints == []
    assert (
        officer.barriers(
            [("/admin/", ""), *((f"/admin/casino/entry/set/{path}", "") for path in FORMS)], "light"
        )
        == []
    )
    assert officer.barriers([("/admin/casino/entry/set/profile/nevada-like/", "")], "dark") == []

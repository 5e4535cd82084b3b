"""The admin in the browser: no page scrolls sideways at any width, and axe finds no accessibility barrier."""

from __future__ import annotations

from casino.accounts.services import activate_user
from casino.reports import catalog
from tests.browser.conftest import Officer
from tests.casino.conftest import Cast
from tests.casino.nights import PASSWORD, STREAM

WIDTHS = (390, 820, 1280, 1920)


def test_pages_of_the_admin_fit_every_width_and_have_no_barriers(officer: Officer, night: Cast) -> None:
    activate_user("i-101", "Igor", PASSWORD)
    officer.log_in("i-101")
    page = officer.page
    page.goto(f"{officer.address}/admin/casino/finding/?q={STREAM}")
    row = page.locator("#result_list tbody a").first.get_attribute("href") or ""
    pages = ("/admin/?last=2026-11-27", f"/admin/casino/finding/?q={STREAM}", row, "/admin/casino/tally/")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        for path in pages:
            page.goto(f"{officer.address}{path}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
            assert page.locator(".rail").is_visible(), (path, width)
    assert officer.complaints == []
    assert officer.barriers([(path, "") for path in pages], "light", "dark") == []


def test_the_form_of_a_schedule_shows_the_groupings_of_the_chosen_report(
    officer: Officer, night: Cast
) -> None:
    activate_user("a-101", "Alma", PASSWORD)
    officer.log_in("a-101")
    page, path = officer.page, "/admin/casino/schedule/add/"
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(f"{officer.address}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
    boxes = page.locator("input[name=by]:visible")
    for name in ("hold", "journal", "slips", "table-drop"):
        page.locator("#id_report").select_option(name)
        shown = boxes.evaluate_all("boxes => boxes.map(box => box.value)")
        assert sorted(shown) == sorted(catalog.report(name).BY), name
        assert page.locator(".field-by").is_visible() == bool(shown), name
    assert officer.complaints == []
    assert officer.barriers([(path, "")], "light", "dark") == []

"""A case is followed in the browser from a hand to the exported pack, without accessibility barriers and at
every width.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from casino.exports import verify_export
from tests.browser.conftest import Officer
from tests.casino.nights import STREAM

WIDTHS = (390, 820, 1280, 1920)
HAND = f"/hand/{STREAM}/r-0002/"


def too_wide(officer: Officer, case: str) -> list[tuple[str, int]]:
    """Return the pages of a case that are wider than their screen or cut off the verdicts of its hands."""
    page, wrong = officer.page, []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        for path in (case, f"{officer.address}/cases/", f"{case}join/", f"{case}subject/"):
            page.goto(path)
            cut = page.locator(".casecard table").evaluate_all(
                "all => all.filter(table => table.getBoundingClientRect().right"
                " > table.closest('.casecard').getBoundingClientRect().right).length"
            )
            if page.evaluate("document.documentElement.scrollWidth") > width or (cut and width >= 820):
                wrong.append((path, width))
    return wrong


def test_a_new_case_is_written_and_opened_with_the_keyboard(officer: Officer) -> None:
    officer.log_in("v-101")
    page = officer.page
    page.goto(f"{officer.address}/cases/new/")
    expect(page.get_by_label("Title")).to_be_focused()
    page.keyboard.type("Payouts at EOU-07")
    page.get_by_label("Kind").select_option("dealers-play")
    page.get_by_label("What the case is about").focus()
    officer.press("Control+Enter")
    expect(page.locator("h1")).to_contain_text("-0001")


@pytest.mark.long
def test_a_case_from_a_hand_to_its_exported_pack(officer: Officer, tmp_path: Path) -> None:
    officer.log_in("v-101")
    page = officer.page
    page.goto(f"{officer.address}{HAND}")
    page.get_by_role("button", name="Add to a case").click()
    page.get_by_label("Title").fill("Payouts at EOU-07")
    page.get_by_label("Kind").select_option("dealers-play")
    page.get_by_role("button", name="Open case").click()
    expect(page.locator("h1")).to_contain_text("-0001")
    case = page.url
    page.get_by_label("Note").fill("The dealer paid a losing bet.")
    page.get_by_role("button", name="Write note").click()
    expect(page.locator(".timeline")).to_contain_text("The dealer paid a losing bet.")
    page.goto(f"{officer.address}/hands/?property=aurora&grade=money")
    page.locator("#rows .pick input:enabled").first.check()
    page.locator("#chosen-form").get_by_role("button", name="Add to a case").click()
    page.get_by_role("button", name="Add 1 hand to the case").click()
    expect(page.locator(".timeline")).to_contain_text("joined 1 hand")
    page.get_by_role("link", name="Add a file").click()
    film = tmp_path / "cam-13.mp4"
    film.write_bytes(b"\0\0\0\x18ftypmp42" + b"\0" * 5000)
    page.set_input_files("[name=file]", film)
    page.get_by_role("button", name="Add file").click()
    expect(page.locator("main")).to_contain_text("cam-13.mp4")
    with page.expect_download() as film_back:
        page.get_by_role("link", name="cam-13.mp4").click()
    assert Path(film_back.value.path()).read_bytes() == film.read_bytes()
    assert too_wide(officer, case) == []
    paths = [case.removeprefix(officer.address), "/cases/"]
    forms = [f"{paths[0]}{act}/" for act in ("join", "subject", "erase", "file")]
    assert officer.barriers([(path, ()) for path in (*paths, *forms)], "light", "dark") == []
    page.goto(case)
    page.get_by_role("button", name="Evidence pack").click()
    with page.expect_download() as pack:
        page.locator("a[href$='/file/']").first.click()
    pack.value.save_as(tmp_path / "pack.zip")
    command = [sys.executable, "-I", verify_export.__file__, str(tmp_path / "pack.zip")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, "Evidence pack" in ran.stdout) == (0, True), ran.stdout + ran.stderr
    assert officer.complaints == []

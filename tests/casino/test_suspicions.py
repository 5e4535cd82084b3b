"""Cases about a suspicion of money laundering. Only compliance learns that such a case exists."""

from __future__ import annotations

from typing import Any

from django.db import connection

from audit.differences import Difference, Differences, place_of
from audit.proofs import sample
from audit.review import case_tables
from tests.casino.casework import (
    CASES,
    OTHERS,
    PNG,
    WATCHERS,
    cora,
    faults,
    named_file,
    opened,
    post_act,
    state,
    suspicion,
)
from tests.casino.conftest import Cast
from tests.casino.pages import text


def test_nobody_but_compliance_learns_that_there_is_a_suspicion(desk: Cast) -> None:
    first = opened(desk)
    pages = ("/cases/", "/cases/?state=all", "/views/", "/exports/", "/", f"/cases/aurora/{first}/")
    readers = ("Dana", "Igor", "Rhea", "Mia", "Boris")
    before = {
        (name, path): status_and_text(desk.browser(name).get(path))
        for name in readers
        for path in pages
        if path != "/views/"
    }
    head = ledger_head()
    number = suspicion()
    browser = cora()
    assert number.startswith("S-")
    assert number.endswith("-0001")
    assert post_act(browser, "note", number, note="Six times 9,900 in cash.").status_code == 302
    assert post_act(browser, "join", number, what="hand", of="EOU-07 2026-11-27 r-0002").status_code == 302
    page = text(browser.get(f"/cases/aurora/{number}/"))
    assert "Six times 9,900 in cash." in page
    assert "Viewed 1 time" in page
    assert number in text(browser.get("/cases/"))
    assert ledger_head() == head, "no fact in the ledger, so no gap in positions"
    for (name, path), expected in before.items():
        answer = desk.browser(name).get(path)
        assert number not in text(answer), (name, path)
        assert "Structured" not in text(answer), (name, path)
        if path.startswith("/cases/?"):
            assert status_and_text(answer) == expected, (name, path)
    for name in (*WATCHERS, *OTHERS):
        client = desk.browser(name)
        for act in ("", "note/", "change/", "files/x/"):
            missing, existing = (
                client.get(f"/cases/aurora/{case}/{act}") for case in ("S-2001-0001", number)
            )
            assert existing.status_code == missing.status_code, (name, act)
            assert existing.status_code in (403, 404, 405)
            assert text(existing).replace(number, "") == text(missing).replace("S-2001-0001", "")
    assert second_number(desk) == f"{first[:5]}0002", "no gap in the numbers of other cases"
    assert number not in text(desk.browser("Igor").get("/views/"))
    assert faults(*CASES) == []


def status_and_text(answer: Any) -> tuple[int, str]:
    return answer.status_code, text(answer)


def ledger_head() -> Any:
    with connection.cursor() as cursor:
        cursor.execute("SELECT position, chain FROM head WHERE property = 'aurora'")
        return cursor.fetchone()


def second_number(cast: Cast) -> str:
    return opened(cast, parts=())


def test_two_compliance_officers_erase_a_suspicion_without_touching_other_files(desk: Cast) -> None:
    number, hidden = opened(desk), suspicion()
    assert post_act(desk.browser("Dana"), "file", number, file=named_file(PNG, "a.png")).status_code == 302
    assert post_act(cora(), "file", hidden, file=named_file(PNG, "a.png")).status_code == 302
    (file,) = state(number).files
    second = {"second": "m-101", "second_password": desk.logins["Mia"].password}
    erasure = {"erased": [file.sha256], "why": "wrong-file", **second}
    assert post_act(cora(), "erase", hidden, **erasure).status_code == 400, (
        "an administrator learns nothing of it"
    )
    assert post_act(desk.browser("Dana"), "erase", number, **erasure).status_code == 302
    assert b"".join(cora().get(f"/cases/aurora/{hidden}/files/{file.sha256}/")) == PNG
    assert faults(*CASES) == []


def test_an_alarm_about_changed_results_names_no_suspicion() -> None:
    """Test that alarms, which administrators read, do not mention a suspicion."""
    differences = Differences()
    for key in (("true", "S-2026-0001"), ("false", "2026-0007")):
        place = place_of(case_tables.STATE, "aurora", key)
        differences.add([Difference(case_tables.STATE.name, place, "owner", "x", "l-101")])
    text = sample.in_short(differences)
    assert "case_state 2" in text
    assert "case 2026-0007" in text
    assert "S-2026" not in text

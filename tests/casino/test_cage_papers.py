"""Slips are voided and printed, and serials that are missing from a series are voided."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client

from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries.cage_lists import missing_slips
from casino.reference.calendar import gaming_day
from tests.audit.floor import OPENING, fact, line
from tests.casino.conftest import Cast
from tests.casino.pages import markup, text
from tests.casino.test_cage import FILL, Desk, desk, floor, recorded, says

__all__ = ["desk", "floor"]


def test_a_recorded_slip_is_voided_by_the_cage_and_a_witness_who_did_not_sign_it(desk: Desk) -> None:
    page, serial = desk.filled()

    def void(by: Client, second: str, reason: str = "counted again") -> Any:
        return by.post(page, {"uid": str(uuid4()), "reason": reason} | desk.signatures(second=second))

    cleo = desk.cast.browser("Cleo")
    assert "signed this slip" in says(void(cleo, "Fay"))
    assert "may not sign here" in says(void(cleo, "Chi"))
    assert "Reason" in says(void(cleo, "Gia", "  "))
    assert void(desk.cast.browser("Finn"), "Gia").status_code == 403
    assert recorded("slip-voided") == []
    assert void(cleo, "Gia").status_code == 302
    assert "already void" in says(void(cleo, "Alma"))
    (fact_,) = recorded("slip-voided")
    assert (fact_["slip"], fact_["by"], fact_["second"]) == (serial, "c-102", "g-102")
    assert "<b>VOID.</b>" in cleo.get(page).content.decode()
    uid = page.split("/")[4]
    assert b"(VOID)" in cleo.get(f"/print/aurora/{uid}.pdf").content


def test_a_slip_prints_as_the_same_bytes_each_time(desk: Desk) -> None:
    page, serial = desk.filled()
    uid = page.split("/")[4]
    first, second = (desk.browser.get(f"/print/aurora/{spelled}.pdf") for spelled in (uid, str(uid).upper()))
    assert first["Content-Type"] == "application/pdf"
    assert first["Content-Disposition"] == f'inline; filename="{serial}.pdf"'
    assert first.content == second.content
    assert serial.encode() in first.content
    assert desk.browser.get(f"/print/aurora/{uuid4()}.pdf").status_code == 404
    assert desk.browser.get(f"/print/borealis/{uid}.pdf").status_code == 403


def test_slips_are_printed_only_with_the_right_of_their_room(desk: Desk) -> None:
    day = gaming_day("aurora").isoformat()
    tray = {"chips": {}, "amount": 0, "by": "d-101", "second": "s-201"}
    count = {"box": "7", "shift": "day", "notes": {}, "amount": 0, "team": ["n-101", "n-102"]}
    sent = [
        fact(21, "opener-counted", day=day, **tray),
        fact(22, "drop-counted", day=day, **count),
        fact(23, day=day),
    ]
    sent.append(
        fact(24, "count-verified", day=day, box="7", amount=0, by="c-101")
    )  # there is nothing to print before the recount
    intake.post([line(fact) for fact in sent], Sender("test"))
    page, _ = desk.filled()
    addresses = [
        f"/print/aurora/{uid}.pdf"
        for uid in (sent[0]["uid"], sent[1]["uid"], page.split("/")[4], sent[2]["uid"])
    ]
    for name, answers in {
        "Finn": [200, 403, 200, 404],
        "Nia": [403, 200, 403, 404],
        "Chi": [403, 200, 200, 404],
        "Alma": [200, 200, 200, 404],
        "Igor": [200, 200, 200, 404],
        "Ada": [403] * 4,
        "Eve": [403] * 4,
        "Mia": [403] * 4,
    }.items():
        browser = desk.cast.browser(name)
        assert [browser.get(address).status_code for address in addresses] == answers, name


def test_a_table_whose_day_is_closed_takes_no_slip_and_the_page_says_what_to_do(desk: Desk) -> None:
    page, _ = desk.filled()
    day = gaming_day("aurora").isoformat()
    intake.post([line(fact(40, "day-closed", day=day, by="a-101"))], Sender("test"))
    assert "EOU-01 is not open. Open it on the floor page first." in says(desk.ask(FILL))
    sent = {"uid": str(uuid4()), "reason": "counted again"} | desk.signatures(second="Gia")
    assert "as an adjustment" in says(desk.cast.browser("Cleo").post(page, sent))
    assert "closed for slips" in desk.browser.get("/cage/").content.decode()


def test_before_the_first_table_of_a_day_is_opened_the_cage_works_on_the_day_before(cast: Cast) -> None:
    before = gaming_day("aurora") - timedelta(days=2)
    intake.post([line(fact(1, table="aurora/EOU-01", day=before.isoformat(), **OPENING))], Sender("test"))
    desk = Desk(cast)
    _, serial = desk.filled(before)
    listed = desk.browser.get("/cage/").content.decode()
    assert f"gaming day {before:%-d %b %Y}" in listed
    assert serial in listed
    assert 'id="fill-EOU-01"' in listed
    assert "No table was open" in desk.browser.get(f"/cage/?day={gaming_day('aurora')}").content.decode()


def test_a_pending_slip_is_recorded_on_the_day_of_its_request(
    cast: Cast,
) -> None:
    today = gaming_day("aurora")
    before = today - timedelta(days=1)
    intake.post([line(fact(1, table="aurora/EOU-01", day=before.isoformat(), **OPENING))], Sender("test"))
    desk, first = Desk(cast), dict(list(FILL.items())[:2])
    missing = {role: name for role, name in FILL.items() if role not in first}
    late, later = desk.ask(first)["Location"], desk.ask(first)["Location"]
    intake.post([line(fact(2, table="aurora/EOU-01", day=today.isoformat(), **OPENING))], Sender("test"))
    assert (
        f"gaming day {before:%-d %b %Y} and is recorded on that day"
        in desk.browser.get(late).content.decode()
    )
    signed = desk.sign(late, missing)
    assert (
        f"recorded on the gaming day {before:%-d %b %Y}"
        in desk.browser.get(signed["Location"]).content.decode()
    )
    assert (
        [fact["day"] for fact in recorded("fill-sent", day=before)],
        recorded("fill-sent", day=today),
    ) == (
        [before.isoformat()],
        [],
    )
    intake.post([line(fact(3, "day-closed", day=before.isoformat(), by="a-101"))], Sender("test"))
    refused = desk.sign(later, missing)
    assert (
        refused.status_code,
        "which is closed, and cannot be recorded in a later one. Return its chips" in says(refused),
    ) == (
        400,
        True,
    )
    assert (
        desk.browser.post(
            f"{later}void/", {"reason": "day closed"} | desk.signatures(second="Fay")
        ).status_code
        == 302
    )
    assert (recorded("fill-sent", day=today), len(recorded("slip-voided", day=today))) == ([], 1)


def void_the_missing(desk: Desk) -> None:
    """Void F-10 and F-11, the missing serials in a series of a device. Assert that other serials are
    refused.
    """

    def void(slip: str, second: str = "Gia", table: str = "EOU-01") -> Any:
        sent = {"uid": str(uuid4()), "slip": slip, "table": table, "reason": "spoilt in the printer"}
        return desk.browser.post("/cage/number/aurora/", sent | desk.signatures(second=second))

    for slip, message in (
        ("F-8", "is not missing"),
        ("F-13", "is not missing"),
        ("F-12", "is recorded"),
        ("torn", "is not missing"),
    ):
        assert message in says(void(slip)), slip
    assert "is not open" in says(void("F-10", table="EOU-99"))
    assert "may not sign here" in says(void("F-10", "Cleo"))
    assert desk.cast.browser("Finn").get("/cage/number/aurora/").status_code == 403
    assert void("F-10").status_code == 302
    assert void("F-11").status_code == 302
    assert [(fact["slip"], fact["by"], fact["second"]) for fact in recorded("slip-voided")] == [
        ("F-10", "c-101", "g-102"),
        ("F-11", "c-101", "g-102"),
    ]
    assert missing() == []


def missing() -> list[Any]:
    with suppress(SystemExit):
        call_command("examine")
    return list(missing_slips("aurora"))


def test_a_slip_of_another_system_is_listed_with_its_missing_fields(desk: Desk) -> None:
    day = gaming_day("aurora").isoformat()
    four = {"requested_by": "s-201", "sent_by": "c-101", "carried_by": "g-101", "received_by": "d-101"}
    intake.post(
        [line(fact(50, "fill-sent", day=day, slip="F-9", chips={}, amount=100, **four))], Sender("test")
    )
    listed = desk.browser.get("/cage/").content.decode()
    assert "F-9" in listed
    assert 'wide-only muted">verified by<' in listed
    assert "lack" not in listed, "the fifth signature of another desk is no duty"
    intake.post(
        [line(fact(51, "fill-sent", day=day, slip="F-12", chips={}, amount=100, **four))], Sender("test")
    )
    with pytest.raises(SystemExit):  # exits with an error because it reports findings
        call_command("examine")
    listed = desk.browser.get("/cage/").content.decode()
    assert "Missing numbers: F-10 to 11. " in text(listed)
    assert '<a id="void-F-10" href="/cage/number/aurora/?slip=F-10">F-10 to 11</a>' in markup(listed)
    void_the_missing(desk)
    earlier = desk.browser.get("/cage/?day=2020-01-01").content.decode()
    assert "No table was open on this gaming day" in earlier


def test_a_missing_serial_is_listed_and_voided_with_its_leading_zeros(
    desk: Desk,
) -> None:
    day = gaming_day("aurora").isoformat()
    four = {"requested_by": "s-201", "sent_by": "c-101", "carried_by": "g-101", "received_by": "d-101"}
    for place, slip in ((50, "G-000009"), (51, "G-000013")):
        intake.post(
            [line(fact(place, "fill-sent", day=day, slip=slip, chips={}, amount=100, **four))], Sender("test")
        )
    assert [jump.says() for jump in missing()] == ["G-000010 to 000012"]
    assert (
        'href="/cage/number/aurora/?slip=G-000010">G-000010 to 000012</a>'
        in desk.browser.get("/cage/").content.decode()
    )
    sent = {"uid": str(uuid4()), "slip": "G-10", "table": "EOU-01", "reason": "spoilt"} | desk.signatures(
        second="Gia"
    )
    assert desk.browser.post("/cage/number/aurora/", sent).status_code == 302
    assert [fact["slip"] for fact in recorded("slip-voided")] == ["G-000010"], (
        "the serial of the paper, should it come after all"
    )
    assert [jump.says() for jump in missing()] == ["G-000011 to 000012"]

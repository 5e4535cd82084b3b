"""Tests of the cage: fills and credits with five signatures, voids with two, markers, sold chips, and the
list of pending slips.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from msgspec import json

from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries import cage_facts
from casino.cage.services import slips
from casino.cage.slips import pending
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from tests.audit.floor import OPENING, fact, line
from tests.casino.conftest import Cast
from tests.casino.pages import markup, text
from tests.furnished import furnishing

FILL = {
    "requested_by": "Finn",
    "sent_by": "Chi",
    "carried_by": "Gus",
    "received_by": "Ada",
    "verified_by": "Fay",
}
CREDIT = FILL | {"sent_by": "Ada", "received_by": "Chi"}


class Desk:
    """Sends the forms of the cage as one logged-in user."""

    def __init__(self, cast: Cast, name: str = "Chi") -> None:
        self.cast, self.browser = cast, cast.browser(name)

    def signatures(self, **people: str) -> dict[str, str]:
        """Return the form fields with staff ID and password of each signer."""
        typed = {}
        for field, name in people.items():
            login = self.cast.logins[name]
            typed |= {field: login.id, f"{field}_password": login.password}
        return typed

    def ask(
        self, people: dict[str, str], kind: str = "fill", table: str = "EOU-01", uid: str = "", **typed: str
    ) -> Any:
        sent = (
            {"uid": uid or str(uuid4()), "chips-500": "20", "chips-10000": "3"}
            | self.signatures(**people)
            | typed
        )
        return self.browser.post(f"/cage/ask/aurora/{table}/{kind}/", sent)

    def sign(self, address: str, people: dict[str, str]) -> Any:
        return self.browser.post(address, self.signatures(**people))

    def filled(self, day: date | None = None) -> tuple[str, str]:
        """Record a fill with all signatures. Return the address of its page and its serial."""
        answer = self.ask(FILL)
        assert answer.status_code == 302, answer.content.decode()
        return answer["Location"], recorded("fill-sent", day=day)[-1]["slip"]


def recorded(*kinds: str, day: date | None = None) -> list[dict[str, Any]]:
    """Return the facts of these kinds on the gaming day `day`, or on today if no day is given. They are in
    the order of recording.
    """
    streams = [stream.stream for stream in cage_facts.streams("aurora", day or gaming_day("aurora"))]
    facts = sorted(cage_facts.facts("aurora", streams, kinds), key=lambda fact: fact.position)
    return [json.decode(fact.body) for fact in facts]


def says(answer: Any) -> str:
    """Return the error message on a page whose form was refused."""
    page = markup(answer)
    match = re.search(r'class="refused" role="alert"[^>]*>(.*?)</(?:p|span)>', page, re.S)
    return match[1] if match else page


@furnishing
def floor() -> Cast:
    """Create the demo users and open two tables today."""
    cast, day = Cast(), gaming_day("aurora").isoformat()
    intake.post(
        [line(fact(place, table=f"aurora/EOU-0{place}", day=day, **OPENING)) for place in (1, 2)],
        Sender("test"),
    )
    return cast


@pytest.fixture
def desk(floor: Cast) -> Desk:
    return Desk(floor)


def test_a_fill_is_recorded_and_numbered_with_its_fifth_signature(desk: Desk) -> None:
    page, serial = desk.filled()
    year = gaming_day("aurora").year
    assert serial == f"F-EOU01-{year}-000001"
    (fill,) = recorded("fill-sent")
    assert (fill["chips"], fill["amount"], fill["source"]) == ({"500": 20, "10000": 3}, 40_000, "pages")
    assert {role: fill[role] for role in FILL} == {
        role: desk.cast.logins[name].id for role, name in FILL.items()
    }
    assert list(fill["signed_at"]) == sorted(FILL)
    assert serial in desk.browser.get(page).content.decode()
    assert pending.of_property("aurora") == []


def test_a_slip_waits_for_its_signatures_and_the_list_says_which_are_missing(desk: Desk) -> None:
    answer = desk.ask({"requested_by": "Finn"})
    (waits,) = pending.of_property("aurora")
    assert answer["Location"] == f"/cage/slip/aurora/{waits.uid}/"
    assert recorded("fill-sent") == []
    listed = desk.browser.get("/cage/").content.decode()
    assert "sent by, carried by, received by, verified by" in listed
    assert "1 slip is waiting for signatures." in listed
    for role, name in list(FILL.items())[1:4]:
        assert desk.sign(answer["Location"], {role: name}).status_code == 302
    news = desk.browser.get("/cage/news/").content.decode()
    assert ">verified by<" in news
    stamp = re.search(r'name="stamp" value="(\w+)"', news)
    assert stamp is not None
    assert desk.browser.get(f"/cage/news/?stamp={stamp[1]}").status_code == 204, "nothing is news"
    assert desk.sign(answer["Location"], {"verified_by": "Fay"}).status_code == 302
    assert desk.browser.get(f"/cage/news/?stamp={stamp[1]}").status_code == 200
    assert [fill["uid"] for fill in recorded("fill-sent")] == [str(waits.uid)]
    assert ">pending<" not in desk.browser.get("/cage/").content.decode()


def test_signatures_come_in_the_order_of_the_chips(desk: Desk) -> None:
    assert "after the signature “sent by”" in says(desk.ask({"requested_by": "Finn", "carried_by": "Gus"}))
    assert "a signature is missing" in says(desk.ask({"sent_by": "Chi"}))
    assert pending.of_property("aurora") == []
    page = desk.ask({"requested_by": "Finn"})["Location"]
    refused = desk.sign(page, {"received_by": "Ada"})
    assert (refused.status_code, "Received by: this person signs after" in says(refused)) == (400, True)
    assert "No missing signature was entered" in says(desk.browser.post(page, {}))


def test_the_dealer_sends_a_credit_and_the_cage_receives_it(desk: Desk) -> None:
    assert "may not sign here" in says(desk.ask(FILL, "credit"))
    assert desk.ask(CREDIT, "credit").status_code == 302
    (credit,) = recorded("credit-sent")
    assert (credit["slip"][:7], credit["sent_by"], credit["received_by"]) == ("C-EOU01", "d-101", "c-101")


def test_a_signature_needs_the_signers_password_and_other_fields_stay_typed(desk: Desk) -> None:
    answer = desk.ask(FILL, carried_by_password="guessed")
    page = answer.content.decode()
    assert (answer.status_code, says(answer)) == (400, "Carried by: wrong id or password.")
    assert 'name="chips-500"' in page
    assert re.search(r'name="chips-500"[^>]*value="20"', page)
    assert re.search(r'name="carried_by"[^>]*value="g-101" aria-invalid="true"', page)
    assert desk.cast.logins["Ada"].password not in page
    assert recorded("fill-sent") == []


def test_a_fill_needs_denominations_and_numbers_of_chips(desk: Desk) -> None:
    empty = {"chips-500": "", "chips-10000": ""}
    assert "Enter the pieces" in says(desk.ask(FILL, **empty))
    assert "a whole number" in says(desk.ask(FILL, **{"chips-500": "2.5"}))
    assert "a whole number" in says(desk.ask(FILL, **{"chips-500": "-1"}))
    assert desk.ask(FILL, "loan").status_code == 404
    assert desk.ask(FILL, table="EOU-99").status_code == 404


def test_a_form_sent_twice_is_one_slip(desk: Desk) -> None:
    uid = str(uuid4())
    assert desk.ask(FILL, uid=uid).status_code == 302
    assert "Already recorded" in says(desk.ask(FILL, uid=uid))
    waits = str(uuid4())
    assert desk.ask({"requested_by": "Finn"}, uid=waits).status_code == 302
    assert "already submitted" in says(desk.ask({"requested_by": "Finn"}, uid=waits))
    assert "no longer valid" in says(desk.ask(FILL, uid="x"))
    assert len(recorded("fill-sent")) == 1
    assert len(pending.of_property("aurora")) == 1


def test_a_signature_that_is_sent_twice_leads_to_the_present_slip(desk: Desk) -> None:
    page = desk.ask({role: name for role, name in FILL.items() if role != "verified_by"})["Location"]
    fay, signed = desk.cast.browser("Fay"), desk.signatures(verified_by="Fay")
    assert fay.post(page, signed).status_code == 302
    for answer in (fay.post(page, signed, follow=True), desk.browser.post(page, signed, follow=True)):
        assert answer.status_code == 200
        assert "completely signed and recorded. Your form was not recorded." in answer.content.decode()
    address = desk.ask({"requested_by": "Finn"})["Location"]
    assert desk.browser.post(f"{address}withdraw/").status_code == 302
    for answer in (
        desk.browser.post(f"{address}withdraw/", follow=True),
        desk.browser.post(address, signed, follow=True),
    ):
        assert (answer.status_code, "its request was withdrawn" in answer.content.decode()) == (200, True)


def test_two_simultaneous_last_signatures_record_one_slip(desk: Desk) -> None:
    page = desk.ask(dict(list(FILL.items())[:4]))["Location"]
    uid, chi, fay = UUID(page.split("/")[4]), desk.cast.person("Chi"), desk.cast.person("Fay")

    def sign(_: int) -> str:
        try:
            return slips.sign_slip(chi, "aurora", uid, {"verified_by": fay})
        except ActionRejected as refused:
            return str(refused)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        messages = sorted(pool.map(sign, range(2)))
    assert messages[0].startswith("F-EOU01-")
    assert messages[1] == "This slip is no longer pending. Check the list."
    assert len(recorded("fill-sent")) == 1


def test_two_cashiers_who_send_at_once_get_two_numbers_one_after_another(desk: Desk) -> None:
    people = {role: desk.cast.person(name) for role, name in FILL.items()}

    def send(place: int) -> str:
        try:
            return slips.request_slip(
                people["sent_by"],
                "aurora",
                "EOU-01",
                "fill-sent",
                {"500": 1},
                people,
                uid=str(UUID(int=place)),
            )
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as cashiers:
        serials = sorted(cashiers.map(send, range(1, 13)))
    assert [serial[-6:] for serial in serials] == [f"{number:06d}" for number in range(1, 13)]
    assert [fill["slip"] for fill in recorded("fill-sent")] == serials, (
        "in the order of commit: replay finds no gap"
    )


def test_a_request_can_be_withdrawn_before_chips_leave_and_takes_no_serial(desk: Desk) -> None:
    page = desk.ask({"requested_by": "Finn"})["Location"]
    assert desk.browser.post(f"{page}withdraw/").status_code == 302
    assert desk.browser.get(page).status_code == 404
    page = desk.ask({"requested_by": "Finn", "sent_by": "Chi"})["Location"]
    refused = desk.browser.post(f"{page}withdraw/")
    assert (refused.status_code, "The chips of this slip have been handed out" in says(refused)) == (
        400,
        True,
    )
    assert desk.filled()[1].endswith("-000001")


def test_a_slip_whose_chips_came_back_is_voided_with_its_serial_by_two(desk: Desk) -> None:
    page = desk.ask({"requested_by": "Finn", "sent_by": "Chi", "carried_by": "Gus"})["Location"]
    refused = desk.browser.post(f"{page}void/", {"reason": "wrong table"} | desk.signatures(second="Gus"))
    assert "signed this slip" in says(refused)
    assert 'value="wrong table"' in refused.content.decode()
    assert "Reason: at least one" in says(
        desk.browser.post(f"{page}void/", {"reason": " "} | desk.signatures(second="Fay"))
    )
    assert (
        desk.browser.post(
            f"{page}void/", {"reason": "wrong table"} | desk.signatures(second="Fay")
        ).status_code
        == 302
    )
    (void,) = recorded("slip-voided")
    assert (void["slip"][-6:], void["by"], void["second"], void["reason"]) == (
        "000001",
        "c-101",
        "s-202",
        "wrong table",
    )
    assert void["of"]["signed"] == {"requested_by": "s-201", "sent_by": "c-101", "carried_by": "g-101"}
    assert desk.filled()[1].endswith("-000002")
    assert "void number" in desk.browser.get("/cage/").content.decode().lower()


def test_the_list_has_the_sums_of_the_day_and_the_number_of_pending_slips(desk: Desk) -> None:
    desk.filled()
    desk.ask({"requested_by": "Finn"})
    page = text(desk.browser.get("/cage/"))
    sums = page.partition("Fills, USD")[2].partition("Slip ")[0]
    assert "400.00 1 slip" in sums
    assert "Credits, USD: 0.00 Markers, USD: 0.00 Payments, USD: 0.00 Waiting for signatures: 1" in sums
    assert "Fills, USD" not in text(desk.browser.get("/cage/?kind=fill")), "a filter has totals of its own"

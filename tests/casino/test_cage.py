"""The cage's day: fills and credits on five signatures, voids by two, markers, chips bought, and the list of
what is missing.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import date, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from msgspec import json

from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries import cage_facts
from audit.queries.cage_lists import missing_slips
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
    """The forms of the cage, filled in by whoever is logged in."""

    def __init__(self, cast: Cast, who: str = "Chi") -> None:
        self.cast, self.browser = cast, cast.browser(who)

    def signatures(self, **people: str) -> dict[str, str]:
        """Fields to what these people type: house id and own password."""
        typed = {}
        for field, name in people.items():
            login = self.cast.logins[name]
            typed |= {field: login.id, f"{field}_password": login.password}
        return typed

    def ask(
        self, people: dict[str, str], what: str = "fill", table: str = "EOU-01", uid: str = "", **typed: str
    ) -> Any:
        sent = (
            {"uid": uid or str(uuid4()), "chips-500": "20", "chips-10000": "3"}
            | self.signatures(**people)
            | typed
        )
        return self.browser.post(f"/cage/ask/aurora/{table}/{what}/", sent)

    def sign(self, address: str, people: dict[str, str]) -> Any:
        return self.browser.post(address, self.signatures(**people))

    def filled(self, day: date | None = None) -> tuple[str, str]:
        """A fill with all signatures: its page and its serial."""
        answer = self.ask(FILL)
        assert answer.status_code == 302, answer.content.decode()
        return answer["Location"], recorded("fill-sent", day=day)[-1]["slip"]


def recorded(*kinds: str, day: date | None = None) -> list[dict[str, Any]]:
    """The facts of these kinds of a day's tables, today's where none is named, in the order of recording."""
    streams = [each.stream for each in cage_facts.streams("aurora", day or gaming_day("aurora"))]
    kept = sorted(cage_facts.facts("aurora", streams, kinds), key=lambda one: one.position)
    return [json.decode(one.body) for one in kept]


def says(answer: Any) -> str:
    """Return why a form has come back."""
    page = markup(answer)
    found = re.search(r'class="refused" role="alert"[^>]*>(.*?)</(?:p|span)>', page, re.S)
    return found[1] if found else page


@furnishing
def floor() -> Cast:
    """The cast, and two tables that are open today."""
    cast, day = Cast(), gaming_day("aurora").isoformat()
    intake.post(
        [line(fact(place, table=f"aurora/EOU-0{place}", day=day, **OPENING)) for place in (1, 2)],
        Sender("test"),
    )
    return cast


@pytest.fixture
def desk(floor: Cast) -> Desk:
    return Desk(floor)


def test_a_fill_is_recorded_with_its_fifth_signature_and_numbered_by_the_house(desk: Desk) -> None:
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
    assert "pending" not in desk.browser.get("/cage/").content.decode()


def test_signatures_come_in_the_order_of_the_chips(desk: Desk) -> None:
    assert "after the signature “sent by”" in says(desk.ask({"requested_by": "Finn", "carried_by": "Gus"}))
    assert "a signature is missing" in says(desk.ask({"sent_by": "Chi"}))
    assert pending.of_property("aurora") == []
    page = desk.ask({"requested_by": "Finn"})["Location"]
    refused = desk.sign(page, {"received_by": "Ada"})
    assert (refused.status_code, "Received by: this comes after" in says(refused)) == (400, True)
    assert "None of the missing signatures was provided" in says(desk.browser.post(page, {}))


def test_the_dealer_sends_a_credit_and_the_cage_receives_it(desk: Desk) -> None:
    assert "may not sign here" in says(desk.ask(FILL, "credit"))
    assert desk.ask(CREDIT, "credit").status_code == 302
    (credit,) = recorded("credit-sent")
    assert (credit["slip"][:7], credit["sent_by"], credit["received_by"]) == ("C-EOU01", "d-101", "c-101")


def test_a_signature_needs_the_own_password_and_what_was_typed_stays_but_for_it(desk: Desk) -> None:
    answer = desk.ask(FILL, carried_by_password="guessed")
    page = answer.content.decode()
    assert (answer.status_code, says(answer)) == (400, "Carried by: wrong id or password.")
    assert 'name="chips-500"' in page
    assert re.search(r'name="chips-500"[^>]*value="20"', page)
    assert re.search(r'name="carried_by"[^>]*value="g-101" aria-invalid="true"', page)
    assert desk.cast.logins["Ada"].password not in page
    assert recorded("fill-sent") == []


def test_a_fill_says_of_what_and_how_many(desk: Desk) -> None:
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


def test_a_signature_that_is_sent_twice_leads_to_the_slip_as_it_stands(desk: Desk) -> None:
    page = desk.ask({role: name for role, name in FILL.items() if role != "verified_by"})["Location"]
    fay, signed = desk.cast.browser("Fay"), desk.signatures(verified_by="Fay")
    assert fay.post(page, signed).status_code == 302
    for again in (fay.post(page, signed, follow=True), desk.browser.post(page, signed, follow=True)):
        assert again.status_code == 200
        assert "completely signed and recorded. Nothing was added to it." in again.content.decode()
    asked = desk.ask({"requested_by": "Finn"})["Location"]
    assert desk.browser.post(f"{asked}withdraw/").status_code == 302
    for again in (
        desk.browser.post(f"{asked}withdraw/", follow=True),
        desk.browser.post(asked, signed, follow=True),
    ):
        assert (again.status_code, "its request was withdrawn" in again.content.decode()) == (200, True)


def test_two_who_give_the_last_signature_at_once_record_one_slip(desk: Desk) -> None:
    page = desk.ask(dict(list(FILL.items())[:4]))["Location"]
    uid, chi, fay = UUID(page.split("/")[4]), desk.cast.person("Chi"), desk.cast.person("Fay")

    def sign(_: int) -> str:
        try:
            return slips.sign_slip(chi, "aurora", uid, {"verified_by": fay})
        except ActionRejected as refused:
            return str(refused)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as both:
        told = sorted(both.map(sign, range(2)))
    assert told[0].startswith("F-EOU01-")
    assert told[1] == "This slip is no longer pending. Look at the list."
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


def test_a_request_is_withdrawn_until_chips_are_handed_out_and_takes_no_number(desk: Desk) -> None:
    page = desk.ask({"requested_by": "Finn"})["Location"]
    assert desk.browser.post(f"{page}withdraw/").status_code == 302
    assert desk.browser.get(page).status_code == 404
    page = desk.ask({"requested_by": "Finn", "sent_by": "Chi"})["Location"]
    refused = desk.browser.post(f"{page}withdraw/")
    assert (refused.status_code, "Its chips have been handed out" in says(refused)) == (400, True)
    assert desk.filled()[1].endswith("-000001")


def test_a_slip_whose_chips_came_back_is_void_by_two_and_so_is_its_number(desk: Desk) -> None:
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
    first, again = (desk.browser.get(f"/print/aurora/{uid}.pdf") for _ in range(2))
    assert first["Content-Type"] == "application/pdf"
    assert first["Content-Disposition"] == f'inline; filename="{serial}.pdf"'
    assert first.content == again.content
    assert serial.encode() in first.content
    assert desk.browser.get(f"/print/aurora/{uuid4()}.pdf").status_code == 404
    assert desk.browser.get(f"/print/borealis/{uid}.pdf").status_code == 403


def test_papers_are_printed_by_those_whose_room_they_are_of(desk: Desk) -> None:
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
    )  # before it no count is on paper
    intake.post([line(one) for one in sent], Sender("test"))
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
    assert "is an adjustment" in says(desk.cast.browser("Cleo").post(page, sent))
    assert "takes no slips" in desk.browser.get("/cage/").content.decode()


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


def test_a_slip_under_way_is_recorded_on_the_day_on_which_it_was_asked_for_and_on_no_later_one(
    cast: Cast,
) -> None:
    today = gaming_day("aurora")
    before = today - timedelta(days=1)
    intake.post([line(fact(1, table="aurora/EOU-01", day=before.isoformat(), **OPENING))], Sender("test"))
    desk, first = Desk(cast), dict(list(FILL.items())[:2])
    rest = {role: name for role, name in FILL.items() if role not in first}
    late, later = desk.ask(first)["Location"], desk.ask(first)["Location"]
    intake.post([line(fact(2, table="aurora/EOU-01", day=today.isoformat(), **OPENING))], Sender("test"))
    assert f"gaming day {before:%-d %b %Y} and belongs to that day" in desk.browser.get(late).content.decode()
    signed = desk.sign(late, rest)
    assert (
        f"recorded on the gaming day {before:%-d %b %Y}"
        in desk.browser.get(signed["Location"]).content.decode()
    )
    assert ([one["day"] for one in recorded("fill-sent", day=before)], recorded("fill-sent", day=today)) == (
        [before.isoformat()],
        [],
    )
    intake.post([line(fact(3, "day-closed", day=before.isoformat(), by="a-101"))], Sender("test"))
    refused = desk.sign(later, rest)
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
    """F-10 and F-11 of a device are missing."""

    def void(slip: str, second: str = "Gia", table: str = "EOU-01") -> Any:
        sent = {"uid": str(uuid4()), "slip": slip, "table": table, "reason": "spoilt in the printer"}
        return desk.browser.post("/cage/number/aurora/", sent | desk.signatures(second=second))

    for slip, why in (
        ("F-8", "is not missing"),
        ("F-13", "is not missing"),
        ("F-12", "is recorded"),
        ("torn", "is not missing"),
    ):
        assert why in says(void(slip)), slip
    assert "is not open" in says(void("F-10", table="EOU-99"))
    assert "may not sign here" in says(void("F-10", "Cleo"))
    assert desk.cast.browser("Finn").get("/cage/number/aurora/").status_code == 403
    assert void("F-10").status_code == 302
    assert void("F-11").status_code == 302
    assert [(one["slip"], one["by"], one["second"]) for one in recorded("slip-voided")] == [
        ("F-10", "c-101", "g-102"),
        ("F-11", "c-101", "g-102"),
    ]
    assert missing() == []


def missing() -> list[Any]:
    with suppress(SystemExit):
        call_command("examine")
    return list(missing_slips("aurora"))


def test_a_slip_of_another_desk_stands_in_the_list_with_what_it_lacks(desk: Desk) -> None:
    day = gaming_day("aurora").isoformat()
    four = {"requested_by": "s-201", "sent_by": "c-101", "carried_by": "g-101", "received_by": "d-101"}
    intake.post(
        [line(fact(50, "fill-sent", day=day, slip="F-9", chips={}, amount=100, **four))], Sender("test")
    )
    listed = desk.browser.get("/cage/").content.decode()
    assert "F-9" in listed
    assert 'class="muted">verified by<' in listed
    assert "lack" not in listed, "the fifth signature of another desk is no duty"
    intake.post(
        [line(fact(51, "fill-sent", day=day, slip="F-12", chips={}, amount=100, **four))], Sender("test")
    )
    with pytest.raises(SystemExit):  # it says that something was found
        call_command("examine")
    listed = desk.browser.get("/cage/").content.decode()
    assert "Missing numbers: F-10 to 11. " in text(listed)
    assert '<a id="void-F-10" href="/cage/number/aurora/?slip=F-10">F-10 to 11</a>' in markup(listed)
    void_the_missing(desk)
    earlier = desk.browser.get("/cage/?day=2020-01-01").content.decode()
    assert "No table was open on this gaming day" in earlier


def test_a_number_that_never_came_is_called_and_voided_with_the_leading_zeros_of_its_paper(
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
    assert [one["slip"] for one in recorded("slip-voided")] == ["G-000010"], (
        "the serial of the paper, should it come after all"
    )
    assert [jump.says() for jump in missing()] == ["G-000011 to 000012"]

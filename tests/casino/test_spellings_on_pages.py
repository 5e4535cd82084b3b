"""An identifier may be typed on a page in several ways. It is recorded, and searched for, in the one form
that the ledger accepts.
"""

from __future__ import annotations

from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import call_command

from casino.models import Person
from tests.audit.floor import fact, opened
from tests.casino.conftest import Api, Cast
from tests.casino.test_api import problem
from tests.casino.test_cage import Desk, desk, floor, recorded
from tests.casino.test_count_room import Room, room

__all__ = ["desk", "floor", "room"]


@pytest.mark.parametrize("typed", ["000125 ", " 000125", "\u00a0000125\u200b", "\u202e000125", "000125\r\n"])
def test_a_box_number_is_recorded_in_its_canonical_form(room: Room, typed: str) -> None:
    assert room.pull(typed).status_code == 302
    (pulled,) = room.facts("box-pulled")
    assert pulled["box"] == "000125"
    second = room.pull("000125")
    assert second.status_code == 400, "it is the same box"


def test_a_signer_is_found_in_any_spelling_of_the_id(room: Room) -> None:
    login = room.cast.logins["Gus"]
    odd = {"second": f"\u200b{login.id} ", "second_password": login.password}
    assert (
        room.send("Finn", "/count/pull/", table=f"EOU-01|{room.day}", box="1", shift="", **odd).status_code
        == 302
    )
    (pulled,) = room.facts("box-pulled")
    assert pulled["second"] == login.id
    fields = {
        "second": f"{room.cast.logins['Finn'].id}\ufeff",
        "second_password": room.cast.logins["Finn"].password,
    }
    assert (
        room.send("Finn", "/count/pull/", table=f"EOU-01|{room.day}", box="2", shift="", **fields).status_code
        == 400
    )


def test_spots_and_players_are_recorded_in_their_canonical_form(desk: Desk) -> None:
    dealer = desk.cast.browser("Ada")
    sent = {"uid": str(uuid4()), "spot": "3\u200b ", "amount": "100.00", "tender": "cash"}
    assert dealer.post("/cage/chips/aurora/EOU-01/", sent).status_code == 302
    (bought,) = recorded("chips-bought")
    assert bought["spot"] == "3"


def test_a_user_is_activated_under_the_canonical_id_and_is_found_by_an_earlier_spelling(cast: Cast) -> None:
    out = StringIO()
    call_command("let_in", "Jose\u0301 ", stdout=out)
    assert Person.objects.filter(pk="José").exists()
    Person.objects.create(id="S-1 ")
    call_command("let_in", "S-1 ", "--shut", stdout=out)
    assert not Person.objects.get(pk="S-1 ").is_active


def test_a_device_gets_the_accepted_form_in_the_error(gateway: Api) -> None:
    body = problem(gateway.post(fact(1, spot="3 ", wager="over", amount=500)), 422, "not-one-name")
    assert body["field"] == "spot"
    assert "its accepted form, which is '3'" in body["why"]
    body = problem(gateway.post(opened(1) | {"currency": "usd"}), 422, "not-in-vocabulary")
    assert body["field"] == "currency"
    assert "EUR" in body["why"]
    assert gateway.post(opened(1), fact(2)).status_code == 201

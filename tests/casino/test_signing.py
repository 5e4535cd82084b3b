"""Signatures and amounts on the forms of floor, cage and count room."""

from typing import Any
from uuid import uuid4

import pytest
from axes.models import AccessAttempt
from django.test import RequestFactory

from casino.accounts.signatures import authenticate_signer, collect_signatures
from casino.presentation import amount_input
from casino.presentation.errors import ActionRejected
from casino.web.action_form import PiecesForm
from casino.web.recording import parse_form_uid, record, table_fact
from tests.audit.floor import line, opened
from tests.casino.conftest import Cast

ASKED = {"carried_by": "carry-slip", "received_by": "receive-slip"}


def form(cast: Cast, by: str, **fields: str) -> Any:
    """Return a POST request of a user with these form fields."""
    request = RequestFactory().post("/", fields)
    request.user = cast.person(by)
    return request


def own(cast: Cast, **names: str) -> dict[str, str]:
    """Return form fields in which each named person signs with the right password."""
    return {
        key: value
        for field, name in names.items()
        for key, value in ((field, cast.logins[name].id), (f"{field}_password", cast.logins[name].password))
    }


def test_every_signer_uses_their_own_password(cast: Cast) -> None:
    signers = collect_signatures(
        form(cast, "Finn", **own(cast, carried_by="Gus", received_by="Ada")), "aurora", ASKED
    )
    assert {field: person.id for field, person in signers.items()} == {
        "carried_by": "g-101",
        "received_by": "d-101",
    }


def test_the_logged_in_user_signs_without_a_password_and_others_do_not(cast: Cast) -> None:
    fields = own(cast, carried_by="Gus", received_by="Ada") | {"received_by_password": ""}
    assert collect_signatures(form(cast, "Ada", **fields), "aurora", ASKED)["received_by"].id == "d-101"
    with pytest.raises(ActionRejected, match="wrong id or password"):
        collect_signatures(form(cast, "Finn", **fields), "aurora", ASKED)


@pytest.mark.parametrize(
    ("fields", "field", "says"),
    [
        ({"carried_by": "Gus"}, "received_by", "Received by: a signature is missing"),
        ({"carried_by": "Gus", "received_by": "Gus"}, "received_by", "g-101 has already signed .carried by."),
        ({"carried_by": "Chi", "received_by": "Ada"}, "carried_by", "c-101 may not sign here .carry slip."),
        ({"carried_by": "Eve", "received_by": "Ada"}, "carried_by", "e-101 may not sign here"),
    ],
)
def test_missing_duplicate_and_unentitled_signatures_are_named(
    cast: Cast, fields: Any, field: str, says: str
) -> None:
    with pytest.raises(ActionRejected, match=says) as refused:
        collect_signatures(form(cast, "Finn", **own(cast, **fields)), "aurora", ASKED)
    assert refused.value.field == field


@pytest.mark.parametrize("id", ["g" * 256, "g-101\0", "\0", "é" * 300])
def test_an_impossible_staff_id_is_refused_as_a_signature(cast: Cast, id: str) -> None:
    with pytest.raises(ActionRejected) as refused:
        collect_signatures(
            form(cast, "Finn", **own(cast, carried_by="Gus", received_by="Ada") | {"carried_by": id}),
            "aurora",
            ASKED,
        )
    assert refused.value.field == "carried_by"
    assert authenticate_signer(form(cast, "Finn"), id, "any password") is None


def test_a_form_that_is_sent_twice_is_recorded_once(cast: Cast) -> None:
    from audit.ledger import intake
    from audit.ledger.intake import Sender

    intake.post([line(opened(1))], Sender("test"))
    uid, finn = "00000000-0000-4000-8000-000000000001", cast.person("Finn")
    for place in range(2):
        fact = table_fact(
            "dealer-seated", "aurora", "EOU-01", uid=parse_form_uid(uid), dealer="d-101", supervisor="s-201"
        )
        fact["at"] = f"2026-11-27T12:00:0{place}Z"
        if place == 0:
            assert record(finn, "aurora", [fact])[0].fresh
        else:
            with pytest.raises(ActionRejected, match="Already recorded"):
                record(finn, "aurora", [fact])
    with pytest.raises(ActionRejected, match="no longer valid"):
        parse_form_uid("x")


@pytest.mark.parametrize(
    ("text", "currency", "minor"),
    [
        ("1,250.00", "USD", 125_000),
        ("1,000,000", "USD", 100_000_000),
        ("", "USD", 0),
        ("0.01", "USD", 1),
        ("7.5", "USD", 750),
        ("1.500", "BHD", 1500),
        ("1.5000", "USD", 150),
        ("500", "JPY", 500),
        ("500.0", "JPY", 500),
        ("100,000,000,000", "USD", 10**13),
    ],
)
def test_an_amount_is_read_as_it_is_typed(text: str, currency: str, minor: int) -> None:
    assert amount_input.parse_amount(text, currency, "amount") == minor


@pytest.mark.parametrize(
    "text",
    [
        "-0.01",
        "0.005",
        "1e3",
        "1e999999",
        "NaN",
        "ten",
        "99999999999999",
        "12,50",
        "1,2345",
        "1_000",
        "٣",
        "1,250,00",
        ".",
        "1.",
    ],
)
def test_an_invalid_amount_is_refused_with_its_field(text: str) -> None:
    with pytest.raises(ActionRejected, match=r"an amount such as 125\.00") as refused:
        amount_input.parse_amount(text, "USD", "losses")
    assert refused.value.field == "losses"


@pytest.mark.parametrize(("text", "currency"), [("1.500", "USD"), ("1.000", "JPY"), ("1,250.000", "EUR")])
def test_a_point_before_three_digits_is_refused(text: str, currency: str) -> None:
    with pytest.raises(ActionRejected, match=rf"not “{text}”"):
        amount_input.parse_amount(text, currency, "amount")


def test_pieces_are_whole_numbers_and_an_empty_line_is_skipped(cast: Cast) -> None:
    uid = str(uuid4())
    post = {"chips-10000": "1,200", "chips-500": "", "chips-100": "0", "chips-25": "3", "uid": uid}
    pieces = PiecesForm(post, (10000, 500, 100, 25), "USD").accepted()["pieces"]
    assert (pieces, amount_input.total_value(pieces)) == ({"10000": 1200, "25": 3}, 12_000_075)
    for wrong in ("-1", "1.5", "٣", "1e3", "1,2", "99999999999999"):
        with pytest.raises(ActionRejected, match=r"Pieces of 5\.00: type a whole number") as refused:
            PiecesForm({"chips-500": wrong, "uid": uid}, (500,), "USD").accepted()
        assert refused.value.field == "chips-500"


def test_a_wrong_password_is_counted_and_no_password_of_the_form_is_kept(cast: Cast) -> None:
    fields = own(cast, carried_by="Gus", received_by="Ada") | {
        "received_by_password": "nearly-hers",
        "received_by_code": "123456",
    }
    with pytest.raises(ActionRejected, match="wrong id or password"):
        collect_signatures(form(cast, "Finn", **fields), "aurora", ASKED)
    cast.browser(None).post(
        "/login/?next=/hold/", {"username": "d-101", "password": "nearly-hers", "code": "123456"}
    )
    attempt = AccessAttempt.objects.get(username="d-101")
    assert (attempt.failures_since_start, attempt.get_data.strip("-\n"), attempt.post_data.strip("-\n")) == (
        2,
        "",
        "",
    )
    assert len(form(cast, "Finn", **fields).POST) == len(fields)

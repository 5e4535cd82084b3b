"""Tests of posting facts to the REST API. A post records all its facts or none of them. Every error is a
problem document. A token posts only the facts that its user may record.
"""

import json
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.utils import timezone

from audit.ledger import store
from casino.accounts import services as accounts
from casino.models import Token
from casino.reference.demo_users import GATEWAY
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reference.registers import values_on
from tests.audit.floor import fact, line, opened, uid
from tests.casino.conftest import Api, Cast

HOUSE = "aurora/house"


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """Assert that the answer is a problem document with this status and code, and return it."""
    assert answer["Content-Type"] == "application/problem+json", answer.content[:300]
    body: dict[str, Any] = json.loads(answer.content)
    assert (answer.status_code, body["status"], body["code"]) == (status, status, code), body
    assert body["type"] == f"urn:catwalk:{code}"
    assert body["title"]
    assert body["detail"]
    return body


def facts_of(stream: str = "aurora/EOU-01/2026-11-27") -> int:
    return len(list(store.read_stream("aurora", stream)))


def device(cast: Cast, **value: Any) -> Api:
    """Register the device `shoe-7` of aurora with this entry, and return its API client."""
    set_registers("aurora", [Entry("devices", "shoe-7", value)], by="m-101", second="m-102")
    return Api(accounts.issue_token(made_by="m-101", property="aurora", device="shoe-7"))


def test_facts_are_recorded_and_the_answer_has_their_positions(gateway: Api) -> None:
    answer = gateway.post(opened(1), fact(2))
    assert answer.status_code == 201
    receipts = answer.json()
    assert [(receipt["uid"], receipt["number"], receipt["fresh"]) for receipt in receipts] == [
        (uid(1), 1, True),
        (uid(2), 2, True),
    ]
    position = receipts[0]["position"]
    assert [receipt["position"] for receipt in receipts] == [position, position + 1]
    assert all(len(bytes.fromhex(receipt["hash"])) == 32 for receipt in receipts)


def test_a_leap_second_is_recorded_and_the_answer_says_how(gateway: Api) -> None:
    answer = gateway.post(opened(1), fact(2) | {"at": "2016-12-31T23:59:60.5Z"})
    assert answer.status_code == 201
    first, second = answer.json()
    assert "notes" not in first
    (note,) = second["notes"]
    assert note.startswith(
        "at: 2016-12-31T23:59:60.5Z is a leap second. It is recorded as 2016-12-31T23:59:59."
    )
    second_answer = gateway.post(fact(2) | {"at": "2016-12-31T23:59:60.5Z"})
    assert (second_answer.status_code, second_answer.json()[0]["fresh"]) == (201, False)
    assert gateway.post(fact(3) | {"at": "2016-12-31T23:58:60Z"}).status_code == 422


def test_a_repeated_post_is_recorded_once(gateway: Api) -> None:
    first = gateway.post(opened(1), fact(2)).json()
    second_answer = gateway.post(opened(1), fact(2))
    assert second_answer.status_code == 201
    assert second_answer.json() == [receipt | {"fresh": False} for receipt in first]
    assert facts_of() == 2


def test_an_array_and_lines_are_recorded_alike(gateway: Api) -> None:
    lines = gateway.post(opened(1), fact(2)).json()
    body = b"[" + b" , ".join([line(opened(1)), line(fact(2))]) + b"]"
    array = gateway.send(body, "application/json; charset=utf-8")
    assert array.status_code == 201
    assert [receipt["hash"] for receipt in array.json()] == [receipt["hash"] for receipt in lines]


def test_blank_lines_and_carriage_returns_are_no_facts(gateway: Api) -> None:
    assert gateway.send(b"\r\n" + line(opened(1)) + b"\r\n\r\n" + line(fact(2)) + b"\n").status_code == 201


def test_a_post_is_all_or_none(gateway: Api) -> None:
    body = problem(
        gateway.post(opened(1), fact(2), fact(3, amount=0, spot="1", wager="over")), 422, "out-of-range"
    )
    assert (body["index"], body["uid"], body["field"]) == (2, uid(3), "amount")
    assert body["why"]
    assert facts_of() == 0


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"nothing of the kind", 400, "not-json"),
        (b"[1]", 400, "not-an-object"),
        (line(fact(2)).replace(b"500", b"5.0"), 400, "fraction"),
        (line(fact(2)).replace(b"500", b"5e2"), 400, "fraction"),
        (b'{"uid": "\\ud800"}', 400, "not-text"),
        (b'{"uid": "\xff"}', 400, "not-text"),
        (line(fact(2, kind="sneeze")), 422, "unknown-kind"),
        (line(fact(2)), 409, "not-opened"),
        (line(fact(2, x="y" * 70_000)), 413, "line-too-long"),
        (b"\n \n", 400, "empty"),
        (b"", 400, "empty"),
    ],
)
def test_invalid_facts_are_refused_with_a_problem_document(
    gateway: Api, sent: bytes, status: int, code: str
) -> None:
    problem(gateway.send(sent), status, code)


def test_a_uid_with_another_body_and_a_closed_day_are_conflicts(gateway: Api) -> None:
    assert gateway.post(opened(1), fact(2)).status_code == 201
    body = problem(gateway.post(fact(2, amount=600, spot="1", wager="over")), 409, "uid-reused")
    assert (body["field"], body["uid"]) == ("uid", uid(2))
    assert "It is fact 2 of its stream, position 2" in body["detail"]
    assert gateway.post(fact(3, "day-closed", by="t-101")).status_code == 201
    assert problem(gateway.post(fact(4)), 409, "stream-sealed")["field"] == "day"


def test_a_post_longer_than_the_limit_is_not_read(gateway: Api, settings: Any) -> None:
    settings.POST_BYTES = 2000
    assert problem(gateway.send(b"x" * 2001), 413, "too-large")["limit"] == 2000
    lines = b"\n".join([b"{}"] * 10_001)
    settings.POST_BYTES = 1 << 20
    assert problem(gateway.send(lines), 413, "too-many")["limit"] == 10_000


@pytest.mark.parametrize(
    "form",
    ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "text/html"],
)
def test_other_content_types_are_refused(gateway: Api, form: str) -> None:
    problem(gateway.send(line(opened(1)), form), 415, "unknown-form")


@pytest.mark.parametrize("body", [b"{}", b"[", b"[{]", b"null", b"", b"[" * 5000, b"\xff", b'["\xff"]'])
def test_a_body_that_is_not_an_array_is_refused(gateway: Api, body: bytes) -> None:
    assert gateway.send(body, "application/json").status_code in (400, 422)


def test_a_float_in_an_array_is_refused_and_not_rounded(gateway: Api) -> None:
    body = b"[" + line(opened(1)) + b"," + line(fact(2)).replace(b"500", b"500.0") + b"]"
    assert problem(gateway.send(body, "application/json"), 400, "fraction")["index"] == 1


def test_nobody_posts_and_a_wrong_token_is_refused(cast: Cast) -> None:
    for token in (None, "", "cw_wrong", "é"):
        answer = Api(token).post(opened(1))
        problem(answer, 401, "not-authenticated" if token is None else "authentication-failed")
        assert answer["WWW-Authenticate"].startswith("Bearer")
    assert facts_of() == 0


def test_a_token_ends_when_it_expires_is_revoked_or_loses_its_device(cast: Cast, gateway: Api) -> None:
    for change in ({"expires_at": timezone.now()}, {"revoked_at": timezone.now()}):
        values = Token.objects.values(*change).get()
        Token.objects.update(**change)
        problem(gateway.post(opened(1)), 401, "authentication-failed")
        Token.objects.update(**values)
    set_registers("aurora", [Entry("devices", GATEWAY, None)], by="m-101", second="m-102")
    problem(gateway.post(opened(1)), 401, "authentication-failed")


def test_only_the_hash_of_a_token_and_its_last_use_are_stored(cast: Cast, gateway: Api) -> None:
    secret = cast.logins["gateway"].token
    assert secret is not None
    row = Token.objects.get()
    assert secret not in str(Token.objects.values().get())
    assert row.last_used_at is None
    gateway.post(opened(1))
    row.refresh_from_db()
    assert row.last_used_at is not None
    assert row.expires_at - row.made_at == timedelta(days=accounts.TOKEN_DAYS)


def test_guessing_tokens_is_slowed_down(cast: Cast, gateway: Api, one_minute: None) -> None:
    for _ in range(30):
        problem(Api("cw_guess").get("/api/v1/"), 401, "authentication-failed")
    answer = Api("cw_guess").get("/api/v1/")
    problem(answer, 429, "throttled")
    assert int(answer["Retry-After"]) <= 61


def test_a_wrong_token_does_not_lock_out_valid_tokens_at_its_address(gateway: Api, one_minute: None) -> None:
    answers = [Api("cw_expired").get("/api/v1/").status_code for _ in range(60)]
    assert set(answers) == {401, 429}
    assert Api("cw_another").get("/api/v1/").status_code == 401
    assert gateway.get("/api/v1/").status_code == 200


@pytest.mark.usefixtures("one_minute")
def test_answers_have_the_remaining_rate_limit(gateway: Api, settings: Any) -> None:
    settings.API_RATE = 2
    answers = [gateway.get("/api/v1/") for _ in range(3)]
    assert [answer["RateLimit-Policy"] for answer in answers] == ['"token";q=2;w=60'] * 3
    left = [answer["RateLimit"].split(";") for answer in answers]
    assert [parts[:2] for parts in left] == [['"token"', f"r={number}"] for number in (1, 0, 0)]
    assert all(1 <= int(parts[2].removeprefix("t=")) <= 60 for parts in left)
    assert "RateLimit" not in Api("cw_guess").get("/api/v1/")


def test_a_token_with_too_many_requests_is_throttled(gateway: Api, settings: Any, one_minute: None) -> None:
    settings.API_RATE = 2
    assert [gateway.get("/api/v1/").status_code for _ in range(3)] == [200, 200, 429]


def test_a_token_is_good_for_its_scopes_alone(cast: Cast) -> None:
    reader = Api(
        accounts.issue_token(made_by="m-101", property="aurora", device=GATEWAY, scopes=["read:tables"])
    )
    problem(reader.post(opened(1)), 403, "permission-denied")
    problem(reader.get("/api/v1/tables/aurora/EOU-01"), 404, "not-found")


def test_tokens_with_old_scope_names_keep_their_rights(cast: Cast, house: Any) -> None:
    token = Token.objects.get()
    rename = import_module("casino.migrations.0020_scopes").Migration.operations[0]
    house.owner.execute("UPDATE casino_token SET scopes = %s", [["reports:read", "facts:post"]])
    for statement, stands in (
        (rename.sql, ["read:reports", "post:facts"]),
        (rename.reverse_sql, ["reports:read", "facts:post"]),
    ):
        house.owner.execute(statement)
        token.refresh_from_db()
        assert token.scopes == stands


def test_a_device_posts_only_for_its_property_and_its_tables(cast: Cast) -> None:
    shoe = device(cast, tables=["EOU-01"])
    assert shoe.post(opened(1), fact(2)).status_code == 201
    body = problem(shoe.post(fact(3), opened(4, table="aurora/EOU-02")), 403, "no-right")
    assert (body["index"], body["field"]) == (1, "table")
    problem(shoe.post(opened(5, table="borealis/EOU-01")), 403, "no-right")
    assert facts_of() == 2
    assert [row.name for row in store.streams() if row.property != "aurora"] == []


def test_a_device_names_people_only_if_registered_for_it(cast: Cast) -> None:
    pulled = fact(2, "box-pulled", box="EOU-01-D", shift="day", by="t-101", second="d-1")
    seated = fact(3, "dealer-seated", dealer="d-1", supervisor="t-101")
    shoe = device(cast, tables=["*"])
    assert shoe.post(opened(1), seated).status_code == 201
    assert problem(shoe.post(pulled), 403, "no-right")["field"] == "by"
    assert device(cast, tables=["*"], people=True).post(pulled).status_code == 201


def test_a_device_posts_to_the_property_stream_only_if_registered_and_never_a_verdict(
    cast: Cast, gateway: Api
) -> None:
    written = fact(1, "log-written", HOUSE, about="x", words_sha256="0" * 64, by="v-101")
    verdict = fact(
        2,
        "verdict-given",
        HOUSE,
        finding="x",
        code="late-bet",
        says="x",
        owed=None,
        moved=None,
        verdict="confirmed",
        by="v-101",
    )
    verdict |= {"note_sha256": None, "savings": 0, "losses": 0, "recovered": 0, "video": []}
    examined = fact(3, "reexamined", HOUSE, rules="x", gained=[], lost=[])
    for refused in (written, verdict, examined):
        assert problem(gateway.post(refused), 403, "no-right")["field"] == "kind"
    body = problem(device(cast, tables=["*"], people=True, house=True).post(written), 403, "no-right")
    assert body["why"].endswith("must have `house` true and name the kind in `kinds`.")
    desk = device(cast, tables=["*"], people=True, house=True, kinds=["log-written"])
    assert problem(desk.post(written), 403, "no-right")["field"] == "source"
    written |= {"source": "shoe-7"}
    assert desk.post(written).status_code == 201
    for refused in (verdict, examined):
        problem(desk.post(refused), 403, "no-right")
    problem(desk.post(written | {"uid": uid(4), "by": "t-101"}), 403, "no-right")


def test_a_register_that_a_device_posts_is_in_force_at_once(cast: Cast) -> None:
    desk = device(cast, tables=["*"], people=True, house=True, kinds=["register-set"])
    entry = {
        "register": "pits",
        "key": "pit-9",
        "value": {"title": "Nine"},
        "from": None,
        "by": "m-101",
        "second": "m-102",
    }
    assert desk.post(fact(1, "register-set", HOUSE, source="shoe-7", **entry)).status_code == 201
    assert values_on("aurora", "pits")["pit-9"] == {"title": "Nine"}


def test_a_fact_of_a_person_has_no_counter_and_no_device_as_its_source(cast: Cast, gateway: Api) -> None:
    """Test that a person may not name a sensor as the source of a fact, nor send the sensor's next number.
    Such a fact would hide that a message of the sensor was lost.
    """
    assert gateway.post(opened(1) | {"source": "shoe-3", "n": 1}).status_code == 201
    boris = Api(accounts.issue_token(made_by="m-101", person="t-101"))
    paused = fact(2, "paused", reason="a card", by="t-101")
    for other, field in (({"n": 2}, "n"), ({"source": "shoe-3"}, "source"), ({"source": GATEWAY}, "source")):
        assert problem(boris.post(paused | other), 403, "no-right")["field"] == field
    assert facts_of() == 1
    assert boris.post(paused).status_code == 201


def test_a_person_posts_only_own_facts_that_need_one_signature(cast: Cast) -> None:
    dana = Api(accounts.issue_token(made_by="m-101", person="v-101"))
    flag = fact(
        1, "flagged", HOUSE, of_table="aurora/EOU-01", of_day="2026-11-27", round="r1", why="x", by="v-101"
    )
    assert dana.post(flag).status_code == 201
    assert problem(dana.post(flag | {"uid": uid(2), "by": "v-102"}), 403, "no-right")["field"] == "by"
    assert problem(dana.post(opened(3)), 403, "no-right")["field"] == "kind"
    for person in ("r-101", "i-101", "a-101", "e-101", "t-101"):
        sent = flag | {"uid": uid(4), "by": person}
        problem(Api(accounts.issue_token(made_by="m-101", person=person)).post(sent), 403, "no-right")
    accounts.erase_personal_data("v-101")
    problem(dana.get("/api/v1/"), 401, "authentication-failed")


def test_a_sender_that_lost_its_state_gets_its_last_sequence_number(gateway: Api) -> None:
    gateway.post(
        opened(1) | {"source": "gateway-1", "n": 1},
        fact(2, "round-opened", round="r1", source="gateway-1", n=2),
        fact(3, "round-closed", round="r1", source="shoe-7", n=1),
    )
    assert gateway.get("/api/v1/tables/aurora/EOU-01").json()["n"] == 2
    assert gateway.get("/api/v1/tables/aurora/EOU-01?source=shoe-7").json()["n"] == 1
    assert gateway.get("/api/v1/tables/aurora/EOU-01?source=shoe-8").json()["n"] is None


def test_a_sender_can_read_the_state_of_a_table(gateway: Api) -> None:
    problem(gateway.get("/api/v1/tables/aurora/EOU-01"), 404, "not-found")
    gateway.post(opened(1), fact(2, "round-opened", round="r1"))
    body = gateway.get("/api/v1/tables/aurora/EOU-01").json()
    settings = body.pop("settings")
    assert body == {
        "stream": "aurora/EOU-01/2026-11-27",
        "table": "aurora/EOU-01",
        "day": "2026-11-27",
        "number": 2,
        "sealed": False,
        "n": None,
        "round": "r1",
        "game": "easy_over_under",
        "edition": "2010-02-05",
    }
    assert settings["pay_tables"] == {"spread": "B"}
    gateway.post(fact(3, "round-closed", round="r1"), opened(4, day="2009-11-28"))
    assert gateway.get("/api/v1/tables/aurora/EOU-01").json()["round"] is None
    gateway.post(
        opened(5, table="aurora/OLD", day="2009-11-28"),
        fact(6, "day-closed", "aurora/OLD", "2009-11-28", by="t-101"),
    )
    assert gateway.get("/api/v1/tables/aurora/OLD").json()["sealed"] is True
    problem(gateway.get("/api/v1/tables/borealis/EOU-01"), 403, "no-right")


def test_every_error_under_api_is_a_problem_document(cast: Cast, gateway: Api, settings: Any) -> None:
    for path in (
        "/api",
        "/api/",
        "/api/v1/nothing",
        "/api/v2/facts",
        "/api/v1/tables/aurora",
        "/api/v1/tables/a/b/c",
    ):
        problem(gateway.get(path), 404, "not-found")
        problem(cast.browser("Dana").get(path), 404, "not-found")
    problem(gateway.client.delete("/api/v1/facts", headers=gateway.headers), 405, "method-not-allowed")
    problem(
        gateway.client.delete("/api/v1/tables/aurora/EOU-01", headers=gateway.headers),
        405,
        "method-not-allowed",
    )
    settings.ALLOWED_HOSTS = ["elsewhere.example"]
    problem(gateway.get("/api/v1/"), 400, "bad-request")


def test_a_server_error_reveals_no_details(gateway: Api, house: Any) -> None:
    house.owner.execute("ALTER FUNCTION append_facts RENAME TO gone")
    answer = gateway.post(opened(1))
    assert (
        problem(answer, 500, "our-fault")["detail"]
        == "Something failed in Catwalk. Try again, or tell your administrator."
    )
    assert b"append_facts" not in answer.content

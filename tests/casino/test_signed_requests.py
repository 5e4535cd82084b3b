"""Devices sign their requests (RFC 9421, Ed25519) instead of sending a token. A request is refused if it is
not signed with a registered key, or is signed for another request or time.
"""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.cache import cache
from django.test import Client
from http_message_signatures import HTTPMessageSigner, MappingKeyResolver
from http_message_signatures.algorithms import ED25519

from audit.facts import RegisterSet, decode
from audit.ledger.store import read_kinds
from casino.accounts import services as accounts
from casino.models import UsedNonce
from casino.reference.calendar import gaming_day
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.audit.floor import line, opened
from tests.casino.conftest import Api, Cast
from tests.casino.test_api import problem

DEVICE = "aurora/shoe-7"
COVERED = ("@method", "@authority", "@path", "content-type")
FORM = "application/x-ndjson"
OLD, NEW, STRANGE = (Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2, 3))


def public(*keys: Ed25519PrivateKey) -> list[str]:
    return [b64encode(key.public_key().public_bytes_raw()).decode() for key in keys]


def register(*keys: Ed25519PrivateKey, **value: Any) -> None:
    """Register the device `shoe-7` with these keys. Two people sign the entry."""
    entry = Entry("devices", "shoe-7", {"tables": ["EOU-01"], "keys": public(*keys), **value})
    set_registers("aurora", [entry], by="m-101", second="m-102")


def send(
    body: bytes,
    key: Ed25519PrivateKey = OLD,
    *,
    path: str = "/api/v1/facts",
    device: str = DEVICE,
    covered: tuple[str, ...] = COVERED,
    sent: bytes | None = None,
    to: str | None = None,
    at: datetime | None = None,
    nonce: str | None = "",
) -> Any:
    """Sign a post and send it. For an attack, `sent` replaces the body and `to` the path after the signature
    was made.
    """
    message = SimpleNamespace(
        method="POST", url=f"http://testserver{path}", headers={"Content-Type": FORM, "Host": "testserver"}
    )
    HTTPMessageSigner(
        signature_algorithm=ED25519,
        key_resolver=MappingKeyResolver(public_keys={}, private_keys={device: key}),
    ).sign(
        message,
        key_id=device,
        created=at,
        nonce=uuid4().hex if nonce == "" else nonce,
        covered_component_ids=covered,
        body=body,
    )
    client = Client(raise_request_exception=False)
    return client.post(to or path, body if sent is None else sent, content_type=FORM, headers=message.headers)


def body(place: int = 1) -> bytes:
    return bytes(line(opened(place)))


def recorded() -> int:
    return len(list(read_kinds("aurora", {"table-opened"})))


@pytest.fixture
def shoe(cast: Cast) -> Cast:
    cache.clear()
    register(OLD)
    return cast


def test_a_signed_post_is_recorded_and_says_what_may_be_done(shoe: Cast) -> None:
    answer = send(body())
    assert (answer.status_code, answer.json()[0]["fresh"]) == (201, True), answer.content
    assert recorded() == 1
    second = send(body())  # the same fact in a new request: recorded once, as with a token
    assert (second.status_code, second.json()[0]["fresh"]) == (201, False)


def test_a_signature_for_another_request_or_time_is_refused(shoe: Cast) -> None:
    instant = datetime.now(UTC)
    refused = {
        "another body": send(body(), sent=body(2)),
        "another path": send(body(), path="/api/v1/rounds", to="/api/v1/facts"),
        "no body in it": send(b"", sent=body()),
        "a path that is not covered": send(body(), covered=("@method", "@authority")),
        "a query that is not covered": send(body(), to="/api/v1/facts?x=1"),
        "a strange key": send(body(), STRANGE),
        "an unknown device": send(body(), device="aurora/shoe-8"),
        "a device of another property": send(body(), device="borealis/shoe-7"),
        "no name": send(body(), device="x"),
        "too old": send(body(), at=instant - timedelta(minutes=6)),
        "from the future": send(body(), at=instant + timedelta(minutes=6)),
        "no nonce": send(body(), nonce=None),
        "a nonce too long": send(body(), nonce="n" * 129),
    }
    for case, answer in refused.items():
        problem(answer, 401, "authentication-failed")
        assert "signature" in answer.json()["detail"], case
    assert (recorded(), UsedNonce.objects.count()) == (0, 0)


def test_a_key_that_is_not_in_force_yet_is_refused_with_what_to_check(shoe: Cast) -> None:
    tomorrow = (gaming_day("aurora") + timedelta(days=1)).isoformat()
    without = Entry("devices", "shoe-7", {"tables": ["EOU-01"]})
    later = Entry("devices", "shoe-7", {"tables": ["EOU-01"], "keys": public(OLD)}, begins=tomorrow)
    set_registers("aurora", [without, later], by="m-101", second="m-102")
    strange = send(body(), device="aurora/shoe-8").json()["detail"]
    answer = send(body())
    problem(answer, 401, "authentication-failed")
    assert "first day of the device's entry" in answer.json()["detail"]
    assert answer.json()["detail"] == strange, "the answer does not say whether the device exists"
    register(OLD)
    assert send(body()).status_code == 201


@pytest.mark.parametrize(
    "headers",
    [
        {"Signature": "x=:AA==:"},
        {"Signature-Input": "x=()"},
        {"Signature": "\x80", "Signature-Input": "\x80"},
        {"Signature": "x=:AA==:", "Signature-Input": 'x=("@method");created=1e9;keyid="a/b"'},
        {"Signature": "x=:AA==:", "Signature-Input": 'x=("@method");created=99999999999999;keyid="a/b"'},
    ],
)
def test_headers_that_are_no_signature_are_refused(shoe: Cast, headers: dict[str, str]) -> None:
    answer = Client(raise_request_exception=False).post(
        "/api/v1/facts", body(), content_type=FORM, headers=headers
    )
    problem(answer, 401, "authentication-failed")


def test_a_signed_request_cannot_be_sent_twice(shoe: Cast) -> None:
    assert send(body(), nonce="once").status_code == 201
    second = send(body(), nonce="once")
    problem(second, 401, "authentication-failed")
    assert "nonce was used before" in second.json()["detail"]
    UsedNonce.objects.update(ends_at=datetime.now(UTC) - timedelta(seconds=1))
    assert send(body()).status_code == 201
    assert UsedNonce.objects.count() == 1  # the nonce of the first request has expired and was deleted


def test_replaced_and_withdrawn_keys_leave_earlier_facts_recorded(shoe: Cast) -> None:
    assert send(body(1), OLD).status_code == 201
    register(OLD, NEW)
    for place, key in ((2, OLD), (3, NEW)):
        assert send(body(place), key).status_code == 201
    register(NEW)
    problem(send(body(4), OLD), 401, "authentication-failed")
    assert send(body(4), NEW).status_code == 201
    assert recorded() == 4
    entries = [decode(fact) for *_, fact in read_kinds("aurora", {"register-set"})]
    assert [
        (entry.value or {}).get("keys")
        for entry in entries
        if isinstance(entry, RegisterSet) and entry.register == "devices" and entry.key == "shoe-7"
    ] == [public(OLD), public(OLD, NEW), public(NEW)]


def test_a_device_that_must_sign_has_no_use_for_its_token(shoe: Cast) -> None:
    token = Api(
        accounts.issue_token(
            made_by="m-101", property="aurora", device="shoe-7", scopes=["post:facts", "read:tables"]
        )
    )
    assert token.post(opened(1)).status_code == 201
    register(OLD, signs=True)
    answer = token.post(opened(2))
    problem(answer, 401, "authentication-failed")
    assert "must sign its requests" in answer.json()["detail"]
    assert send(body(2)).status_code == 201


def test_a_signature_gives_no_more_than_the_register_does(shoe: Cast) -> None:
    other = opened(1) | {"table": "aurora/EOU-02"}
    problem(send(bytes(line(other))), 403, "no-right")
    register(OLD, tables=["EOU-02"])
    problem(send(body()), 403, "no-right")

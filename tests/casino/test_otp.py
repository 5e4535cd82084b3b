"""If a user has set up one-time passwords, every login and every signature of the user requires one. Each
password is accepted only once, and wrong guesses lock the user out.
"""

from __future__ import annotations

import re
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.test import Client, RequestFactory
from django.utils import timezone
from django_otp.oath import totp

from casino.accounts import otp
from casino.accounts import services as accounts
from casino.accounts.otp import OtpRejected
from casino.accounts.signatures import collect_signatures
from casino.models import Authenticator, BackupCode
from casino.presentation.errors import ActionRejected
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.audit.floor import fact, opened
from tests.casino.conftest import Api, Cast
from tests.casino.test_api import problem
from tests.casino.test_count_room import Room, room
from tests.furnished import furnishing

__all__ = ["room"]
FIELDS = {"carried_by": "carry-slip", "received_by": "receive-slip"}


def device(id: str, *, confirmed: bool = True) -> Authenticator:
    return Authenticator.objects.get(user=id, confirmed=confirmed)


def code(of: Authenticator | str, steps: int = 0) -> str:
    """Return the code that the user's authenticator shows now, or that it will show after some more steps of
    30 seconds.
    """
    otp_device = device(of) if isinstance(of, str) else of
    return f"{totp(otp_device.bin_key, t0=-30 * steps):06d}"


def fresh(id: str) -> str:
    """Make the database forget used codes and wrong guesses of a user. Return the code that is valid now."""
    Authenticator.objects.filter(user=id).update(
        last_t=-1, drift=0, throttling_failure_count=0, throttling_failure_timestamp=None
    )
    return code(id)


def wrong(id: str) -> str:
    """Return a code that is not valid at present."""
    shown = {code(id, steps) for steps in range(-3, 4)}
    return next(
        text
        for text in ("000000", "111111", "222222", "333333", "444444", "555555", "666666", "777777")
        if text not in shown
    )


def enrol(cast: Cast, *names: str) -> None:
    for name in names:
        person = cast.person(name)
        otp.confirm_enrollment(person, code(otp.begin_enrollment(person)))
        fresh(person.pk)


def demand(cast: Cast, value: Any = True) -> None:
    set_registers(
        "aurora", [Entry("thresholds", otp.THRESHOLD, {"demand": value})], by="m-101", second="m-102"
    )


def log_in(cast: Cast, name: str, **other: str) -> tuple[Client, Any]:
    browser, login = Client(), cast.logins[name]
    return browser, browser.post("/login/", {"username": login.id, "password": login.password, **other})


def sign(cast: Cast, by: str, **codes: str) -> Any:
    """Send a form as the user `by`, with the signatures of Gus, who carries a slip's chips, and Ada, who
    receives them. Return the signatures that were accepted.
    """
    fields = {"carried_by": "Gus", "received_by": "Ada"}
    sent = {field: cast.logins[name].id for field, name in fields.items()}
    sent |= {f"{field}_password": cast.logins[name].password for field, name in fields.items()}
    request = RequestFactory().post("/", sent | {f"{field}_code": text for field, text in codes.items()})
    request.user = cast.person(by)
    return collect_signatures(request, "aurora", FIELDS)


@furnishing
def gus_has_codes() -> Cast:
    cast = Cast()
    enrol(cast, "Gus")
    return cast


def test_one_time_passwords_are_set_up_with_password_and_first_code(cast: Cast) -> None:
    dana, second_browser = (log_in(cast, "Dana")[0] for _ in range(2))
    password = cast.logins["Dana"].password
    assert dana.post("/otp/", {"act": "begin", "password": "x"}).status_code == 400
    assert dana.post("/otp/", {"act": "begin", "password": password}).status_code == 302
    page = dana.get("/otp/").content.decode()
    assert re.search(r'<svg class="qr" viewBox="0 0 \d+ \d+" role="img"', page)
    assert not re.search(r'(?:src|href)="(?:https?:|data:|//)', page), "nothing is fetched from elsewhere"
    assert "style=" not in page
    assert not otp.enrolled(["v-101"]), "a secret that no authenticator has confirmed asks nobody for a code"
    pending = device("v-101", confirmed=False)
    mistyped = dana.post("/otp/", {"act": "confirm", "code": "12345"})
    assert (mistyped.status_code, "check the authenticator" in mistyped.content.decode()) == (400, True)
    codes_page = dana.post("/otp/", {"act": "confirm", "code": f" {code(pending)[:3]} {code(pending)[3:]} "})
    backups = re.findall(r"<code>(\d{4} \d{4} \d{4} \d{4})</code>", codes_page.content.decode())
    assert (codes_page.status_code, len(set(backups))) == (200, otp.BACKUPS)
    assert dana.get("/otp/").content.decode().count(backups[0]) == 0, "shown once"
    assert dana.get("/queue/").status_code == 200
    assert second_browser.get("/queue/").status_code == 302, "a login that gave no code has ended"
    assert dana.post("/otp/", {"act": "confirm", "code": code("v-101")}).status_code == 400


def test_a_new_secret_expires_after_a_quarter_of_an_hour(cast: Cast) -> None:
    dana = cast.browser("Dana")
    dana.post("/otp/", {"act": "begin", "password": cast.logins["Dana"].password})
    Authenticator.objects.update(created_at=timezone.now() - otp.BEGUN)
    page = dana.get("/otp/").content.decode()
    assert ('<svg class="qr"' in page, 'value="begin"' in page) == (False, True)
    assert (
        dana.post("/otp/", {"act": "confirm", "code": code(device("v-101", confirmed=False))}).status_code
        == 400
    )
    assert not otp.enrolled(["v-101"])


def test_a_login_needs_a_code_and_accepts_each_once(gus_has_codes: Cast) -> None:
    cast = gus_has_codes
    _, without = log_in(cast, "Gus")
    assert (without.status_code, "Type a one-time code too" in without.content.decode()) == (200, True)
    shown = code("g-101")
    browser, answer = log_in(cast, "Gus", code=shown)
    assert (answer.status_code, browser.get("/count/pull/").status_code) == (302, 200)
    _, second = log_in(cast, "Gus", code=shown)
    assert (second.status_code, "already used" in second.content.decode()) == (200, True)
    assert log_in(cast, "Gus", code=code("g-101", 1))[1].status_code == 302
    _, answer = log_in(cast, "Boris", code="123456")
    assert answer.status_code == 302, "who has set up none is asked for none"


def test_a_code_with_a_wrong_password_is_refused_and_not_used_up(gus_has_codes: Cast) -> None:
    answer = Client().post("/login/", {"username": "g-101", "password": "x", "code": code("g-101")})
    assert (answer.status_code, "Wrong id or password" in answer.content.decode()) == (200, True)
    assert log_in(gus_has_codes, "Gus", code=code("g-101"))[1].status_code == 302


def test_guessed_codes_are_throttled_and_lock_the_user(gus_has_codes: Cast) -> None:
    cast = gus_has_codes
    bad, good = wrong("g-101"), code("g-101")
    _, answer = log_in(cast, "Gus", code=bad)
    assert "code is wrong" in answer.content.decode()
    _, answer = log_in(cast, "Gus", code=good)
    assert (answer.status_code, "Wait 1 second," in answer.content.decode()) == (200, True), (
        "also from elsewhere, also the right one"
    )
    for _ in range(4):
        Authenticator.objects.update(throttling_failure_timestamp=timezone.now() - timedelta(hours=1))
        _, answer = log_in(cast, "Gus", code=bad)
    assert answer.status_code == 429
    assert device("g-101").throttling_failure_count == 5
    _, answer = log_in(cast, "Gus", code=fresh("g-101"))
    assert answer.status_code == 429, (
        "five wrong codes lock the name at this address, as five wrong passwords do"
    )


def test_codes_have_only_digits(gus_has_codes: Cast) -> None:
    good = code("g-101")
    for text in (
        "".join(chr(ord(digit) - ord("0") + ord("٠")) for digit in good),
        f"{good[:3]}_{good[3:]}",
        f"+{good}",
        f"{good}\0",
        "é" * 500,
    ):
        with pytest.raises(OtpRejected):
            otp.verify_codes({"g-101": text})
        fresh("g-101")
    otp.verify_codes({"g-101": f"{good[:3]}-{good[3:]}"})


def test_a_backup_code_replaces_a_code_once_and_is_stored_as_a_digest(cast: Cast) -> None:
    gus = cast.person("Gus")
    first, second, *_ = otp.confirm_enrollment(gus, code(otp.begin_enrollment(gus)))
    stored = set(BackupCode.objects.values_list("token", flat=True))
    assert len(stored) == otp.BACKUPS
    assert not {first, first.replace(" ", "")} & stored
    assert log_in(cast, "Gus", code=first)[1].status_code == 302
    assert otp.backup_codes_left(gus) == otp.BACKUPS - 1
    _, second_answer = log_in(cast, "Gus", code=first)
    assert "code is wrong" in second_answer.content.decode()
    fresh("g-101")
    assert log_in(cast, "Gus", code=second.replace(" ", "-"))[1].status_code == 302
    with pytest.raises(OtpRejected):
        otp.verify_codes({"a-101": second} | {"g-101": second})


def test_a_signature_needs_the_code_of_a_user_who_has_set_one_up(gus_has_codes: Cast) -> None:
    cast = gus_has_codes
    with pytest.raises(ActionRejected, match="Carried by: Type a one-time code too") as refused:
        sign(cast, "Finn")
    assert refused.value.field == "carried_by"
    shown = code("g-101")
    assert sign(cast, "Finn", carried_by=shown)["carried_by"].pk == "g-101"
    with pytest.raises(ActionRejected, match="Carried by: This one-time code was already used"):
        sign(cast, "Finn", carried_by=shown)
    assert sign(cast, "Gus")["carried_by"].pk == "g-101", "who is logged in gave his code there"


def test_no_code_is_used_up_by_a_form_with_another_error(cast: Cast) -> None:
    enrol(cast, "Gus", "Ada")
    good = {"carried_by": code("g-101"), "received_by": code("d-101")}
    with pytest.raises(ActionRejected, match="Carried by: The one-time code is wrong"):
        sign(cast, "Finn", **good | {"carried_by": wrong("g-101")})
    assert (device("g-101").throttling_failure_count, device("d-101").last_t) == (1, -1)
    Authenticator.objects.update(throttling_failure_timestamp=timezone.now() - timedelta(hours=1))
    assert set(sign(cast, "Finn", **good)) == set(good)
    assert device("g-101").throttling_failure_count == 0


def test_of_two_simultaneous_uses_of_a_code_one_is_refused(gus_has_codes: Cast) -> None:
    outcomes: list[str] = []
    shown, ready = code("g-101"), threading.Barrier(4)

    def send() -> None:
        ready.wait()
        try:
            otp.verify_codes({"g-101": shown})
            outcomes.append("taken")
        except OtpRejected as refused:
            outcomes.append(str(refused)[:30])
        finally:
            connections.close_all()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["This one-time code was already"] * 3 + ["taken"]


def test_forms_of_the_floor_ask_for_codes_once_a_user_has_them(room: Room) -> None:
    pull = {"table": f"EOU-01|{room.day}", "box": "EOU-01-D", "shift": ""}
    finn = room.cast.browser("Finn")
    assert "second_code" not in finn.get("/count/pull/").content.decode()
    enrol(room.cast, "Gus")
    assert 'name="second_code"' in finn.get("/count/pull/").content.decode()
    answer = room.send("Finn", "/count/pull/", **pull, **room.signs(second="Gus"))
    page = answer.content.decode()
    assert (
        answer.status_code,
        "Type a one-time code too" in page,
        room.cast.logins["Gus"].password in page,
    ) == (400, True, False)
    assert (
        room.send(
            "Finn", "/count/pull/", **pull, **room.signs(second="Gus"), second_code=code("g-101")
        ).status_code
        == 302
    )


def test_if_codes_are_required_users_without_them_can_only_read(cast: Cast) -> None:
    demand(cast)
    with pytest.raises(ActionRejected, match="g-101 has no one-time password yet, and aurora requires one"):
        sign(cast, "Finn")
    boris = cast.browser("Boris")
    assert boris.get("/floor/").status_code == 200
    assert "requires one-time passwords" in boris.get("/tokens/").content.decode()
    for address in ("/floor/change/", "/tokens/", "/verdict/", "/nowhere/"):
        answer = boris.post(address, {"label": "x"})
        assert (answer.status_code, "Set up your one-time password first" in answer.content.decode()) == (
            403,
            True,
        ), address
    part = boris.post("/verdict/", {}, headers={"HX-Request": "true"})
    assert (part.status_code, part["HX-Redirect"]) == (403, "/otp/")
    assert boris.post("/otp/", {"act": "begin", "password": cast.logins["Boris"].password}).status_code == 302
    codes_page = boris.post("/otp/", {"act": "confirm", "code": code(device("t-101", confirmed=False))})
    assert codes_page.status_code == 200
    assert boris.post("/tokens/", {}).status_code == 400
    assert boris.post("/logout/").status_code == 302
    demand(cast, value=False)
    assert sign(cast, "Finn")


def test_if_codes_are_required_tokens_of_users_without_them_can_only_read(cast: Cast) -> None:
    dana, gateway = (
        Api(accounts.issue_token(made_by="m-101", person="v-101")),
        Api(cast.logins["gateway"].token),
    )
    flag = fact(
        9,
        "flagged",
        "aurora/house",
        of_table="aurora/EOU-01",
        of_day="2026-11-27",
        round="r1",
        why="x",
        by="v-101",
    )
    demand(cast)
    assert "aurora requires one-time passwords" in problem(dana.post(flag), 403, "codes-first")["detail"]
    assert (
        dana.client.post(
            "/api/v1/exports", {}, content_type="application/json", headers=dana.headers
        ).status_code
        == 403
    )
    assert dana.get("/api/v1/facts").status_code == 200
    assert gateway.post(opened(1)).status_code == 201, "a device has no codes"
    enrol(cast, "Dana")
    assert dana.post(flag).status_code == 201

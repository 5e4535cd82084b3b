"""A person who has left is locked out from the next request on: all logins and tokens of that person end, on
every machine.
"""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from casino.accounts import services as accounts
from casino.models import Token
from casino.reference import projection
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reference.registers import find_departed, gaming_day
from tests.casino.conftest import Api, Cast
from tests.casino.test_api import problem
from tests.conftest import House


def login(cast: Cast, name: str, password: str = "") -> Client:
    """Return a browser in which the person has signed in with the login form."""
    browser = Client()
    answer = browser.post(
        "/login/", {"username": cast.logins[name].id, "password": password or cast.logins[name].password}
    )
    assert answer.status_code == 302, answer.content.decode()
    return browser


def enter(*entries: Entry) -> None:
    set_registers("aurora", list(entries), by="m-101", second="m-102")


def strike(id: str, begins: str | None = None) -> None:
    """Remove a person from the register of people, from the gaming day `begins` or from today."""
    enter(Entry("people", id, None, begins))


def is_out(browser: Client, door: Api | None = None) -> bool:
    answer = browser.get("/help/")
    assert answer.status_code in (200, 302)
    if door is not None:
        assert (door.get("/api/v1/").status_code == 401) == (answer.status_code == 302)
    return answer.status_code == 302


@pytest.fixture
def dana(cast: Cast) -> tuple[Client, Client, Api]:
    """Log Dana in on two machines and issue a token for her. Return both browsers and the API client with the
    token.
    """
    return (
        login(cast, "Dana"),
        login(cast, "Dana"),
        Api(accounts.issue_token(made_by="v-101", person="v-101")),
    )


def test_a_person_removed_from_the_register_is_locked_out_everywhere(
    cast: Cast, dana: tuple[Client, Client, Api]
) -> None:
    first, two, door = dana
    assert not is_out(first, door)
    strike("v-101")
    assert is_out(first, door)
    assert is_out(two, door)
    assert Token.objects.get(person="v-101").state() == "revoked"
    answer = Client().post("/login/", {"username": "v-101", "password": cast.logins["Dana"].password})
    assert (answer.status_code, "has no role any more" in answer.content.decode()) == (200, True)
    assert not is_out(login(cast, "Dora"))


def test_a_person_who_leaves_later_is_locked_out_from_that_day(
    cast: Cast, dana: tuple[Client, Client, Api]
) -> None:
    first, two, door = dana
    today = gaming_day("aurora")
    strike("v-101", (today + timedelta(days=1)).isoformat())
    assert not is_out(first, door)
    enter(Entry("people", "v-101", {"role": "surveillance"}, None, today.isoformat()))
    strike("v-101", today.isoformat())  # as if that day had come
    assert is_out(first, door)
    assert is_out(two, door)


def test_the_last_day_of_an_entry_ends_logins_and_tokens_by_itself(cast: Cast, house: House) -> None:
    """Record that an entry ends tomorrow. Then change its end in the database to today, as if a day had
    passed.
    """
    first, door = login(cast, "Dana"), Api(accounts.issue_token(made_by="v-101", person="v-101"))
    today = gaming_day("aurora")
    strike("v-101", (today + timedelta(days=1)).isoformat())
    house.owner.execute("UPDATE casino_standing SET ends = %s WHERE key = 'v-101'", [today])
    problem(door.get("/api/v1/"), 401, "authentication-failed")
    assert is_out(first, door)
    assert Token.objects.get(person="v-101").state() == "revoked", "ending the login ended the token too"


def test_a_person_who_returns_has_no_earlier_tokens(cast: Cast, dana: tuple[Client, Client, Api]) -> None:
    first, _, door = dana
    strike("v-101")
    enter(Entry("people", "v-101", {"role": "surveillance"}))
    assert is_out(first, door)
    assert not is_out(login(cast, "Dana"))
    assert door.get("/api/v1/").status_code == 401


def test_a_person_who_left_and_returned_between_requests_has_no_token(cast: Cast, house: House) -> None:
    door = Api(accounts.issue_token(made_by="v-101", person="v-101"))
    house.owner.execute("UPDATE casino_standing SET ends = %s WHERE key = 'v-101'", [gaming_day("aurora")])
    enter(Entry("people", "v-101", {"role": "surveillance"}, gaming_day("aurora").isoformat()))
    problem(door.get("/api/v1/"), 401, "authentication-failed")


def test_changing_role_or_property_ends_no_login(cast: Cast, dana: tuple[Client, Client, Api]) -> None:
    first, _, door = dana
    enter(Entry("people", "v-101", {"role": "cage"}))
    assert not is_out(first, door)
    set_registers("borealis", [Entry("people", "v-101", {"role": "cage"})], by="m-101", second="m-102")
    strike("v-101")
    assert not is_out(first, door)
    assert find_departed(["v-101", "e-101", "nobody", "d-101"]) == set(), (
        "Eve was never named, Ada works here"
    )
    assert not is_out(login(cast, "Eve")), "who never had a role is told so"


def test_syncing_the_registers_again_ends_no_session_of_those_who_work_here(
    cast: Cast, dana: tuple[Client, Client, Api]
) -> None:
    first, _, door = dana
    set_registers(
        "borealis",
        [Entry("people", "v-101", {"role": "cage"}), Entry("people", "v-101", None)],
        by="m-1",
        second="m-2",
    )
    projection.rebuild()
    assert not is_out(first, door)


def test_a_user_who_is_deactivated_by_command_is_out_everywhere_at_once(
    cast: Cast, dana: tuple[Client, Client, Api]
) -> None:
    first, two, door = dana
    call_command("let_in", "v-101", "--shut", stdout=StringIO())
    assert is_out(first, door)
    assert is_out(two, door)
    answer = Client().post("/login/", {"username": "v-101", "password": cast.logins["Dana"].password})
    assert answer.status_code == 200
    accounts.activate_user("v-101", "Dana", "a new long password")
    assert is_out(first), "a login of before does not come back"
    assert not is_out(login(cast, "Dana", "a new long password"))
    assert door.get("/api/v1/").status_code == 401
    with pytest.raises(CommandError, match="No user v-999"):
        call_command("let_in", "v-999", "--shut")


def test_a_changed_password_ends_every_other_login(cast: Cast, dana: tuple[Client, Client, Api]) -> None:
    first, two, door = dana
    new = "seven tables and a shoe"
    sent = {"old_password": cast.logins["Dana"].password, "new_password1": new, "new_password2": new}
    assert first.post("/password/", sent).status_code == 302
    assert two.get("/help/").status_code == 302
    assert first.get("/help/").status_code == 200
    assert door.get("/api/v1/").status_code == 200, "a token is no login: it is revoked on its own page"


def test_wrong_current_passwords_lock_the_form_on_an_open_screen(
    cast: Cast, dana: tuple[Client, Client, Api]
) -> None:
    first, _, _ = dana
    new = "seven tables and a shoe"
    guesses = [{"old_password": f"guess {n}", "new_password1": new, "new_password2": new} for n in range(5)]
    assert [first.post("/password/", guess).status_code for guess in guesses] == [200, 200, 200, 200, 429]
    right = guesses[0] | {"old_password": cast.logins["Dana"].password}
    assert first.post("/password/", right).status_code == 429
    assert cast.person("Dana").check_password(cast.logins["Dana"].password)


def test_a_user_ends_logins_on_other_machines(cast: Cast, dana: tuple[Client, Client, Api]) -> None:
    first, two, door = dana
    answer = first.post("/otp/", {"act": "out"}, follow=True)
    assert "All your other sessions have ended" in answer.content.decode()
    assert two.get("/help/").status_code == 302
    assert first.get("/help/").status_code == 200
    assert door.get("/api/v1/").status_code == 200
    assert not is_out(login(cast, "Dora"))


def test_an_erased_user_cannot_sign_in(cast: Cast, dana: tuple[Client, Client, Api]) -> None:
    first, two, door = dana
    accounts.erase_personal_data("v-101")
    assert is_out(first, door)
    assert is_out(two, door)

"""Changes to one-time passwords: a user moves to another device, gets new backup codes or turns them off, and
an administrator resets them for a user.
"""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from casino.accounts import otp
from casino.models import Authenticator, BackupCode
from tests.casino.conftest import Cast
from tests.casino.test_otp import code, demand, device, fresh, gus_has_codes, log_in, wrong

__all__ = ["gus_has_codes"]


def test_a_user_moves_renews_and_turns_off_codes_with_a_code(
    gus_has_codes: Cast,
) -> None:
    cast = gus_has_codes
    gus, password = cast.browser("Gus"), cast.logins["Gus"].password

    def send(act: str, typed: str) -> Any:
        return gus.post("/otp/", {"act": act, "password": password, "code": typed})

    for act in ("begin", "renew", "stop"):
        assert send(act, "").status_code == 400
    before = device("g-101").key
    assert send("begin", fresh("g-101")).status_code == 302
    assert send("confirm", code(device("g-101", confirmed=False))).status_code == 200
    assert device("g-101").key != before
    renewed = re.findall(
        r"<code>(\d{4} \d{4} \d{4} \d{4})</code>", send("renew", fresh("g-101")).content.decode()
    )
    assert len(renewed) == BackupCode.objects.count() == otp.BACKUPS
    demand(cast)
    refused = send("stop", fresh("g-101"))
    assert refused.status_code == 400
    assert "aurora requires one-time passwords" in refused.content.decode()
    demand(cast, value=False)
    assert send("stop", renewed[0]).status_code == 302
    assert not otp.enrolled(["g-101"])
    assert send("fly", "").status_code == 400
    assert log_in(cast, "Gus")[1].status_code == 302


def test_the_admin_shows_which_users_have_set_up_codes(gus_has_codes: Cast) -> None:
    people_list = gus_has_codes.browser("Mia").get("/admin/casino/person/").content.decode()
    rows = dict(re.findall(r'/person/([a-z]-\d+)/change/.*?field-codes">([a-z ]+)<', people_list, re.DOTALL))
    assert {id for id, codes in rows.items() if codes == "set up"} == {"g-101"}
    assert rows["d-101"] == "not set up"
    assert {"d-101", "v-101"} <= rows.keys()
    page = gus_has_codes.browser("Igor").get("/admin/casino/person/g-101/change/")
    assert (page.status_code, '"readonly">set up<' in page.content.decode()) == (200, True)


def test_a_new_password_needs_a_code_that_a_mistake_does_not_use_up(gus_has_codes: Cast) -> None:
    gus, new = gus_has_codes.browser("Gus"), "a drop box on each table"
    form = {
        "old_password": gus_has_codes.logins["Gus"].password,
        "new_password1": new,
        "new_password2": new,
        "code": code("g-101"),
    }
    assert 'name="code"' in gus.get("/password/").content.decode()
    assert 'name="code"' not in gus_has_codes.browser("Finn").get("/password/").content.decode()
    for mistake in ({"code": ""}, {"code": wrong("g-101")}, {"old_password": "x"}, {"new_password2": "y"}):
        assert gus.post("/password/", form | mistake).status_code == 200, mistake
        Authenticator.objects.update(throttling_failure_count=0)
    assert gus.post("/password/", form).status_code == 302
    assert gus.get("/help/").status_code == 200
    assert gus_has_codes.browser("Mia").get("/admin/password_change/")["Location"] == "/password/"


@pytest.mark.parametrize("name", ["Eve", None])
def test_a_user_without_a_role_has_no_page_for_codes(cast: Cast, name: str | None) -> None:
    for answer in (
        cast.browser(name).get("/otp/"),
        cast.browser(name).post("/otp/", {"act": "begin", "password": "x"}),
    ):
        assert answer.status_code == (302 if name is None else 403)


def test_lost_codes_are_removed_by_command_and_all_logins_end(gus_has_codes: Cast) -> None:
    gus = gus_has_codes.browser("Gus")
    call_command("let_in", "g-101", "--codes-off", stdout=StringIO())
    assert gus.get("/otp/").status_code == 302
    assert log_in(gus_has_codes, "Gus")[1].status_code == 302
    with pytest.raises(CommandError, match="g-101 has not set up one-time passwords"):
        call_command("let_in", "g-101", "--codes-off")

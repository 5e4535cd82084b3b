"""The rights of every role, tested on every page and every endpoint, and also without a login. Eve, who has
no role, sees nothing.
"""

import re
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from audit.ledger import intake
from audit.ledger.intake import Sender
from casino.accounts import permissions
from casino.accounts import services as accounts
from casino.accounts.permissions import ACTS, RIGHTS, can, properties
from casino.models import Person, Standing
from casino.reference import projection, registers
from casino.reference.demo_users import DEMO_USERS
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.audit.floor import line, opened
from tests.casino.conftest import ROLES, Api, Cast
from tests.casino.test_pages import ANSWERS
from tests.conftest import House
from tests.counts import LONG
from tests.furnished import furnishing
from tests.manage import Manage

EVERYBODY = (*ROLES, None)
STAFF = {"Dana", "Dora", "Alma", "Igor", "Rhea", "Mia"}
AUDITORS = {"Igor", "Rhea"}
ANYBODY = set(ROLES)
SIGNERS = {"Ada", "Finn", "Chi", "Gus", "Nia"}
FLOOR = {"Dana", "Dora", "Boris", "Alma", "Finn", *AUDITORS}
PAGES: dict[str, set[str]] = {
    # each page requires the rights of its capability, and its own tests check what it shows
    "/": (
        ANYBODY - {"Eve", *SIGNERS} | {"Finn", "Chi", "Gus", "Nia"}
    ),  # redirects to the first page that the user may see
    "/home/": ANYBODY - {"Eve", "Ada", "Gus"},
    "/help/": ANYBODY,
    "/cases/": {"Dana", "Dora", *AUDITORS},
    "/cases/new/": {"Dana", "Dora"},
    "/queue/": {"Dana", "Dora", "Boris", *AUDITORS},
    "/find/": ANYBODY,
    "/boards/": {"Dana", "Dora", "Boris", *AUDITORS},  # redirects to the first board
    "/wall/": FLOOR,
    "/wall/news/": FLOOR,
    "/hands/": {"Dana", "Dora", "Boris", *AUDITORS},
    "/hands/complete/": {"Dana", "Dora", "Boris", *AUDITORS},
    "/log/": {"Dana", "Dora", *AUDITORS},
    "/log/cameras/": {"Dana", "Dora", *AUDITORS},
    "/log/large-wins/": {"Dana", "Dora", *AUDITORS},
    "/log/write/": {"Dana", "Dora"},
    "/log/hand-over/": {"Dana", "Dora"},
    "/video/": {"Dana", "Dora", *AUDITORS},
    "/hold/": {"Dana", "Dora", "Boris", "Alma", *AUDITORS},
    "/hold/review/": {"Dana", "Dora", "Boris", "Alma", *AUDITORS},
    "/hold/where/": {"Dana", "Dora", "Boris", "Alma", *AUDITORS},
    "/cage/": {"Dana", "Dora", "Boris", "Alma", "Finn", "Chi", *AUDITORS},
    "/cage/news/": {"Dana", "Dora", "Boris", "Alma", "Finn", "Chi", *AUDITORS},
    "/cage/markers/": {"Dana", "Dora", "Boris", "Alma", "Finn", "Chi", *AUDITORS},
    "/cage/deposits/": {"Dana", "Dora", "Boris", "Alma", "Finn", "Chi", *AUDITORS},
    "/count/": {"Dana", "Dora", "Alma", "Chi", "Nia", *AUDITORS},
    "/count/pull/": {"Finn", "Gus"},
    "/closing/": {"Dana", "Dora", "Boris", "Alma", *AUDITORS},
    "/closing/adjust/": {"Alma"},
    "/journal/": {"Dana", "Dora", "Boris", "Alma", *AUDITORS},
    "/journal/accounts/": {"Dana", "Dora", "Boris", "Alma", *AUDITORS},
    "/certificate/": {"Dana", "Dora", "Boris", "Alma", *AUDITORS},
    "/reports/": {"Dana", "Dora", "Boris", "Alma", *AUDITORS},
    "/exports/": {"Dana", "Dora", "Boris", "Alma", *AUDITORS},
    "/exports/verify_export.py": {"Dana", "Dora", "Boris", "Alma", *AUDITORS},
    "/exports/verify_proof.py": {"Dana", "Dora", "Boris", "Alma", *AUDITORS},
    "/floor/": FLOOR,
    "/floor/news/": FLOOR,
    "/floor/change/": {"Boris", "Finn"},
    "/alerts/": {"Dana", "Dora", "Mia", *AUDITORS},
    "/alerts/news/": {"Dana", "Dora", "Mia", *AUDITORS},
    "/alerts/mine/": {"Dana", "Dora", "Mia", *AUDITORS},
    "/alerts/rules/": {"Dana", "Dora", "Mia", *AUDITORS},
    "/alerts/webhooks/": {"Dana", "Dora", "Mia", *AUDITORS},
    "/alerts/deliveries/": {"Dana", "Dora", "Mia", *AUDITORS},
    "/views/": AUDITORS,
    "/otp/": ANYBODY - {"Eve"},
    "/tokens/": {"Dana", "Dora", "Boris", "Alma", "Mia", *AUDITORS},
    "/tokens/all/": {"Mia"},
    "/password/": ANYBODY,
    "/admin/": STAFF,
    "/admin/audit/fact/": {"Dana", "Dora", "Alma", *AUDITORS},
    "/admin/audit/job/": {"Mia", *AUDITORS},
    "/admin/casino/finding/": {"Dana", "Dora", *AUDITORS},
    "/admin/casino/tally/": {"Dana", "Dora", "Alma", *AUDITORS},
    **{
        f"/admin/casino/{model}/": STAFF
        for model in ("entry", "pit", "table", "camera", "approval", "device", "member", "property")
    },
    "/admin/casino/person/": {"Mia", *AUDITORS},
    "/admin/casino/token/": {"Mia"},
    "/admin/casino/schedule/": {"Alma", "Mia", *AUDITORS},
    "/admin/casino/asking/": {"Alma", "Mia", *AUDITORS},
    "/admin/casino/entry/set/": {"Mia"},
}
"""The people who may open each page. The page is refused to everybody else."""
ELSEWHERE_TOO = {page: names for page, names in ANSWERS.values() if page in PAGES}
"""The people who may open each page, according to test_pages.py."""
LEADS_ON = {"/", "/boards/"}
"""Pages that redirect to another one."""
OPEN = {"/login/"}
ELSEWHERE = re.compile(
    r"^/(logout|api|queue/(more|news|stream|chosen|assign|snooze)|hand|hands/add|hands/views|fact|verdict|correct|flag|jump|admin|floor"
    r"|openid|log/accept|cases/add|evidence|video/(hold|secure|release|export|open|play))/"
)
"""Addresses that need more than a GET, or an existing object. Other modules test them."""


@furnishing
def opened_table() -> Cast:
    cast = Cast()
    intake.post([line(opened(1))], Sender("test"))
    return cast


@pytest.mark.parametrize("name", EVERYBODY)
def test_a_page_opens_only_for_the_users_of_the_table(opened_table: Cast, name: str | None) -> None:
    """Test every page of PAGES as every role. A page that test_pages.py requests as every role too is
    requested here as one role only, except in `make long`.
    """
    browser = opened_table.browser(name)
    for place, (page, allowed) in enumerate(PAGES.items()):
        if not LONG and name and page in ELSEWHERE_TOO and name != sorted(allowed)[place % len(allowed)]:
            continue
        answer = browser.get(page)
        if name is None:
            assert answer.status_code == 302, page
            assert answer["Location"].endswith(f"/login/?next={page}"), page
        elif name in allowed:
            assert answer.status_code == 200 or (page in LEADS_ON and answer.status_code == 302), (
                name,
                page,
                answer.status_code,
            )
        else:
            assert answer.status_code == 403, (name, page, answer.status_code)


def test_the_tables_of_rights_agree() -> None:
    for page in ELSEWHERE_TOO:
        assert PAGES[page] - {"Dora"} == ELSEWHERE_TOO[page], page
        assert ("Dora" in PAGES[page]) == ("Dana" in PAGES[page]), page


def test_every_page_without_an_argument_is_in_the_table() -> None:
    paths = {path for path in _paths(get_resolver().url_patterns) if "<" not in path and "(" not in path}
    missing = {path for path in paths if not ELSEWHERE.match(path)} - set(PAGES) - OPEN
    assert not missing, f"{', '.join(sorted(missing))}: say in PAGES who may open it."


def _paths(patterns: Any, before: str = "/") -> list[str]:
    paths = []
    for pattern in patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            paths += _paths(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern):
            paths.append(path)
    return paths


@pytest.mark.parametrize("name", EVERYBODY)
def test_the_api_does_not_accept_a_browser_session(opened_table: Cast, name: str | None) -> None:
    browser = opened_table.browser(name)
    assert browser.get("/api/v1/").status_code == 401
    assert browser.get("/api/v1/tables/aurora/EOU-01").status_code == 401
    assert (
        browser.post("/api/v1/facts", line(opened(2)), content_type="application/x-ndjson").status_code == 401
    )


@pytest.mark.parametrize("name", ROLES)
def test_a_token_gives_no_right_that_the_role_lacks(opened_table: Cast, name: str) -> None:
    door = Api(accounts.issue_token(made_by="m-101", person=ROLES[name]))
    assert door.get("/api/v1/").status_code == 200
    assert door.get("/api/v1/tables/aurora/EOU-01").status_code == (
        403 if name in {"Mia", "Eve", *SIGNERS} else 200
    )
    assert door.get("/api/v1/tables/borealis/EOU-01").status_code == 403
    assert door.post(opened(2)).status_code == 403, "play is told by devices"


def test_the_table_of_rights_keeps_duties_apart() -> None:
    assert RIGHTS["regulator"] == RIGHTS["internal-audit"] == permissions.READS_ALL
    assert {act for act in RIGHTS["regulator"] if not act.startswith("see-")} == {"enter-admin"}
    for act in ("give-verdict", "review-verdict"):
        assert [role for role in RIGHTS if act in RIGHTS[role]] == ["surveillance"]
    assert [role for role in RIGHTS if "post-facts" in RIGHTS[role]] == ["device"]
    assert [role for role in RIGHTS if "set-register" in RIGHTS[role]] == ["administrator"]
    assert not RIGHTS["administrator"] & {"give-verdict", "see-queue", "see-hand"}
    assert "floor" not in RIGHTS, "a word of the register that gives no right"


def test_a_user_without_a_role_has_no_right(cast: Cast) -> None:
    eve, dana = cast.person("Eve"), cast.person("Dana")
    assert not any(can(eve, act, "aurora") for act in ACTS)
    assert can(dana, "give-verdict", "aurora")
    assert not can(dana, "give-verdict", "borealis")
    assert properties(dana, "see-queue") == ["aurora"]
    dana.is_active = False
    assert not can(dana, "give-verdict", "aurora")
    assert not can(None, "see-queue", "aurora")
    with pytest.raises(ValueError, match="no act fly"):
        can(dana, "fly", "aurora")


def test_a_role_is_valid_from_its_first_day_and_not_on_its_end(cast: Cast) -> None:
    day = registers.gaming_day("aurora")
    spans = [("0001-01-01", "2000-01-01"), ("2999-01-01", None), (None, day.isoformat())]
    for place, (begins, ends) in enumerate(spans):
        person = f"x-{place}"
        set_registers(
            "aurora",
            [Entry("people", person, {"role": "regulator"}, begins, ends)],
            by="m-101",
            second="m-102",
        )
        assert Person.objects.get(pk=person).roles == {}
    set_registers(
        "aurora",
        [Entry("people", "x-9", {"role": "regulator"}, day.isoformat(), None)],
        by="m-101",
        second="m-102",
    )
    assert Person.objects.get(pk="x-9").roles_in("aurora") == {"regulator"}


def test_a_later_entry_takes_the_place_of_an_earlier_one_from_its_day_on(cast: Cast) -> None:
    for role, begins, ends in (
        ("dealer", None, None),
        ("floor", "2020-01-01", None),
        ("cage", "2010-01-01", "2021-01-01"),
        (None, "2024-01-01", None),
    ):
        value = None if role is None else {"role": role}
        set_registers("aurora", [Entry("people", "x-1", value, begins, ends)], by="m-101", second="m-102")
    rows = (
        Standing.objects.filter(key="x-1")
        .order_by("begins")
        .values_list("value__role", "begins__year", "ends__year")
    )
    assert list(rows) == [("dealer", 1, 2010), ("cage", 2010, 2021), ("floor", 2021, 2024)]


def test_rebuilt_registers_are_the_same(cast: Cast, house: House, manage: Manage) -> None:
    def register_rows() -> list[Any]:
        with house.owner.cursor() as cursor:
            rows = (
                "SELECT property, register, key, value::text, begins, ends, uid, by, second FROM"
                " casino_standing ORDER BY 1, 2, 3, 5"
            )
            return cursor.execute(rows).fetchall()

    set_registers(
        "aurora",
        [Entry("tables", "EOU-01", {"pit": "pit-1"}, "2026-01-01", None)],
        by="m-101",
        second="m-102",
    )
    before = register_rows()
    assert len(before) == len(DEMO_USERS) + 1, "the cast without Eve, its gateway, and a table"
    assert manage("project", "--rebuild", env=house.env).stdout == f"{len(before)} register entries read\n"
    assert register_rows() == before
    assert projection.sync_registers() == 0
    assert cast.person("Dana").check_password(cast.logins["Dana"].password)


def test_the_application_cannot_remove_a_person_or_a_token(cast: Cast, house: House) -> None:
    import psycopg

    for table in ("casino_person", "casino_token"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            house.app.execute(f"DELETE FROM {table}")


def test_five_wrong_passwords_lock_a_user_at_an_address(cast: Cast) -> None:
    browser, dana = cast.browser(None), cast.logins["Dana"]
    answers = [
        browser.post("/login/", {"username": dana.id, "password": "wrong"}).status_code for _ in range(5)
    ]
    assert answers == [200, 200, 200, 200, 429]
    assert browser.post("/login/", {"username": dana.id, "password": dana.password}).status_code == 429
    assert (
        browser.post("/login/", {"username": "v-102", "password": cast.logins["Dora"].password}).status_code
        == 302
    )
    other_browser = cast.browser(None)
    answer = other_browser.post(
        "/login/", {"username": dana.id, "password": dana.password}, REMOTE_ADDR="10.0.0.9"
    )
    assert answer.status_code == 302


def test_the_session_cookie_is_hidden_from_scripts_and_ends_at_sign_out(cast: Cast) -> None:
    browser, dana = cast.browser(None), cast.logins["Dana"]
    answer = browser.post("/login/", {"username": dana.id, "password": dana.password})
    assert answer["Location"] == "/"
    cookie = answer.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"], cookie["expires"]) == (True, "Lax", "")
    assert browser.get("/password/").status_code == 200
    assert browser.get("/logout/").status_code == 405
    assert browser.post("/logout/").status_code == 302
    assert browser.get("/password/").status_code == 302


def test_no_form_is_accepted_without_its_csrf_token(cast: Cast) -> None:
    from django.test import Client

    browser = Client(enforce_csrf_checks=True)
    assert (
        browser.post("/login/", {"username": "v-101", "password": cast.logins["Dana"].password}).status_code
        == 403
    )


def test_a_user_can_be_activated_given_a_token_and_erased_by_command(
    cast: Cast, house: House, manage: Manage
) -> None:
    process = manage("let_in", "d-7", "--name", "Ada", env=house.env)
    password = process.stdout.split()[-1]
    assert Person.objects.get(pk="d-7").check_password(password)
    token = manage("token", "--person", "d-7", env=house.env).stdout.strip()
    assert Api(token).get("/api/v1/").status_code == 200
    assert manage("token", "--revoke", token[:9], env=house.env).returncode == 0
    assert Api(token).get("/api/v1/").status_code == 401
    assert manage("token", "--person", "nobody", env=house.env).returncode == 1
    assert manage("let_in", "d-7", "--forget", env=house.env).returncode == 0
    ada = Person.objects.get(pk="d-7")
    assert (ada.name, ada.is_active, ada.has_usable_password()) == ("", False, False)


def test_passwords_are_kept_by_argon2(house: House, manage: Manage) -> None:
    shown = manage(
        "shell",
        "-v0",
        "-c",
        "from django.conf import settings as s; print(s.PASSWORD_HASHERS, s.SESSION_COOKIE_SECURE)",
        env=house.env,
    )
    assert shown.stdout == "['django.contrib.auth.hashers.Argon2PasswordHasher'] False\n"
    hosts = {"CATWALK_HOSTS": "catwalk.example,localhost"}
    shown = manage(
        "shell",
        "-v0",
        "-c",
        "from django.conf import settings as s; print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE)",
        env=house.env | hosts,
    )
    assert shown.stdout == "True True\n"

"""The regulator may see everything and may change only her own login and tokens. The tests try every address
with every method.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from psycopg import sql

from casino.accounts import services as accounts
from casino.accounts.scopes import SCOPES, usable_scopes
from casino.cage.slips import pending
from casino.checkpoints import make
from casino.count_room import queries
from casino.exports.archive.orders import ExportSpec
from casino.models import Finding
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.audit.floor import fact, line
from tests.casino import casework
from tests.casino.conftest import Api, Cast
from tests.casino.nights import DAY, STREAM, officers, record, troubled_day
from tests.casino.pages import OPENID, unrendered
from tests.casino.test_count_room import TABLE, Room
from tests.casino.test_daily_log import CAMERA as RECORDED
from tests.casino.test_daily_log import write
from tests.casino.test_kept import keep
from tests.conftest import House
from tests.counts import LONG
from tests.furnished import furnishing

NOTED = (
    "viewing",
    "django_session",
    "axes_accessattempt",
    "axes_accesslog",
    "axes_accessfailurelog",
    "axes_accessattemptexpiration",
    "summed",
    "preference",
)
"""Database tables that may change: viewing logs, attempts to sign in, cached sums, and preferences. None of
them changes a result.
"""
OWN = {"login", "logout", "password_change", "otp", "tokens", "token", "token_revoke", "alerts_mine", *OPENID}
"""Addresses of the user's own login, tokens, and mail address for alerts."""
LOOKS = {"export_again", "report_preferences"}
"""Actions that a regulator may do, because they change no figure: compare a report, save preferences."""
OTHERS = ("PUT", "PATCH", "DELETE")
"""Methods other than GET and POST. `make long` tries all of them at every address. `make test` tries one of
them at each address, but not at every list of the admin, because these lists share one class.
"""
FORMS = ("", "application/json", "application/json", "application/x-ndjson", "application/x-ndjson")
SOME = re.compile(
    r"^/admin/(?!(audit|casino)/)|^/admin/(audit/fact|casino/(token|entry|schedule))/|^/(?!admin/)"
)
ACTS = {
    "verdict",
    "verdict_many",
    "verdict_undo",
    "queue_chosen",
    "queue_assign",
    "queue_snooze",
    "view_save",
    "view_remove",
    *casework.ACTS,
    "log_write",
    "log_hand_over",
    "log_accept",
    "hold_video",
    "secure_video",
    "release_video",
    "export_video",
    "api-webhook-tests",
    "api-webhook-replays",
    *(f"api-case-{change}" for change in ("parts", "notes", "close")),
    "flag",
    "export_again",
    "export_retry",
    *("report_keep", "report_preferences"),
    "cage_withdraw",
    "cage_spoil",
    "cage_number",
    "cage_marker",
    *("cage_payment", "cage_write_off", "cage_drop", "cage_deposit", "cage_confirmation"),
    "cage_chips",
    "floor_change",
    "floor_open",
    "floor_close",
    "floor_seat",
    "floor_limits",
    "floor_tray",
    "count_pull",
    "count_drop",
    "count_verify",
    "closing_adjust",
    *("tokens_all", "token", "token_revoke"),
    "logout",
}
"""Addresses of actions and of their results. What they show is also on other pages, which are tested."""
CAMERA = f"?stream={STREAM}&hand=r-0002&camera=cam-12"
MORE = {
    "queue_more": "?after=1|0||",
    "queue_news": "?since=1",
    "hands_add": "?typed=card: 7",
    "open_video": CAMERA,
    "play_video": CAMERA,
    "correct": f"?stream=aurora/EOU-07/{DAY}&hand=r-0002",
}
"""The query string of each page that needs one."""


class Address(NamedTuple):
    """A route of Catwalk by name, and its path with existing values for the parameters."""

    name: str
    path: str


class Shown(NamedTuple):
    """A database in which every address shows an object, with its users and the values for addresses."""

    cast: Cast
    values: dict[str, Any]
    """The value for each route parameter; `NAME of ADDRESS` is the value at one address only."""


NIGHT = {
    f"{part} of {name}": value
    for name in ("hand", "fact", "replay", "where_day", "api-round")
    for part, value in (("table", "EOU-07"), ("day", str(DAY)))
}
"""The values of routes that need a hand of the recorded night."""


OF_A_FACT = ("api-fact", "api-fact-proof", "fact_proof", "slip_print")


@furnishing
def scene() -> Shown:
    cast = Cast()
    officers(1_000)
    record(troubled_day(times=1))
    room = Room(cast)
    room.pull(box="1")
    room.count()
    room.pull(box="2")
    counted, waiting = (box.uid for box in queries.boxes("aurora", [room.day]))
    room.send(
        "Chi",
        f"/cage/ask/aurora/{TABLE}/fill/",
        **{"chips-500": "20"},
        **room.signs(requested_by="Finn", sent_by="Chi"),
    )
    marker = room.send("Finn", f"/cage/marker/aurora/{TABLE}/", player="p-1", spot="2", amount="500")[
        "Location"
    ].split("/")[-2]
    kept_one = keep(ExportSpec("aurora", "hold", DAY, DAY + timedelta(days=1), ("table",), "csv", ""))
    set_registers("aurora", [Entry("cameras", "cam-12", RECORDED)], by="m-101", second="m-102")
    assert write(cast).status_code == 302
    make.make("aurora")
    values = {
        "property": "aurora",
        "table": TABLE,
        "day": room.day.isoformat(),
        "round": "r-0002",
        "number": 1,
        **casework.values(cast),
        "name of board": "dealers",
        "slip_name": "fill",
        "tray_count": "closer",
        "name": "hold",
        "format": "csv",
        "id": kept_one.id,
        "uid": pending.of_property("aurora")[0].uid,
        "object_id": "1",
        "content_type_id": "1",
        "game": "easy_over_under",
        **dict.fromkeys([f"uid of {name}" for name in OF_A_FACT], UUID(marker)),
        "slug of help_guide": "surveillance",
        "name of help_image": "queue.png",
        "id of api-finding": Finding.objects.all()[0].id,
        "uid of count_drop": waiting,
        "uid of count_verify": counted,
        **NIGHT,
    }
    return Shown(cast, values)


def addresses(values: dict[str, Any]) -> list[Address]:
    """Return every page, admin and REST API address, with parameters replaced by `values`. If you add a route
    with a new parameter, add a value for it to `scene`.
    """
    return list(_routes(get_resolver().url_patterns, "/", values))


def _routes(patterns: Any, before: str, values: dict[str, Any]) -> Iterator[Address]:
    for pattern in patterns:
        route = str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, before + route, values)
        elif isinstance(pattern, URLPattern) and "(?P" not in route:
            name = pattern.name or ""
            for part in pattern.pattern.converters:
                value = values.get(f"{part} of {name}", values.get(part))
                assert value is not None, f"{before}{route}: put a value for {part} into `scene`"
                route = re.sub(rf"<(\w+:)?{part}>", str(value), route)
            yield Address(name, before + route)


def hashes(house: House, leave: tuple[str, ...]) -> dict[str, str]:
    """Return a hash of the rows of every database table, except the tables in `leave`."""
    with house.owner.cursor() as cursor:
        names = [
            row[0]
            for row in cursor.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
            ).fetchall()
        ]
        values = {}
        for name in set(names) - {*leave}:
            query = sql.SQL("SELECT md5(string_agg(r::text, E'\\n' ORDER BY r::text)) FROM {} r").format(
                sql.Identifier(name)
            )
            values[name] = str(cursor.execute(query).fetchone()[0])  # type: ignore[index]
        return values


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in before if before[name] != after[name]}


FIELDS = {
    "property": "aurora",
    "table": TABLE,
    "chips-500": "20",
    "amount": "5",
    "player": "p-2",
    "spot": "1",
    "slip": "M-1",
    "reason": "x",
    "verdict": "confirmed",
    "disposition": "patron_action",
    "stream": f"aurora/EOU-07/{DAY}",
    "hand": "r-0002",
    "finding": "x|y",
    "why": "x",
    "box": "3",
    "shift": "",
    "notes-2000": "5",
    "tables": TABLE,
    "what": "drop",
    "direction": "raises",
    "format": "csv",
    "from": str(DAY),
    "to": str(DAY),
    "by": "table",
    "act": "sign",
    "begins": "2027-01-01",
    "key": "e-101",
    "roles": "dealer",
    "post": "yes",
    "device": "gateway-1",
    "label": "x",
    "scope": "post:facts",
    "days": "9",
}
"""A valid value for each field of any form."""


def filled_in(cast: Cast) -> dict[str, Any]:
    """Return valid fields for every form, with the staff IDs and passwords of the other signers."""
    signers = {
        "requested_by": "Finn",
        "sent_by": "Chi",
        "carried_by": "Gus",
        "received_by": "Ada",
        "dealer": "Ada",
        "supervisor": "Finn",
        "member_1": "Nia",
        "second": "Gus",
    }
    logins = {field: cast.logins[name] for field, name in signers.items()}
    fields = {field: login.id for field, login in logins.items()} | {
        f"{field}_password": login.password for field, login in logins.items()
    }
    return fields | FIELDS


def test_no_request_of_the_regulator_changes_anything(scene: Shown, house: House) -> None:
    rhea, form, wrong, before = scene.cast.browser("Rhea"), filled_in(scene.cast), [], hashes(house, NOTED)
    tried = (address for address in addresses(scene.values) if LONG or SOME.match(address.path))
    for place, address in enumerate(tried):
        for method in (
            ("POST", *(OTHERS if LONG else OTHERS[place % 3 :][:1]))
            if address.name not in OWN | LOOKS
            else ()
        ):
            sent = {"data": form | {"uid": str(uuid4())}} if method == "POST" else {}
            with unrendered():
                status = getattr(rhea, method.lower())(address.path, **sent).status_code
            if status >= 500 or (address.name in ACTS and status < 400):
                wrong.append((method, *address, status))
    assert wrong == []
    assert changed(before, hashes(house, NOTED)) == set()


def test_no_request_with_the_regulators_token_changes_anything(scene: Shown, house: House) -> None:
    token = accounts.issue_token(made_by="r-101", person="r-101", scopes=SCOPES)
    rhea, wrong = Api(token), []
    rhea.get("/api/v1/")
    before = hashes(house, NOTED)
    bodies = [
        b"",
        b"{}",
        json.dumps(
            {"property": "aurora", "what": "hold", "from": str(DAY), "to": "2026-11-28", "format": "csv"}
        ).encode(),
    ]
    flagged = fact(
        1,
        "flagged",
        "aurora/house",
        of_table="aurora/EOU-07",
        of_day=str(DAY),
        round="r-0002",
        why="x",
        by="r-101",
    )
    bodies += [line(flagged), line(fact(2, "bet", "aurora/EOU-01", spot="1", wager="over", amount=5))]
    for address in addresses(scene.values):
        for body, form in zip(bodies, FORMS, strict=True) if address.path.startswith("/api/") else ():
            status = rhea.client.post(address.path, body, content_type=form, headers=rhea.headers).status_code
            if status >= 500 or status in (201, 202):
                wrong.append(("post", *address, status, body))
        for method in ("put", "patch", "delete") if address.path.startswith("/api/") else ():
            status = getattr(rhea.client, method)(
                address.path, bodies[2], content_type="application/json", headers=rhea.headers
            ).status_code
            if status != 405 and address.name != "api-docs":
                wrong.append((method, *address, status, bodies[2]))
    assert wrong == []
    assert changed(before, hashes(house, NOTED)) == set()


def test_the_regulator_sees_everything_at_every_address(scene: Shown) -> None:
    rhea, wrong = scene.cast.browser("Rhea"), []
    door = Api(
        accounts.issue_token(made_by="r-101", person="r-101", scopes=usable_scopes(scene.cast.person("Rhea")))
    )
    for address in addresses(scene.values):
        if address.path.startswith("/admin/") or address.name in ACTS | OPENID | {"certificate"}:
            continue  # test_roles.py covers the lists of the admin and the certificate, which is slow
        reader = door if address.path.startswith("/api/") and address.name != "api-docs" else rhea
        status = reader.get(address.path + MORE.get(address.name, "")).status_code
        if status not in (200, 204, 302):
            wrong.append((*address, status))
    assert wrong == []


def test_the_regulator_is_shown_no_form_of_an_action(scene: Shown) -> None:
    rhea, changed = scene.cast.browser("Rhea"), []
    for address in addresses(scene.values):
        if address.name in ACTS and rhea.get(address.path).status_code not in (401, 403, 405):
            changed.append(address)
    assert changed == []


def test_the_regulator_manages_her_own_login_and_reads_with_her_tokens(scene: Shown, house: House) -> None:
    rhea, password = scene.cast.browser("Rhea"), scene.cast.logins["Rhea"].password
    before = hashes(house, NOTED)
    form = {
        "uid": str(uuid4()),
        "label": "her own tool",
        "scope": ["read:reports", "read:facts"],
        "days": "30",
        "password": password,
    }
    answer = rhea.post("/tokens/", form)
    assert answer.status_code == 200
    assert rhea.post("/tokens/", form | {"uid": str(uuid4()), "scope": "post:facts"}).status_code == 400
    assert rhea.post("/otp/", {"act": "begin", "password": password}).status_code == 302
    assert changed(before, hashes(house, NOTED)) == {"casino_token", "otp_totp_totpdevice", "seal"}
    assert rhea.post("/alerts/mine/", {"mail": "rhea@example.com", "sound": "on"}).status_code == 302
    assert "alert_contact" in changed(before, hashes(house, NOTED))
    assert "post:facts" not in usable_scopes(scene.cast.person("Rhea"))


def test_nobody_reads_secrets_of_other_users_in_the_admin(scene: Shown) -> None:
    assert [address for address in addresses(scene.values) if "/otp_" in address.path] == []
    assert Client().get("/admin/otp_totp/totpdevice/").status_code in (302, 404)
    assert scene.cast.browser("Mia").get("/admin/otp_totp/totpdevice/").status_code == 404

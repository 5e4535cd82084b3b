"""Permissions of the REST API in two lists: TABLE has every endpoint and EXPORTED every export. They say what
each role may do, also what is possible without a token, and which scope an endpoint needs.

The lists are written by hand from the rules, and not generated from `permissions.RIGHTS` or `scopes.SCOPES`,
so that each checks the other. An endpoint that is missing from TABLE fails a test.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponseBase
from django.test import Client

from casino.accounts import services as accounts
from casino.accounts import view_log
from casino.accounts.permissions import RIGHTS
from casino.accounts.scopes import SCOPES
from casino.alerts import publish, services
from casino.api.reports import CONTENT
from casino.cases import services as cases
from casino.cases.services import Description
from casino.checkpoints import make
from casino.exports import datasets
from casino.exports.archive import build
from casino.reference.demo_users import GATEWAY
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports import catalog
from tests.casino.api_posts import SENT, order
from tests.casino.conftest import Api, Cast, one_connection
from tests.casino.lists import all_rows, recorded_lists
from tests.casino.logins import logged_in
from tests.casino.nights import STREAM
from tests.casino.test_kept import DAY, keep
from tests.casino.test_schema import operations
from tests.counts import LONG
from tests.furnished import furnishing

TABLE = """
                                              scope         dea sup cag sec cou tab acc sur aud reg adm dev co
GET  /                                        any           x   x   x   x   x   x   x   x   x   x   x   x   x
GET  /schema                                  any           x   x   x   x   x   x   x   x   x   x   x   x   x
POST /facts                                   post:facts    .   .   .   .   .   x   .   x   .   .   .   x   .
GET  /facts                                   read:facts    .   .   .   .   .   .   x   x   x   x   .   .   x
GET  /facts/{uid}                             read:facts    -   -   -   -   -   -   x   x   x   x   -   -   x
GET  /facts/{uid}/proof                       read:facts    -   -   -   -   -   -   x   x   x   x   -   -   x
GET  /checkpoints                             read:facts    .   .   .   .   .   .   x   x   x   x   .   .   x
GET  /checkpoints/proof                       read:facts    .   .   .   .   .   .   x   x   x   x   .   .   x
GET  /checkpoints/verify_proof.py             read:facts    .   .   .   .   .   .   x   x   x   x   .   .   x
GET  /rounds                                  read:facts    .   .   .   .   .   .   x   x   x   x   .   .   x
GET  /rounds/{property}/{table}/{day}/{round} read:facts    .   .   .   .   .   .   x   x   x   x   .   .   x
GET  /rounds/search                           read:findings .   .   .   .   .   .   .   x   x   x   .   .   x
GET  /ledger                                  read:facts    .   .   .   .   .   .   x   x   x   x   .   .   x
GET  /findings                                read:findings .   .   .   .   .   .   .   x   x   x   .   .   x
GET  /findings/changes                        read:findings .   .   .   .   .   .   .   x   x   x   .   .   x
GET  /findings/{id}                           read:findings -   -   -   -   -   -   -   x   x   x   -   -   x
GET  /verdicts                                read:findings .   .   .   .   .   .   .   x   x   x   .   .   x
GET  /log                                     read:log      .   .   .   .   .   .   .   x   x   x   .   .   x
GET  /tallies                                 read:reports  .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /fills                                   read:reports  .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /credits                                 read:reports  .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /counts                                  read:reports  .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /adjustments                             read:reports  .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /certificates                            read:reports  .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /certificates/{game}                     read:reports  .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /hold                                    read:reports  .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /reports                                 read:reports  .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /reports/{name}                          read:reports  .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /reports/kept                            read:reports  .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /reports/kept/{id}                       read:reports  .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /exports                                 export        .   .   .   .   .   x   x   x   x   x   .   .   x
POST /exports                                 export        .   .   .   .   .   .   x   x   .   .   .   .   x
GET  /exports/{id}                            export        .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /exports/{id}/content                    export        .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /exports/{id}/manifest                   export        .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /exports/verify_export.py                export        .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /journal                                 export        .   .   .   .   .   x   x   x   x   x   .   .   x
GET  /tables/{property}/{table}               read:tables   .   .   .   .   .   x   x   x   x   x   .   x   x
GET  /cases                                   read:cases    .   .   .   .   .   .   .   x   x   x   .   .   x
GET  /cases/{property}/{number}               read:cases    .   .   .   .   .   .   .   x   x   x   .   .   x
POST /cases                                   work:cases    .   .   .   .   .   .   .   x   .   .   .   .   x
POST /cases/{property}/{number}/parts         work:cases    .   .   .   .   .   .   .   x   .   .   .   .   x
POST /cases/{property}/{number}/notes         work:cases    .   .   .   .   .   .   .   x   .   .   .   .   x
POST /cases/{property}/{number}/close         work:cases    .   .   .   .   .   .   .   x   .   .   .   .   x
GET  /events                                  read:findings .   .   .   .   .   .   .   x   x   x   .   .   x
GET  /alerts                                  read:alerts   .   .   .   .   .   .   .   x   x   x   x   .   x
GET  /deliveries                              read:alerts   .   .   .   .   .   .   .   x   x   x   x   .   x
GET  /webhooks                                read:alerts   .   .   .   .   .   .   .   x   x   x   x   .   x
POST /webhooks/{property}/{name}/tests        manage:webhooks . . . .   .   .   .   .   .   .   x   .   .
POST /webhooks/{property}/{name}/replays      manage:webhooks . . . .   .   .   .   .   .   .   x   .   .
"""
"""`x`: the role gets it. `.`: refused (403). `-`: not found (404), because a 403 would reveal that
it exists.
"""
EXPORTED = """
               dea sup cag sec cou tab acc sur aud reg adm dev co
facts          .   .   .   .   .   .   m   m   f   f   .   .   m
rounds         .   .   .   .   .   .   m   m   f   f   .   .   m
findings       .   .   .   .   .   .   .   m   f   f   .   .   m
verdicts       .   .   .   .   .   .   .   m   f   f   .   .   m
daily-log      .   .   .   .   .   .   .   m   f   f   .   .   m
tally          .   .   .   .   .   f   m   m   f   f   .   .   m
fills          .   .   .   .   .   f   m   m   f   f   .   .   m
credits        .   .   .   .   .   f   m   m   f   f   .   .   m
counts         .   .   .   .   .   f   m   m   f   f   .   .   m
adjusted       .   .   .   .   .   f   m   m   f   f   .   .   m
hold           .   .   .   .   .   f   m   m   f   f   .   .   m
"""
"""`m`: the role orders and downloads the export. `f`: the role only downloads it, after others have ordered
it. `.`: neither, through the REST API and on the page. `hold` represents every report: another test shows
that all have the same readers.
"""
ROLES = {
    "dea": "dealer",
    "sup": "supervisor",
    "cag": "cage",
    "sec": "security",
    "cou": "count",
    "tab": "table-games",
    "acc": "accounting",
    "sur": "surveillance",
    "aud": "internal-audit",
    "reg": "regulator",
    "adm": "administrator",
    "dev": "device",
    "co": "compliance",
}
STATUSES = {"x": {200, 201, 202}, ".": {403}, "-": {404}}
UNSEEN = {
    "GET /",
    "GET /schema",
    "POST /facts",
    "GET /tables/{property}/{table}",
    "GET /reports",
    "GET /reports/kept",
    "GET /ledger",
    "GET /checkpoints",
    "GET /checkpoints/proof",
    "GET /checkpoints/verify_proof.py",
    "GET /certificates",
    "GET /certificates/{game}",
    "GET /exports",
    "POST /exports",
    "GET /exports/{id}",
    "GET /exports/{id}/manifest",
    "GET /exports/verify_export.py",
    "GET /alerts",
    "GET /deliveries",
    "GET /webhooks",
    "POST /webhooks/{property}/{name}/tests",
    "POST /webhooks/{property}/{name}/replays",
    "GET /cases",
    "POST /cases",
    "POST /cases/{property}/{number}/parts",
    "POST /cases/{property}/{number}/notes",
    "POST /cases/{property}/{number}/close",
}
"""Endpoints that show no data of the property, or show only which objects exist. Reading them adds no entry
to the viewing log.
"""


def rows() -> dict[str, tuple[str, dict[str, str]]]:
    """Return for each endpoint in TABLE the scope that it needs, and the mark of each role."""
    head, *lines = TABLE.strip("\n").splitlines()
    names = [ROLES[name] for name in head.split()[1:]]
    cut = [(" ".join(line.split()[:2]), line.split()[2], line.split()[3:]) for line in lines]
    return {endpoint: (scope, dict(zip(names, marks, strict=True))) for endpoint, scope, marks in cut}


def exported() -> dict[str, dict[str, str]]:
    """Return for each export in EXPORTED the letter of each role."""
    head, *lines = EXPORTED.strip("\n").splitlines()
    names = [ROLES[name] for name in head.split()]
    return {line.split()[0]: dict(zip(names, line.split()[1:], strict=True)) for line in lines}


class Scene:
    """A ledger with data for every endpoint. `tokens` has a token for every role, and `there` the values that
    the addresses of the endpoints need.
    """

    def __init__(self) -> None:
        self.cast: Cast = recorded_lists()
        entries = [
            Entry("people", f"x-{role}", {"role": role}) for role in (*RIGHTS, "floor") if role != "device"
        ]
        set_registers("aurora", entries, by="m-101", second="m-102")
        self.tokens = {role: self.token(role) for role in (*RIGHTS, "floor")}
        finding = next(row for row in all_rows(datasets.get("findings")) if row["code"] == "wrong-settlement")
        self.there = {
            "uid": all_rows(datasets.get("facts"))[0]["uid"],
            "id": finding["id"],
            "game": "high_side",
            "name": "hold",  # the name of a report, and of a webhook
            "property": "aurora",
            "table": STREAM.split("/")[1],
            "day": STREAM.split("/")[2],
            "round": finding["round"],
        }
        dana = self.cast.person("Dana")
        case = Description("other", "A case", "", "v-101", None, ())
        self.there["number"] = cases.open_case(dana, "aurora", str(uuid4()), case)
        mia = self.cast.person("Mia")
        services.set_webhook(mia, "aurora", str(uuid4()), "hold", "https://soc.example/", [])
        publish.publish("aurora")
        make.make("aurora")
        order = str(keep(DAY).id)
        self.numbers = dict.fromkeys(
            ("/reports/kept/{id}", *(f"/exports/{{id}}{part}" for part in ("", "/content", "/manifest"))),
            order,
        )

    def token(self, role: str, scopes: Any = tuple(SCOPES)) -> str:
        holder = {"property": "aurora", "device": GATEWAY} if role == "device" else {"person": f"x-{role}"}
        return accounts.issue_token(made_by="m-101", scopes=scopes, **holder)

    def ask(self, endpoint: str, token: str | None, role: str = "") -> HttpResponseBase:
        """Send a valid request to an endpoint: the objects in its address exist, and a posted body can be
        recorded.
        """
        method, path = endpoint.split(" ")
        values = self.there | ({"id": self.numbers[path]} if path in self.numbers else {})
        address = f"/api/v1{path.format(**values)}"
        door = Api(token)
        return (
            SENT[endpoint](door, address, role)
            if endpoint in SENT
            else getattr(door.client, method.lower())(address, headers=door.headers)
        )


@furnishing
def scene() -> Scene:
    return Scene()


def test_every_endpoint_of_the_schema_is_a_line_of_the_table_with_its_scope() -> None:
    scopes_by_endpoint = {}
    for name, operation in operations():
        method, path = name.split(" ")
        scopes = operation["security"][0]["token"]
        scopes_by_endpoint[f"{method} {path.removeprefix('/api/v1')}"] = scopes[0] if scopes else "any"
    missing = scopes_by_endpoint.keys() - rows().keys()
    assert not missing, f"{', '.join(sorted(missing))}: say in TABLE whom it is for."
    assert scopes_by_endpoint == {endpoint: scope for endpoint, (scope, _) in rows().items()}
    assert {scope for scope, _ in rows().values()} - {"any"} <= set(SCOPES)
    assert set(ROLES.values()) == set(RIGHTS)
    assert set(exported()) == {*datasets.names(), "hold"}, "say in EXPORTED whom a list is for."


@pytest.mark.parametrize("role", [*ROLES.values(), "floor", None])
def test_an_endpoint_answers_only_the_roles_of_the_table(scene: Scene, role: str | None) -> None:
    with one_connection():
        wrong = [
            sentence
            for endpoint, (_, marks) in rows().items()
            for sentence in differences(scene, endpoint, marks, role)
        ]
    assert wrong == []


def differences(
    house: Scene, endpoint: str, marks: dict[str, str], role: str | None
) -> Iterator[tuple[Any, ...]]:
    """Request the endpoint with the token of this role, or without a token if `role` is None. Yield each
    difference between the answer and TABLE.
    """
    before = view_log.viewings(["aurora"])
    answer = house.ask(endpoint, house.tokens.get(role or ""), role or "")
    without = "x" if endpoint == "GET /" else "-" if "-" in marks.values() else "."
    mark = marks.get(role, without) if role else ""
    if answer.status_code not in (STATUSES[mark] if role else {401}):
        yield endpoint, role, answer.status_code
    content = b"".join(answer) if answer.streaming else answer.content  # type: ignore[attr-defined]
    if mark != "x" and not endpoint.startswith("POST") and b"aurora" in content.replace(b"at aurora", b""):
        yield endpoint, role, "is told something"
    noted = [viewing for viewing in view_log.viewings(["aurora"]) if viewing not in before]
    if len(noted) != (mark == "x" and endpoint not in UNSEEN):
        yield endpoint, role, "is noted", noted


def test_a_token_is_good_for_its_scopes_alone(scene: Scene) -> None:
    wrong = []
    for endpoint, (scope, marks) in rows().items():
        role = next(
            role
            for role in ("regulator", "accounting", "device", "administrator", "surveillance")
            if marks[role] == "x"
        )
        others = [other_scope for other_scope in SCOPES if other_scope != scope]
        for scopes, status in (
            (others, {403} if scope != "any" else {200}),
            ([scope] if scope != "any" else others[:1], STATUSES["x"]),
        ):
            answer = scene.ask(endpoint, scene.token(role, scopes), role)
            if answer.status_code not in status:
                wrong.append((endpoint, role, scopes, answer.status_code))
    assert wrong == []


def test_every_report_in_every_format_needs_the_right_to_see_hold(scene: Scene) -> None:
    """Test that the regulator gets each report and that roles without the right get none. The hold report is
    requested in every format as each of these roles. Every other report is requested in one format, as the
    regulator and a third of the roles without the right.
    """
    marks = rows()["GET /reports/{name}"][1] | {"floor": ".", "": "401"}
    paths = [f"hold?format={format}" for format in CONTENT] + [
        f"{name}?format=ndjson&from=2026-11-27" for name in catalog.names()
    ]
    with one_connection():
        wrong = []
        for place, path in enumerate(paths):
            for number, (role, mark) in enumerate(marks.items()):
                is_tried = LONG or path.startswith("hold") or place % 3 == number % 3
                if role == "regulator" or (mark != "x" and is_tried):
                    status = Api(scene.tokens.get(role)).get(f"/api/v1/reports/{path}").status_code
                    wrong += [(path, role, status)] if status not in STATUSES.get(mark, {401}) else []
    assert wrong == []


@pytest.mark.parametrize("name", exported())
def test_exports_are_ordered_and_downloaded_by_the_roles_of_the_table(
    scene: Scene, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Test ordering and downloading an export as each role. Only the export that surveillance orders is
    built.
    """
    marks = exported()[name] | {"floor": "."}
    day = {"what": name, "property": "aurora", "from": "2026-11-27", "to": "2026-11-28"}
    with one_connection():
        ordered = order(Api(scene.tokens["surveillance"]), day)
        assert ordered.status_code == 201
        monkeypatch.setattr(build, "build_if_small", lambda _: None)
        content, page = ordered.json()["content"], f"/exports/{ordered.json()['id']}/file/"
        wrong = [
            (role, act, status)
            for role, mark in marks.items()
            for act, status, right in (
                ("order", order(Api(scene.tokens[role]), day).status_code, mark == "m"),
                ("fetch", Api(scene.tokens[role]).get(content).status_code, mark in "mf"),
                *([("page", browser(role).get(page).status_code, mark in "mf")] if role != "device" else []),
            )
            if status not in ((403,) if not right else (201, 202) if act == "order" else (200,))
        ]
        assert wrong == []
        assert [
            order(Api(None), day).status_code,
            Api(None).get(content).status_code,
            Client().get(page).status_code,
        ] == [401, 401, 302]


def browser(role: str) -> Client:
    return logged_in(f"x-{role}", raise_request_exception=False)


def test_nobody_gets_data_of_a_property_without_a_role_there(scene: Scene) -> None:
    rhea = Api(scene.tokens["regulator"])
    lists = [
        endpoint.split(" ")[1] for endpoint in rows() if endpoint.startswith("GET") and "{" not in endpoint
    ]
    paths = [
        path
        for path in lists
        if path not in ("/", "/schema", "/certificates", "/reports") and not path.endswith(".py")
    ]
    assert {
        path: rhea.get(f"/api/v1{path}?property=borealis").status_code for path in paths
    } == dict.fromkeys(paths, 403)
    assert rhea.get("/api/v1/tables/borealis/EOU-01").status_code == 403
    assert rhea.get("/api/v1/rounds/borealis/EOU-01/2026-11-27/r-1").status_code == 403

"""The REST API of cases: a case opened through the API is shown on the page, a repeated post opens no second
case, and only compliance can see that a suspicion exists.
"""

from __future__ import annotations

from json import dumps
from typing import Any
from uuid import uuid4

import pytest

from casino.accounts import services as accounts
from tests.casino.casework import HAND
from tests.casino.conftest import COMPLIANCE, Api, Cast
from tests.casino.pages import text

CASES = "/api/v1/cases"


def door(cast: Cast, name: str) -> Api:
    person = COMPLIANCE if name == "Cora" else cast.logins[name].id
    return Api(accounts.issue_token(made_by="m-101", person=person))


def send(door: Api, path: str, body: Any) -> Any:
    return door.client.post(path, dumps(body), content_type="application/json", headers=door.headers)


def a_case(**changed: Any) -> dict[str, Any]:
    part = HAND._asdict()
    return {
        "property": "aurora",
        "uid": str(uuid4()),
        "concerns": "dealers-play",
        "title": "Overpaid on over",
        "about": "Twice in an hour.",
        "owner": "v-101",
        "due": "2026-12-05",
        "parts": [part],
    } | changed


def test_a_case_is_opened_changed_closed_and_read(desk: Cast) -> None:
    dana = door(desk, "Dana")
    sent = a_case()
    opened = send(dana, CASES, sent)
    assert opened.status_code == 201, opened.content
    number = opened.json()["case"]
    place = f"{CASES}/aurora/{number}"
    second = send(dana, CASES, sent)
    assert (second.status_code, second.json()["code"]) == (409, "already-recorded")
    joined = {"uid": str(uuid4()), "parts": [{"what": "person", "of": "d-101"}]}
    assert send(dana, f"{place}/parts", joined).status_code == 200
    assert send(dana, f"{place}/notes", {"uid": str(uuid4()), "text": "Seen."}).status_code == 200
    read = dana.get(place).json()
    assert (read["title"], read["about"], read["status"]) == ("Overpaid on over", "Twice in an hour.", "open")
    assert read["parts"] == [sent["parts"][0], {"what": "person", "stream": "", "of": "d-101"}]
    assert [note["text"] for note in read["notes"]] == ["Seen."]
    assert [row["case"] for row in dana.get(f"{CASES}?property=aurora").json()["items"]] == [number]
    closed = {"uid": str(uuid4()), "outcome": "confirmed", "text": "Paid back."}
    assert send(dana, f"{place}/close", closed).status_code == 200
    assert dana.get(place).json()["outcome"] == "confirmed"
    assert dana.get(f"{CASES}?property=aurora").json()["items"] == []
    assert len(dana.get(f"{CASES}?property=aurora&state=closed").json()["items"]) == 1
    page = text(desk.browser("Dana").get(f"/cases/aurora/{number}/"))
    assert "Overpaid on over" in page
    assert "Paid back." in page


WRONG: list[tuple[dict[str, Any], int, str]] = [
    ({"concerns": "love"}, 422, "concerns"),
    ({"title": ""}, 422, "title"),
    ({"owner": "nobody"}, 422, "owner"),
    ({"parts": [{"what": "hand", "stream": "aurora/EOU-07/2026-11-27", "of": "r-9999"}]}, 422, "of"),
    ({"parts": [{"what": "moon", "of": "x"}]}, 422, "of"),
    ({"uid": "x"}, 400, "not-a-case"),
    ({"due": "soon"}, 400, "not-a-case"),
    ({"color": "red"}, 400, "not-a-case"),
]


@pytest.mark.parametrize(("changed", "status", "code"), WRONG)
def test_invalid_requests_are_named_and_record_nothing(
    desk: Cast, changed: dict[str, Any], status: int, code: str
) -> None:
    dana = door(desk, "Dana")
    answer = send(dana, CASES, a_case(**changed))
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content
    assert dana.get(f"{CASES}?property=aurora&state=all").json()["items"] == []


def test_a_suspicion_exists_for_compliance_alone(desk: Cast) -> None:
    cora, others = door(desk, "Cora"), [door(desk, name) for name in ("Dana", "Igor", "Rhea")]
    opened = send(cora, CASES, a_case(concerns="suspicion", owner=COMPLIANCE, parts=[]))
    assert opened.status_code == 201, opened.content
    place = f"{CASES}/aurora/{opened.json()['case']}"
    assert cora.get(place).status_code == 200
    for other in others:
        assert other.get(place).status_code == 404
        assert other.get(f"{CASES}?property=aurora&state=all").json()["items"] == []
    assert send(others[0], f"{place}/notes", {"uid": str(uuid4()), "text": "x"}).status_code == 404
    assert send(others[0], CASES, a_case(concerns="suspicion")).status_code == 403
    assert send(others[1], CASES, a_case()).status_code == 403


def test_another_property_gives_nothing(desk: Cast) -> None:
    dana = door(desk, "Dana")
    assert send(dana, CASES, a_case(property="borealis")).status_code == 403
    assert dana.get(f"{CASES}?property=borealis").status_code == 403
    assert dana.get(f"{CASES}/borealis/2026-0001").status_code == 403

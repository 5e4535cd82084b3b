"""Valid requests for the addresses of the REST API that record something. Each role sends what it may
record.
"""

from __future__ import annotations

from collections.abc import Callable
from json import dumps
from typing import Any
from uuid import uuid4

from casino.reference.calendar import gaming_day
from tests.audit.floor import fact, opened
from tests.casino.conftest import Api
from tests.casino.nights import STREAM
from tests.casino.test_push_api import send


def recorded(door: Api, address: str, role: str) -> Any:
    """Post a fact that this role may record, and return the answer. A device opens a table, surveillance
    flags a hand, and every other role pauses a table.
    """
    day = gaming_day("aurora").isoformat()
    of_desk = {"uid": str(uuid4()), "table": "aurora/house", "day": day, "source": "desk", "by": f"x-{role}"}
    if role == "device":
        return door.post(opened(1) | {"uid": of_desk["uid"], "table": f"aurora/{of_desk['uid'][:8]}"})
    if role == "surveillance":
        return door.post(
            fact(
                2,
                "flagged",
                **of_desk,
                of_table=STREAM.rpartition("/")[0],
                of_day=STREAM[-10:],
                round="r-0001",
                why="cup",
            )
        )
    return door.post(
        fact(
            3,
            "paused",
            **of_desk | {"table": STREAM.rpartition("/")[0], "day": STREAM[-10:]},
            reason="a card on the floor",
        )
    )


def order(door: Api, fields: dict[str, str]) -> Any:
    return door.client.post("/api/v1/exports", fields, content_type="application/json", headers=door.headers)


def ordered(door: Api, address: str, role: str) -> Any:
    """Order an export of the hold report and return the answer. Everybody who may order exports may read this
    report.
    """
    return order(door, {"what": "hold", "property": "aurora", "from": "2026-11-27", "to": "2026-11-28"})


def opened_case(door: Api, address: str, role: str) -> Any:
    """Open a case and return the answer. For compliance the case is a suspicion, because compliance works
    only on those.
    """
    concerns = "suspicion" if role == "compliance" else "other"
    body = {"property": "aurora", "uid": str(uuid4()), "concerns": concerns, "title": "x"}
    return send(door, address, dumps(body | {"owner": f"x-{role}"}))


def worked_on(door: Api, address: str, role: str) -> Any:
    """Open a case as this role, and change it: add a person, write a note, or close it, as the address says.
    Return the answer to the change.
    """
    opened = opened_case(door, "/api/v1/cases", role)
    number = opened.json().get("case", "2026-0001") if opened.status_code == 201 else "2026-0001"
    base, act = address.rpartition("/")[0].rpartition("/")[0], address.rpartition("/")[2]
    sent = {"parts": {"parts": [{"what": "person", "of": "v-101"}]}, "notes": {"text": "x"}}
    body = sent.get(act, {"outcome": "no-action"}) | {"uid": str(uuid4())}
    return send(door, f"{base}/{number}/{act}", dumps(body))


SENT: dict[str, Callable[[Api, str, str], Any]] = {
    "POST /cases": opened_case,
    **{f"POST /cases/{{property}}/{{number}}/{act}": worked_on for act in ("parts", "notes", "close")},
    "POST /facts": recorded,
    "POST /exports": ordered,
    "POST /webhooks/{property}/{name}/replays": lambda door, path, _: send(door, path, '{"number": 1}'),
}

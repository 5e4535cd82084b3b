"""Lists of the REST API: pages neither skip nor repeat rows, `as_of` gives the list at an earlier position,
an unchanged page is answered with 304, and users without the right get nothing.
"""

from __future__ import annotations

from datetime import UTC, datetime
from threading import Thread
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from msgspec import json

from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries import facts, heads
from casino.accounts import services as accounts
from casino.accounts import view_log
from casino.api.lists import LISTS, SCOPE
from casino.exports import datasets
from casino.reference.recording import set_registers
from tests.audit.floor import line
from tests.casino.conftest import ROLES, Api, Cast
from tests.casino.lists import all_rows, recorded_lists, slips
from tests.casino.test_api import problem
from tests.casino.test_reports import at, felt, live, record
from tests.furnished import furnishing

SEES_FACTS = {"Dana", "Dora", "Alma", "Igor", "Rhea"}
SEES_MONEY = {"Dana", "Dora", "Boris", "Alma", "Igor", "Rhea"}
MAY = {
    "facts": SEES_FACTS,
    "rounds": SEES_FACTS,
    "findings": {"Dana", "Dora", "Igor", "Rhea"},
    "verdicts": {"Dana", "Dora", "Igor", "Rhea"},
    "tallies": SEES_MONEY,
    "fills": SEES_MONEY,
    "credits": SEES_MONEY,
    "counts": SEES_MONEY,
    "adjustments": SEES_MONEY,
    "log": {"Dana", "Dora", "Igor", "Rhea"},
}
"""For each address: the roles that may read it, written by hand."""
SOME = ("facts", "findings", "tallies", "counts")  # all lists have one view, and `make long` reads all
READ_IN_EVERY_WAY = [pytest.param(name, marks=() if name in SOME else pytest.mark.long) for name in LISTS]
OF_THE_LEDGER = ("facts", "rounds", "fills", "credits", "counts", "adjustments")


@furnishing
def all_lists() -> Cast:
    """Record a ledger in which every list has rows."""
    return recorded_lists()


def door(name: str = "Rhea", **options: Any) -> Api:
    return Api(accounts.issue_token(made_by="m-101", person=ROLES[name], **options))


def page(of: Api, path: str) -> dict[str, Any]:
    answer = of.get(f"/api/v1/{path}")
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


def walk(of: Api, path: str, meanwhile: Any = None) -> list[dict[str, Any]]:
    """Return all items of a list, read page by page with the cursors. `meanwhile` is called between the first
    two pages.
    """
    answer = page(of, path)
    items = answer["items"]
    while answer["next"]:
        if meanwhile is not None:
            meanwhile = meanwhile()
        answer = page(of, f"{path}{'&' if '?' in path else '?'}cursor={answer['next']}")
        items += answer["items"]
    return items  # type: ignore[no-any-return]


@pytest.mark.parametrize("address", READ_IN_EVERY_WAY)
def test_pages_have_every_row_once_while_others_record(all_lists: Cast, address: str) -> None:
    rhea, of = door(), datasets.get(LISTS[address])
    before = all_rows(of)
    at_once = walk(rhea, f"{address}?page_size=1000")
    assert len(at_once) == len(before)
    for size in (2, 7) if len(before) < 200 else (170,):
        assert walk(rhea, f"{address}?page_size={size}") == at_once
    walked = walk(
        rhea,
        f"{address}?page_size={max(len(before) // 7, 1)}",
        lambda: record(slips("aurora/T8"), live(100, 1, "aurora/L0")),
    )
    keys = [tuple(item[name] for name in of.KEY) for item in walked]
    assert len(set(keys)) == len(keys), "nothing comes twice"
    assert {tuple(row[name] for name in of.KEY) for row in before} <= set(keys), "no earlier row is left out"


def test_a_client_that_follows_cursors_misses_no_fact_of_three_writers(
    all_lists: Cast,
) -> None:
    rhea, posts = (
        door(),
        [[felt(100, 1, f"aurora/W{writer}-{place}") for place in range(12)] for writer in range(3)],
    )
    since = page(rhea, "facts?page_size=1000")["since"]
    since = page(rhea, f"facts?page_size=1000&cursor={since}")["since"]

    def post(days: list[list[dict[str, Any]]]) -> None:
        for day in days:
            intake.post([line(fact) for fact in day], Sender("test"))
        connection.close()

    writers = [Thread(target=post, args=[days]) for days in posts]
    for writer in writers:
        writer.start()
    uids: list[str] = []
    while True:
        working = any(writer.is_alive() for writer in writers)
        answer = page(rhea, f"facts?page_size=7&cursor={since}")
        uids, since = [*uids, *(item["uid"] for item in answer["items"])], answer["since"]
        if not working and not answer["items"]:
            break
    assert len(uids) == len(set(uids))
    assert set(uids) == {fact["uid"] for days in posts for day in days for fact in day}


def test_two_equal_facts_at_different_positions_are_two_rows(all_lists: Cast) -> None:
    make = at(table="aurora/T7")
    take = {"round": "1", "spot": "1", "wager": "over", "amount": 500}
    record(
        [
            felt(0, 0, "aurora/T7")[0],
            make("round-opened", round="1"),
            make("take", **take),
            make("take", **take),
        ]
    )
    facts = walk(door(), "facts?table=T7&kind=take&page_size=1")
    assert [json.decode(json.encode(item["body"]))["amount"] for item in facts] == [500, 500]
    assert len({item["position"] for item in facts}) == 2


@pytest.mark.parametrize(
    "query",
    ["kind=roll", "table=EOU-07", "game=andar_bahar", "kind=bet&from=2026-11-27&to=2026-11-28", "table=none"],
)
def test_a_page_reads_a_bounded_part_of_the_ledger_and_the_next_continues(
    all_lists: Cast, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    rhea = door()
    all_items = walk(rhea, f"facts?{query}&page_size=1000")
    assert bool(all_items) == (query != "table=none")
    monkeypatch.setattr(facts, "REACH", 97)
    assert walk(rhea, f"facts?{query}&page_size=70") == all_items
    assert walk(rhea, f"facts?{query}&page_size=70&as_of={heads.head('aurora').position}") == all_items


@pytest.mark.parametrize("address", READ_IN_EVERY_WAY)
def test_a_list_as_of_a_position_has_the_state_at_that_position(all_lists: Cast, address: str) -> None:
    rhea = door()
    before = page(rhea, f"{address}?page_size=1000")
    record(
        slips("aurora/T8"),
        live(100, 1, "aurora/L0"),
        [at(table="aurora/T1")("slip-voided", slip="F-1", reason="late", by="c-1", second="c-2")],
    )
    assert page(rhea, f"{address}?page_size=1000")["ledger"]["position"] > before["ledger"]["position"]
    known = page(rhea, f"{address}?page_size=1000&as_of={before['ledger']['position']}")
    assert (known["items"], known["ledger"]) == (before["items"], before["ledger"])
    head = heads.head("aurora")
    body = problem(rhea.get(f"/api/v1/{address}?as_of={head.position + 1}"), 400, "as-of")
    assert (body["field"], f"Its head is {head.position}" in body["detail"]) == ("as_of", True)


@pytest.mark.parametrize("address", READ_IN_EVERY_WAY)
def test_an_unchanged_page_is_304_and_adds_no_viewing(all_lists: Cast, address: str) -> None:
    rhea = door()
    answer = rhea.get(f"/api/v1/{address}?page_size=2")
    headers = rhea.headers | {"If-None-Match": f'"other", W/{answer["ETag"]}'}
    viewings = len(view_log.viewings(["aurora"]))
    with CaptureQueriesContext(connection) as queries:
        second = rhea.client.get(f"/api/v1/{address}?page_size=2", headers=headers)
    assert (second.status_code, second.content, second["ETag"], len(view_log.viewings(["aurora"]))) == (
        304,
        b"",
        answer["ETag"],
        viewings,
    )
    if address in OF_THE_LEDGER:
        read = [query["sql"] for query in queries if "fact" in query["sql"].lower()]
        assert read == [], "nothing of the data was touched"
    for other in (
        "page_size=3",
        "page_size=2&from=2026-11-27",
        f"page_size=1&cursor={page(rhea, f'{address}?page_size=1')['next']}",
    ):
        assert rhea.client.get(f"/api/v1/{address}?{other}", headers=headers).status_code == 200, other
    if address in OF_THE_LEDGER:
        record(felt(100, 1, "aurora/T9"))
        assert rhea.client.get(f"/api/v1/{address}?page_size=2", headers=headers).status_code == 200, (
            "the ledger has moved"
        )
        known_path = f"/api/v1/{address}?page_size=2&as_of=3"
        tag = rhea.get(known_path)["ETag"]
        record(felt(100, 1, "aurora/T6"))
        assert rhea.get(known_path)["ETag"] == tag, "what was known then stays"


def test_an_invalid_cursor_or_one_of_another_query_is_refused(all_lists: Cast) -> None:
    rhea = door()
    sent = page(rhea, "facts?page_size=2")["next"]
    for cursor in ("x", "²", sent[:-1], sent + "=", f"{sent[:5]}A{sent[6:]}", '["facts",1]', "a" * 7999):
        assert problem(rhea.get(f"/api/v1/facts?cursor={cursor}"), 400, "cursor")["field"] == "cursor", cursor
    for other in ("rounds?", "facts?kind=bet&", "facts?from=2026-11-27&", "facts?as_of=4&"):
        body = problem(rhea.get(f"/api/v1/{other}cursor={sent}"), 400, "cursor")
        assert "a different query" in body["detail"], other
    assert page(rhea, f"facts?page_size=5&cursor={sent}")["items"][0]["position"] == 3, (
        "the size of a page may change on the way"
    )
    link = rhea.get("/api/v1/facts?page_size=2")["Link"]
    assert (link.endswith('>; rel="next"'), f"page_size=2&cursor={sent.replace(':', '%3A')}" in link) == (
        True,
        True,
    )


@pytest.mark.parametrize("address", LISTS)
def test_a_list_needs_the_right_and_the_scope(all_lists: Cast, address: str) -> None:
    of = datasets.get(LISTS[address])
    for name in ROLES:
        answer = door(name).get(f"/api/v1/{address}?page_size=1")
        assert answer.status_code == (200 if name in MAY[address] else 403), name
        assert b"aurora/" not in answer.content or name in MAY[address], name
    assert {row.person for row in view_log.viewings(["aurora"])} == {ROLES[name] for name in MAY[address]}
    others = [
        scope
        for scope in ("read:reports", "read:facts", "read:findings", "read:tables", "post:facts", "export")
        if scope != SCOPE[of.ACT]
    ]
    assert door("Rhea", scopes=others).get(f"/api/v1/{address}").status_code == 403
    assert door("Rhea", scopes=[SCOPE[of.ACT]]).get(f"/api/v1/{address}").status_code == 200
    assert Api(all_lists.logins["gateway"].token).get(f"/api/v1/{address}").status_code == 403
    assert Api(None).get(f"/api/v1/{address}").status_code == 401
    assert door("Rhea").get(f"/api/v1/{address}?property=borealis").status_code == 403


@pytest.mark.parametrize("address", READ_IN_EVERY_WAY)
def test_an_invalid_parameter_is_a_problem_that_names_its_field(all_lists: Cast, address: str) -> None:
    rhea = door()
    wrong = (
        "page_size=0",
        "page_size=1001",
        "page_size=1e400",
        "page_size=NaN",
        "page_size=-1",
        "page_size=%D9%A3",
        "from=soon",
        "as_of=0",
        "from=2026-11-27&to=2026-11-27",
        "to=9999-12-31",
        "colour=red",
        "cursor=x",
        "as_of=" + "9" * 30,
        "property=a/b",
    )
    for query in wrong:
        answer = rhea.get(f"/api/v1/{address}?{query}")
        assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json"), query
        assert answer.json()["field"] == ("to" if "&" in query else query.partition("=")[0]), query
    filters = {
        "game": "chess",
        "kind": "bribe",
        "grade": "fatal",
        "slip": "",
        "code": "x' OR 1=1",
        "table": "",
    }
    for name, value in filters.items():
        assert rhea.get(f"/api/v1/{address}?{name}={value}").json()["field"] == name
    assert {name for name in filters if name in datasets.get(LISTS[address]).FILTERS} <= set(filters)


def test_a_fact_is_returned_as_recorded_with_all_its_times(all_lists: Cast) -> None:
    set_registers("aurora", [_zone("America/Los_Angeles")], by="m-101", second="m-102")
    note = at(table="aurora/T1", at="2026-11-27T23:30:00.125-05:00")(
        "opener-counted", chips={}, amount=300, by="d-1 😀", second="s-1"
    )
    record([note])
    answer = door().get("/api/v1/facts?kind=opener-counted&page_size=1000&table=aurora/T1")
    (item,) = [item for item in answer.json()["items"] if item["uid"] == note["uid"]]
    assert item["body"] == note
    assert json.encode(json.decode(line(note)), order="sorted") in answer.content, "the bytes themselves"
    assert (item["at"], item["at_local"], item["day"]) == (
        "2026-11-28T04:30:00.125000Z",
        "2026-11-27T20:30:00.125000-08:00",
        "2026-11-27",
    )
    assert item["recorded_at"].endswith("Z")
    assert item["recorded_at_local"][-6:] == "-08:00"


def _zone(zone: str) -> Any:
    from casino.reference.entries import Entry

    return Entry("day-begins", "*", {"time": "06:00", "zone": zone})


def test_amounts_are_text_with_all_digits_and_exact_fractions(
    all_lists: Cast,
) -> None:
    rhea = door()
    findings = page(rhea, "findings?code=wrong-settlement&page_size=1000")["items"]
    assert {type(item["owed"]) for item in findings} == {str}
    for item in findings:
        assert (item["currency"], item["table"], item["day"]) == ("USD", "aurora/EOU-07", "2026-11-27")
        assert (
            item["owed_amount"] in (f"{int(item['owed']) / 100:.2f}", item["owed_amount"])
            if "/" not in item["owed"]
            else True
        )
    fills = page(rhea, "fills?table=T1")["items"]
    assert [(item["amount"], item["chips"]) for item in fills] == [
        ("11.00", {"100": 1, "500": 2}),
        ("50.00", {}),
        ("0.70", {}),
    ]
    yen = page(rhea, "counts?table=T2&kind=drop-counted")["items"]
    assert [item["amount"] for item in yen] == ["9000"]


def test_findings_and_tallies_say_if_examination_has_reached_the_position(
    all_lists: Cast,
) -> None:
    rhea = door()
    assert [page(rhea, address)["waiting"] for address in ("findings", "tallies")] == [0, 0]
    intake.post(
        [line(fact) for fact in (*felt(100, 1, "aurora/T9"), *felt(100, 1, "aurora/T8"))], Sender("test")
    )
    assert [page(rhea, address)["waiting"] for address in ("findings", "tallies")] == [
        3,
        3,
    ], "two tables, and what spans them"
    assert page(rhea, "tallies?as_of=9")["waiting"] == 0, "what was known then is folded then"
    findings.examine()
    assert page(rhea, "findings")["waiting"] == 0


def test_hold_with_a_denominator_of_zero_is_null_with_a_reason(all_lists: Cast) -> None:
    record(felt(0, 0, "aurora/T0"))
    answer = door("Alma").get("/api/v1/hold")
    (row,) = [
        row for row in json.decode(b"".join(answer.streaming_content))["rows"] if row["table"] == "aurora/T0"
    ]
    assert (row["win"], row["hold_percent"], row["note"]) == ("0.00", None, "drop is 0")


def test_a_time_at_the_end_of_the_calendar_is_no_server_error(all_lists: Cast) -> None:
    for number, strange in enumerate(
        ("0002-01-01T00:00:00+08:00", "9998-12-31T23:59:59-08:00", "2026-11-27T12:00:00+14:00")
    ):
        make = at(table=f"aurora/X{number}", at=strange)
        record(
            [
                make(**_opening()),
                make("fill-sent", slip="F-9", chips={}, amount=100, **_signed()),
                make("round-opened", round="1"),
                make("round-closed", round="1"),
            ]
        )
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT at FROM queued WHERE \"table\" = 'aurora/X2'")
        assert cursor.fetchall() == [(datetime(2026, 11, 26, 22, 0, tzinfo=UTC),)], (
            "the queue has it at the instant that was meant"
        )
    rhea = door()
    for address in LISTS:
        assert rhea.get(f"/api/v1/{address}?page_size=1000").status_code == 200, address


def _opening() -> dict[str, Any]:
    return {
        name: value
        for name, value in felt(0, 0)[0].items()
        if name not in ("uid", "table", "day", "at", "source", "n")
    }


def _signed() -> dict[str, str]:
    return {"requested_by": "a", "sent_by": "b", "carried_by": "c", "received_by": "d"}

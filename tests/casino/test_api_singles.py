"""REST API addresses that show one object: a fact, a round, a finding, a certificate, the head of the ledger,
or the hold. Values are complete and exact. A user without the right gets none.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from django.urls import reverse
from msgspec import json

from audit.ledger import store
from audit.queries import heads
from casino.accounts import view_log
from casino.exports import datasets
from casino.reports import certificates
from tests.audit.floor import fact, opened, uid
from tests.casino.conftest import ROLES, Api, Cast
from tests.casino.feeding import run
from tests.casino.lists import all_rows, recorded_lists, rows_as_dicts
from tests.casino.nights import STREAM
from tests.casino.test_api import problem
from tests.casino.test_api_lists import MAY, SEES_FACTS, SEES_MONEY, door, page
from tests.casino.test_reports import BY, at, felt, record
from tests.furnished import furnishing

ROUND = f"rounds/{STREAM}"


@furnishing
def all_objects() -> Cast:
    """Record a ledger with an object for each address that shows one object."""
    return recorded_lists()


def a_finding() -> dict[str, Any]:
    return next(row for row in all_rows(datasets.get("findings")) if row["code"] == "wrong-settlement")


def test_a_fact_by_uid_has_hashes_that_a_reader_can_recompute(all_objects: Cast) -> None:
    listed = page(door(), "facts?page_size=3")["items"][2]
    answer = door().get(f"/api/v1/facts/{listed['uid']}")
    body = answer.json()
    assert body["fact"] == listed
    recorded = next(row for row in store.read_stream("aurora", listed["stream"]) if row.position == 3)
    assert bytes(recorded.body) in answer.content
    assert body["leaf"] == sha256(b"\0" + bytes(recorded.body)).hexdigest()
    before = bytes.fromhex(
        door().get(f"/api/v1/facts/{page(door(), 'facts?page_size=2')['items'][1]['uid']}").json()["chain"]
    )
    number = recorded.number.to_bytes(8, "big")
    assert (
        body["chain"]
        == sha256(b"\2" + before + (3).to_bytes(8, "big") + number + bytes.fromhex(body["leaf"])).hexdigest()
    )
    assert view_log.viewings(["aurora"])[0].hand.startswith("Fact ")


def test_a_round_is_returned_with_facts_wagers_and_findings(all_objects: Cast) -> None:
    finding = a_finding()
    body = page(door(), f"{ROUND}/{finding['round']}")
    row = next(
        row
        for row in all_rows(datasets.get("rounds"), table="aurora/EOU-07")
        if row["round"] == finding["round"]
    )
    assert {name: body["round"][name] for name in row} == row
    bodies = [json.decode(row.body) for row in store.read_stream("aurora", STREAM)]
    assert [fact["body"] for fact in body["facts"] if fact["round"]] == [
        body_of_fact for body_of_fact in bodies if body_of_fact.get("round") == finding["round"]
    ]
    assert finding["id"] in [listed["id"] for listed in body["findings"]]
    wager = next(
        line
        for line in body["wagers"]
        if (line["spot"], line["wager"]) == (finding["spot"], finding["wager"])
    )
    assert (wager["owed"], wager["owed_amount"]) == (str(finding["owed"]), f"{finding['owed'] / 100:.2f}")
    assert wager["moved"] == f"{finding['moved'] / 100:.2f}"
    assert (view_log.viewings(["aurora"])[0].stream, view_log.viewings(["aurora"])[0].hand) == (
        STREAM,
        finding["round"],
    )


def test_an_open_round_has_no_row_and_a_later_correction_is_shown_with_its_round(
    all_objects: Cast,
) -> None:
    make = at(table="aurora/T7")
    bet = {"round": "r/1", "spot": "1", "wager": "over", "amount": 500}
    record([felt(0, 0, "aurora/T7")[0], make("round-opened", round="r/1"), make("bet", **bet)])
    body = page(door(), "rounds/aurora/T7/2026-11-27/r/1")
    assert (body["round"], body["findings"], body["wagers"][0]["stake"], body["wagers"][0]["owed"]) == (
        None,
        [],
        "5.00",
        None,
    )
    record(
        [
            make("take", **bet),
            make("round-closed", round="r/1"),
            make("corrected", **bet | {"amount": 125}, reason="late", **BY),
        ]
    )
    body = page(door(), "rounds/aurora/T7/2026-11-27/r/1")
    assert (body["round"]["taken"], body["wagers"][0]["corrected"]) == ("5.00", "1.25")
    assert [correction["kind"] for correction in body["corrections"]] == ["corrected"]


def test_a_round_is_shown_without_findings_to_users_who_may_not_see_them(all_objects: Cast) -> None:
    address = f"{ROUND}/{a_finding()['round']}"
    assert page(door("Alma"), address)["findings"] is None
    assert page(door("Rhea", scopes=["read:facts"]), address)["findings"] is None
    assert page(door("Rhea"), address)["findings"]


def test_a_finding_by_id_has_all_its_verdicts(all_objects: Cast) -> None:
    judged = all_rows(datasets.get("verdicts"))[0]
    body = page(door(), f"findings/{judged['finding']}")
    assert body["finding"] == next(
        finding
        for finding in page(door(), "findings?page_size=1000")["items"]
        if finding["id"] == judged["finding"]
    )
    assert [
        (verdict["position"], verdict["verdict"], verdict["savings"]) for verdict in body["verdicts"]
    ] == [(judged["position"], "confirmed", "0.05")]


@pytest.mark.usefixtures("contexts")
def test_the_digits_of_an_id_may_be_in_upper_or_lower_case(all_objects: Cast) -> None:
    listed = page(door(), "facts?page_size=3")["items"][2]
    upper = listed["uid"].upper()
    assert upper != listed["uid"]
    assert page(door(), f"facts/{upper}") == page(door(), f"facts/{listed['uid']}")
    id = a_finding()["id"]
    uid, _, rest_of_id = id.partition(":")
    assert page(door(), f"findings/{uid.upper()}:{rest_of_id}")["finding"]["id"] == id
    for address in (f"findings/{uid}:{rest_of_id.upper()}", "findings/x:y::", f"facts/{uid[:-1]}G"):
        assert door().get(f"/api/v1/{address}").status_code == 404, address
    rhea = all_objects.browser("Rhea")
    for address in (
        f"casino/finding/{uid.upper()}_3A{rest_of_id.replace(':', '_3A')}/change/",
        f"casino/finding/?q={uid.upper()}:{rest_of_id}",
        f"audit/fact/?q={upper}",
    ):
        answer = rhea.get(f"/admin/{address}")
        assert answer.status_code == 200, address
        if "?q=" in address:
            assert len(answer.context["cl"].result_list) == 1, address


@pytest.mark.usefixtures("contexts")
def test_a_finding_of_an_upper_case_uid_is_found_in_either_case(cast: Cast) -> None:
    sent = fact(2) | {"uid": "01A0AF00-0000-7000-8000-00000000ABCD"}
    record([opened(1), sent])
    rhea = door()
    findings = page(rhea, "findings?page_size=100")["items"]
    ids = {finding["id"] for finding in findings if finding["uid"] == sent["uid"].lower()}
    assert ids
    for id in ids:
        sent_uid, _, rest_of_id = id.partition(":")
        assert sent_uid == sent["uid"]
        for spelled in (sent_uid, sent_uid.lower(), sent_uid.title()):
            assert page(rhea, f"findings/{spelled}:{rest_of_id}")["finding"]["id"] == id
        answer = cast.browser("Rhea").get(f"/admin/casino/finding/?q={sent_uid.lower()}:{rest_of_id}")
        assert len(answer.context["cl"].result_list) == 1


def test_a_missing_object_is_404_and_an_unchanged_one_304(
    all_objects: Cast,
) -> None:
    rhea, finding = door(), a_finding()
    for path in (
        f"facts/{uid(10**9)}",
        "facts/x",
        "findings/x",
        f"{ROUND}/none",
        "rounds/aurora/T1/yesterday/1",
        "rounds/aurora/T1/2026-11-27/%00",
        "certificates/chess",
        "findings/%00",
    ):
        problem(rhea.get(f"/api/v1/{path}"), 404, "not-found")
    for path in (
        f"facts/{finding['uid']}",
        f"findings/{finding['id']}",
        f"{ROUND}/{finding['round']}",
        "ledger?property=aurora",
        "hold",
        "certificates/lucky_7",
    ):
        tag = rhea.get(f"/api/v1/{path}")["ETag"]
        viewings = len(view_log.viewings(["aurora"]))
        second = rhea.client.get(f"/api/v1/{path}", headers=rhea.headers | {"If-None-Match": tag})
        assert (second.status_code, second.content, len(view_log.viewings(["aurora"]))) == (
            304,
            b"",
            viewings,
        ), path


def test_a_single_object_needs_the_right_of_its_list(all_objects: Cast) -> None:
    finding = a_finding()
    table = {
        f"facts/{finding['uid']}": (SEES_FACTS, 404),
        f"{ROUND}/{finding['round']}": (SEES_FACTS, 403),
        "ledger": (SEES_FACTS, 403),
        f"findings/{finding['id']}": (MAY["findings"], 404),
        "hold": (SEES_MONEY, 403),
        "certificates": (SEES_MONEY, 403),
        "certificates/lucky_7": (SEES_MONEY, 403),
    }
    for path, (who_may, status) in table.items():
        for name in ROLES:
            answer = door(name).get(f"/api/v1/{path}")
            assert answer.status_code == (200 if name in who_may else status), (path, name)
        assert Api(None).get(f"/api/v1/{path}").status_code == 401
        assert door("Rhea", scopes=["export", "read:tables"]).get(f"/api/v1/{path}").status_code == 403


def test_the_ledger_has_its_position_now_and_at_an_earlier_time(all_objects: Cast) -> None:
    rhea, head = door(), heads.head("aurora")
    (ledger,) = page(rhea, "ledger")["ledgers"]
    assert (ledger["property"], ledger["position"], ledger["chain"], ledger["recorded_at"][-1]) == (
        "aurora",
        head.position,
        head.chain,
        "Z",
    )
    head_then = heads.at("aurora", 7)
    (old,) = page(rhea, "ledger?as_of=7")["ledgers"]
    assert head_then is not None
    assert (old["position"], old["chain"]) == (7, head_then.chain)
    assert problem(rhea.get(f"/api/v1/ledger?as_of={head.position + 1}"), 400, "as-of")["field"] == "as_of"


def test_a_certificate_by_rest_equals_that_of_the_command(all_objects: Cast) -> None:
    rhea = door()
    games = page(rhea, "certificates")["games"]
    assert [game["game"] for game in games] == certificates.certified_games()
    assert page(rhea, "certificates/lucky_7")["lines"] == json.decode(
        run("certificate", "lucky_7", "--format", "json").out
    )


@pytest.mark.parametrize("path", ["hold", "reports/table-drop"])
def test_a_report_as_of_a_position_equals_the_report_of_that_time(all_objects: Cast, path: str) -> None:
    alma, head = door("Alma"), heads.head("aurora")
    at_head = alma.get(f"/api/v1/{path}?format=csv")
    record(felt(700, 7, "aurora/T9"))
    latest, known = (
        alma.get(f"/api/v1/{path}?format=csv"),
        alma.get(f"/api/v1/{path}?format=csv&as_of={head.position}"),
    )
    assert known["ETag"] == at_head["ETag"] != latest["ETag"]
    assert b"".join(known.streaming_content) == b"".join(at_head.streaming_content)
    assert (known["Catwalk-Position"], known["Catwalk-Chain"]) == (str(head.position), head.chain)
    problem(alma.get(f"/api/v1/{path}?as_of={10**9}"), 400, "as-of")


def test_the_index_leads_to_every_list(all_objects: Cast) -> None:
    rhea = door()
    body = rhea.get(reverse("api-index")).json()
    for address in (*body["lists"].values(), body["ledger"], body["certificates"], body["hold"]):
        assert rhea.get(address.removeprefix("http://testserver")).status_code == 200, address
    assert {
        name: rows_as_dicts(datasets.get("facts"), datasets.Selection())[0][name]
        for name in ("position", "number")
    } == {
        "position": 1,
        "number": 1,
    }

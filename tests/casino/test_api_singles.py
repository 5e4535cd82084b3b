"""REST API addresses of one fact, round, finding or certificate, of the head of the ledger and of hold: the
values are complete and exact, and a user without the right gets none.
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
from tests.casino.conftest import ROLES, Cast, Door
from tests.casino.feeding import run
from tests.casino.lists import recorded_lists, told, whole
from tests.casino.nights import STREAM
from tests.casino.test_api import problem
from tests.casino.test_api_lists import MAY, SEES_FACTS, SEES_MONEY, door, page
from tests.casino.test_reports import BY, at, felt, record
from tests.furnished import furnishing

ROUND = f"rounds/{STREAM}"


@furnishing
def house_of_ones() -> Cast:
    """Record a ledger with something at every address of a single object."""
    return recorded_lists()


def a_finding() -> dict[str, Any]:
    return next(row for row in whole(datasets.get("findings")) if row["code"] == "wrong-settlement")


def test_a_fact_by_its_uid_comes_with_hashes_that_its_reader_can_compute(house_of_ones: Cast) -> None:
    listed = page(door(), "facts?page_size=3")["items"][2]
    answer = door().get(f"/api/v1/facts/{listed['uid']}")
    said = answer.json()
    assert said["fact"] == listed
    recorded = next(row for row in store.read_stream("aurora", listed["stream"]) if row.position == 3)
    assert bytes(recorded.body) in answer.content
    assert said["leaf"] == sha256(b"\0" + bytes(recorded.body)).hexdigest()
    before = bytes.fromhex(
        door().get(f"/api/v1/facts/{page(door(), 'facts?page_size=2')['items'][1]['uid']}").json()["chain"]
    )
    number = recorded.number.to_bytes(8, "big")
    assert (
        said["chain"]
        == sha256(b"\2" + before + (3).to_bytes(8, "big") + number + bytes.fromhex(said["leaf"])).hexdigest()
    )
    assert view_log.viewings(["aurora"])[0].hand.startswith("Fact ")


def test_a_round_comes_with_its_facts_its_wagers_and_what_was_found_in_it(house_of_ones: Cast) -> None:
    found = a_finding()
    said = page(door(), f"{ROUND}/{found['round']}")
    row = next(
        row for row in whole(datasets.get("rounds"), table="aurora/EOU-07") if row["round"] == found["round"]
    )
    assert {name: said["round"][name] for name in row} == row
    bodies = [json.decode(row.body) for row in store.read_stream("aurora", STREAM)]
    assert [each["body"] for each in said["facts"] if each["round"]] == [
        each for each in bodies if each.get("round") == found["round"]
    ]
    assert found["id"] in [each["id"] for each in said["findings"]]
    wager = next(
        each for each in said["wagers"] if (each["spot"], each["wager"]) == (found["spot"], found["wager"])
    )
    assert (wager["owed"], wager["owed_amount"]) == (str(found["owed"]), f"{found['owed'] / 100:.2f}")
    assert wager["moved"] == f"{found['moved'] / 100:.2f}"
    assert (view_log.viewings(["aurora"])[0].stream, view_log.viewings(["aurora"])[0].hand) == (
        STREAM,
        found["round"],
    )


def test_an_open_round_has_no_row_and_a_later_correction_is_shown_with_its_round(
    house_of_ones: Cast,
) -> None:
    make = at(table="aurora/T7")
    bet = {"round": "r/1", "spot": "1", "wager": "over", "amount": 500}
    record([felt(0, 0, "aurora/T7")[0], make("round-opened", round="r/1"), make("bet", **bet)])
    said = page(door(), "rounds/aurora/T7/2026-11-27/r/1")
    assert (said["round"], said["findings"], said["wagers"][0]["stake"], said["wagers"][0]["owed"]) == (
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
    said = page(door(), "rounds/aurora/T7/2026-11-27/r/1")
    assert (said["round"]["taken"], said["wagers"][0]["corrected"]) == ("5.00", "1.25")
    assert [each["kind"] for each in said["corrections"]] == ["corrected"]


def test_who_may_see_facts_and_no_findings_is_shown_a_round_without_them(house_of_ones: Cast) -> None:
    address = f"{ROUND}/{a_finding()['round']}"
    assert page(door("Alma"), address)["findings"] is None
    assert page(door("Rhea", scopes=["read:facts"]), address)["findings"] is None
    assert page(door("Rhea"), address)["findings"]


def test_a_finding_by_its_id_comes_with_every_verdict_on_it(house_of_ones: Cast) -> None:
    judged = whole(datasets.get("verdicts"))[0]
    said = page(door(), f"findings/{judged['finding']}")
    assert said["finding"] == next(
        each for each in page(door(), "findings?page_size=1000")["items"] if each["id"] == judged["finding"]
    )
    assert [(each["position"], each["verdict"], each["savings"]) for each in said["verdicts"]] == [
        (judged["position"], "confirmed", "0.05")
    ]


@pytest.mark.usefixtures("contexts")
def test_the_digits_of_an_id_may_be_in_upper_or_lower_case(house_of_ones: Cast) -> None:
    listed = page(door(), "facts?page_size=3")["items"][2]
    upper = listed["uid"].upper()
    assert upper != listed["uid"]
    assert page(door(), f"facts/{upper}") == page(door(), f"facts/{listed['uid']}")
    id = a_finding()["id"]
    uid, _, rest = id.partition(":")
    assert page(door(), f"findings/{uid.upper()}:{rest}")["finding"]["id"] == id
    for address in (f"findings/{uid}:{rest.upper()}", "findings/x:y::", f"facts/{uid[:-1]}G"):
        assert door().get(f"/api/v1/{address}").status_code == 404, address
    rhea = house_of_ones.browser("Rhea")
    for address in (
        f"casino/finding/{uid.upper()}_3A{rest.replace(':', '_3A')}/change/",
        f"casino/finding/?q={uid.upper()}:{rest}",
        f"audit/fact/?q={upper}",
    ):
        answer = rhea.get(f"/admin/{address}")
        assert answer.status_code == 200, address
        if "?q=" in address:
            assert len(answer.context["cl"].result_list) == 1, address


@pytest.mark.usefixtures("contexts")
def test_a_finding_of_a_fact_that_was_sent_in_upper_case_is_found_in_either(cast: Cast) -> None:
    sent = fact(2) | {"uid": "01A0AF00-0000-7000-8000-00000000ABCD"}
    record([opened(1), sent])
    rhea = door()
    found = page(rhea, "findings?page_size=100")["items"]
    ids = {each["id"] for each in found if each["uid"] == sent["uid"].lower()}
    assert ids
    for id in ids:
        sent_uid, _, rest = id.partition(":")
        assert sent_uid == sent["uid"]
        for spelled in (sent_uid, sent_uid.lower(), sent_uid.title()):
            assert page(rhea, f"findings/{spelled}:{rest}")["finding"]["id"] == id
        answer = cast.browser("Rhea").get(f"/admin/casino/finding/?q={sent_uid.lower()}:{rest}")
        assert len(answer.context["cl"].result_list) == 1


def test_what_is_not_there_is_not_found_and_what_is_had_already_is_not_sent_again(
    house_of_ones: Cast,
) -> None:
    rhea, found = door(), a_finding()
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
        f"facts/{found['uid']}",
        f"findings/{found['id']}",
        f"{ROUND}/{found['round']}",
        "ledger?property=aurora",
        "hold",
        "certificates/lucky_7",
    ):
        tag = rhea.get(f"/api/v1/{path}")["ETag"]
        seen = len(view_log.viewings(["aurora"]))
        again = rhea.client.get(f"/api/v1/{path}", headers=rhea.headers | {"If-None-Match": tag})
        assert (again.status_code, again.content, len(view_log.viewings(["aurora"]))) == (
            304,
            b"",
            seen,
        ), path


def test_only_who_may_see_it_is_given_one_of_a_list(house_of_ones: Cast) -> None:
    found = a_finding()
    table = {
        f"facts/{found['uid']}": (SEES_FACTS, 404),
        f"{ROUND}/{found['round']}": (SEES_FACTS, 403),
        "ledger": (SEES_FACTS, 403),
        f"findings/{found['id']}": (MAY["findings"], 404),
        "hold": (SEES_MONEY, 403),
        "certificates": (SEES_MONEY, 403),
        "certificates/lucky_7": (SEES_MONEY, 403),
    }
    for path, (who_may, otherwise) in table.items():
        for who in ROLES:
            answer = door(who).get(f"/api/v1/{path}")
            assert answer.status_code == (200 if who in who_may else otherwise), (path, who)
        assert Door(None).get(f"/api/v1/{path}").status_code == 401
        assert door("Rhea", scopes=["export", "read:tables"]).get(f"/api/v1/{path}").status_code == 403


def test_the_ledger_says_its_position_now_and_at_an_earlier_time(house_of_ones: Cast) -> None:
    rhea, head = door(), heads.head("aurora")
    (one,) = page(rhea, "ledger")["ledgers"]
    assert (one["property"], one["position"], one["chain"], one["recorded_at"][-1]) == (
        "aurora",
        head.position,
        head.chain,
        "Z",
    )
    then = heads.at("aurora", 7)
    (old,) = page(rhea, "ledger?as_of=7")["ledgers"]
    assert then is not None
    assert (old["position"], old["chain"]) == (7, then.chain)
    assert problem(rhea.get(f"/api/v1/ledger?as_of={head.position + 1}"), 400, "as-of")["field"] == "as_of"


def test_a_certificate_by_rest_is_that_of_the_command(house_of_ones: Cast) -> None:
    rhea = door()
    games = page(rhea, "certificates")["games"]
    assert [each["game"] for each in games] == certificates.certified_games()
    assert page(rhea, "certificates/lucky_7")["lines"] == json.decode(
        run("certificate", "lucky_7", "--format", "json").out
    )


@pytest.mark.parametrize("path", ["hold", "reports/table-drop"])
def test_a_report_as_of_a_position_is_the_report_that_was_given_then(house_of_ones: Cast, path: str) -> None:
    alma, head = door("Alma"), heads.head("aurora")
    then = alma.get(f"/api/v1/{path}?format=csv")
    record(felt(700, 7, "aurora/T9"))
    now, known = (
        alma.get(f"/api/v1/{path}?format=csv"),
        alma.get(f"/api/v1/{path}?format=csv&as_of={head.position}"),
    )
    assert known["ETag"] == then["ETag"] != now["ETag"]
    assert b"".join(known.streaming_content) == b"".join(then.streaming_content)
    assert (known["Catwalk-Position"], known["Catwalk-Chain"]) == (str(head.position), head.chain)
    problem(alma.get(f"/api/v1/{path}?as_of={10**9}"), 400, "as-of")


def test_the_index_leads_to_every_list(house_of_ones: Cast) -> None:
    rhea = door()
    said = rhea.get(reverse("api-index")).json()
    for address in (*said["lists"].values(), said["ledger"], said["certificates"], said["hold"]):
        assert rhea.get(address.removeprefix("http://testserver")).status_code == 200, address
    assert {
        name: told(datasets.get("facts"), datasets.Selection())[0][name] for name in ("position", "number")
    } == {
        "position": 1,
        "number": 1,
    }

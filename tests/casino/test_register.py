"""Registers are loaded from one file. Loading it twice changes nothing the second time. Tables that a new
entry concerns are examined again.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from audit.ledger import store
from casino.sample.month.approvals import approvals
from games import GAMES
from tests.audit.floor import fact, opened
from tests.casino.feeding import Ran, codes, run, write_lines

APPROVAL = {
    "game": "easy_over_under",
    "edition": "2010-02-05",
    "pay_tables": {"spread": "B"},
    "letter": "L-17",
}
APPROVAL |= {"from": "2026-01-01", "to": None}
WHOLE = {
    "property": "aurora",
    "dealers": ["d-101", "d-102"],
    "supervisors": ["s-1", "d-102"],
    "approvals": [APPROVAL],
    "day-begins": {"time": "06:00", "zone": "America/Los_Angeles"},
    "devices": {"shoe-7": {"serial": "B1"}},
}

VIENNA = {"day-begins": {"time": "06:00", "zone": "Europe/Vienna"}}
EOU = {"game": "easy_over_under"}


def load(tmp_path: Path, document: Any, *args: str) -> Ran:
    path = tmp_path / "register.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    signed = () if {"--by", "--second"} & {*args} else ("--by", "m-1", "--second", "m-2")
    return run("load_register", path, *args, *signed)


def entries() -> list[dict[str, Any]]:
    return [json.loads(body) for _, _, _, body in store.read_kinds("aurora", {"register-set"})]


def test_the_document_becomes_entries_of_the_property_stream(house, tmp_path):
    ran = load(tmp_path, WHOLE, "--by", "m-1", "--second", "m-2")
    assert (ran.code, ran.out) == (0, "recorded 6, already recorded 0\n")
    entries_by_key = {(entry["register"], entry["key"]): entry for entry in entries()}
    assert {at: entry["value"] for at, entry in entries_by_key.items()} == {
        ("people", "d-101"): {"role": "dealer"},
        ("people", "s-1"): {"role": "supervisor"},
        ("people", "d-102"): {"roles": ["dealer", "supervisor"]},
        ("approvals", "L-17"): APPROVAL,
        ("day-begins", "*"): WHOLE["day-begins"],
        ("devices", "shoe-7"): {"serial": "B1"},
    }
    assert entries_by_key["approvals", "L-17"]["from"] == "2026-01-01"
    assert {(entry["table"], entry["by"], entry["second"], entry["to"]) for entry in entries()} == {
        ("aurora/house", "m-1", "m-2", None)
    }
    today = (
        (datetime.now(UTC).astimezone(ZoneInfo("America/Los_Angeles")) - timedelta(hours=6))
        .date()
        .isoformat()
    )
    assert {entry["day"] for entry in entries()} == {today}


def test_the_command_refuses_one_person_as_both_signers(house, tmp_path):
    people = {"property": "aurora", "people": {"m-1": {"role": "administrator"}}}
    for document, by, second, says in (
        (people, "m-1", "m-2", "people.m-1: by: Nobody can enter or sign a change of their own rights"),
        (people, "m-2", "m-1", "people.m-1: second: Nobody can enter or sign a change of their own rights"),
        (people, "m-2", "m-2", "people.m-1: second: The second person must be someone else"),
        (
            {"property": "aurora", "pits": {"pit-1": {}}},
            "m-1",
            "m-1",
            "pits.pit-1: second: The second person must be someone else",
        ),
        ({"property": "aurora", "dealers": ["m-1"]}, "m-1", "", "people.m-1: by: Nobody can enter or sign"),
    ):
        ran = load(tmp_path, document, "--by", by, "--second", second)
        assert (ran.code, says in ran.err, entries()) == (1, True, []), ran.err
    assert load(tmp_path, people, "--by", "m-2", "--second", "m-3").code == 0


def test_loading_twice_records_nothing_and_a_restored_entry_is_recorded(house, tmp_path):
    load(tmp_path, WHOLE)
    assert load(tmp_path, WHOLE).out == "recorded 0, already recorded 6\n"
    other = {"property": "aurora", "devices": {"shoe-7": {"serial": "B2"}}}
    assert load(tmp_path, other).out == "recorded 1, already recorded 0\n"
    assert load(tmp_path, WHOLE).out == "recorded 1, already recorded 5\n"
    assert load(tmp_path, WHOLE).out == "recorded 0, already recorded 6\n"


def test_one_letter_may_approve_two_games(house, tmp_path):
    other = APPROVAL | {"game": "andar_bahar", "edition": "ezugi", "pay_tables": {"andar": "ezugi"}}
    for _ in range(2):
        load(tmp_path, {"property": "aurora", "approvals": [APPROVAL, other]})
    assert [entry["key"] for entry in entries()] == ["L-17", "L-17/andar_bahar/ezugi"]


def test_an_approval_has_its_letter_and_conditions_and_covers_what_it_names(house, tmp_path):
    letter = APPROVAL | {
        "readings": {"rounding": ["exact"]},
        "regulator": "WSGC",
        "conditions": ["Rules of play as enclosed.", "TGA approval."],
    }
    assert load(tmp_path, {"property": "aurora", "approvals": [letter]}).code == 0
    assert [entry["value"] for entry in entries()] == [letter]
    rounded = {**opened(3, table="aurora/EOU-03"), "readings": {"rounding": "house"}}
    other_table = {**opened(2, table="aurora/EOU-02"), "pay_tables": {"spread": "A"}}
    ran = run("import_facts", write_lines(tmp_path / "facts", opened(1), other_table, rounded))
    assert (ran.code, codes()) == (1, ["pay-table-not-approved"] * 2)
    sentences = [
        finding["says"] for finding in map(json.loads, run("findings", "--format", "ndjson").out.splitlines())
    ]
    assert "pay table A for spread" in sentences[0]
    assert "the reading rounding = house" in sentences[1]
    assert all("the letter L-17" in finding for finding in sentences)


def test_an_expired_approval_does_not_cover_later_days(house, tmp_path):
    assert load(tmp_path, {"property": "aurora", "approvals": [APPROVAL | {"to": "2026-11-28"}]}).code == 0
    days = [opened(1), opened(2, day="2026-11-28"), opened(3, day="2025-12-31"), opened(4, day="2026-01-01")]
    assert run("import_facts", write_lines(tmp_path / "facts", *days)).code == 1
    findings = [json.loads(text) for text in run("findings", "--format", "ndjson").out.splitlines()]
    assert sorted(finding["stream"] for finding in findings) == [
        "aurora/EOU-01/2025-12-31",
        "aurora/EOU-01/2026-11-28",
    ]


def test_the_approvals_of_the_sample_property_can_be_loaded(house, tmp_path):
    """Test that the approvals of the sample property can be loaded. Approvals of games that are not installed
    are not loaded.
    """
    own = [value for _, _, value in approvals(GAMES) if value["game"] in GAMES]
    assert (
        load(tmp_path, {"property": "aurora", "approvals": own}).out
        == f"recorded {len(GAMES)}, already recorded 0\n"
    )


def test_a_register_entry_changes_findings(house, tmp_path):
    seated = fact(2, kind="dealer-seated", dealer="d-999", supervisor="s-1")
    assert run("import_facts", write_lines(tmp_path / "facts", opened(1), seated)).code == 0
    ran = load(tmp_path, WHOLE)
    assert (ran.code, codes()) == (1, ["dealer-unknown"])
    assert len(ran.err.splitlines()) == 1
    assert load(tmp_path, {"property": "aurora", "dealers": ["d-999"]}).code == 0
    assert codes() == []


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ("{", "not JSON"),
        ("[]", "must be a JSON object"),
        ({"dealers": "d-1"}, "dealers: a list"),
        ({"dealers": ["d-1", 7]}, "dealers[1]: a text is needed, given 7"),
        ({"dealers": [{"id": "d-1", "from": "soon"}]}, "dealers[0].from: 'soon' is not a date"),
        ({"approvals": [{"game": "x"}]}, "approvals[0].letter: "),
        ({"approvals": [APPROVAL | {"to": "2025-01-01"}]}, "approvals[0].to: 2025-01-01 is not after"),
        (
            {"approvals": [APPROVAL | {"game": "blackjack"}]},
            "approvals[0].game: unknown game 'blackjack'",
        ),
        (
            {"approvals": [APPROVAL | {"edition": "1999"}]},
            "approvals[0].edition: easy_over_under has no '1999'",
        ),
        (
            {"approvals": [APPROVAL | {"pay_tables": {"spread": ["A", "C"]}}]},
            "approvals[0].pay_tables.spread: easy_over_under has no 'C'",
        ),
        ({"approvals": [APPROVAL | {"pay_tables": "B"}]}, "approvals[0].pay_tables: "),
        (
            {"approvals": [APPROVAL | {"readings": {"rounding": "up"}}]},
            "approvals[0].readings.rounding: easy_over_under has no 'up'",
        ),
        (
            {"approvals": [APPROVAL | {"readings": {"tie": ["lose"]}}]},
            "approvals[0].readings: easy_over_under has no 'tie'",
        ),
        ({"approvals": [APPROVAL | {"conditions": "none"}]}, "approvals[0].conditions: "),
        (
            {"people": {"p-1": {"role": "king"}}},
            "people.p-1.role: 'king' is not one of surveillance, ",
        ),
        (
            {"people": {"p-1": {"roles": ["dealer", "pitboss"]}}},
            "people.p-1.roles[1]: 'pitboss' is not one of surveillance, ",
        ),
        (
            {"people": {"p-1": {"roles": ["surveillance", "cage"]}}},
            "people.p-1.roles: one person cannot be surveillance and cage",
        ),
        ({"people": {"p-1": {"roles": "dealer"}}}, "people.p-1.roles: a list of roles is needed"),
        ({"people": {"p-1": "dealer"}}, "people.p-1: an object with role, roles, tables is needed"),
        ({"people": [{"key": "p-1", "value": {"role": 3}}]}, "people[0].value.role: a text is needed"),
        ({"day-begins": "06:00"}, "day-begins: "),
        ({"day-begins": {"time": "6 am", "zone": "UTC"}}, "day-begins.time: '6 am'"),
        ({"day-begins": {"time": "06:00", "zone": "Mars"}}, "day-begins.zone: 'Mars'"),
        ({"day-begins": {"time": "02:30", "zone": "Europe/Vienna"}}, "day-begins.time: on "),
        (
            {"day-begins": {"time": "06:00", "zone": "UTC", "clock_change": "both"}},
            "day-begins.clock_change: must be first or second",
        ),
        (VIENNA | {"shifts": {"late": {"begins": "02:00"}}}, "shifts.late.begins: on "),
        (
            VIENNA | {"shifts": [{"key": "late", "value": {"begins": "noon"}}]},
            "shifts[0].value.begins: 'noon' is not a local time",
        ),
        ({"tables": {"T-1": {"game": "blackjack"}}}, "tables.T-1.game: unknown game 'blackjack'"),
        ({"tables": {"T-1": EOU | {"edition": "1999"}}}, "tables.T-1.edition: easy_over_under has no '1999'"),
        (
            {"tables": {"T-1": EOU | {"pay_tables": {"spread": "C"}}}},
            "tables.T-1.pay_tables.spread: easy_over_under has no 'C'",
        ),
        (
            {"tables": {"T-1": EOU | {"limits": {"over": [500, 100]}}}},
            "tables.T-1.limits.over: the minimum is above the maximum",
        ),
        (
            {"tables": {"T-1": EOU | {"limits": {"red": [100, 500]}}}},
            "tables.T-1.limits: easy_over_under has no 'red'",
        ),
        (
            {"thresholds": {"adjustment": {"amount": 10**15 + 1}}},
            "thresholds.adjustment.amount: a whole number from 0 to 1,000",
        ),
        ({"tables": {"T-1": EOU | {"chip": 0}}}, "tables.T-1.chip: a whole number from 1"),
        (
            {"tables": {"T-1": EOU | {"sees": ["everything"]}}},
            "tables.T-1.sees: unknown kind of fact 'everything'; docs/events.md lists the kinds",
        ),
        (
            {"chip-sets": {"dollars": {"chips": [100]}}},
            "chip-sets.dollars.key: a currency has three capital letters",
        ),
        ({"chip-sets": {"USD": {"chips": [100, -5]}}}, "chip-sets.USD.chips: a whole number from 1"),
        ({"thresholds": {"adjustment": {"amount": "2000"}}}, "thresholds.adjustment.amount: a whole number"),
        (
            {"thresholds": {"statistics": {"confidence": 80}}},
            "thresholds.statistics.confidence: it must be one of 90, 95, 99 percent",
        ),
        ({"profile": {"*": {}}}, "profile.*.name: a text is needed"),
        ({"devices": {"shoe-7": {"tables": "EOU-01"}}}, "devices.shoe-7.tables: a list is needed"),
        ({"devices": 3}, "devices: a list"),
        ({"devices": [{"key": "a"}]}, "devices[0]: "),
        ({"devices": {"a": {"price": 1.5}}}, "devices.a value.price: 1.5"),
        ({"property": "a/b"}, "table: "),
    ],
)
def test_an_invalid_entry_is_refused_with_its_field(house, tmp_path, document, field):
    if isinstance(document, dict):
        document = {"property": "aurora", "supervisors": ["s-1"]} | document
    ran = load(tmp_path, document)
    assert (ran.code, entries()) == (1, [])
    assert len(ran.err.splitlines()) == 1
    assert field in ran.err


def test_a_repeated_hour_is_accepted_if_the_entry_says_which_is_meant(house, tmp_path):
    late = {"begins": "02:30", "clock_change": "second"}
    assert load(tmp_path, VIENNA | {"property": "aurora", "shifts": {"late": late}}).code == 0
    assert load(tmp_path, {"property": "aurora", "shifts": {"night": {"begins": "02:30"}}}).code == 1, (
        "the zone is that of the register"
    )
    summer = [{"key": "summer", "value": {"begins": "02:15"}, "from": "2027-06-01", "to": "2027-09-01"}]
    assert load(tmp_path, {"property": "aurora", "shifts": summer}).code == 0, (
        "no clock is changed while it holds"
    )


def test_the_property_is_named_once(house, tmp_path):
    assert load(tmp_path, {"dealers": []}).code == 2
    assert load(tmp_path, {"dealers": ["d-1"]}, "--property", "aurora").code == 0
    assert load(tmp_path, WHOLE, "--property", "borealis").code == 2
    assert run("load_register", tmp_path / "nothing").code == 2

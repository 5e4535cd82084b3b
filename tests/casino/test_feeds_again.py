"""A vendor's feed may send a message twice. The second one is recognized by the identifier that the provider
gave to both. If its content differs, the error names both messages.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.casino.feeding import (
    CAPTURE,
    LIVE,
    MESSAGES,
    card,
    codes,
    counted,
    facts_of,
    message,
    run,
    write_lines,
)

OWN_DAY = "aurora/228000/2030-01-05"
DAY = "aurora/228000/2023-03-27"


def changed_messages(change: dict[int, dict[str, Any]]) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in MESSAGES.read_text().splitlines()]
    for number, fields in change.items():
        lines[number] |= fields
    return lines


@pytest.mark.parametrize(
    "change",
    [
        {4: {"Resent": True}},
        {number: {"Added": {"deep": [1, 2.5, None]}} for number in range(9)},
        {4: {"CardName": "6D"}},
        {5: {"CardName": "10d"}},
        {4: {"CardValue": "6"}},
        {4: {"CardValue": 6.0}},
        {number: {"roundId": "9000001"} for number in range(9)},
        {number: {"TableId": 228000} for number in range(9)},
        {4: {"timeStamp": "2030-01-05T22:00:26Z"}},
        {4: {"timeStamp": "2030-01-06T03:30:26.0000001+05:30"}},
        {
            8: {
                "GameResults": {
                    "WinningHand": "BAHAR",
                    "JokerCard": ["9D"],
                    "BaharCards": ["6D", "9C"],
                    "AndarCards": ["10D"],
                }
            }
        },
    ],
)
def test_a_repeated_message_with_the_same_meaning_is_recognized(house, tmp_path, change):
    assert counted(run("import_facts", *LIVE, MESSAGES)) == (10, 0, 0)
    before = facts_of(OWN_DAY)
    second = changed_messages(change)
    assert counted(run("import_facts", *LIVE, write_lines(tmp_path / "again.jsonl", *second))) == (0, 10, 0)
    assert counted(
        run("import_facts", *LIVE, write_lines(tmp_path / "twice.jsonl", *changed_messages({}), *second))
    ) == (
        0,
        18,
        0,
    )
    assert facts_of(OWN_DAY) == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {4: {"CardName": "7d", "CardValue": 7}},
            "deal to bahar of round 9000001, 2030-01-05T22:00:26.000+00:00: the message came before",
        ),
        ({4: {"CardName": "7d", "CardValue": 7}}, "said card 6d, now 7d"),
        ({4: {"CardName": "6dd"}}, "said card 6d, now null; raw_text null, now 6dd"),
        ({4: {"CardValue": 8}}, 'said contradicts null, now [["the card","CardName 6d","CardValue 8"]]'),
        ({4: {"CardHand": "Andar"}}, "said to bahar, now andar"),
        ({8: {"GameResults": {"WinningHand": "Andar"}}}, "value bahar, now andar"),
    ],
)
def test_a_repeated_message_with_other_content_is_a_conflict_that_names_both(
    house, tmp_path, change, message
):
    run("import_facts", *LIVE, MESSAGES)
    before = facts_of(OWN_DAY)
    ran = run("import_facts", *LIVE, write_lines(tmp_path / "again.jsonl", *changed_messages(change)))
    assert (ran.code, counted(ran)) == (1, (0, 9, 1))
    (number,) = change
    assert f"again.jsonl line {number + 1}: " in ran.err
    assert message in ran.err
    assert facts_of(OWN_DAY) == before


def test_a_conflict_within_a_file_names_the_line_of_the_first(house, tmp_path):
    lines = changed_messages({})
    lines.insert(6, lines[4] | {"CardName": "7d", "CardValue": 7})
    ran = run("import_facts", *LIVE, write_lines(tmp_path / "feed.jsonl", *lines))
    assert counted(ran) == (10, 0, 1)
    assert "feed.jsonl line 7: deal to bahar of round 9000001" in ran.err
    assert "card 6d, now 7d" in ran.err
    assert "(line 5)" in ran.err
    assert codes() == []


def test_a_message_sent_twice_in_one_file_is_recorded_once(house, tmp_path):
    lines = changed_messages({})
    assert counted(
        run("import_facts", *LIVE, write_lines(tmp_path / "feed.jsonl", *lines, lines[4], lines[0], lines[8]))
    )[::2] == (10, 0)
    assert len(facts_of(OWN_DAY)) == 10
    assert codes() == []


def test_cards_with_the_same_time_differ_by_their_place(house, tmp_path):
    lines = [
        message("SHUFFLE"),
        card("Joker", "9d"),
        message("NO_MORE_BETS"),
        card("Bahar", "Td"),
        card("Andar", "9c"),
    ]
    path = write_lines(tmp_path / "feed.jsonl", *lines)
    assert counted(run("import_facts", *LIVE, path)) == (7, 0, 0)
    assert counted(run("import_facts", *LIVE, path)) == (0, 7, 0)


def test_a_file_that_begins_in_the_middle_of_a_round_goes_on(house, tmp_path):
    lines = changed_messages({})
    for number in range(len(lines)):
        run("import_facts", *LIVE, write_lines(tmp_path / "part.jsonl", lines[number]))
    assert [fact["kind"] for fact in facts_of(OWN_DAY)] == [
        "table-opened",
        "shuffled",
        "round-opened",
        "deal",
        "no-more-bets",
        "deal",
        "deal",
        "deal",
        "announce",
        "round-closed",
    ]
    assert codes() == []


def test_what_an_earlier_release_recorded_is_the_same_message(house, tmp_path):
    """Import messages that an earlier release has recorded, and test that they are recognized. In that
    release, the uid of a fact was a hash of the whole message, and values that were not understood had no
    field.
    """
    run("import_facts", *LIVE, MESSAGES)
    run("import_facts", *LIVE, CAPTURE)
    older = tmp_path / "older.ndjson"
    bodies = []
    for number, fact in enumerate((*facts_of(OWN_DAY), *facts_of(DAY))):
        fields = {
            name: value
            for name, value in fact.items()
            if name not in ("raw_text", "contradicts", "declared_cards")
        }
        fields |= {"shoe": "old"} if "shoe" in fields else {}
        bodies.append(fields | {"table": "aurora/old", "uid": f"018722cb-6aee-728a-ac2f-{number:012d}"})
    assert counted(run("import_facts", write_lines(older, *bodies))) == (59, 0, 0)
    old = (*LIVE[:3], "aurora/old", *LIVE[4:])
    sizes = [len(facts_of(f"aurora/old/{day}")) for day in ("2030-01-05", "2023-03-27")]
    for file in (MESSAGES, CAPTURE):
        assert counted(run("import_facts", *old, file))[::2] == (0, 0)
    assert [len(facts_of(f"aurora/old/{day}")) for day in ("2030-01-05", "2023-03-27")] == sizes


def test_a_repeated_capture_with_other_content_is_a_conflict_at_its_round(house, tmp_path):
    run("import_facts", *LIVE, CAPTURE)
    capture = json.loads(CAPTURE.read_text())
    capture["rounds"][1]["bahar"][1] = "8S"
    capture["rounds"][0]["timeStamp"] = "2023-03-27 11:19:29.2629999"
    path = tmp_path / "again.json"
    path.write_text(json.dumps(capture, indent=1))
    ran = run("import_facts", *LIVE, path)
    assert counted(ran) == (0, 48, 1)
    assert "deal to bahar of round 1884924689" in ran.err
    assert "said card 8h, now 8s" in ran.err

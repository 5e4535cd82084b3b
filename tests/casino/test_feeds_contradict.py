"""If messages of a feed contradict each other, both values are recorded and replay reports a finding."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit.findings import read
from tests.casino.feeding import CAPTURE, LIVE, MESSAGES, counted, facts_of, run, write_lines

OWN_DAY = "aurora/228000/2030-01-05"


def feed(tmp_path: Any, change: dict[int, dict[str, Any]]) -> dict[str, list[str]]:
    """Import nine messages of a vendor, some of them changed. `change` has the new fields by the index of the
    message. Return the sentences of the findings by code.
    """
    sent = [json.loads(line) for line in MESSAGES.read_text().splitlines()]
    for number, fields in change.items():
        sent[number] |= fields
    run("import_facts", *LIVE, write_lines(tmp_path / "feed.jsonl", *sent))
    return sentences()


def sentences() -> dict[str, list[str]]:
    by_code: dict[str, list[str]] = {}
    for finding, _ in read.findings():
        assert finding.code != "feed-contradicts" or finding.cite.startswith("Event reference, ")
        by_code.setdefault(finding.code, []).append(finding.says)
    return by_code


def results(**fields: Any) -> dict[int, dict[str, Any]]:
    """Return a change for `feed` that replaces fields of the results in the last message."""
    honest = {
        "RoundId": 9000001,
        "JokerCard": "9d",
        "BaharCards": ["6d", "9c"],
        "AndarCards": ["Td"],
        "WinningHand": "Bahar",
    }
    return {8: {"GameResults": honest | fields}}


def test_an_honest_feed_contradicts_nothing(house, tmp_path):
    assert feed(tmp_path, {}) == {}


@pytest.mark.parametrize("value", [6, "6", 6.0])
def test_a_card_value_that_fits_its_name_is_no_contradiction(house, tmp_path, value):
    assert feed(tmp_path, {4: {"CardValue": value}}) == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [("Ad", 11), ("Ad", 1), ("Kd", 10), ("Kd", 13), ("Jd", 11), ("Jd", 10), ("Qd", "12"), ("TS", 10)],
)
def test_aces_and_faces_count_as_vendors_count_them(house, tmp_path, name, value):
    listed = results(BaharCards=[name, "9c"])
    assert feed(tmp_path, {4: {"CardName": name, "CardValue": value}} | listed) == {}


@pytest.mark.parametrize(("value", "shown"), [(7, "7"), ("7", "7"), ("six", "six"), (6.5, "6.5"), (16, "16")])
def test_a_card_value_that_contradicts_its_name_is_found_with_both(house, tmp_path, value, shown):
    says_by_code = feed(tmp_path, {4: {"CardValue": value}})
    assert says_by_code == {
        "feed-contradicts": [f"The feed gives two values for the card: CardName 6d, and CardValue {shown}."]
    }
    (dealt,) = [fact for fact in facts_of(OWN_DAY) if fact.get("contradicts")]
    assert (dealt["card"], dealt["contradicts"]) == (
        "6d",
        [["the card", "CardName 6d", f"CardValue {shown}"]],
    )


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        (
            {"BaharCards": ["6d", "9h"]},
            "The result that the feed declared lists 6d, 9h at bahar; dealt there: 6d, 9c.",
        ),
        (
            {"BaharCards": ["9c", "6d"]},
            "The result that the feed declared lists 9c, 6d at bahar; dealt there: 6d, 9c.",
        ),
        ({"AndarCards": []}, "The result that the feed declared lists no card at andar; dealt there: Td."),
        (
            {"AndarCards": ["Td", "2c"]},
            "The result that the feed declared lists Td, 2c at andar; dealt there: Td.",
        ),
        ({"AndarCards": ["TDD"]}, "The result that the feed declared lists TDD at andar; dealt there: Td."),
        ({"JokerCard": "9s"}, "The result that the feed declared lists 9s at joker; dealt there: 9d."),
    ],
)
def test_a_result_that_lists_other_cards_than_were_dealt_is_found_with_both(house, tmp_path, fields, says):
    assert feed(tmp_path, results(**fields)) == {"feed-contradicts": [says]}


def test_a_result_spelled_otherwise_lists_the_same_cards(house, tmp_path):
    assert feed(tmp_path, results(JokerCard="9D", BaharCards=["6D", "9C"], AndarCards=["10d"])) == {}


def test_a_declared_winner_that_contradicts_the_cards_is_found(house, tmp_path):
    says_by_code = feed(tmp_path, results(WinningHand="Andar"))
    assert set(says_by_code) == {"announced-wrong", "feed-contradicts"}
    assert says_by_code["announced-wrong"] == ["The studio declared andar; 9c matched on bahar."]


def test_a_winner_without_card_lists_is_compared_with_the_cards(house, tmp_path):
    says_by_code = feed(tmp_path, {8: {"GameResults": {"WinningHand": "Andar"}}})
    assert says_by_code == {
        code: ["The studio declared andar; 9c matched on bahar."]
        for code in ("announced-wrong", "feed-contradicts")
    }


def test_a_winner_that_contradicts_its_lists_is_found_even_with_an_unread_card(house, tmp_path):
    says_by_code = feed(tmp_path, {6: {"CardName": "9cc"}} | results(WinningHand="Andar"))
    assert says_by_code == {
        "card-not-read": ["The feed sent 9cc, which is not a card, for the card dealt to bahar."],
        "feed-contradicts": [
            (
                "The feed gives two values for the outcome: WinningHand andar, and bahar by the cards that"
                " the result lists."
            )
        ],
    }


@pytest.mark.parametrize(
    ("bets", "codes"),
    [({"BaharBet": 1.9}, set()), ({"AndarBet": 2}, {"announced-wrong", "feed-contradicts"})],
)
def test_a_bet_reported_as_won_is_compared_with_the_cards(house, tmp_path, bets, codes):
    assert set(feed(tmp_path, {7: {"WinningBets": bets}})) == codes


def test_a_missing_card_message_is_found_from_the_result(house, tmp_path):
    lines = [line for number, line in enumerate(MESSAGES.read_text().splitlines()) if number != 4]
    run("import_facts", *LIVE, write_lines(tmp_path / "feed.jsonl", *lines))
    assert sentences()["feed-contradicts"] == [
        "The result that the feed declared lists 6d, 9c at bahar; dealt there: 9c."
    ]


def captured(tmp_path: Any, **changes: Any) -> dict[str, list[str]]:
    """Import a real capture with changed fields and return the sentences of the findings by code. A field of
    the capture itself is changed there. Any other field is changed in the second round.
    """
    capture = json.loads(CAPTURE.read_text())
    for name, value in changes.items():
        (capture if name in capture else capture["rounds"][1])[name] = value
    path = tmp_path / "capture.json"
    path.write_text(json.dumps(capture))
    run("import_facts", *LIVE, path)
    return sentences()


FLOW = [
    {"type": "Card", "hand": "Joker", "card": "KD", "value": 10},
    {"type": "Card", "hand": "Bahar", "card": "AS", "value": 11},
    {"note": "25 more cards"},
    {"type": "Card", "hand": "Bahar", "card": "2C", "value": 2},
    {"type": "GAME_RESULT", "winner": "Bahar"},
]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"cards_after_joker": 10}, "the number of cards: cards_after_joker 10, and 9 in the lists."),
        ({"side_bet_band": "11-15"}, "the band: side_bet_band 11-15, and 6-10 by 9 cards in the lists."),
        (
            {"side_bet_band": "11-15", "winner": None},
            "the band: side_bet_band 11-15, and 6-10 by 9 cards in the lists.",
        ),
        (
            {
                "settlement_round_1884924689": {
                    "stake": {"BaharBet": 1},
                    "won_bets": {"BaharBet": 1.9},
                    "win_amount": 2.9,
                }
            },
            "the amount won: win_amount 2.9, and won_bets 1.9.",
        ),
        (
            {
                "settlement_round_1884924689": {
                    "stake": {"BaharBet": 1},
                    "won_bets": {"BaharBet": 1.9},
                    "balance_after_stake": 6.1,
                    "expected_balance": 7.9,
                }
            },
            "the balance: expected_balance 7.9, and balance_after_stake and won_bets 8.0.",
        ),
        (
            {"message_flow_round_1884894560": [FLOW[0], FLOW[1] | {"card": "KS"}]},
            "the card: As in the list, and Ks in its message.",
        ),
        (
            {"message_flow_round_1884894560": [FLOW[0] | {"value": 9}]},
            "the card: Kd in the list, and value 9 in its message.",
        ),
        (
            {"message_flow_round_1884894560": [FLOW[4] | {"winner": "Andar"}]},
            "the outcome: winner Bahar, and Andar in its message.",
        ),
    ],
)
def test_repeated_values_of_a_capture_are_compared(house, tmp_path, changes, says):
    assert captured(tmp_path, **changes) == {"feed-contradicts": [f"The feed gives two values for {says}"]}


def test_cards_after_a_gap_in_a_capture_are_not_compared(house, tmp_path):
    assert (
        captured(tmp_path, message_flow_round_1884894560=FLOW, side_bet_band="6 - 10", cards_after_joker="9")
        == {}
    )


def test_contradictions_of_any_sender_are_found(house, tmp_path):
    run("import_facts", *LIVE, MESSAGES)
    own = facts_of(OWN_DAY)[1] | {
        "source": "shoe-1",
        "uid": "018722cb-6aee-728a-ac2f-000000000001",
        "contradicts": [["the shoe", "shoe-1", "shoe-2"]],
    }
    assert counted(run("import_facts", write_lines(tmp_path / "own.ndjson", own))) == (1, 0, 0)
    assert sentences() == {
        "feed-contradicts": ["The feed gives two values for the shoe: shoe-1, and shoe-2."]
    }
    bad = own | {"uid": "018722cb-6aee-728a-ac2f-000000000002", "contradicts": [["the shoe", "shoe-1"]]}
    assert "contradicts" in run("import_facts", write_lines(tmp_path / "bad.ndjson", bad)).err

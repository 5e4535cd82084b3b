"""Contradictions, unusual events and unrecognized values in a feed are judged alike for every game."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit.facts import check, decode
from audit.replay.fold import replay
from games import GAMES
from tests.vectors.notation import cases, facts

HONEST = {
    game: next(
        hand.facts for hand in cases(game) if not hand.finds and any(f["kind"] == "deal" for f in hand.facts)
    )
    for game in sorted(GAMES)
}


def feed_findings(sent: list[dict[str, Any]]) -> list[tuple[str, str, str, str, str]]:
    """Return code, grade, spot, citation and sentence of every finding."""
    findings = replay(decode(check(json.dumps(fact).encode()).body) for fact in sent).findings
    return [(finding.code, finding.grade, finding.spot, finding.cite, finding.says) for finding in findings]


def declared(sent: list[dict[str, Any]], **cards: list[str]) -> list[dict[str, Any]]:
    """Return the facts with one more fact directly before the close of the round: a result as a feed declares
    it, with these cards and without a wager.
    """
    at = next(number for number, fact in enumerate(sent) if fact["kind"] == "round-closed")
    envelope = {name: sent[at][name] for name in ("table", "day", "at", "source", "round")}
    word = {
        "uid": "018722cb-6aee-728a-ac2f-000000000001",
        "kind": "announce",
        "what": "result",
        "declared_cards": cards,
    }
    return [*sent[:at], envelope | word | {"source": "feed"}, *sent[at:]]


def dealt(sent: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the cards that were dealt in the first round, by the place to which they were dealt."""
    cards: dict[str, list[str]] = {}
    for fact in sent:
        if fact["kind"] == "deal":
            cards.setdefault(fact["to"], []).append(fact["card"])
        elif fact["kind"] == "round-closed":
            break
    return cards


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_result_that_lists_the_cards_dealt_is_no_contradiction(game: str) -> None:
    assert feed_findings(declared(HONEST[game], **dealt(HONEST[game]))) == []


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_result_that_lists_another_card_is_found_at_its_place(game: str) -> None:
    place, cards = next(iter(dealt(HONEST[game]).items()))
    other = "2h" if cards[0] != "2h" else "3h"
    (finding,) = feed_findings(declared(HONEST[game], **{place: [other, *cards[1:]]}))
    says = (
        f"The result that the feed declared lists {', '.join([other, *cards[1:]])} at {place}; dealt there:"
        f" {', '.join(cards)}."
    )
    assert finding == ("feed-contradicts", "integrity", place, "Event reference, announce", says)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_contradiction_inside_one_message_is_found_on_any_of_its_facts(game: str) -> None:
    facts_of = HONEST[game]
    for number, fact in enumerate(facts_of):
        wrong = fact | {"contradicts": [["the clock", "12:00", "13:00"], ["the table", "T-01", "T-02"]]}
        findings = [
            finding
            for finding in feed_findings([*facts_of[:number], wrong, *facts_of[number + 1 :]])
            if finding[0] == "feed-contradicts"
        ]
        says = (
            "The feed gives two values for the clock: 12:00, and 13:00. The feed gives two values for the"
            " table: T-01, and T-02."
        )
        assert [(finding[1], *finding[3:]) for finding in findings] == [
            ("integrity", "Event reference, Fields of every fact", says)
        ]


def test_a_card_that_the_feed_could_not_name_is_not_a_dealers_fault() -> None:
    case = {"hand": ["deal joker Ah", "bet p-1 bahar 1000", "deal andar -", "pause", "void"]}
    sent = [
        fact | ({"raw_text": "AHH"} if fact.get("card", "") is None else {})
        for fact in facts("andar_bahar", case)
    ]
    assert ("card-not-read", "The feed sent AHH, which is not a card, for the card dealt to andar.") in [
        (finding[0], finding[4]) for finding in feed_findings(sent)
    ]


def test_a_burned_card_is_found_only_if_something_was_sent_for_it_that_is_no_card() -> None:
    case = {"hand": ["burn -", "bet p-1 7-down 1000", "no-more-bets", "deal table 2h"]}
    sent = facts("lucky_7", case)
    before = [finding[0] for finding in feed_findings(sent)]
    sent = [fact | ({"raw_text": "1"} if fact["kind"] == "burn" else {}) for fact in sent]
    assert [finding for finding in feed_findings(sent) if finding[0] not in before] == [
        (
            "card-not-read",
            "outcome",
            None,
            GAMES["lucky_7"].always["card-not-read"].cite,
            "The feed sent 1, which is not a card, for the card burned.",
        )
    ]


def test_a_card_that_was_not_read_may_have_been_the_one_that_the_result_lists() -> None:
    case = {"hand": ["deal joker 9d", "no-more-bets", "deal andar 6d", "deal bahar -"]}
    sent = facts("andar_bahar", case)
    for listed, codes in ((["9c"], 0), (["9cc"], 0), ([], 1), (["9c", "2c"], 1)):
        findings = [
            finding
            for finding in feed_findings(declared(sent, bahar=listed))
            if finding[0] == "feed-contradicts"
        ]
        assert len(findings) == codes, listed

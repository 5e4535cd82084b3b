"""Likely mistakes at Lucky 7 are named if they explain the moved amount to the cent. If no mistake explains
it, none is named.
"""

from __future__ import annotations

import pytest

from tests.games.hands import findings_of

CAUSES = [
    (
        ["bet p-1 7-up 1000", "deal table 7s", "take p-1 7-up 1000"],
        "a 7 loses half, and the whole bet was taken",
    ),
    (
        ["bet p-1 7-down 1000", "deal table 8s", "take p-1 7-down 500"],
        "the card was mistaken for a 7, and half was taken",
    ),
    (["bet p-1 7-up 1000", "deal table As", "pay p-1 7-up 1000"], "the ace was counted high"),
    (["bet p-1 7-down 1000", "deal table As", "take p-1 7-down 1000"], "the ace was counted high"),
    (["bet p-1 even 1000", "deal table As", "pay p-1 even 1100"], "the ace was counted high, as 14"),
    (["bet p-1 odd 1000", "deal table As", "take p-1 odd 1000"], "the ace was counted high, as 14"),
    (["bet p-1 7-down 1000", "deal table Ts", "pay p-1 7-down 1000"], "the ten was counted as 1"),
    (["bet p-1 odd 1000", "deal table Ts", "pay p-1 odd 800"], "the ten was counted as 1"),
    (["bet p-1 even 1000", "deal table Ks", "pay p-1 even 1100"], "the King was counted as ten"),
    (["bet p-1 odd 1000", "deal table Js", "take p-1 odd 1000"], "the Jack was counted as ten"),
    (["bet p-1 odd 1000", "deal table Qs", "pay p-1 odd 800"], "the Queen was counted as 11"),
    (["bet p-1 red 1000", "deal table 8h", "pay p-1 red 900"], "as under the edition ezugi-0.9"),
    (["bet p-1 even 1000", "deal table 8h", "pay p-1 even 1000"], "as under the edition ezugi-0.9"),
    (["bet p-1 odd 1000", "deal table 9h", "pay p-1 odd 1100"], "it was paid as even, 1.1:1"),
    (["bet p-1 even 1000", "deal table 7s", "take p-1 even 500"], "on a 7 only 7 Up and 7 Down lose half"),
    (["bet p-1 red 1000", "deal table 8s", "pay p-1 red 980"], "the card was mistaken for red"),
    (["bet p-1 7 1000", "deal table 7s", "pay p-1 7 10000"], "odds to one were read as odds for one"),
    (
        ["bet p-1 7-up 1000", "bet p-2 7-up 700", "deal table 8s", "pay p-2 7-up 1000"],
        "the amount of spot p-1, 7-up",
    ),
    (
        ["bet p-1 7-up 1000", "bet p-1 odd 1000", "deal table 9s", "pay p-1 7-up 800"],
        "the amount of spot p-1, odd",
    ),
    (["bet p-1 7-up 1000", "deal table 9s", "pay p-1 7-up 100"], "chips of a tenth of the value"),
]


@pytest.mark.parametrize(("hand", "cause"), CAUSES)
def test_a_wrong_settlement_says_the_likeliest_cause(hand: list[str], cause: str) -> None:
    (wrong,) = [finding for finding in findings_of("lucky_7", *hand) if finding.code == "wrong-settlement"]
    assert cause in wrong.says.partition("Likeliest cause: ")[2], wrong.says


NOT_SO = [
    (["bet p-1 7-up 1000", "deal table 6s", "pay p-1 7-up 1000"], "counted"),
    (["bet p-1 7-up 1000", "deal table Ts", "take p-1 7-up 500"], "counted as 1"),
    (["bet p-1 7 1000", "deal table 7s", "take p-1 7 500"], "a 7 loses half"),
    (["bet p-1 black 1000", "deal table 8h", "pay p-1 black 900"], "edition"),
    (["bet p-1 odd 1000", "deal table 9h", "pay p-1 odd 799"], "Likeliest cause"),
]


@pytest.mark.parametrize(("hand", "cause"), NOT_SO)
def test_a_cause_that_does_not_fit_the_hand_is_not_named(hand: list[str], cause: str) -> None:
    (wrong,) = [finding for finding in findings_of("lucky_7", *hand) if finding.code == "wrong-settlement"]
    assert cause not in wrong.says


@pytest.mark.parametrize(
    ("burned", "says"),
    [
        ([], "No card was burned before the card was dealt, instead of three."),
        (["burn 2s"], "1 card was burned before the card was dealt, instead of three."),
        (["burn 2s"] * 2, "2 cards were burned before the card was dealt, instead of three."),
        (["burn 2s"] * 4, "4 cards were burned before the card was dealt, instead of three."),
    ],
)
def test_the_sentence_has_the_number_of_burned_cards(burned: list[str], says: str) -> None:
    assert [
        finding.says
        for finding in findings_of("lucky_7", *burned, "deal table 8s", without=["burn"])
        if finding.code == "burn-count"
    ] == [says]


def test_a_card_burned_too_late_is_named_by_its_number() -> None:
    (late,) = findings_of("lucky_7", *["burn 2s"] * 3, "deal table 8s", "burn 5s")
    assert late.says.startswith("A card was burned after the card of the round, ")

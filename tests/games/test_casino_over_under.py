"""Likely mistakes at Casino Over Under are named if they explain the amounts that moved. If several wagers
are settled in one fact, their order within the fact is not judged.
"""

from __future__ import annotations

import json

import pytest

from audit.facts import check, decode
from audit.replay.fold import replay
from tests.games.hands import findings_of
from tests.vectors.notation import facts


def base(side: str, *cards: str) -> list[str]:
    """Return the notation of an ante of 10.00 and the three cards of a player who chose this side."""
    return [
        "bet 1 ante 1000",
        f"deal 1 {cards[0]}",
        f"choose 1 {side}",
        f"deal 1 {cards[1]}",
        f"deal 1 {cards[2]}",
    ]


def bonus(*cards: str) -> list[str]:
    """Return the notation of a hand with an ante and a bonus, in which the player chose over."""
    return ["bet 1 ante 1000", "bet 1 bonus 1000", *base("over", *cards)[1:]]


CAUSES = [
    ([*base("over", "Ad", "5c", "9c"), "take 1 over 1000"], "an ace was counted as 1, a total of 15 for 25"),
    ([*base("under", "Ad", "5c", "9c"), "pay 1 ante 1000"], "an ace was counted as 1, a total of 15 for 25"),
    ([*base("under", "Ad", "Ac", "5c"), "pay 1 ante 1000"], "an ace was counted as 1, a total of 17 for 27"),
    ([*base("under", "Ad", "Ac", "6c"), "pay 1 ante 1000"], "an ace was counted as 1, a total of 8 for 28"),
    ([*base("over", "6d", "8c", "9c"), "pay 1 over 1000"], "23 was counted among the winning totals"),
    ([*base("under", "6d", "3c", "9c"), "pay 1 under 1000"], "18 was counted among the winning totals"),
    ([*base("over", "6d", "8c", "9c"), "pay 1 over 500", "take 1 over 500"], "23 was treated as a push"),
    (
        [*base("over", "6d", "Tc", "9c"), "pay 1 over 2000"],
        "ante and base wager were settled together on one circle",
    ),
    (
        [*base("over", "6d", "2c", "9c"), "take 1 ante 2000"],
        "ante and base wager were settled together on one circle",
    ),
    ([*base("over", "6d", "2c", "9c"), "pay 1 over 1000"], "paid even money, as a plain win"),
    (
        ["bet 1 ante 1000", "deal 1 6d", "choose 1 surrender", "take 1 ante 500", "burn 2c", "burn 9c"],
        "half of the ante was taken",
    ),
    (
        [*bonus("Ad", "Tc", "Jh"), "pay 1 bonus 4000"],
        "the multiplier was read as for one, the stake included",
    ),
    ([*bonus("9d", "Tc", "Jh"), "pay 1 bonus 4000"], "it was paid as on a total of 30; the cards make 29"),
    ([*bonus("Ad", "Tc", "Jh"), "pay 1 bonus 10000"], "it was paid as on a total of 32; the cards make 31"),
    ([*bonus("2d", "2c", "9h"), "pay 1 bonus 1000"], "it was paid as on a total of 12; the cards make 13"),
    ([*bonus("2d", "2c", "3h"), "pay 1 bonus 50000"], "it was paid as on a total of 6; the cards make 7"),
    ([*bonus("Ad", "Ac", "Th"), "take 1 bonus 1000"], "an ace was counted as 1, a total of 22 for 32"),
    ([*bonus("Ad", "Ac", "Th"), "pay 1 bonus 1000"], "an ace was counted as 1, a total of 12 for 32"),
    ([*bonus("Ad", "6c", "5h"), "pay 1 bonus 1000"], "an ace was counted as 1, a total of 12 for 22"),
]


@pytest.mark.parametrize(("hand", "cause"), CAUSES)
def test_a_wrong_settlement_says_the_likeliest_cause(hand: list[str], cause: str) -> None:
    (wrong,) = [
        finding for finding in findings_of("casino_over_under", *hand) if finding.code == "wrong-settlement"
    ]
    assert cause in wrong.says.partition("Likeliest cause: ")[2], wrong.says


NOT_SO = [
    ([*base("over", "Ad", "Ac", "6c"), "take 1 over 1000"], "a total of 28 "),
    ([*base("over", "6d", "9c", "9c"), "take 1 over 1000"], "an ace"),
    ([*base("over", "6d", "7c", "9c"), "pay 1 over 1000"], "winning totals"),
    ([*base("over", "6d", "9c", "9c"), "pay 1 over 500"], "half of the ante"),
    ([*bonus("Ad", "Tc", "Jh"), "pay 1 bonus 6000"], "as on a total"),
    ([*bonus("2d", "6c", "9h"), "pay 1 bonus 1500"], "Likeliest cause"),
]


@pytest.mark.parametrize(("hand", "cause"), NOT_SO)
def test_a_cause_that_does_not_fit_the_hand_is_not_named(hand: list[str], cause: str) -> None:
    (wrong,) = [
        finding for finding in findings_of("casino_over_under", *hand) if finding.code == "wrong-settlement"
    ]
    assert cause not in wrong.says


def test_what_is_settled_in_one_fact_has_no_order_in_itself() -> None:
    sent = facts("casino_over_under", {"hand": bonus("6d", "9c", "Th")})
    moves = [fact for fact in sent if fact["kind"] in ("take", "pay")]
    batch = {name: value for name, value in moves[-1].items() if name not in ("spot", "wager", "amount")} | {
        "kind": "settled"
    }
    for way, kind in (("taken", "take"), ("paid", "pay")):
        batch[way] = [[fact["spot"], fact["wager"], fact["amount"]] for fact in moves if fact["kind"] == kind]
    assert batch["taken"] == [["1", "bonus", 1000]]
    sent_in_one = [batch if fact is moves[-1] else fact for fact in sent if fact not in moves[:-1]]
    assert {
        finding.code
        for finding in replay(decode(check(json.dumps(fact).encode()).body) for fact in sent_in_one).findings
    } == {"feed-gap"}

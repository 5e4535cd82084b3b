"""A finding about a wrong settlement names the likeliest cause if a cause explains the amount to the cent. If
no cause explains it, none is named.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from games.kit.amounts import say
from tests.games.hands import findings_of

EASY, ANDAR = "easy_over_under", "andar_bahar"
PATTI, BET = "teen_patti", "bet_on_teen_patti"
ANTE, MAIN, ON_B = "bet p-1 ante 1000", "bet p-1 player-a 1000", "bet p-1 player-b 1000"
NINE = ("shake 5", "roll 4 5", "say dice 9", "mark 9 ties-lose-half", "say short-side TJQK 2 to 1")
"""A roll of nine, not with doubles."""
TEN = ("shake 5", "roll 5 5", "say dice 10", "mark 10 ties-push", "say short-side JQK 3 to 1")
"""A roll of ten with doubles."""

CAUSES = [
    (EASY, ["bet 1 over 1000", *TEN, "deal 1 Td", "take 1 over 500"], "the doubles were missed"),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 9d", "take 1 over 1000"], "taken as a whole loss"),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 Td", "pay 1 over 10000"], "chips of 10 times the value"),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 Td", "pay 1 over 100"], "chips of a tenth of the value"),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 Ad", "pay 1 over 1000"], "the ace was counted high"),
    (
        EASY,
        ["bet 1 over 1000", "bet 2 over 700", *NINE, "deal 1 Td", "deal 2 Td", "pay 2 over 1000"],
        "the amount of spot 1, over",
    ),
    (
        EASY,
        ["bet 1 over 1000", *NINE, "bet 1 short-side 1000", "deal 1 Td", "pay 1 short-side 3000"],
        "as on a roll of 4",
    ),
    (EASY, ["bet 1 spread 1000", "roll 1 1", "deal 1 Kd", "pay 1 spread 25000"], "by pay table B"),
    (
        EASY,
        ["bet 1 over 1000", *NINE, "deal 1 9d", "pay 1 over 100", "take 1 over 100"],
        "treated as a push, as if the roll were doubles",
    ),
    (EASY, ["bet 1 under 1000", *NINE, "deal 1 Ad", "take 1 under 1000"], "the ace was counted high"),
    (
        EASY,
        ["bet 1 under 1000", *NINE, "deal 1 Td", "take 1 under 500"],
        "treated as equal to the roll",
    ),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 8d", "take 1 over 500"], "treated as equal to the roll"),
    (EASY, ["bet 1 spread 1000", *NINE, "deal 1 2d", "pay 1 spread 3000"], "paid for a spread of 8"),
    (EASY, ["bet 1 spread 1000", *NINE, "deal 1 2d", "pay 1 spread 1000"], "it was paid for a spread of 6"),
    (
        ANDAR,
        ["deal joker 5s", "bet p-1 bahar 1000", "deal andar 6h", "deal bahar 5h", "pay p-1 bahar 900"],
        "under the edition ezugi",
    ),
    (
        ANDAR,
        ["deal joker 5s", "bet p-1 bahar 1000", "deal andar 6h", "deal bahar 5h", "pay p-1 bahar 2000"],
        "X2 was read as 2 to one",
    ),
    (
        ANDAR,
        ["deal joker 5s", "bet p-1 6-10 1000", "cards 6", "match", "pay p-1 6-10 4500"],
        "X4.5 was read as 4.5 to one",
    ),
    (
        ANDAR,
        ["deal joker 5s", "bet p-1 6-10 1000", "cards 4", "match", "pay p-1 6-10 3500"],
        "the joker was counted",
    ),
    (
        ANDAR,
        ["deal joker 5s", "bet p-1 andar 1000", "deal andar 5h", "pay p-1 andar 1900"],
        "X1.9 was read as 1.9 to one",
    ),
    (
        ANDAR,
        ["deal joker 5s", "bet p-1 andar 1000", "deal andar 5h", "pay p-1 andar 1000"],
        "under the edition ezugi-bahar-first",
    ),
    (
        ANDAR,
        ["deal joker 5s", "bet p-1 1-5 1000", "deal andar 5h", "pay p-1 1-5 3000"],
        "3 to 1, as the text says",
    ),
    (
        ANDAR,
        ["deal joker 5s", "bet p-1 1-5 1000", "cards 4", "match", "take p-1 1-5 1000"],
        "the joker was counted",
    ),
    (PATTI, [ANTE, "cards Th 8d 3c Jd 9h 4d", "take p-1 ante 1000"], "as if the dealer had qualified"),
    (PATTI, [ANTE, "cards As Kd 9h Jd 8h 4c", "pay p-1 play 1000"], "as if the dealer had qualified"),
    (PATTI, [ANTE, "cards Jh Td 8c Qd 3h 2c", "pay p-1 ante 1000"], "as if the dealer had not qualified"),
    (
        PATTI,
        [ANTE, "cards As Kd Jh Ks 9h 4d", "choose p-1 fold", "pay p-1 ante 1000"],
        "the fold was overlooked",
    ),
    (
        PATTI,
        [ANTE, "cards 2s 3d 4h Jd 9h 4c", "choose p-1 fold", "pay p-1 ante 1000"],
        "the fold was overlooked",
    ),
    (
        PATTI,
        [ANTE, "cards 2s 3d 4h Ks 9h 4d", "pay p-1 ante 2000"],
        "the ante bonus was settled together with the ante",
    ),
    (
        PATTI,
        [ANTE, "cards 2s 3d 4h 5s 6h 7d", "pay p-1 ante 9", "take p-1 ante 9"],
        "the ante bonus was settled together",
    ),
    (
        PATTI,
        [ANTE, "cards As 2d 3h Ks Qc Jh", "pay p-1 ante 1000"],
        "A-2-3 was ranked as the second straight",
    ),
    (
        PATTI,
        [ANTE, "cards As 2d 3h Ac Kc Qh", "pay p-1 play 9", "take p-1 play 9"],
        "A-2-3 was ranked as the highest straight",
    ),
    (
        PATTI,
        [ANTE, "cards 2s 3s 4s Ah Ad Ac", "take p-1 play 1000"],
        "three of a kind was ranked above the straight flush",
    ),
    (
        PATTI,
        [ANTE, "cards Ah Ad Ac Ks Qs Js", "pay p-1 play 1000"],
        "three of a kind was ranked above the straight flush",
    ),
    (
        PATTI,
        [ANTE, "cards As Ks Qs Ah Ad Ac", "take p-1 play 1000"],
        "three of a kind was ranked above the straight flush",
    ),
    (
        PATTI,
        [ANTE, "cards 2s 3d 4h Ac Kc Jc", "take p-1 play 1000"],
        "the flush was ranked above the straight",
    ),
    (
        PATTI,
        [ANTE, "cards As Qd 9h Ac Kh 8d", "pay p-1 ante 9", "take p-1 ante 9"],
        "only the highest card was compared",
    ),
    (
        PATTI,
        [ANTE, "cards 2s 3d 4h Ks 9h 4d", "choose p-1 fold", "pay p-1 ante-bonus 1000"],
        "although the player had folded",
    ),
    (PATTI, [ANTE, "cards As Kd 9h 2s 3d 4h", "pay p-1 ante-bonus 1000"], "on the dealer's hand"),
    (PATTI, [ANTE, "cards 2s 3d 4h Ks 9h 4d", "pay p-1 ante-bonus 6000"], "by the table of pair or better"),
    (PATTI, [ANTE, "cards 2s 3d 4h Ks 9h 4d", "pay p-1 ante-bonus 4000"], "settled as for three of a kind"),
    (PATTI, [ANTE, "cards 2s 5s 4s Ks 9h 4d", "pay p-1 ante-bonus 1000"], "settled as for a straight"),
    (
        PATTI,
        [ANTE, "bet p-1 pair-or-better 100", "cards As Kd 9h 2s 2d 4h", "pay p-1 pair-or-better 100"],
        "on the hand of the dealer",
    ),
    (
        PATTI,
        [ANTE, "bet p-1 pair-or-better 100", "cards As Ks Qs 2s 2d 4h", "pay p-1 pair-or-better 10000"],
        "of other casinos",
    ),
    (
        PATTI,
        [ANTE, "bet p-1 pair-or-better 100", "cards 3s 3d 3h 2s 2d 4h", "pay p-1 pair-or-better 400"],
        "table of the ante bonus",
    ),
    (
        PATTI,
        [ANTE, "bet p-1 pair-or-better 100", "cards 3s 3d 3h 2s 2d 4h", "pay p-1 pair-or-better 600"],
        "as for a straight",
    ),
    (
        PATTI,
        [ANTE, "bet p-1 3+3 100", "cards Ad 5d 4d 3d 2d Kc", "pay p-1 3+3 2000"],
        "suited A-2-3-4-5 was read as flush",
    ),
    (
        PATTI,
        [ANTE, "bet p-1 3+3 100", "cards Ad 5d 4d 3d 2d Kc", "take p-1 3+3 100"],
        "suited A-2-3-4-5 was read as nothing",
    ),
    (
        PATTI,
        [ANTE, "bet p-1 3+3 100", "cards 2s 3s 5s 9s Ks Ad", "pay p-1 3+3 1500"],
        "of other casinos",
    ),
    (PATTI, [ANTE, "bet p-1 3+3 100", "cards 2s 3s 5s 9s Ks Ad", "pay p-1 3+3 1000"], "as for a straight"),
    (
        BET,
        [MAIN, "cards As Kd Jh Ks 9h 4d", "pay p-1 player-a 950"],
        "0.95 to 1, as under the edition ezugi-0.95",
    ),
    (
        BET,
        ["bet p-1 player-a 980", "cards As Kd Jh Ks 9h 4d", "pay p-1 player-a 1000"],
        "the other way round, 1 to 0.98",
    ),
    (
        BET,
        [MAIN, "cards As 2d 3h Ks Qc Jh", "pay p-1 player-a 980"],
        "A-2-3 was ranked as the second straight",
    ),
    (
        BET,
        [ON_B, "cards As 2d 3h Ks Qc Jh", "take p-1 player-b 1000"],
        "A-2-3 was ranked as the second straight",
    ),
    (
        BET,
        [ON_B, "cards 2s 3s 4s Ah Ad Ac", "pay p-1 player-b 980"],
        "three of a kind was ranked above the straight flush",
    ),
    (
        BET,
        [MAIN, "cards As Qd 9h Ac Kh 8d", "pay p-1 player-a 9", "take p-1 player-a 9"],
        "only the highest card was compared",
    ),
    (
        BET,
        [MAIN, "bet p-1 pair-a 100", "cards As Kd 9h 2s 2d 4h", "pay p-1 pair-a 100"],
        "on the hand of Player B",
    ),
    (
        BET,
        [MAIN, "bet p-1 pair-b 100", "cards As Ad 9h 2s 5d 4h", "pay p-1 pair-b 100"],
        "on the hand of Player A",
    ),
    (
        BET,
        [MAIN, "bet p-1 pair-b 100", "cards As Ad 9h 2s 3d 4h", "pay p-1 pair-b 500"],
        "of other casinos",
    ),
    (
        BET,
        [MAIN, "bet p-1 3+3 100", "cards Ad 5d 4d 3d 2d Kc", "pay p-1 3+3 2000"],
        "suited A-2-3-4-5 was read as flush",
    ),
    (BET, [MAIN, "bet p-1 3+3 100", "cards 2s 2d 2h 2c Kd 4d", "pay p-1 3+3 10000"], "of other casinos"),
]


@pytest.mark.parametrize(("game", "hand", "cause"), CAUSES)
def test_a_wrong_settlement_says_the_likeliest_cause(game: str, hand: list[str], cause: str) -> None:
    (wrong,) = [finding for finding in findings_of(game, *hand) if finding.code == "wrong-settlement"]
    assert cause in wrong.says.partition("Likeliest cause: ")[2], wrong.says


NOT_SO = [
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 Kd", "take 1 over 500"], "treated as equal"),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 Jd", "take 1 over 500"], "treated as equal"),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 2d", "pay 1 over 1000"], "counted high"),
    (EASY, ["bet 1 spread 1000", *NINE, "deal 1 2d", "pay 1 spread 5000"], "for a spread of"),
    (
        ANDAR,
        ["deal joker 5s", "bet p-1 6-10 1000", "deal andar 5h", "pay p-1 6-10 3000"],
        "3 to 1, as the text says",
    ),
    (
        ANDAR,
        ["deal joker 5s", "bet p-1 1-5 1000", "cards 3", "match", "take p-1 1-5 1000"],
        "the joker was counted",
    ),
    (PATTI, [ANTE, "cards As Kd 9h 2d 2h 3c", "pay p-1 ante 1000"], "had not qualified"),
    (PATTI, [ANTE, "cards As Kd Jh Ks 9h 4d", "take p-1 ante 1000"], "the dealer had"),
    (PATTI, [ANTE, "cards As Kd 9h Jd 8h 4c", "take p-1 play 1000"], "had qualified"),
    (PATTI, [ANTE, "cards As Kd Jh Ks 9h 4d", "pay p-1 ante 2000"], "the ante bonus"),
    (PATTI, [ANTE, "cards As Kd Jh Ks 9h 4d", "take p-1 play 1000"], "ranked"),
    (PATTI, [ANTE, "cards As Kd Jh Ks 9h 4d", "take p-1 play 1000"], "only the highest card"),
    (BET, [MAIN, "cards As Kd Jh Ks 9h 4d", "take p-1 player-a 1000"], "ranked"),
    (BET, [MAIN, "cards As Kd Jh Ks 9h 4d", "pay p-1 player-a 1000"], "edition"),
    (BET, [MAIN, "cards Ks 9h 4d As Kd Jh", "pay p-1 player-a 950"], "edition"),
]


@pytest.mark.parametrize(("game", "hand", "cause"), NOT_SO)
def test_a_cause_that_does_not_fit_the_hand_is_not_named(game: str, hand: list[str], cause: str) -> None:
    (wrong,) = [finding for finding in findings_of(game, *hand) if finding.code == "wrong-settlement"]
    assert cause not in wrong.says


def test_if_two_pay_tables_fit_both_are_named() -> None:
    hand = [f"bet 1 dice-{place} 1000" for place in (1, 2, 3)] + [
        "bet 1 bonus 1000",
        "roll 6",
        "roll 6",
        "deal community As",
    ]
    findings = findings_of("high_side", *hand, "pay 1 bonus 20000")
    (wrong,) = [finding for finding in findings if finding.code == "wrong-settlement"]
    assert "pay table 3" in wrong.says
    assert "felt" in wrong.says


def test_half_a_cent_of_difference_is_named_as_rounding() -> None:
    (wrong,) = [
        finding
        for finding in findings_of("lucky_7", "bet p-1 7-up 101", "deal table 7s", "take p-1 7-up 50")
        if finding.code == "wrong-settlement"
    ]
    assert "−0.505 EUR is owed" in wrong.says
    assert "it was rounded" in wrong.says


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        (Fraction(-101, 2), "USD", "-0.505 USD"),
        (Fraction(7, 5), "USD", "0.014 USD"),
        (Fraction(1, 2), "JPY", "0.5 JPY"),
        (Fraction(49, 50), "BHD", "0.00098 BHD"),
        (Fraction(1, 3), "USD", "1/3 minor units USD"),
        (Fraction(4), "USD", "0.04 USD"),
    ],
)
def test_part_of_a_cent_is_written_as_a_decimal(amount: Fraction, currency: str, text: str) -> None:
    assert say(amount, currency) == text


@pytest.mark.parametrize("amount", [999, 1001, 737])
def test_if_no_cause_fits_to_the_cent_none_is_named(amount: int) -> None:
    (wrong,) = [
        finding
        for finding in findings_of(EASY, "bet 1 over 1000", *NINE, "deal 1 Td", f"pay 1 over {amount}")
        if finding.code == "wrong-settlement"
    ]
    assert "Likeliest cause" not in wrong.says


SAID = "say short-side JQK 3 to 1"
EXPLAINED = [
    (
        [
            "bet 1 over 1000",
            "shake 5",
            "roll 5 5",
            "say dice {}",
            "mark 10 ties-push",
            SAID,
            "deal 1 Td",
            "pay 1 over 1000",
        ],
        "10",
        "9",
        "announced-wrong",
    ),
    (
        [
            "bet 1 over 1000",
            "shake 5",
            "roll 5 5",
            "say dice 10",
            "mark 10 ties-{}",
            SAID,
            "deal 1 Td",
            "take 1 over 500",
        ],
        "push",
        "lose-half",
        "marker-wrong-side",
    ),
]


@pytest.mark.parametrize(("hand", "right", "wrong", "code"), EXPLAINED, ids=[case[-1] for case in EXPLAINED])
def test_no_cause_is_named_if_another_finding_explains_the_amount(
    hand: list[str], right: str, wrong: str, code: str
) -> None:
    for word, codes in ((right, ["wrong-settlement"]), (wrong, [code, "wrong-settlement"])):
        listed = findings_of(EASY, *(part.format(word) for part in hand))
        assert [finding.code for finding in listed] == codes
        assert ("Likeliest cause" in listed[-1].says) == (word == right)


def test_a_late_bet_of_another_spot_explains_nothing() -> None:
    hand = [
        "bet 1 over 1000",
        "bet 2 over 1000",
        *NINE,
        "bet {} over 500",
        "deal 1 Td",
        "deal 2 Td",
        "take 1 over 1000",
    ]
    for spot in ("1", "2"):
        (settled,) = [
            finding
            for finding in findings_of(EASY, *(part.format(spot) for part in hand))
            if finding.code == "wrong-settlement" and finding.spot == "1"
        ]
        assert ("Likeliest cause" in settled.says) == (spot == "2")

"""A wrong settlement says its likeliest cause where one fits what moved to the cent, and none where none does."""

from __future__ import annotations

import pytest

from tests.games.hands import found

EASY, ANDAR = "easy_over_under", "andar_bahar"
NINE = ("shake 5", "roll 4 5", "say dice 9", "mark 9 ties-lose-half", "say short-side TJQK 2 to 1")
"""A nine that is no doubles."""
TEN = ("shake 5", "roll 5 5", "say dice 10", "mark 10 ties-push", "say short-side JQK 3 to 1")
"""A ten on doubles."""

CAUSES = [
    (EASY, ["bet 1 over 1000", *TEN, "deal 1 Td", "take 1 over 500"], "the doubles were missed"),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 9d", "take 1 over 1000"], "taken as a whole loss"),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 Td", "pay 1 over 10000"], "chips of 10 times the value"),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 Td", "pay 1 over 100"], "chips of a tenth of the value"),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 Ad", "pay 1 over 1000"], "the ace was counted high"),
    (EASY, ["bet 1 over 1000", "bet 2 over 700", *NINE, "deal 1 Td", "deal 2 Td", "pay 2 over 1000"], "the amount of spot 1, over"),
    (EASY, ["bet 1 over 1000", *NINE, "bet 1 short-side 1000", "deal 1 Td", "pay 1 short-side 3000"], "as on a roll of 4"),
    (EASY, ["bet 1 spread 1000", "roll 1 1", "deal 1 Kd", "pay 1 spread 25000"], "by pay table B"),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 9d", "pay 1 over 100", "take 1 over 100"], "taken for one of doubles: a push"),
    (EASY, ["bet 1 under 1000", *NINE, "deal 1 Ad", "take 1 under 1000"], "the ace was counted high"),
    (EASY, ["bet 1 under 1000", *NINE, "deal 1 Td", "take 1 under 500"], "card and roll were taken for equal"),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 8d", "take 1 over 500"], "card and roll were taken for equal"),
    (EASY, ["bet 1 spread 1000", *NINE, "deal 1 2d", "pay 1 spread 3000"], "paid for a spread of 8"),
    (EASY, ["bet 1 spread 1000", *NINE, "deal 1 2d", "pay 1 spread 1000"], "it was paid for a spread of 6"),
    (ANDAR, ["deal joker 5s", "bet p-1 bahar 1000", "deal andar 6h", "deal bahar 5h", "pay p-1 bahar 900"], "under the edition ezugi"),
    (ANDAR, ["deal joker 5s", "bet p-1 bahar 1000", "deal andar 6h", "deal bahar 5h", "pay p-1 bahar 2000"], "X2 was read as 2 to one"),
    (ANDAR, ["deal joker 5s", "bet p-1 6-10 1000", "cards 6", "match", "pay p-1 6-10 4500"], "X4.5 was read as 4.5 to one"),
    (ANDAR, ["deal joker 5s", "bet p-1 6-10 1000", "cards 4", "match", "pay p-1 6-10 3500"], "the joker was counted"),
    (ANDAR, ["deal joker 5s", "bet p-1 andar 1000", "deal andar 5h", "pay p-1 andar 1900"], "X1.9 was read as 1.9 to one"),
    (ANDAR, ["deal joker 5s", "bet p-1 andar 1000", "deal andar 5h", "pay p-1 andar 1000"], "under the edition ezugi-bahar-first"),
    (ANDAR, ["deal joker 5s", "bet p-1 1-5 1000", "deal andar 5h", "pay p-1 1-5 3000"], "3 to 1 as the text has it"),
    (ANDAR, ["deal joker 5s", "bet p-1 1-5 1000", "cards 4", "match", "take p-1 1-5 1000"], "the joker was counted"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "hand", "cause"), CAUSES)
def test_a_wrong_settlement_says_the_likeliest_cause(game: str, hand: list[str], cause: str) -> None:
    (wrong,) = [one for one in found(game, *hand) if one.code == "wrong-settlement"]
    assert cause in wrong.says.partition("Likeliest cause: ")[2], wrong.says


NOT_SO = [
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 Kd", "take 1 over 500"], "taken for equal"),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 Jd", "take 1 over 500"], "taken for equal"),
    (EASY, ["bet 1 over 1000", *NINE, "deal 1 2d", "pay 1 over 1000"], "counted high"),
    (EASY, ["bet 1 spread 1000", *NINE, "deal 1 2d", "pay 1 spread 5000"], "for a spread of"),
    (ANDAR, ["deal joker 5s", "bet p-1 6-10 1000", "deal andar 5h", "pay p-1 6-10 3000"], "3 to 1 as the text has it"),
    (ANDAR, ["deal joker 5s", "bet p-1 1-5 1000", "cards 3", "match", "take p-1 1-5 1000"], "the joker was counted"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "hand", "cause"), NOT_SO)
def test_a_cause_that_does_not_fit_the_hand_is_not_named(game: str, hand: list[str], cause: str) -> None:
    (wrong,) = [one for one in found(game, *hand) if one.code == "wrong-settlement"]
    assert cause not in wrong.says


@pytest.mark.parametrize("amount", [999, 1001, 737])
def test_where_no_cause_fits_to_the_cent_none_is_named(amount: int) -> None:
    (wrong,) = [one for one in found(EASY, "bet 1 over 1000", *NINE, "deal 1 Td", f"pay 1 over {amount}") if one.code == "wrong-settlement"]
    assert "Likeliest cause" not in wrong.says

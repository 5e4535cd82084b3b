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
    (ANDAR, ["deal joker 5s", "bet p-1 andar 1000", "deal andar 5h", "pay p-1 andar 1900"], "X1.9 was read as 1.9 to one"),
    (ANDAR, ["deal joker 5s", "bet p-1 andar 1000", "deal andar 5h", "pay p-1 andar 1000"], "under the edition ezugi-bahar-first"),
    (ANDAR, ["deal joker 5s", "bet p-1 1-5 1000", "deal andar 5h", "pay p-1 1-5 3000"], "3 to 1 as the text has it"),
    (ANDAR, ["deal joker 5s", "bet p-1 1-5 1000", "cards 4", "match", "take p-1 1-5 1000"], "the joker was counted"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "hand", "cause"), CAUSES)
def test_a_wrong_settlement_says_the_likeliest_cause(game: str, hand: list[str], cause: str) -> None:
    (wrong,) = [one for one in found(game, *hand) if one.code == "wrong-settlement"]
    assert cause in wrong.says.partition("Likeliest cause: ")[2], wrong.says


@pytest.mark.parametrize("amount", [999, 1001, 737])
def test_where_no_cause_fits_to_the_cent_none_is_named(amount: int) -> None:
    (wrong,) = [one for one in found(EASY, "bet 1 over 1000", *NINE, "deal 1 Td", f"pay 1 over {amount}") if one.code == "wrong-settlement"]
    assert "Likeliest cause" not in wrong.says

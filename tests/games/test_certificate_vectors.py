"""An independent computation settles every outcome. The average of its settlements equals the edge that the
certificate states.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import pytest

from games import GAMES
from games.kit.cards import DECK, RANKS
from games.kit.certificate import certificate_of
from tests.vectors.reading import Case, cases


def edge(
    game: str, wager: str, decks: int, pay_tables: dict[str, str] | None = None, price_class: str = ""
) -> Fraction:
    certificate = certificate_of(GAMES[game])
    assert certificate is not None
    edition = next(iter(GAMES[game].editions))
    return certificate.edge(
        edition, wager, pay_tables=pay_tables or {}, decks=decks, readings={}, price_class=price_class
    )


def net(case: Case, wager: str) -> Fraction:
    return case.expected[wager][0] / case.stakes[wager]


def test_easy_over_under_over_every_roll_and_card() -> None:
    nets: dict[tuple[str, str], dict[object, Fraction]] = {}
    for case in cases("easy_over_under_exhaustive"):
        for wager in case.expected:
            price = (
                f"{sum(case.dice)}{' doubles' if case.dice[0] == case.dice[1] else ''}"
                if wager == "short-side"
                else ""
            )
            table = case.pay_table if wager == "spread" else price
            nets.setdefault((wager, table), {})[case.dice, case.cards[0][0]] = net(case, wager)
    assert {len(results) for (wager, _), results in nets.items() if wager != "short-side"} == {36 * 13}
    for (wager, table), results in nets.items():
        average = sum(results.values()) / len(results)
        tables = {"spread": table} if wager == "spread" else {}
        price = table if wager == "short-side" else ""
        assert -average == edge("easy_over_under", wager, 6, tables, price_class=price), (wager, table)


def test_lucky_7_over_every_card() -> None:
    nets: dict[str, dict[str, Fraction]] = {}
    for case in cases("lucky_7_exhaustive"):
        assert case.edition == "ezugi"
        for wager in case.expected:
            nets.setdefault(wager, {})[case.cards[0]] = net(case, wager)
    assert set(nets) == set(GAMES["lucky_7"].wagers)
    for wager, results in nets.items():
        assert set(results) == set(DECK)
        assert -sum(results.values()) / 52 == edge("lucky_7", wager, 8), wager


def test_andar_bahar_over_every_place_of_the_match() -> None:
    nets: dict[str, dict[int, Fraction]] = {}
    for case in cases("andar_bahar_positions"):
        assert case.edition == "ezugi"
        for wager in case.expected:
            nets.setdefault(wager, {})[len(case.cards) - 1] = net(case, wager)
    assert set(nets) == set(GAMES["andar_bahar"].wagers)
    for wager, results in nets.items():
        assert set(results) == set(range(1, 50))
        average = sum(net * comb(51 - place, 2) for place, net in results.items()) / comb(51, 3)
        assert -average == edge("andar_bahar", wager, 1), wager


@cache
def over_under() -> tuple[dict[tuple[str, str], Fraction], dict[str, Fraction]]:
    """Return the net result of each decision, and of the bonus, for every combination of three ranks."""
    main: dict[tuple[str, str], Fraction] = {}
    bonus: dict[str, Fraction] = {}
    for case in cases("casino_over_under_exhaustive"):
        ranks = "".join(card[0] for card in case.cards)
        main[case.decisions["ante"], ranks] = sum(
            (case.expected[wager][0] / case.stakes["ante"] for wager in case.expected if wager != "bonus"),
            Fraction(0),
        )
        if "bonus" in case.expected:
            bonus[ranks] = net(case, "bonus")
    return main, bonus


@pytest.mark.parametrize("decks", [1, 2, 3, 4, 5, 6, 7, 8])
def test_casino_over_under_over_every_three_cards_with_the_best_decision(decks: int) -> None:
    main, bonus = over_under()
    every = ["".join(ranks) for ranks in product(RANKS, repeat=3)]
    assert set(bonus) == set(every)
    ways = {ranks: weight(ranks, decks) for ranks in every}
    total = sum(ways.values())
    assert -sum(bonus[ranks] * ways[ranks] for ranks in every) / total == edge(
        "casino_over_under", "bonus", decks
    )
    best = sum(
        max(
            sum(main[choice, ranks] * ways[ranks] for ranks in every if ranks[0] == first)
            for choice in ("over", "under", "surrender")
        )
        for first in RANKS
    )
    assert -best / total == edge("casino_over_under", "ante", decks)


def weight(ranks: str, decks: int) -> int:
    """Return the number of ways to draw these ranks in this order."""
    ways = 1
    for place, rank in enumerate(ranks):
        ways *= 4 * decks - ranks[:place].count(rank)
    return ways


def test_high_side_over_every_roll_and_card_with_the_best_withdrawals() -> None:
    """Test High Side without a house-rule option for ties: a tie loses. Vectors with an option for ties are
    tested separately.
    """
    nets: dict[tuple[int, int, str], dict[tuple[str, str], Fraction]] = {}
    bonus: dict[str, dict[tuple[object, str], Fraction]] = {}
    for case in (*cases("high_side_exhaustive"), *cases("high_side_ties_by_reading")):
        if case.reading not in ("", "tie=lose"):
            continue
        rank = case.cards[0][0]
        if "bonus" in case.expected:
            bonus.setdefault(case.pay_table, {})[case.dice, rank] = net(case, "bonus")
        if "dice-1" in case.expected:
            brings = sum(
                (
                    case.expected[wager][0] / case.stakes["dice-1"]
                    for wager in case.expected
                    if wager.startswith("dice")
                ),
                Fraction(0),
            )
            choice = (case.decisions.get("dice-1", ""), case.decisions.get("dice-2", ""))
            die, other_die = case.dice
            nets.setdefault((die, other_die, rank), {})[choice] = brings
    for table, results in bonus.items():
        assert len(results) == 36 * 13
        assert -sum(results.values()) / len(results) == edge("high_side", "bonus", 6, {"bonus": table}), table
    assert len(nets) == 36 * 13
    best = sum(after_first_die(nets, die) for die in range(1, 7))
    assert -best / (36 * 13) == edge("high_side", "dice-1", 6)


def after_first_die(nets: dict[tuple[int, int, str], dict[tuple[str, str], Fraction]], die: int) -> Fraction:
    """Return the best expected result that the player can still reach after the first die. The player keeps
    or withdraws the first wager before the second die, and then makes the better second decision.
    """
    plans = []
    for first in ("keep", "withdraw"):
        total = Fraction(0)
        for other_die in range(1, 7):
            second = {choice[1] for choice in nets[die, other_die, "A"]}
            total += max(sum(nets[die, other_die, rank][first, way] for rank in RANKS) for way in second)
        plans.append(total)
    return max(plans)

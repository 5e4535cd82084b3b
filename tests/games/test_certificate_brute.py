"""The certificate equals a plain enumeration of every card. The enumeration is separate code. Numbers of
decks that are not published are tested too.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from games import GAMES
from games.kit.certificate import certificate_of

DECKS = (1, 2, 3, 5, 7)
Ways = dict[Fraction, int]
PIPS = range(1, 14)
SHORT = {2: "11", 3: "5", 4: "3", 5: "2", 6: "7/5", 8: "7/5", 9: "2", 10: "3", 11: "5", 12: "11"}
SPREAD = {"A": (1, 2, 3, 5, 10, 30), "B": (1, 2, 3, 5, 10, 25)}
BANDS = {
    "1-5": (1, 5, "2.5"),
    "6-10": (6, 10, "3.5"),
    "11-15": (11, 15, "4.5"),
    "16-25": (16, 25, "3.5"),
    "26-30": (26, 30, "14"),
    "31-35": (31, 35, "24"),
    "36-40": (36, 40, "49"),
    "41+": (41, 9999, "119"),
}


def counted(ways: Ways) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Return edge, variance, and the probabilities of a win and of a push, computed from the number of ways
    to each net result.
    """
    total = sum(ways.values())
    edge = -sum((net * count for net, count in ways.items()), Fraction(0)) / total
    square = sum((net * net * count for net, count in ways.items()), Fraction(0)) / total
    hit = Fraction(sum(count for net, count in ways.items() if net > 0), total)
    return edge, square - edge * edge, hit, Fraction(ways.get(Fraction(0), 0), total)


def certified(game: str, decks: int) -> dict[tuple[str, str, str | None, str], tuple[Fraction, ...]]:
    """Return the lines of Catwalk's certificate by edition, wager, pay table and option."""
    certificate = certificate_of(GAMES[game])
    assert certificate is not None
    return {
        (
            row.case.edition,
            row.case.wager,
            row.case.pay_table,
            ", ".join(f"{key} {value}" for key, value in row.case.conditions.items()),
        ): (
            row.figures.edge,
            row.figures.variance,
            row.figures.hit,
            row.figures.push,
        )
        for row in certificate.certify(decks)
        if row.case.decks == decks
    }


def add(ways: Ways, net: Fraction | int | str, count: int) -> None:
    net = Fraction(net)
    ways[net] = ways.get(net, 0) + count


def easy_over_under(decks: int) -> dict[tuple[str, str | None, str], Ways]:
    result: dict[tuple[str, str | None, str], Ways] = {}
    for die, other_die, card in product(range(1, 7), range(1, 7), PIPS):
        total, count = die + other_die, 4 * decks
        tie = Fraction(0) if die == other_die else Fraction(-1, 2)
        for wager, wins in (("over", card > total), ("under", card < total)):
            add(result.setdefault((wager, None, ""), {}), tie if card == total else 1 if wins else -1, count)
        for table, pays in SPREAD.items():
            distance = abs(card - total)
            add(
                result.setdefault(("spread", table, ""), {}),
                pays[distance - 6] if distance >= 6 else -1,
                count,
            )
        if total != 7:
            short = card < total if total < 7 else card > total
            for reading in ("", f"roll {total}, doubles {die == other_die}"):
                add(
                    result.setdefault(("short-side", None, reading), {}),
                    tie if card == total else SHORT[total] if short else -1,
                    count,
                )
    return result


def andar_bahar(decks: int) -> dict[tuple[str, str | None, str], Ways]:
    """Return the number of ways to each result at Andar Bahar. They are computed from the number of ways in
    which the first match is the first, the second or any later card.
    """
    result: dict[tuple[str, str | None, str], Ways] = {}
    cards, matching = 52 * decks - 1, 4 * decks - 1
    arrangements = 1
    for place in range(cards - matching + 1):
        arrangements *= cards - place
    missed, left = 1, arrangements
    for place in range(1, cards - matching + 2):
        left //= cards - place + 1
        count = missed * matching * left
        missed *= cards - matching - place + 1
        side = "andar" if place % 2 else "bahar"
        for wager, pays in (("andar", "0.9"), ("bahar", "1")):
            add(result.setdefault((wager, "ezugi", ""), {}), pays if wager == side else -1, count)
        for wager, (first, last, pays) in BANDS.items():
            add(result.setdefault((wager, "ezugi", ""), {}), pays if first <= place <= last else -1, count)
    return result


def lucky_7(decks: int) -> dict[tuple[str, str | None, str], Ways]:
    result: dict[tuple[str, str | None, str], Ways] = {}
    for card, red in product(PIPS, (False, False, True, True)):
        half = Fraction(-1, 2) if card == 7 else -1
        for wager, net in (
            ("7-up", 1 if card > 7 else half),
            ("7-down", 1 if card < 7 else half),
            ("7", 11 if card == 7 else -1),
            ("red", "0.98" if red else -1),
            ("black", -1 if red else "0.98"),
            ("odd", "0.8" if card % 2 else -1),
            ("even", -1 if card % 2 else "1.1"),
        ):
            add(result.setdefault((wager, "ezugi", ""), {}), net, decks)
    return result


TABLES = {
    "1": (1, 2, 4, 6, 10, 15),
    "2": (1, 2, 3, 5, 10, 30),
    "3": (1, 2, 4, 5, 10, 20),
    "4": (1, 2, 3, 5, 10, 25),
    "felt": (1, 2, 3, 5, 10, 20),
}


def high_side(decks: int) -> dict[tuple[str, str | None, str], Ways]:
    """Return the number of ways to each result at High Side, from every roll and card, if the player
    withdraws wagers whenever that is better on average.
    """
    result: dict[tuple[str, str | None, str], Ways] = {}
    for die, other_die, card in product(range(1, 7), range(1, 7), PIPS):
        distance = abs(die + other_die - card)
        for table, pays in TABLES.items():
            add(
                result.setdefault(("bonus", table, ""), {}),
                pays[distance - 6] if distance >= 6 else -1,
                4 * decks,
            )
    for tie in ("lose", "push"):
        game_ways: Ways = {}
        for die in range(1, 7):
            plans: list[Ways] = []
            for first in (1, 0):
                plan: Ways = {}
                for other_die in range(1, 7):
                    seven = die + other_die == 7
                    ends: list[Ways] = []
                    for second in (1,) if seven else (1, 0):
                        end: Ways = {}
                        for card in PIPS:
                            net = (
                                1
                                if card > die + other_die
                                else 0
                                if card == die + other_die and tie == "push"
                                else -1
                            )
                            add(end, first * net - 2 if seven else (first + second + 1) * net, 4 * decks)
                        ends.append(end)
                    for net, count in max(ends, key=brings).items():
                        add(plan, net, count)
                plans.append(plan)
            for net, count in max(plans, key=brings).items():
                add(game_ways, net, count)
        result["main", None, f"tie {tie}"] = game_ways
    return result


def brings(ways: Ways) -> Fraction:
    return sum((net * count for net, count in ways.items()), Fraction(0))


BONUS = {6: 50, 7: 10, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1, 27: 1, 28: 2, 29: 3, 30: 4, 31: 5, 32: 10, 33: 50}


def casino_over_under(decks: int) -> dict[tuple[str, str | None, str], Ways]:
    """Return the number of ways to each result at Casino Over Under, by the values of three cards. For each
    first card, the player takes the best side or surrenders.
    """
    shoe = {value: (16 if value == 10 else 4) * decks for value in range(2, 12)}
    base: Ways = {}
    bonus: Ways = {}
    for first in shoe:
        totals: dict[int, int] = {}
        for second, third in product(shoe, repeat=2):
            left = dict(shoe)
            count = left[first]
            left[first] -= 1
            count *= left[second]
            left[second] -= 1
            totals[first + second + third] = totals.get(first + second + third, 0) + count * left[third]
        over, under = (
            {
                net: sum(count for total, count in totals.items() if wins(total) == (net > 0))
                for net in (Fraction(2), Fraction(-2))
            }
            for wins in (lambda total: total > 23, lambda total: total < 18)
        )
        given_up = {Fraction(-1): sum(totals.values())}
        for net, count in max(over, under, given_up, key=brings).items():
            add(base, net, count)
        for total, count in totals.items():
            add(bonus, BONUS.get(total, -1), count)
    return {("ante", None, ""): base, ("bonus", "figure-1", ""): bonus}


@pytest.mark.parametrize("decks", DECKS)
@pytest.mark.parametrize(
    "count",
    [easy_over_under, casino_over_under, high_side, andar_bahar, lucky_7],
    ids=lambda count: count.__name__,
)
def test_plain_counting_gives_the_same_odds_from_any_number_of_decks(
    count: Callable[[int], dict[object, Ways]], decks: int
) -> None:
    game = count.__name__
    edition = next(iter(GAMES[game].editions))
    computed = {key[1:]: line for key, line in certified(game, decks).items() if key[0] == edition}
    plain = {key: counted(ways) for key, ways in count(decks).items()}
    assert computed == plain

"""Ranks of three-card hands and of the best five of six cards, counted over every hand of a deck."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice
from math import comb

import pytest

from games.kit.cards import DECK
from games.kit.poker import (
    A23,
    STEEL_WHEEL,
    THREE_NAMES,
    best_five,
    every_six,
    name_of_five,
    name_of_three,
    six,
    three,
)
from tests.counts import LONG

EVERY_THREE = list(combinations(DECK, 3))
STEEL = "Ad 2d 3d 4d 5d"


@pytest.mark.parametrize("a23", A23)
def test_a_deck_has_the_published_numbers_of_three_card_hands(a23: str) -> None:
    counted = Counter(name_of_three(three(hand, a23)) for hand in EVERY_THREE)
    assert counted == {
        "mini royal": 4,
        "straight flush": 44,
        "three of a kind": 52,
        "straight": 720,
        "flush": 1096,
        "pair": 3744,
        "high card": 16440,
    }


def test_no_order_of_the_cards_changes_what_they_are() -> None:
    for first, second, last in EVERY_THREE[::97]:
        assert (
            len(
                {
                    three(hand)
                    for hand in ((first, second, last), (last, first, second), (last, second, first))
                }
            )
            == 1
        )


def test_two_hands_of_three_are_equal_only_if_kind_and_ranks_are() -> None:
    kinds: dict[int, set[tuple[str, str]]] = {}
    for hand in EVERY_THREE:
        kinds.setdefault(three(hand), set()).add(
            (name_of_three(three(hand)), "".join(sorted(card[0] for card in hand)))
        )
    assert all(len(hands) == 1 for hands in kinds.values())
    assert len(kinds) == 741  # 13 triples, 156 pairs, 286 sets of ranks suited and 286 not


LADDER = [
    "As Ks Qs",
    "Kh Qh Jh",
    "4c 3c 2c",
    "As 2s 3s",
    "As Ah Ad",
    "2s 2h 2d",
    "Ah Kd Qc",
    "Ks Qh Jd",
    "4s 3h 2d",
    "Ah 2d 3c",
    "As Ks Js",
    "As Ks Ts",
    "5c 3c 2c",
    "Ah Ad Ks",
    "Ah Ad 2s",
    "Kh Kd As",
    "2h 2d As",
    "2h 2d 3s",
    "Ah Kd Jc",
    "Ah Kd Tc",
    "Ah Kd 2c",
    "Ah Qd Jc",
    "Ah 4d 2c",
    "Kh Qd Tc",
    "Qh 3d 2c",
    "Jh Td 8c",
    "6h 3d 2c",
    "5h 3d 2c",
]


def test_each_hand_beats_the_next() -> None:
    strengths = [three(hand.split()) for hand in LADDER]
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) == len(LADDER)


@pytest.mark.parametrize(
    ("a23", "over", "against"),
    [
        ("lowest", "4s 3c 2h", -1),
        ("lowest", "Ks Qh Jd", -1),
        ("lowest", "Ah Kd Qc", -1),
        ("lowest", "As Ks Js", 1),
        ("second", "4s 3c 2h", 1),
        ("second", "Ks Qh Jd", 1),
        ("second", "Ah Kd Qc", -1),
        ("highest", "4s 3c 2h", 1),
        ("highest", "Ks Qh Jd", 1),
        ("highest", "Ah Kd Qc", 0),
        ("highest", "2s 2h 2d", -1),
    ],
)
def test_ace_two_three_ranks_as_the_reading_says(a23: str, over: str, against: int) -> None:
    own, other = three(["Ad", "2c", "3s"], a23), three(over.split(), a23)
    assert (own > other) - (own < other) == against
    suited, royal = three(["Ad", "2d", "3d"], a23), three(["As", "Ks", "Qs"], a23)
    assert name_of_three(suited) == "straight flush"
    assert suited < royal


@pytest.mark.parametrize(
    ("steel_wheel", "moved"),
    [
        ("straight-flush", {}),
        ("flush", {"straight flush": -184, "flush": 184}),
        ("nothing", {"straight flush": -184, "flush": 28, "straight": 72, "high card": 84}),
    ],
)
def test_all_sets_of_six_cards_have_the_published_numbers_of_five_card_hands(
    steel_wheel: str, moved: dict[str, int]
) -> None:
    counted: Counter[str] = Counter()
    for hand, sets in every_six():
        counted[name_of_five(six(hand, steel_wheel))] += sets
    books = {
        "royal flush": 188,
        "straight flush": 1656,
        "four of a kind": 14664,
        "full house": 165984,
        "flush": 205792,
        "straight": 361620,
        "three of a kind": 732160,
        "two pair": 2532816,
        "pair": 9730740,
        "high card": 6612900,
    }
    assert counted == {kind: count + moved.get(kind, 0) for kind, count in books.items()}
    assert sum(counted.values()) == comb(52, 6)


@pytest.mark.long
def test_each_set_of_six_cards_is_ranked_like_its_class() -> None:
    one_by_one: Counter[int] = Counter(six(hand) for hand in combinations(DECK, 6))
    by_sets: Counter[int] = Counter()
    for hand, sets in every_six():
        by_sets[six(hand)] += sets
    assert one_by_one == by_sets


@pytest.mark.parametrize("steel_wheel", STEEL_WHEEL)
def test_the_best_five_cards_have_the_rank_of_the_six(steel_wheel: str) -> None:
    for hand, _ in islice(every_six(), 0, None, 1 if LONG else 37):
        five = best_five(hand, steel_wheel)
        assert len(set(five)) == 5
        assert set(five) <= set(hand)
        assert six(five, steel_wheel) == six(hand, steel_wheel), hand


@pytest.mark.parametrize(
    ("sixth", "steel_wheel", "kind"),
    [
        ("Kc", "straight-flush", "straight flush"),
        ("Kc", "flush", "flush"),
        ("Kc", "nothing", "high card"),
        ("6d", "straight-flush", "straight flush"),
        ("6d", "flush", "straight flush"),
        ("6d", "nothing", "straight flush"),
        ("9d", "straight-flush", "straight flush"),
        ("9d", "flush", "flush"),
        ("9d", "nothing", "flush"),
        ("6c", "flush", "flush"),
        ("6c", "nothing", "straight"),
        ("Ac", "flush", "flush"),
        ("Ac", "nothing", "straight"),
        ("5c", "nothing", "straight"),
        ("7c", "nothing", "high card"),
    ],
)
def test_a_suited_wheel_is_what_the_reading_makes_of_it(sixth: str, steel_wheel: str, kind: str) -> None:
    assert name_of_five(six([*STEEL.split(), sixth], steel_wheel)) == kind


@pytest.mark.parametrize(
    ("cards", "five", "kind"),
    [
        ("As Ks Qs Js Ts 9s", "As Ks Qs Js Ts", "royal flush"),
        ("Ks Qs Js Ts 9s As", "Ks Qs Js Ts As", "royal flush"),
        ("Ah Ks Qs Js Ts 9s", "Ks Qs Js Ts 9s", "straight flush"),
        ("2s 2h 2d 2c 9s Ah", "2s 2h 2d 2c Ah", "four of a kind"),
        ("2s 2h 2d 9c 9s 9h", "2s 2h 9c 9s 9h", "full house"),
        ("2s 2h 2d 9c 9s Ah", "2s 2h 2d 9c 9s", "full house"),
        ("As 2h 3d 4c 5s 5h", "As 2h 3d 4c 5s", "straight"),
        ("6s 2h 3d 4c 5s Ah", "6s 2h 3d 4c 5s", "straight"),
        ("Ks Ah 2d 3c 4s 6h", "Ks Ah 3c 4s 6h", "high card"),
        ("2s 4s 6s 8s Ts Qs", "4s 6s 8s Ts Qs", "flush"),
        ("7h 7s 7d Kc 5h 2s", "7h 7s 7d Kc 5h", "three of a kind"),
        ("7h 7s 4d 4c 2h 2s", "7h 7s 4d 4c 2h", "two pair"),
    ],
)
def test_the_five_that_make_the_hand(cards: str, five: str, kind: str) -> None:
    assert best_five(cards.split()) == tuple(five.split())
    assert name_of_five(six(cards.split())) == kind


def test_a_card_dealt_twice_is_ranked_as_dealt() -> None:
    assert name_of_three(three(["As", "As", "5s"])) == "flush"
    assert name_of_three(three(["As", "As", "5d"])) == "pair"
    assert name_of_three(three(["As", "As", "As"])) == "three of a kind"
    assert name_of_five(six(["As", "As", "Ah", "Ad", "Ac", "2s"])) == "four of a kind"
    assert name_of_five(six(["As", "As", "Ks", "Ks", "Qs", "2h"])) == "flush"


def test_an_impossible_card_has_no_strength() -> None:
    for hand in (["1s", "As", "Ks"], ["", "As", "Ks"]):
        with pytest.raises(KeyError):
            three(hand)


def test_the_names_are_listed_from_the_lowest_up() -> None:
    best = {
        name: max(three(hand) for hand in EVERY_THREE if name_of_three(three(hand)) == name)
        for name in THREE_NAMES
    }
    assert sorted(best, key=lambda name: best[name]) == list(THREE_NAMES)

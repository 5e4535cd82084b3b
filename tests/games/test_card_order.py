"""The order of cards after a shuffle: a fair shuffle is never reported, an order that occurred before is
reported, and the probabilities are exact.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from games.kit import card_order
from games.kit.cards import DECK
from tests.counts import LONG

SHUFFLES = 100_000 if LONG else 20_000


def first_repeat(order: str, before: str, decks: int) -> tuple[int, card_order.Repeat] | None:
    """Read the cards a few at a time, as in rounds. Return two values: the number of cards after which a
    repeated order is reported, and the repeat. Return None if no repeat is reported.
    """
    place, length = card_order.FIRST, 0
    while length < len(order):
        length = min(length + 1 + length % 5, len(order))
        if length >= place:
            repeat, place = card_order.find(order[:length], before, decks, place)
            if repeat is not None:
                return place, repeat
    return None


LETTERS = "".join(card_order.LETTER[card] for card in DECK)


def shuffled(rng: Random, decks: int) -> str:
    cards = list(LETTERS * decks)
    rng.shuffle(cards)
    return "".join(cards)


@pytest.mark.parametrize(("decks", "dealt"), [(1, 52), (6, 200), (8, 208)])
def test_no_fair_shuffle_is_reported(decks: int, dealt: int) -> None:
    rng = Random(decks)
    before = shuffled(rng, decks)[:dealt]
    for _ in range(SHUFFLES if decks == 1 else SHUFFLES // 5):
        order = shuffled(rng, decks)[:dealt]
        assert first_repeat(order, before, decks) is None
        before = order


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_an_order_that_was_not_shuffled_is_always_reported(decks: int) -> None:
    rng = Random(decks)
    for _ in range(200):
        before = shuffled(rng, decks)[: 26 * decks]
        assert (first_repeat(before, before, decks) or (0,))[0] == 6
        assert (first_repeat(before[::-1], before, decks) or (0,))[0] == 6
        cut = rng.randrange(1, len(before) - 12)
        assert (first_repeat(before[cut:] + before[:cut], before, decks) or (99,))[0] <= 12  # cut only
        stub = shuffled(rng, decks)[: rng.randrange(1, 20)]
        place, repeat = first_repeat(stub + before, before, decks) or (99, None)
        assert len(stub) < place <= len(stub) + 12  # the cards before them are in an unknown order
        assert repeat is not None
        assert set(repeat.cards) <= {card_order.CARD[letter] for letter in before}


SPADES, HEARTS, DIAMONDS, CLUBS = (LETTERS[start : start + 13] for start in (0, 13, 26, 39))
BRANDS = (
    SPADES + DIAMONDS + CLUBS[::-1] + HEARTS[::-1],
    HEARTS + CLUBS + DIAMONDS[::-1] + SPADES[::-1],
    SPADES + HEARTS + DIAMONDS + CLUBS,
    SPADES + HEARTS + CLUBS + DIAMONDS,
)


@pytest.mark.parametrize("decks", [1, 6, 8])
@pytest.mark.parametrize("brand", BRANDS)
def test_a_new_deck_is_reported_with_any_brand_and_any_cut(decks: int, brand: str) -> None:
    for line in (brand * decks, brand[::-1] * decks):
        assert (first_repeat(line, "", decks) or (0,))[0] == 6
        for cut in range(1, 52):
            place, repeat = first_repeat((line[cut:] + line[:cut])[:40], "", decks) or (99, None)
            assert place <= 24
            assert repeat is not None
            assert repeat.new_deck


def test_a_fair_shuffle_is_reported_less_than_once_in_a_thousand_million() -> None:
    ten_starts = Fraction(10, card_order.FIRST_ODDS)
    assert ten_starts + Fraction(1, card_order.BEFORE_ODDS) + Fraction(
        1, card_order.NEW_DECK_ODDS
    ) <= Fraction(1, 10**9)
    for decks in range(1, 13):
        for run in ("abcdef", "aabbcc"[: 6 if decks > 1 else 0]):
            if run:
                ways, all_ways = card_order.ways_of(run, decks)
                assert Fraction(ways, all_ways) < Fraction(1, card_order.FIRST_ODDS)


@pytest.mark.parametrize(
    ("run", "decks", "chance"),
    [
        ("a", 1, Fraction(1, 52)),
        ("ab", 1, Fraction(1, 52 * 51)),
        ("ab", 6, Fraction(6 * 6, 312 * 311)),
        ("aa", 6, Fraction(6 * 5, 312 * 311)),
        ("aba", 8, Fraction(8 * 8 * 7, 416 * 415 * 414)),
    ],
)
def test_the_chance_of_a_run_is_exact(run: str, decks: int, chance: Fraction) -> None:
    assert Fraction(*card_order.ways_of(run, decks)) == chance


def test_the_chance_of_two_cards_is_that_of_counting_every_deal() -> None:
    cards = LETTERS * 2
    pairs = [
        (first, second)
        for place, first in enumerate(cards)
        for other, second in enumerate(cards)
        if place != other
    ]
    for run in ("ab", "aa"):
        assert Fraction(*card_order.ways_of(run, 2)) == Fraction(pairs.count((run[0], run[1])), len(pairs))


@pytest.mark.parametrize(
    ("number", "text"),
    [(999, "999"), (14_658_134_400, "14 billion"), (2_000_000_000_000_000, "2,000 trillion")],
)
def test_a_large_number_is_said_in_words(number: int, text: str) -> None:
    assert card_order.large(number) == text

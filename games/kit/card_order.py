"""The order of cards after a shuffle. This module detects cards that come in the same order as in the
previous shoe or in a new deck, and computes how unlikely this is.

After a fair shuffle every order is equally likely, so the chance of finding given cards at given places of a
shoe is exact. It is a product with one factor for each card: the copies of that card that remain, divided by
all cards that remain. A run is a sequence of cards in one of these earlier orders. It is reported if its
chance, times the number of runs that would be reported in the same way, is less than the limit for its kind.
The limits of all kinds add up to 1 in 10^9, so that fewer than one fair shuffle in 10^9 is reported. Cards
that were not read are left out of both orders, which does not change the chances of a fair shuffle.

An order is a string with one letter for each card (`LETTER`).
"""

from __future__ import annotations

from string import ascii_letters
from typing import NamedTuple

from games.kit.cards import DECK, RANKS

LETTER = dict(zip(DECK, ascii_letters, strict=True))
"""The letter that represents each card in an order."""
CARD = {letter: card for card, letter in LETTER.items()}

FIRST = 6
"""The number of cards after which the first cards of the shoe are compared. Six cards in an earlier order are
unlikely enough with any number of decks.
"""
SECOND, WINDOW, STEP = 8, 3, 6
"""From card number SECOND on, the last WINDOW cards are compared at every STEP-th card. This detects every
run of eight cards. If the cards agree with an earlier order, the comparison is repeated at every following
card.
"""
NEVER = 1 << 62
"""A number that is larger than the number of cards in any order, so that no comparison is made."""

FIRST_ODDS = 14 * 10**9
"""A run at the start of the shoe is reported if its chance is less than 1 in this number. There are ten such
runs: the previous shoe from its first card, or backwards from its last; each of the four suits from its ace
up, or from its king down.
"""
BEFORE_ODDS = 7 * 10**9
"""A run in the order of the previous shoe, forwards or backwards, is reported if fewer than 1 in this number
of fair shuffles have so long a run.
"""
NEW_DECK_ODDS = 7 * 10**9
"""A run in the order of a new deck is reported if fewer than 1 in this number of fair shuffles have so long a
run.
"""

SUITS_UP = "|".join(
    "".join(ascii_letters[start : start + len(RANKS)]) for start in range(0, len(DECK), len(RANKS))
)
"""Each suit from its ace to its king. In a new deck of any brand, each suit is in this order or in the
reverse order.
"""
ENDS = {letter for letter, card in CARD.items() if card[0] in (RANKS[0], RANKS[-1])}
"""The letters of the cards with which a suit of a new deck can begin: aces and kings."""


class Repeat(NamedTuple):
    """A run of cards in an earlier order. A run like it occurs in fewer than 1 of `one_in` fair shuffles."""

    cards: tuple[str, ...]
    new_deck: bool
    """True if the cards come in the order of a new deck, False if in the order of the previous shoe."""
    backwards: bool
    one_in: int


def find(order: str, before: str, decks: int, place: int) -> tuple[Repeat | None, int]:
    """Return the first run that is too long to be chance, and the number of cards up to its end.

    If there is no such run, return None and the number of cards at which to compare again.

    Args:
        order: the cards since the shuffle.
        before: the cards of the previous shoe; empty if there was none.
        decks: decks in the shoe, at least 1.
        place: what the last call for this shuffle returned; `FIRST` for the first call.
    """
    if place == FIRST <= len(order):
        if order[0] in ENDS or before.startswith(order[0]) or before.endswith(order[0]):
            repeat = look_at_start(order, before, decks)
            if repeat is not None:
                return repeat, FIRST
        place = SECOND
    while place <= len(order):
        last = order[place - WINDOW : place]
        back = last[::-1]
        if last not in before and back not in before and last not in SUITS_UP and back not in SUITS_UP:
            place += STEP
            continue
        repeat = look(order[:place], before, decks)
        if repeat is not None:
            return repeat, place
        place += 1
    return None, place


def look(order: str, before: str, decks: int) -> Repeat | None:
    """Return the run that ends with the last card if it is too long to be chance, or None."""
    for line, starts, odds in ((before, len(before), BEFORE_ODDS), (SUITS_UP, len(DECK), NEW_DECK_ODDS)):
        for backwards in (False, True):
            run = order[-agreeing(order, line, backwards) :]
            runs = (
                2 * starts * len(DECK) * decks
            )  # forwards or backwards, from any card of the order, at any place of the shoe
            repeat = rare(run, line is SUITS_UP, backwards, runs, odds, decks) if starts else None
            if repeat is not None:
                return repeat
    return None


def look_at_start(order: str, before: str, decks: int) -> Repeat | None:
    """Return the run of the first cards of the shoe, if they come in the order in which an unshuffled shoe
    would begin.
    """
    order = order[:FIRST]
    if order == before[: len(order)]:
        return rare(order, False, False, 1, FIRST_ODDS, decks)
    if order[::-1] == before[-len(order) :]:
        return rare(order, False, True, 1, FIRST_ODDS, decks)
    if order[0] in ENDS and order in SUITS_UP:
        return rare(order, True, False, 1, FIRST_ODDS, decks)
    if order[0] in ENDS and order[::-1] in SUITS_UP:
        return rare(order, True, True, 1, FIRST_ODDS, decks)
    return None


def agreeing(order: str, line: str, backwards: bool) -> int:
    """Return how many of the last cards follow each other in `line` in the same order, or in the opposite
    order if `backwards` is true; at least 1.
    """
    length = 2
    while length <= len(order) and (order[-length:][::-1] if backwards else order[-length:]) in line:
        length += 1
    return length - 1


def rare(run: str, new_deck: bool, backwards: bool, runs: int, odds: int, decks: int) -> Repeat | None:
    """Return the run, or None if it may be chance. It is returned if fewer than 1 in `odds` fair shuffles
    contain one of the `runs` possible runs of this length.
    """
    ways, all_ways = ways_of(run, decks)
    if all_ways <= ways * runs * odds:
        return None
    return Repeat(tuple(CARD[letter] for letter in run), new_deck, backwards, all_ways // (ways * runs))


def ways_of(run: str, decks: int) -> tuple[int, int]:
    """Return in how many ways a shuffled shoe can have these cards in this order at given positions, and in
    how many ways it can have any cards there.

    A card that comes more often than the decks contain it counts as one way; another finding reports it.
    """
    ways = all_ways = 1
    for place, letter in enumerate(run):
        ways *= max(decks - run.count(letter, 0, place), 1)
        all_ways *= max(len(DECK) * decks - place, 1)
    return ways, all_ways


def large(number: int) -> str:
    """Format a large number for a sentence, rounded down: `14 billion`."""
    for digits, name in ((12, "trillion"), (9, "billion")):
        if number >= 10**digits:
            return f"{number // 10**digits:,} {name}"
    return f"{number:,}"

"""The order of cards after a shuffle: how many come in the order of the shoe before or of a new deck, and how
unlikely that is.

Every order is equally likely after a shuffle, so the chance that given places of a shoe hold given cards is
exact: for each card in turn its copies that remain over the cards that remain. A run of agreeing cards is
reported when its chance, times the number of runs that could have been reported with the same right, is less
than the share of its kind. The shares of all kinds add up to 1 in 10^9, so fewer than one fair shuffle in
10^9 is reported. Cards that were not read are left out of both orders: a fair shuffle stays fair without
them.

An order is a string with one letter for each card (`LETTER`).
"""

from __future__ import annotations

from string import ascii_letters
from typing import NamedTuple

from games.kit.cards import DECK, RANKS

LETTER = dict(zip(DECK, ascii_letters, strict=True))
"""Card to its letter in an order."""
CARD = {letter: card for card, letter in LETTER.items()}

FIRST = 6
"""The number of cards after which runs from the first card of the shoe are judged; six are rare enough with
any number of decks.
"""
SECOND, WINDOW, STEP = 8, 3, 6
"""From the eighth card on, the last three cards are compared at every sixth card, so that no run of eight is
missed. If three agree, the comparison is made at every card.
"""
NEVER = 1 << 62
"""More cards than any order has."""

FIRST_ODDS = 14 * 10**9
"""One in this number is the share of each of the ten runs from the first card: the shoe before from its first
card, or backwards from its last; each suit from its ace up, or from its king down.
"""
BEFORE_ODDS = 7 * 10**9
"""One in this number is the share of all runs that agree with the shoe before, forwards or backwards."""
NEW_DECK_ODDS = 7 * 10**9
"""One in this number is the share of all runs that agree with a new deck."""

SUITS_UP = "|".join(
    "".join(ascii_letters[start : start + len(RANKS)]) for start in range(0, len(DECK), len(RANKS))
)
"""Each suit from its ace to its king. In a new deck of any brand each suit lies so, or from its king down."""
ENDS = {letter for letter, card in CARD.items() if card[0] in (RANKS[0], RANKS[-1])}
"""The cards with which a suit of a new deck begins."""


class Repeat(NamedTuple):
    """A run of cards that lie in an order that was there before; fewer than one of `one_in` fair shuffles
    shows any run like it.
    """

    cards: tuple[str, ...]
    new_deck: bool
    """The order is that of a new deck; otherwise that of the shoe before."""
    backwards: bool
    one_in: int


def find(order: str, before: str, decks: int, place: int) -> tuple[Repeat | None, int]:
    """Return the first run that is too long to be chance and the number of cards up to its end.

    Without one, return after how many cards to look again.

    Args:
        order: the cards since the shuffle.
        before: the cards between the shuffle before and this one; empty if there was none.
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
    """Return the run up to the last card if it is too long to be chance."""
    for line, starts, odds in ((before, len(before), BEFORE_ODDS), (SUITS_UP, len(DECK), NEW_DECK_ODDS)):
        for backwards in (False, True):
            run = order[-agreeing(order, line, backwards) :]
            runs = (
                2 * starts * len(DECK) * decks
            )  # forwards or backwards, from any card of the line, at any place of the shoe
            repeat = rare(run, line is SUITS_UP, backwards, runs, odds, decks) if starts else None
            if repeat is not None:
                return repeat
    return None


def look_at_start(order: str, before: str, decks: int) -> Repeat | None:
    """Return the first cards of the shoe if they come in one of the orders in which an unshuffled shoe
    begins.
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
    """Return how many of the last cards lie in `line` one after another, at least 1."""
    length = 2
    while length <= len(order) and (order[-length:][::-1] if backwards else order[-length:]) in line:
        length += 1
    return length - 1


def rare(run: str, new_deck: bool, backwards: bool, runs: int, odds: int, decks: int) -> Repeat | None:
    """Return the run if one of `runs` like it comes in fewer than one of `odds` fair shuffles."""
    ways, all_ways = ways_of(run, decks)
    if all_ways <= ways * runs * odds:
        return None
    return Repeat(tuple(CARD[letter] for letter in run), new_deck, backwards, all_ways // (ways * runs))


def ways_of(run: str, decks: int) -> tuple[int, int]:
    """Return the ways in which places of a shuffled shoe hold these cards in this order, and all ways.

    A copy beyond those of the decks counts as one way: another finding reports it.
    """
    ways = all_ways = 1
    for place, letter in enumerate(run):
        ways *= max(decks - run.count(letter, 0, place), 1)
        all_ways *= max(len(DECK) * decks - place, 1)
    return ways, all_ways


def large(number: int) -> str:
    """Return a large number for a sentence, rounded down: `14 billion`."""
    for digits, name in ((12, "trillion"), (9, "billion")):
        if number >= 10**digits:
            return f"{number // 10**digits:,} {name}"
    return f"{number:,}"

"""Checks of the cards in a shoe: the position of the cut card, and whether each shuffle changed the order of
the cards.
"""

from __future__ import annotations

from datetime import UTC

from games.kit import card_order
from games.kit import events as e
from games.kit.cards import PIP
from games.kit.citations import CARDS_COMPLETE
from games.kit.closed_rounds import ClosedRounds
from games.kit.common_rules import CUT_DEPTH, PAST_CUT_COUNTED
from games.kit.events import Event
from games.kit.round import Round
from games.kit.rules import RuleHit
from games.kit.shoe import Shoe

BY_HAND = 2
"""The largest accepted difference, in cards, for a cut position that a person entered."""


def check_cut_declared(table: ClosedRounds, event: e.Shuffled) -> None:
    """Report a cut position behind more cards than the decks contain."""
    cards = 52 * event.decks
    if event.cut is not None and event.decks > 0 and event.cut > cards:
        says = (
            f"{event.cut} cards lie in front of the cut card; {decks(event.decks)}"
            f" hold{'s' if event.decks == 1 else ''} {cards}."
        )
        table.record("cut-differs", CARDS_COMPLETE, event, RuleHit(says))


def check_cut(table: ClosedRounds, shoe: Shoe, event: e.CutCardShown) -> None:
    """Report a cut card that came after fewer or more cards than the shuffle put in front of it. In that case
    cards were added or are missing.

    Cards that belong to no round may or may not have been in front of the cut card. If facts are missing,
    cards may have been drawn without a fact.
    """
    if shoe.cut is None or shoe.cut < 0 or shoe.resting:
        return
    tolerance = BY_HAND if shoe.cut_by_hand else 0
    fewest, highest = shoe.dealt, shoe.dealt + shoe.unplaced
    if shoe.cut < fewest - tolerance:
        differs = f"{cards(fewest - shoe.cut)} more than that"
    elif shoe.cut > highest + tolerance and not shoe.unseen:
        differs = f"{cards(shoe.cut - highest)} fewer than that"
    else:
        return
    entered = ", as entered by hand" if shoe.cut_by_hand else ""
    says = (
        f"The shuffle put {cards(shoe.cut)} in front of the cut card{entered}; it was shown after"
        f" {cards(shoe.dealt)}, {differs}."
    )
    table.find("cut-differs", event, says)


def check_past_cut(table: ClosedRounds, shoe: Shoe, event: Event) -> None:
    """Report a new round if the cut card must have come out of the shoe before it, but was not shown. This is
    known from the number of cards in front of the cut card, or from the largest number that the manual allows
    there.
    """
    rule = table.always.get(PAST_CUT_COUNTED)
    if rule is None or shoe.shuffled_at is None or shoe.resting:
        return
    if shoe.cut is not None and shoe.cut >= 0:
        limit, cite = shoe.cut, rule.cite
        says = f"the shuffle put {cards(limit)} in front of the cut card, which was not shown"
    elif (
        table.game.cut_within is not None and shoe.decks > 1
    ):  # the manual requires a cut card for several decks, and says nothing about a single one
        limit, cite = int(52 * shoe.decks * table.game.cut_within), table.game.cites.get(CUT_DEPTH, rule.cite)
        says = f"no more than {cards(limit)} of {decks(shoe.decks)} may be, and no cut card was shown"
    else:
        return
    if shoe.dealt > limit:
        says = f"A new round was dealt after {cards(shoe.dealt)} since the shuffle; {says}."
        table.record(rule.code, cite, event, RuleHit(says))


def check_order(table: ClosedRounds, shoe: Shoe, round: Round) -> None:
    """Report cards that come in the order of the previous shoe or of a new deck. That order shows that
    nobody shuffled them.

    The check runs at the end of a round and before a shuffle, because all cards are known only then. The
    finding points at the card that makes the order too unlikely.
    """
    if shoe.resting or shoe.shuffled_at is None:
        shoe.look = card_order.NEVER
        return
    order = shoe.in_order()
    repeat, place = card_order.find(order, shoe.before, max(shoe.decks, 1), shoe.look)
    shoe.look = place if repeat is None else card_order.NEVER
    if repeat is None:
        return
    read = [fact for fact in round.drawn() if fact.card in PIP]
    behind = len(order) - place
    event = read[-1 - behind] if behind < len(read) else round.opened
    deck = "deck" if shoe.every_round else "shoe"
    name = f"the order of a new deck{', backwards' if repeat.backwards else ''}"
    if not repeat.new_deck:
        name = f"the order in which they lay in the {deck} before{', backwards' if repeat.backwards else ''}"
    says = (
        f"Since the shuffle of {shoe.shuffled_at.astimezone(UTC).isoformat()}, {len(repeat.cards)} cards one"
        f" after another came in {name}: {' '.join(repeat.cards)}. Fewer than 1 in"
        f" {card_order.large(repeat.one_in)} fair shuffles does that."
    )
    table.find("not-shuffled", event, says)


def cards(number: int) -> str:
    """Return a number of cards for a sentence: `1 card` or `20 cards`."""
    return f"{number} card{'' if number == 1 else 's'}"


def decks(number: int) -> str:
    """Return a number of decks for a sentence: `1 deck` or `6 decks`."""
    return f"{number} deck{'' if number == 1 else 's'}"

"""What players of Casino Over Under are asked and declare (COU Dealing Procedures 2, 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterator

from games.casino_over_under.hands import CHOICES, OverUnderRound
from games.casino_over_under.manual import DEALING, game
from games.kit import events as e
from games.kit.events import Event
from games.kit.game import Finds, Said


@game.rule("not-announced", on=e.Deal, needs="announce bet deal", cite=f"{DEALING} 2")
def asked_for_the_bonus(round: OverUnderRound, event: e.Deal) -> Finds:
    """Ask each player without a Bonus wager "No bonus wager?" before the first card."""
    spot = event.to
    if spot in round.hands or not round.stake(spot, "ante") or round.stake(spot, "bonus") or round.asked & {spot, None}:
        return None
    return Said(f"Spot {spot} has no bonus and was not asked for one before its first card.", spot=spot, wager="")


@game.rule("out-of-order", on=e.Deal, needs="choose deal bet", cite=f"{DEALING} 4")
def cards_before_choices(round: OverUnderRound, event: e.Deal) -> Finds:
    """A player chooses after the first card."""
    early = round.chosen.get(event.to)
    return Said(f"Spot {event.to} chose before it had a card.", at=early, after=event) if early and event.to not in round.hands else None


@game.rule("out-of-order", on=e.Choose, needs="choose deal bet", cite=f"{DEALING} 4")
def asked_from_left_to_right(round: OverUnderRound, event: e.Choose) -> Finds:
    """Ask each player from left to right."""
    hand = round.hands.get(event.spot)
    if hand is None or event.choice not in CHOICES or event.spot in round.chosen or round.seconds or not round.stake(event.spot, "ante"):
        return None
    for spot, soon in round.chosen.items():
        if spot in round.hands and int(spot) > int(event.spot):
            return Said(f"Spot {spot} was asked before spot {event.spot}.", at=soon, after=event)
    return None


@game.rule("out-of-order", on=e.Choose, needs="choose deal", cite=f"{DEALING} 4")
def surrender_is_final(round: OverUnderRound, event: e.Choose) -> Finds:
    """A player who surrendered has forfeited the ante and chooses no more."""
    hand, stands = round.hands.get(event.spot), round.chosen.get(event.spot)
    if event.choice in CHOICES and round.surrendered(event.spot) and not (hand and len(hand.cards) > 1):
        return Said(f"Spot {event.spot} chose {event.choice} after it had surrendered.", before=stands)
    return None


@game.rule("choice-too-late", on=e.Choose, needs="choose deal bet", cite=f"{DEALING} 4")
def choice_before_the_second_card(round: OverUnderRound, event: e.Choose) -> Finds:
    """Over, under or surrender is declared before the spot's second card."""
    hand = round.hands.get(event.spot)
    if hand is None or len(hand.cards) < 2 or event.choice not in CHOICES or not round.stake(event.spot, "ante"):
        return None
    return Said(f"Spot {event.spot} chose {event.choice} when its second card lay.", before=hand.cards[1])


@game.rule("dealt-too-soon", on=e.Choose, needs="choose deal bet", cite=f"{DEALING} 5")
def all_declare_first(round: OverUnderRound, event: e.Choose) -> Iterator[Said]:
    """Second cards are dealt once all declarations are made."""
    hand = round.hands.get(event.spot)
    if hand and len(hand.cards) == 1 and event.spot not in round.chosen and event.choice in CHOICES and round.stake(event.spot, "ante"):
        for second in round.seconds[hand.seconds :]:
            yield Said(f"A second card was dealt before spot {event.spot} had declared.", at=second, after=event)


@game.rule("choice-missing", on=e.RoundClosed, needs="choose deal bet", cite=f"{DEALING} 4")
def everyone_declares(round: OverUnderRound, event: Event) -> Iterator[Said]:
    """Each player with an Ante wager is asked "Over, under or surrender?" and answers."""
    for spot, hand in round.hands.items():
        if spot not in round.chosen and round.stake(spot, "ante"):
            at = hand.cards[1] if len(hand.cards) > 1 else event
            yield Said(f"Spot {spot} never chose over, under or surrender.", at=at, spot=spot, wager="")


@game.rule("choice-without-bet", on=e.RoundClosed, needs="choose bet", cite=f"{DEALING} 4", though_void=True)
def ante_for_a_choice(round: OverUnderRound, event: Event) -> Iterator[Said]:
    """Only a player with an Ante wager has a choice to make."""
    for choice in round.declared:
        if not round.stake(choice.spot, "ante"):
            yield Said(f"Spot {choice.spot} chose {choice.choice} and has no ante.", at=choice)

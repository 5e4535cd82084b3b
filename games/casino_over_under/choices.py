"""The rules of Casino Over Under about questions of the dealer and declarations of the players (COU Dealing
Procedures 2, 4 and 5).
"""

from __future__ import annotations

from collections.abc import Iterator

from games.casino_over_under.cards import second_card, sentence
from games.casino_over_under.hands import CHOICES, OverUnderRound
from games.casino_over_under.manual import DEALING, game
from games.kit import events as e
from games.kit.events import Event
from games.kit.rules import RuleHit, RuleResult


@game.rule(
    "not-announced", on=e.RoundClosed, needs="announce bet deal", cite=f"{DEALING} 2", also_when_void=True
)
def asked_for_the_bonus(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """Ask each player without a Bonus wager "No bonus wager?" before the first card."""
    for spot, hand in round.hands.items():
        if hand.unasked:
            late = round.asked.get(spot) or round.asked.get(None)
            says = (
                f"Spot {spot} has no bonus and was"
                f" {'asked about it only after' if late else 'not asked about it before'} its first card"
            )
            yield RuleHit(f"{says}, {hand.cards[0].card}.", at=hand.cards[0], spot=spot, wager="", after=late)


@game.rule("out-of-order", on=e.Deal, needs="choose deal bet", cite=f"{DEALING} 4", present="choose")
def cards_before_choices(round: OverUnderRound, event: e.Deal) -> RuleResult:
    """Players may be asked for their choices, and may choose, only after each of them has a first card."""
    spot = event.to
    if spot in round.hands or not (round.since_first_card or spot in round.chosen):
        return None
    own = round.chosen.get(spot)
    hits = (
        [
            RuleHit(
                f"Spot {spot} chose {own.choice} before it had a card; {event.card} came after.",
                at=own,
                after=event,
            )
        ]
        if own
        else []
    )
    if not round.seconds and round.plays(spot):
        for decision in round.since_first_card:
            if decision.spot in round.hands and round.stake(decision.spot, "ante"):
                says = (
                    f"Spot {decision.spot} chose {decision.choice} before spot {spot} had its first card,"
                    f" {event.card}."
                )
                hits.append(RuleHit(says, at=decision, after=event))
    return hits


@game.rule("out-of-order", on=e.Choose, needs="choose deal bet", cite=f"{DEALING} 4")
def asked_from_left_to_right(round: OverUnderRound, event: e.Choose) -> RuleResult:
    """Ask each player from left to right."""
    hand = round.hands.get(event.spot)
    if (
        hand is None
        or event.choice not in CHOICES
        or event.spot in round.chosen
        or round.seconds
        or not round.stake(event.spot, "ante")
    ):
        return None
    for spot, decision in round.chosen.items():
        if spot in round.hands and int(spot) > int(event.spot):
            return RuleHit(
                f"Spot {spot} was asked before spot {event.spot}, which sits to its left.",
                at=decision,
                after=event,
            )
    return None


@game.rule("out-of-order", on=e.Choose, needs="choose deal", cite=f"{DEALING} 4")
def surrender_is_final(round: OverUnderRound, event: e.Choose) -> RuleResult:
    """A player who surrendered has forfeited the ante and may not choose again."""
    if event.choice in CHOICES and round.surrendered(event.spot) and not round.seconds:
        says = f"Spot {event.spot} chose {event.choice} after it had surrendered; the surrender counts."
        return RuleHit(says, before=round.chosen.get(event.spot))
    return None


@game.rule("choice-too-late", on=e.Choose, needs="choose deal bet", cite=f"{DEALING} 5")
def declared_before_the_second_cards(round: OverUnderRound, event: e.Choose) -> RuleResult:
    """A player must choose before the spot's own second card. Once any spot has its second card, no choice
    may be changed.
    """
    hand, spot = round.hands.get(event.spot) if round.seconds else None, event.spot
    if hand is None or event.choice not in CHOICES or not round.stake(spot, "ante"):
        return None
    if len(hand.cards) > 1:
        own = hand.cards[1]
        return RuleHit(
            f"Spot {spot} chose {event.choice} after it had been dealt its second card,"
            f" {own.card or 'face down'}.",
            before=own,
        )
    first = round.chosen.get(spot)
    if first.choice == event.choice if first else not round.against_chips(event):
        return None
    before = f"It had chosen {first.choice}" if first else f"It had bet on {round.side(spot)}"
    says = (
        f"Spot {spot} chose {event.choice} after {second_card(round.seconds[0])} and declarations were"
        f" closed. {before}, which counts."
    )
    return RuleHit(says, before=round.seconds[0])


@game.rule("dealt-too-soon", on=e.Choose, needs="choose deal bet", cite=f"{DEALING} 5")
def all_declare_first(round: OverUnderRound, event: e.Choose) -> Iterator[RuleHit]:
    """Second cards may be dealt only after all declarations are made."""
    hand, spot = round.hands.get(event.spot) if round.seconds else None, event.spot
    if not hand or len(hand.cards) != 1 or spot in round.chosen or event.choice not in CHOICES:
        return
    if round.stake(spot, "ante") and not round.against_chips(event):
        for second in round.seconds[hand.seconds :]:
            yield RuleHit(
                sentence(f"{second_card(second)} before spot {spot} declared {event.choice}."),
                at=second,
                after=event,
            )


@game.rule("choice-missing", on=e.RoundClosed, needs="choose deal bet", cite=f"{DEALING} 4")
def everyone_declares(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """Each player with an Ante wager must be asked "Over, under or surrender?" and must answer."""
    for spot, hand in round.hands.items():
        if spot not in round.chosen and round.stake(spot, "ante"):
            at = hand.cards[1] if len(hand.cards) > 1 else event
            yield RuleHit(
                f"Spot {spot} never chose over, under or surrender on its first card, {hand.cards[0].card}.",
                at=at,
                spot=spot,
                wager="",
            )


@game.rule(
    "choice-without-bet", on=e.RoundClosed, needs="choose bet", cite=f"{DEALING} 4", also_when_void=True
)
def ante_for_a_choice(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """Only a player with an Ante wager may choose over, under or surrender."""
    for choice in round.declared:
        if not round.stake(choice.spot, "ante"):
            yield RuleHit(f"Spot {choice.spot} chose {choice.choice} and has no ante.", at=choice)

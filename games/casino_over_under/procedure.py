"""The rules of Casino Over Under about dealing and burning cards, and about void hands (COU Dealing
Procedures 3 and 5, Irregularities 1).
"""

from __future__ import annotations

from collections.abc import Iterator

from games.casino_over_under.cards import WHOLE, dealt
from games.casino_over_under.hands import OverUnderRound
from games.casino_over_under.manual import DEALING, IRREGULAR, game
from games.kit import events as e
from games.kit.events import Event
from games.kit.rules import RuleHit, RuleResult


@game.rule("wrong-deal-order", on=e.Deal, needs="deal bet", cite=f"{DEALING} 3")
def first_cards_from_the_left(round: OverUnderRound, event: e.Deal) -> RuleResult:
    """Each player must receive a first card, from left to right, before anybody receives a second card."""
    if event.to in round.hands or not round.plays(event.to):
        return None
    highest = round.highest
    if highest is not None and int(event.to) < int(highest.to):
        says = (
            f"Spot {event.to} was passed over: spot {highest.to} had its first card, {highest.card},"
            " before it."
        )
        return RuleHit(says, before=highest)
    if round.seconds:
        return RuleHit(
            f"Spot {event.to} was passed over: {dealt(round.seconds[0])} as a second card before it.",
            before=round.seconds[0],
        )
    return None


@game.rule("wrong-deal-order", on=(e.Deal, e.Burn), needs="deal bet", cite=f"{DEALING} 5")
def hands_from_the_left(round: OverUnderRound, event: e.Deal | e.Burn) -> RuleResult:
    """Each player's second and third card must be dealt one after the other, beginning at the far left."""
    hand, served = round.hand_for(event), round.served
    if hand is None:
        return None
    if len(hand.cards) == 1 and served is not None and int(hand.spot) < int(served.spot):
        says = f"Spot {hand.spot} was passed over: spot {served.spot} had its second card before it."
        return RuleHit(says, before=served.cards[1])
    if len(hand.cards) == WHOLE - 1 and hand.passed_by is not None:
        says = (
            f"Spot {hand.spot} did not get its third card after its second: {dealt(hand.passed_by)} between"
            " them."
        )
        return RuleHit(says, before=hand.passed_by)
    return None


@game.rule("wrong-card-count", on=e.Deal, needs="deal bet", cite=f"{IRREGULAR} 1")
def no_fourth_card(round: OverUnderRound, event: e.Deal) -> RuleResult:
    """A hand may have only three cards, and only a spot with a wager may have a hand."""
    hand = round.hands.get(event.to)
    if hand is not None:
        count, card = WHOLE + hand.extra + 1, event.card or "not read"
        return (
            f"Spot {event.to} was dealt {count} cards, the last of them {card}; a hand has {WHOLE}."
            if hand.whole
            else None
        )
    return (
        None
        if round.plays(event.to)
        else f"Spot {event.to} has no wager and was dealt {event.card or 'a card'}."
    )


@game.rule("wrong-card-count", on=e.RoundClosed, needs="deal bet", cite=f"{IRREGULAR} 1")
def three_cards(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """Every hand that is played out must have three cards."""
    for spot in round.short_spots():
        hand = round.hands.get(spot)
        count = len(hand.cards) if hand else 0
        at = (hand.cleared if hand else None) or next(
            (fact for fact in round.trail if settles(round, fact, spot)), event
        )
        cards = f"{count} card{'s' if count > 1 else ''}, {hand.shown}" if hand else "no card"
        yield RuleHit(
            f"Spot {spot} was dealt {cards}; a hand has {WHOLE}.",
            at=at,
            spot=spot,
            wager="" if at is event else None,
        )


def settles(round: OverUnderRound, fact: Event, spot: str) -> bool:
    """Return True if this fact settles a wager of the spot: it takes money from the spot or pays it. Taking
    the ante after a surrender does not count.
    """
    if isinstance(fact, e.Settled):
        return any(entry[0] == spot for entry in (*fact.taken, *fact.paid))
    return (
        isinstance(fact, e.Take | e.Pay)
        and fact.spot == spot
        and not (fact.wager == "ante" and round.surrendered(spot))
    )


@game.rule("burn-count", on=(e.Clear, e.RoundClosed), needs="burn bet choose clear deal", cite=f"{DEALING} 5")
def two_burned(round: OverUnderRound, event: e.Clear | e.RoundClosed) -> Iterator[RuleHit]:
    """If a player surrendered without a bonus, the second and third card of the hand must be burned."""
    spots = [event.source_] if isinstance(event, e.Clear) else list(round.hands)
    for spot in spots:
        hand = round.hands.get(spot)
        if (
            hand is None
            or hand.cleared
            or not round.surrendered(spot)
            or not round.burned(spot)
            or spot in round.late_choices
        ):
            continue
        if hand.burns != WHOLE - 1:
            burned = f"{hand.burns} card{' was' if hand.burns == 1 else 's were'} burned"
            yield RuleHit(
                f"Spot {spot} surrendered without a bonus, and {burned} for it instead of {WHOLE - 1}.",
                spot=spot,
                wager="",
            )


@game.rule("burn-count", on=e.Burn, needs="burn bet choose deal", cite=f"{DEALING} 5")
def burned_for_a_hand(round: OverUnderRound, event: e.Burn) -> RuleResult:
    """While hands are dealt, a card may be burned only for a player who surrendered."""
    last = round.last_burned
    stray = round.hands and round.to_burn() is None and (last is None or last.cleared is not None)
    return (
        f"{event.card or 'A card'} was burned, and no player who surrendered lacked a card."
        if stray
        else None
    )


@game.rule("out-of-order", on=(e.Deal, e.Burn), needs="deal bet clear", cite=f"{DEALING} 5", present="clear")
def nothing_to_clear(round: OverUnderRound, event: e.Deal | e.Burn) -> RuleResult:
    """A player's cards may be taken only after the third card was dealt."""
    hand = round.hand_for(event)
    spot = hand.spot if hand else event.to if isinstance(event, e.Deal) else ""
    early = hand.cleared if hand else round.cleared_before.pop(spot, None)
    return (
        RuleHit(
            f"The cards of spot {spot} were taken before it had all three; {dealt(event)} after.",
            at=early,
            after=event,
        )
        if early
        else None
    )


@game.rule("not-cleared", on=e.RoundClosed, needs="bet clear deal", cite=f"{DEALING} 5")
def every_hand_taken(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """Take each player's cards before dealing to the next."""
    for spot, hand in round.hands.items():
        if hand.cleared is None and not round.lacks(spot):
            at = hand.next_card or hand.passed_by or event
            yield RuleHit(
                f"The cards of spot {spot}, {hand.shown}, were not taken before {next_step(at)}.",
                at=at,
                spot=spot,
                wager="",
            )


def next_step(fact: Event) -> str:
    """Return what happened next at the table, for a sentence: a card of the next hand, or the end of the
    round.
    """
    return dealt(fact) if isinstance(fact, e.Deal | e.Burn) else "the round ended"

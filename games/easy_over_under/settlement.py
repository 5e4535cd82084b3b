"""The rules of Easy Over Under about dealing, announcing, settling and collecting a hand (EOU Dealer
Instructions 11 to 16).
"""

from __future__ import annotations

from collections.abc import Iterator

from games.easy_over_under.hands import EasyRound, Hand, dealt
from games.easy_over_under.manual import DEALER, RULES, game
from games.kit import events as e
from games.kit.events import Event
from games.kit.line import Line
from games.kit.rules import MONEY, RuleHit, RuleResult, announcement


@game.rule("wrong-deal-order", on=e.Deal, needs="deal bet", cite=f"{DEALER} 11")
def from_the_left(round: EasyRound, event: e.Deal) -> RuleResult:
    """Deal from the player farthest to the dealer's left."""
    passed = round.highest
    if passed is not None and int(event.to) < int(passed.to) and round.awaits_card(event.to):
        return RuleHit(
            f"Spot {event.to} was passed over: spot {passed.to} had its card, {passed.card}, before it.",
            before=passed,
        )
    return None


@game.rule("wrong-card-count", on=e.Deal, needs="deal bet", cite=f"{RULES} 5")
def no_second_card(round: EasyRound, event: e.Deal) -> RuleResult:
    """Only one card may be dealt to each player."""
    if round.awaits_card(event.to):
        return None
    card = event.card or "not read"
    if event.to in round.hands:
        return (
            f"Spot {event.to} was dealt a second card, {card}; its card is"
            f" {round.hands[event.to].card.card or 'not read'}."
        )
    return f"Spot {event.to} has no wager and was dealt {event.card or 'a card'}."


@game.rule("wrong-card-count", on=e.RoundClosed, needs="deal bet", cite=f"{RULES} 5")
def everyone_a_card(round: EasyRound, event: Event) -> Iterator[RuleHit]:
    """A card must be dealt to each player with a wager."""
    for spot in round.spots:
        if round.awaits_card(spot):
            at = next((fact for fact in round.trail if moves_money_of(fact, spot)), event)
            yield RuleHit(f"Spot {spot} had a wager and was dealt no card.", at=at, spot=spot)


def moves_money_of(fact: Event, spot: str) -> bool:
    """Return True if this fact takes money from the spot or pays it."""
    if isinstance(fact, e.Settled):
        return any(entry[0] == spot for entry in (*fact.taken, *fact.paid))
    return isinstance(fact, e.Take | e.Pay) and fact.spot == spot


@game.rule("not-announced", on=e.RoundClosed, needs="announce deal", cite=f"{DEALER} 12", also_when_void=True)
def card_said_first(round: EasyRound, event: Event) -> Iterator[RuleHit]:
    """Announce each card before its wagers are settled."""
    for spot, hand in round.hands.items():
        if hand.silent is None and (hand.announced is not None or round.voided is not None):
            continue
        card = f"The card of spot {spot}, {hand.card.card or 'not read'},"
        if hand.silent is not None and hand.announced is not None:
            did = "it was collected" if isinstance(hand.silent, e.Clear) else "the money had moved"
            yield RuleHit(
                f"{card} was announced late: {did}.",
                at=hand.silent,
                spot=spot,
                wager="",
                after=hand.announced,
            )
        else:
            yield RuleHit(f"{card} was not announced.", at=hand.silent, spot=spot, wager="")


@game.rule("settled-out-of-order", on=MONEY, needs="bet deal roll take pay", cite=f"{DEALER} 12 and 13")
def losers_first(round: EasyRound, event: Event, line: Line, signed: int) -> RuleResult:
    """Collect the losing wagers of a spot, then pay its winners."""
    hand = round.hands.get(line.spot)
    if signed < 0 and hand and hand.winner_paid and line.owed is not None and line.owed < 0:
        says = (
            f"The losing {line.wager} of spot {line.spot} was collected after a winner of the spot had been"
            " paid."
        )
        return RuleHit(says, spot=line.spot, wager=line.wager, before=hand.winner_paid)
    return None


@game.rule(
    "dealt-too-soon", on=(MONEY, e.Clear), needs="deal bet clear", cite=f"{DEALER} 14", present="clear"
)
def settled_before_the_next(
    round: EasyRound, event: Event, line: Line | None = None, signed: int = 0
) -> RuleResult:
    """Settle a spot and collect its card before dealing to the next."""
    spot = line.spot if line else event.source_ if isinstance(event, e.Clear) else ""
    hand = round.hands.get(spot)
    if hand and hand.next_card and not (hand.cleared and isinstance(event, e.Clear)):
        action = f"its {line.wager} was settled" if line else "its card was collected"
        return RuleHit(
            f"{dealt(hand.next_card)} before spot {spot} was done: {action} later.",
            at=hand.next_card,
            after=event,
        )
    return None


@game.rule("out-of-order", on=MONEY, needs="deal bet clear", cite=f"{DEALER} 14", present="clear")
def money_before_clear(round: EasyRound, event: Event, line: Line, signed: int) -> RuleResult:
    """Collect the card only when the spot's losers are collected and its winners paid."""
    hand = round.hands.get(line.spot)
    if hand and hand.cleared:
        says = (
            f"The card of spot {line.spot}, {hand.card.card or 'not read'}, was collected before its"
            f" {line.wager} was settled."
        )
        return RuleHit(says, at=hand.cleared, after=event)
    return None


@game.rule("out-of-order", on=e.Deal, needs="deal bet clear", cite=f"{DEALER} 14", present="clear")
def nothing_to_clear(round: EasyRound, event: e.Deal) -> RuleResult:
    """A card may be collected only after it was dealt."""
    early = round.cleared_before.pop(event.to, None)
    if early is None:
        return None
    return RuleHit(
        f"Spot {event.to} was cleared before it was dealt its card, {event.card or 'not read'}.",
        at=early,
        after=event,
    )


@game.rule("not-cleared", on=e.RoundClosed, needs="clear deal", cite=f"{DEALER} 14")
def every_card_collected(round: EasyRound, event: Event) -> Iterator[RuleHit]:
    """Collect each player's card before dealing to the next."""
    for spot, hand in round.hands.items():
        if hand.cleared is None:
            limit = "the next card was dealt" if hand.next_card else "the round ended"
            says = (
                f"The card of spot {spot}, {hand.card.card or 'not read'}, was not collected before {limit}."
            )
            yield RuleHit(says, at=hand.next_card or event, spot=spot, wager="")


@game.rule("announced-wrong", on=announcement("card"), needs="announce deal", cite=f"{DEALER} 12")
def card_word(round: EasyRound, event: e.Announce) -> RuleResult:
    """Announce the card's value."""
    hand = round.spoken_of(event)
    return wrong_card(hand, event) if hand else None


@game.rule(
    "announced-wrong", on=e.RoundClosed, needs="announce deal", cite=f"{DEALER} 12", also_when_void=True
)
def early_card_word(round: EasyRound, event: Event) -> Iterator[RuleHit]:
    """If a card is announced before it is dealt, the announcement must still be correct. The spot that it
    names must have a wager.
    """
    for hand in round.hands.values() if round.early_words else ():
        for early in hand.early_words:
            if message := wrong_card(hand, early):
                yield message._replace(at=early)
    for early in round.early_words:
        if (
            early.spot is not None
            and early.spot not in round.hands
            and not round.awaits_card(early.spot)
            and not round.voided
        ):
            yield RuleHit(f"The dealer announced a card for spot {early.spot}, which has no wager.", at=early)


def wrong_card(hand: Hand, event: e.Announce) -> RuleHit | None:
    """Return the breach in an announcement of a card; None if it is correct or the card could not be read."""
    if hand.pip is None or event.value is None or event.value == hand.pip or event.value in hand.extra:
        return None
    spot = hand.card.to
    return RuleHit(
        f"The dealer announced {event.value} for the card of spot {spot}; {hand.card.card} is {hand.pip}.",
        spot=spot,
    )


@game.rule(
    "out-of-order",
    on=e.RoundClosed,
    needs="announce deal",
    cite=f"{DEALER} 12",
    also_when_void=True,
    present="announce",
)
def card_said_when_dealt(round: EasyRound, event: Event) -> Iterator[RuleHit]:
    """A card may be announced only after it has been dealt."""
    for spot, hand in round.hands.items() if round.early_words else ():
        for early in hand.early_words:
            value = f"{early.value} " if early.value is not None else "a card "
            says = (
                f"The dealer announced {value}for spot {spot} before its card,"
                f" {hand.card.card or 'not read'}, was dealt."
            )
            yield RuleHit(says, at=early, spot=spot, after=hand.card)

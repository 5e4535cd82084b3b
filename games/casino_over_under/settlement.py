"""The rules of Casino Over Under about announcing and settling a hand before the next one is dealt (COU
Dealing Procedures 4 to 6).
"""

from __future__ import annotations

from collections.abc import Iterator

from games.casino_over_under.cards import Hand, dealt, sentence
from games.casino_over_under.hands import BASE, OverUnderRound
from games.casino_over_under.manual import DEALING, base, game
from games.casino_over_under.outcome_words import wrong_word
from games.kit import events as e
from games.kit.events import Event
from games.kit.line import Line
from games.kit.rules import MONEY, RuleHit, RuleResult, announcement


@game.rule("announced-wrong", on=announcement("outcome"), needs="announce bet deal", cite=f"{DEALING} 6")
def outcome_word(round: OverUnderRound, event: e.Announce) -> RuleResult:
    """Announce the outcome: the total, and what a winning wager is paid at."""
    hand = round.spoken_of(event)
    return wrong_word(round, hand, event) if hand else None


@game.rule(
    "out-of-order",
    on=e.RoundClosed,
    needs="announce bet deal",
    cite=f"{DEALING} 6",
    also_when_void=True,
    present="announce",
)
def outcome_after_the_cards(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """The outcome may be announced only after the third card has been dealt."""
    for spot, early in round.early_words:
        hand = round.hands.get(spot)
        if hand is not None and hand.whole:
            third = hand.cards[-1]
            word = f"a total of {early.value}" if early.value is not None else "an outcome"
            says = (
                f"The dealer announced {word} for spot {spot} before its third card,"
                f" {third.card or 'not read'}, was dealt."
            )
            yield RuleHit(says, at=early, after=third)


@game.rule(
    "announced-wrong", on=e.RoundClosed, needs="announce bet deal", cite=f"{DEALING} 6", also_when_void=True
)
def outcome_before_the_cards(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """If an outcome is announced before the third card, it must still agree with the cards. The spot that it
    names must have a hand.
    """
    for spot, early in round.early_words:
        hand = round.hands.get(spot)
        if hand is not None and (says := wrong_word(round, hand, early)):
            yield RuleHit(says, at=early)
        elif hand is None and not round.voided and not round.plays(spot):
            yield RuleHit(f"The dealer announced an outcome for spot {spot}, which has no hand.", at=early)


@game.rule(
    "not-announced", on=e.RoundClosed, needs="announce bet deal", cite=f"{DEALING} 6", also_when_void=True
)
def outcome_said_first(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """Announce each base wager that won, and each bonus, before its money moves. A bonus is announced even if
    it lost.
    """
    for hand in round.hands.values():
        for part in ("base", "bonus"):
            if not due(round, hand, part):
                continue
            wager, moved, announced = (
                "bonus" if part == "bonus" else round.side(hand.spot) or "",
                hand.silent.get(part),
                hand.said.get(part),
            )
            head = f"The outcome of {wager} at spot {hand.spot}, {hand.total} with {hand.shown},"
            if moved is not None and announced is not None:
                yield RuleHit(
                    f"{head} was announced late: the money had already moved.",
                    at=moved,
                    spot=hand.spot,
                    wager=wager,
                    after=announced,
                )
            elif moved is not None or not (announced or round.misdealt or round.voided):
                yield RuleHit(
                    f"{head} was not announced.", at=moved or hand.cleared, spot=hand.spot, wager=wager
                )


@game.rule(
    "out-of-order",
    on=announcement("outcome"),
    needs="announce bet deal take pay",
    cite=f"{DEALING} 6",
    present="take pay",
)
def lost_before_it_is_said(round: OverUnderRound, event: e.Announce) -> RuleResult:
    """A base wager that lost need not be announced. If the dealer announces it, this must be done before its
    money is taken.
    """
    hand = round.spoken_of(event)
    if (
        hand is None
        or hand.base_moved is None
        or "base" in hand.said
        or event.wager not in (None, round.side(hand.spot))
    ):
        return None
    if due(round, hand, "base"):
        return None
    says = (
        f"Spot {hand.spot} lost on {hand.total} ({hand.shown}); its money was taken before the dealer"
        " announced the total."
    )
    return RuleHit(says, at=hand.base_moved, spot=hand.spot, after=event)


def due(round: OverUnderRound, hand: Hand, part: str) -> bool:
    """Return True if the dealer must announce this part of the hand. A bonus is always announced. A base
    wager is announced only if it wins.
    """
    if part == "bonus":
        return hand.whole and round.stake(hand.spot, "bonus") > 0
    side, total = round.side(hand.spot), hand.total
    return (
        side is not None
        and total is not None
        and round.stake(hand.spot, "ante", *BASE) > 0
        and base(side, total).up > 0
    )


@game.rule("settled-out-of-order", on=MONEY, needs="bet deal take pay", cite=f"{DEALING} 6")
def base_first(round: OverUnderRound, event: Event, line: Line, signed: int) -> RuleResult:
    """Resolve ante and over or under first, then the bonus."""
    hand = round.hands.get(line.spot)
    if hand and hand.bonus_moved and hand.bonus_moved is not event and line.wager != "bonus":
        says = f"The {line.wager} of spot {line.spot} was settled after its bonus."
        return RuleHit(says, spot=line.spot, wager=line.wager, before=hand.bonus_moved)
    return None


@game.rule(
    "out-of-order",
    on=MONEY,
    needs="announce bet deal take pay",
    cite=f"{DEALING} 6",
    present="announce",
)
def base_before_the_bonus_word(round: OverUnderRound, event: Event, line: Line, signed: int) -> RuleResult:
    """Resolve ante and over or under, then determine and announce the bonus."""
    hand = round.hands.get(line.spot)
    if hand is None or hand.bonus_word is None or hand.bonus_moved is not None:
        return None
    if (line.wager != "ante" and line.wager not in BASE) or round.surrendered(line.spot):
        return None
    if isinstance(event, e.Settled) and any(
        move[:2] == (line.spot, "bonus") for move in (*event.taken, *event.paid)
    ):
        return None  # the settlements in one fact have no order among themselves
    says = f"The dealer announced the bonus of spot {line.spot} before its {line.wager} was settled."
    return RuleHit(says, at=hand.bonus_word, after=event)


@game.rule(
    "settled-out-of-order", on=MONEY, needs="bet choose deal take", cite=f"{DEALING} 4", present="choose"
)
def ante_at_once(round: OverUnderRound, event: Event, line: Line, signed: int) -> RuleResult:
    """If a player surrenders, the Ante wager must be taken before the hand goes on."""
    hand = round.hands.get(line.spot)
    if (
        hand is None
        or len(hand.cards) == 1
        or not round.taken_at_once(line)
        or line.spot in round.late_choices
    ):
        return None
    second = f"second card, {hand.cards[1].card or 'face down'}"
    says = (
        f"Spot {line.spot} surrendered; its ante was {'paid' if signed > 0 else 'taken'} only after the"
        f" hand's {second}."
    )
    return RuleHit(says, spot=line.spot, wager=line.wager, before=hand.cards[1])


@game.rule("out-of-order", on=MONEY, needs="bet choose deal take", cite=f"{DEALING} 4", present="choose")
def ante_before_other_hands(round: OverUnderRound, event: Event, line: Line, signed: int) -> RuleResult:
    """If a player surrenders, the Ante wager must be taken before another hand is played."""
    hand = round.hands.get(line.spot) if line.wager == "ante" and round.seconds else None
    if (
        hand is None
        or len(hand.cards) != 1
        or len(round.seconds) <= hand.declared_at
        or not round.taken_at_once(line)
    ):
        return None
    played = round.seconds[hand.declared_at]
    says = (
        f"Spot {line.spot} surrendered; its ante was {'paid' if signed > 0 else 'taken'} only after another"
        f" hand: {dealt(played)}."
    )
    return RuleHit(says, spot=line.spot, wager=line.wager, before=played)


@game.rule(
    "dealt-too-soon", on=(MONEY, e.Clear), needs="deal bet clear", cite=f"{DEALING} 6", present="clear"
)
def resolved_before_the_next(
    round: OverUnderRound, event: Event, line: Line | None = None, signed: int = 0
) -> RuleResult:
    """Resolve all wagers of a player and take the cards before moving on to the next."""
    spot = line.spot if line else event.source_ if isinstance(event, e.Clear) else ""
    hand = round.hands.get(spot)
    if (
        hand is None
        or hand.next_card is None
        or (line and round.taken_at_once(line))
        or (hand.cleared and line is None)
    ):
        return None
    action = f"its {line.wager} was settled" if line else "its cards were taken"
    says = sentence(f"{dealt(hand.next_card)} before spot {spot} was done: {action} later.")
    return RuleHit(says, at=hand.next_card, after=event)


@game.rule("out-of-order", on=MONEY, needs="deal bet clear", cite=f"{DEALING} 5", present="clear")
def money_before_clear(round: OverUnderRound, event: Event, line: Line, signed: int) -> RuleResult:
    """Take the cards only when the player's wagers are resolved."""
    hand = round.hands.get(line.spot)
    if hand and hand.cleared and not round.taken_at_once(line):
        return RuleHit(
            f"The cards of spot {line.spot}, {hand.shown}, were taken before its {line.wager} was settled.",
            at=hand.cleared,
            after=event,
        )
    return None

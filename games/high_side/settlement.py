"""The rules of High Side about drawing the card and settling the wagers (HS Rules 6 to 12)."""

from __future__ import annotations

from collections.abc import Iterator

from games.high_side.dice_and_card import NUMBER, SWEPT
from games.high_side.hands import HighSideRound
from games.high_side.manual import RULES, game
from games.high_side.phrases import dealt
from games.kit import events as e
from games.kit.events import Event
from games.kit.line import Line
from games.kit.rules import MONEY, RuleHit, RuleResult


@game.rule("dealt-too-soon", on=e.Roll, needs="roll deal", cite=f"{RULES} 6 and 10")
def dice_before_the_card(round: HighSideRound, event: e.Roll) -> RuleResult:
    """The card may be drawn only after both dice are revealed."""
    if round.card is not None and round.second_die is None:
        says = f"The card, {dealt(round.card)}, was drawn before both dice were revealed."
        return RuleHit(says, at=round.card, spot="", wager="", after=event)
    return None


@game.rule(
    "dealt-too-soon", on=e.RoundClosed, needs="roll deal", cite=f"{RULES} 6 and 10", also_when_void=True
)
def no_card_without_dice(round: HighSideRound, event: Event) -> RuleResult:
    """No card may be drawn in a hand whose dice are not revealed."""
    if round.card is None or round.second_die is not None:
        return None
    says = f"The card, {dealt(round.card)}, was drawn, and {never_revealed(round)}."
    return RuleHit(says, at=round.card, spot="", wager="")


@game.rule(
    "settled-too-soon",
    on=e.RoundClosed,
    needs="bet roll deal",
    cite=f"{RULES} 11 and 12",
    also_when_void=True,
)
def no_money_without_dice(round: HighSideRound, event: Event) -> Iterator[RuleHit]:
    """No money may move without both dice, because wagers are settled by comparing the dice with the card."""
    for line, early in round.early:
        if round.card is not None and round.second_die is None:
            says = f"Money moved on {line.wager} of spot {line.spot}, and {never_revealed(round)}."
            yield RuleHit(says, at=early, spot=line.spot, wager=line.wager)


def never_revealed(round: HighSideRound) -> str:
    """Return the clause that says which dice were never revealed."""
    return "the second die was never revealed" if round.shown else "the dice were never revealed"


@game.rule("seven-not-swept", on=MONEY, needs="bet roll deal take pull", cite=f"{RULES} 8")
def seven_takes_at_once(round: HighSideRound, event: Event, line: Line, signed: int) -> RuleResult:
    """On a seven the second and third wagers must be collected at once, before the card."""
    if (
        round.card is not None
        and round.seven
        and line.wager in SWEPT
        and signed < 0
        and not round.drawn_early
    ):
        card = dealt(round.card)
        says = (
            f"Spot {line.spot} lost {line.wager} to the seven; it was collected only after the card, {card},"
            " had been drawn."
        )
        return RuleHit(says, at=round.card, spot=line.spot, wager=line.wager, after=event)
    return None


@game.rule("wrong-card-count", on=e.Deal, needs="deal", cite=f"{RULES} 10")
def one_card(round: HighSideRound, event: e.Deal) -> RuleResult:
    """Only one card may be drawn."""
    if round.card is None:
        return None
    return f"A second card, {dealt(event)}, was drawn; the card of this hand is {dealt(round.card)}."


@game.rule("wrong-card-count", on=e.RoundClosed, needs="deal bet", cite=f"{RULES} 10")
def a_card_for_the_bets(round: HighSideRound, event: Event) -> RuleResult:
    """A card must be drawn in every hand."""
    if round.card is not None or not any(line.stake for line in round.lines.values()):
        return None
    return RuleHit(
        "There were wagers, and no card was drawn.",
        at=next((fact for fact in round.trail if needed_the_card(round, fact)), event),
    )


def needed_the_card(round: HighSideRound, fact: Event) -> bool:
    """Return True if this fact moved money on a wager that only the card decides. A seven decides the second
    and third wagers without the card.
    """
    if isinstance(fact, e.Settled):
        moved = [entry[1] for entry in (*fact.taken, *fact.paid)]
    else:
        moved = [fact.wager] if isinstance(fact, e.Take | e.Pay) else []
    return any(not (round.seven and wager in SWEPT) for wager in moved)


@game.rule("settled-out-of-order", on=MONEY, needs="bet deal roll take pay", cite=f"{RULES} 11 and 12")
def mains_before_the_bonus(round: HighSideRound, event: Event, line: Line, signed: int) -> RuleResult:
    """The wagers on dice and card must be settled before the Bonus wagers."""
    before = round.bonus_settled
    if before is None or before is event or line.wager not in NUMBER or (round.seven and line.wager in SWEPT):
        return None
    says = f"The {line.wager} of spot {line.spot} was settled after a Bonus had been settled."
    return RuleHit(says, spot=line.spot, wager=line.wager, before=before)


@game.rule("tie-unregulated", on=e.RoundClosed, needs="bet roll deal pull", cite=f"{RULES} 11")
def tie_has_no_rule(round: HighSideRound, event: Event) -> Iterator[RuleHit]:
    """No rule says what a wager on dice or card is owed on a tie. The table's setting for ties decides it."""
    if round.total is None or round.total != round.pip:
        return
    for line in round.lines.values():
        if line.stake and line.wager in NUMBER and not (round.seven and line.wager in SWEPT):
            reading, owed = round.table.answers["tie"], round.owed(line)
            says = (
                f"The dice and the card ({dealt(round.card)}) are both {round.total}; {line.wager} of spot"
                f" {line.spot} is settled by "
            )
            says += f"this table's reading of a tie: {reading}."
            yield RuleHit(says, at=round.card, spot=line.spot, wager=line.wager, owed=owed)

"""The rules of Lucky 7 about the order of play (Ezugi Lucky 7 Game Rules, Betting Instructions)."""

from __future__ import annotations

from collections.abc import Iterator

from games.kit import events as e
from games.kit.events import Event
from games.kit.rules import RuleHit, RuleResult, announcement
from games.lucky_7.hands import Lucky7Round
from games.lucky_7.manual import BETTING, BURNED, RULES, game


@game.rule("burn-count", on=e.Deal, needs="burn deal", cite=BETTING)
def three_burned(round: Lucky7Round, event: e.Deal) -> RuleResult:
    """After the countdown the dealer must burn three cards and then deal the card of the round."""
    if round.card is None and round.burned != BURNED:
        burned = (
            f"{round.burned} card{' was' if round.burned == 1 else 's were'}"
            if round.burned
            else "No card was"
        )
        return f"{burned} burned before the card was dealt, instead of three."
    return None


@game.rule("burn-count", on=e.Burn, needs="burn deal", cite=BETTING)
def none_after_the_card(round: Lucky7Round, event: e.Burn) -> RuleResult:
    """Only three cards may be burned, and all of them before the card of the round."""
    if round.card is not None and round.burned >= BURNED:
        says = (
            f"A card was burned after the card of the round, {round.card.card or 'not read'}; three are"
            " burned, all before it."
        )
        return RuleHit(says, before=round.card)
    return None


@game.rule("wrong-card-count", on=e.Deal, needs="deal", cite=RULES)
def one_card(round: Lucky7Round, event: e.Deal) -> RuleResult:
    """Only one card may be dealt in a round."""
    return "A second card was dealt; it belongs to no hand." if round.card is not None else None


@game.rule("wrong-card-count", on=e.RoundClosed, needs="deal bet", cite=RULES)
def a_card_for_the_bets(round: Lucky7Round, event: Event) -> RuleResult:
    """The dealer must deal the card of the round."""
    if round.card is not None or not any(line.stake for line in round.lines.values()):
        return None
    money = next((fact for fact in round.trail if isinstance(fact, e.Take | e.Pay | e.Settled)), event)
    return RuleHit("There were bets, and no card was dealt.", at=money, spot="", wager="")


@game.rule("announced-wrong", on=announcement("outcome"), needs="announce deal", cite=RULES)
def studio_outcome(round: Lucky7Round, event: e.Announce) -> RuleResult:
    """The studio must declare the card that was drawn, or a bet that wins with this card."""
    return contradiction(round, event)


@game.rule("announced-wrong", on=e.RoundClosed, needs="announce deal", cite=RULES, also_when_void=True)
def outcome_before_the_card(round: Lucky7Round, event: Event) -> Iterator[RuleHit]:
    """An outcome that is declared before the card must agree with it."""
    for early in round.words:
        if says := contradiction(round, early):
            yield RuleHit(says, at=early)


def contradiction(round: Lucky7Round, announced: e.Announce) -> str | None:
    """Return the sentence that says how a declared outcome contradicts the card. Return None if the outcome
    agrees with the card, or if the card could not be read.
    """
    if (
        round.card is None
        or round.pip is None
        or announced.value == round.card.card
        or announced.value in round.winners
    ):
        return None
    return f"The studio declared {announced.value}; the card is {round.card.card}."

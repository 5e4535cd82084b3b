"""The rules of Easy Over Under about the order of the dealer's steps from the roll to the first card (EOU
Game Rules 2 to 5, Dealer Instructions 4 to 11).
"""

from __future__ import annotations

from collections.abc import Iterator

from games.easy_over_under.hands import WORDS, EasyRound, dealt
from games.easy_over_under.manual import DEALER, RULES, game
from games.easy_over_under.procedure import clause
from games.kit import events as e
from games.kit.events import Event
from games.kit.rules import RuleHit, RuleResult, announcement

STEPS = (e.Mark, announcement("dice"), announcement("short-side"), announcement("no-short-side"))
"""The triggers of rules about the steps between the roll and the first card."""
DONE = {
    "roll": "the dice were rolled",
    "dice word": "the value of the dice was announced",
    "mark": "the disc was placed",
    "short side": "the Short Side was announced",
}
"""For each step between the roll and the first card: the clause that says that the step was done."""


def step_of(event: e.Roll | e.Announce | e.Mark) -> str:
    """Return the step that this fact records."""
    return (
        WORDS[event.what]
        if isinstance(event, e.Announce)
        else "mark"
        if isinstance(event, e.Mark)
        else "roll"
    )


@game.rule(
    "out-of-order",
    on=(e.Roll, *STEPS),
    needs="roll announce mark",
    cite=f"{DEALER} 4 to 9",
    present="roll announce mark",
)
def steps_in_order(round: EasyRound, event: e.Roll | e.Announce | e.Mark) -> RuleResult:
    """Roll the dice, announce their value, place the disc and announce the Short Side, in this order."""
    step = step_of(event)
    later_steps = round.steps.too_soon(step)
    return [
        RuleHit(done_before(later, step), at=fact, after=event, cite=clause(round, step, later))
        for later, fact in later_steps.items()
        if later != "cards"
    ] or None


def done_before(later: str, step: str) -> str:
    """Return the sentence that says that a later step was done before an earlier one."""
    return f"{DONE[later][:1].upper()}{DONE[later][1:]} before {DONE[step]}."


@game.rule(
    "out-of-order",
    on=STEPS[2:],
    needs="roll announce no-more-bets",
    cite=f"{DEALER} 9 and 10",
    present="roll no-more-bets",
)
def wave_after_the_offer(round: EasyRound, event: e.Announce) -> RuleResult:
    """Announce the Short Side, and only then wave that there are no more bets."""
    if round.early_wave is None or "short side" in round.steps.came:
        return None
    says = f"The dealer waved for no more bets before announcing the Short Side on a roll of {round.total}."
    return RuleHit(says, at=round.early_wave, after=event)


@game.rule(
    "out-of-order",
    on=e.RoundClosed,
    needs="roll announce no-more-bets deal",
    cite=f"{DEALER} 9 and 10",
    also_when_void=True,
    present="roll announce deal",
)
def wave_after_the_roll(round: EasyRound, event: Event) -> RuleResult:
    """The dealer must wave for no more bets after announcing the Short Side. A wave before the roll is not
    enough.
    """
    if not round.waved_too_soon or round.total in (None, 7) or "cards" not in round.steps.came:
        return None
    says = (
        f"The dealer waved for no more bets before the roll of {round.total}, and not after announcing the"
        " Short Side."
    )
    return RuleHit(says, at=round.first_wave, after=round.steps.came["short side"])


@game.rule(
    "dealt-too-soon",
    on=(e.Roll, *STEPS),
    needs="roll announce mark deal",
    cite=f"{DEALER} 4 to 11",
    present="roll announce mark",
)
def table_before_cards(round: EasyRound, event: e.Roll | e.Announce | e.Mark) -> RuleResult:
    """The first card may be dealt only after the roll, the disc and the announcements."""
    step = step_of(event)
    first = round.steps.too_soon(step).get("cards")
    return (
        RuleHit(
            f"{dealt(first)} before {DONE[step]}.", at=first, after=event, cite=clause(round, step, "cards")
        )
        if first
        else None
    )


@game.rule(
    "dealt-too-soon", on=e.RoundClosed, needs="roll deal", cite=f"{DEALER} 4 to 11", also_when_void=True
)
def no_card_without_a_roll(round: EasyRound, event: Event) -> RuleResult:
    """No card may be dealt in a hand whose dice are not rolled."""
    first = round.steps.came.get("cards")
    if first is None or round.rolled:
        return None
    return RuleHit(
        f"{dealt(first)}, and the dice were never rolled.", at=first, cite=clause(round, "roll", "cards")
    )


@game.rule(
    "settled-too-soon", on=e.RoundClosed, needs="bet roll deal", cite=f"{RULES} 5", also_when_void=True
)
def no_money_without_a_roll(round: EasyRound, event: Event) -> Iterator[RuleHit]:
    """No money may move without a roll, because wagers are settled by comparing the card with the roll."""
    for line, early in round.early:
        if line.spot in round.hands and not round.rolled:
            says = f"Money moved on {line.wager} of spot {line.spot}, and the dice were never rolled."
            yield RuleHit(says, at=early, spot=line.spot, wager=line.wager)

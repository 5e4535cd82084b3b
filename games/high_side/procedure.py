"""The rules of High Side about the dealer's steps up to the sum of the dice (HS Rules 3 to 9)."""

from __future__ import annotations

from collections.abc import Iterator

from games.high_side.dice_and_card import CUPS
from games.high_side.hands import HighSideRound
from games.high_side.manual import OVERVIEW, RULES, game
from games.high_side.phrases import dealt, dice_of
from games.kit import events as e
from games.kit.events import Event
from games.kit.rules import RuleHit, RuleResult, announcement


@game.rule("too-few-shakes", on=e.Roll, needs="shake roll", cite=f"{RULES} 3")
def both_cups_shaken(round: HighSideRound, event: e.Roll) -> RuleResult:
    """Each of the two cups must be shaken before its die is revealed."""
    first = len(round.shown)
    unshaken = [cup for cup in CUPS[first : first + max(len(event.dice), 1)] if cup not in round.shaken]
    if len(unshaken) == len(CUPS):
        return "Neither cup was shaken before its die was revealed."
    return f"Cup {unshaken[0]} was not shaken before its die was revealed." if unshaken else None


@game.rule("out-of-order", on=e.Shake, needs="shake roll", cite=f"{RULES} 3 and 4", present="roll")
def shaken_before_the_first_lid(round: HighSideRound, event: e.Shake) -> RuleResult:
    """Both cups must be shaken and put down before the first lid comes off. Then no cup may be shaken."""
    if not round.shown or event.times <= 0:
        return None
    opened, cups = round.shown[0][0], round.cups_of(event)
    if len(round.shown) == 1 and 2 in cups and 2 not in round.shaken:
        says = f"The first die was revealed ({dice_of(*round.shown)}) before the second cup had been shaken."
        return RuleHit(says, at=opened, after=event)
    if cups & set(CUPS):
        cup = "A cup" if event.cup is None else f"Cup {event.cup}"
        dice = "the first die" if len(round.shown) == 1 else "both dice"
        return RuleHit(
            f"{cup} was shaken after {dice} had been revealed: {dice_of(*round.shown)}.",
            before=round.shown[-1][0],
        )
    return None


@game.rule("impossible-die", on=e.Roll, needs="roll", cite=OVERVIEW)
def one_die_a_cup(round: HighSideRound, event: e.Roll) -> RuleResult:
    """Each cup must hold a single die of six sides."""
    left = len(CUPS) - len(round.shown)
    if left and (not 1 <= len(event.dice) <= left or not all(1 <= die <= 6 for die in event.dice)):
        dice = " and ".join(map(str, event.dice)) or "no die"
        cups = (
            "two cups, each with one die of six sides, were left"
            if left > 1
            else "one cup with one die of six sides was left"
        )
        return f"The dealer revealed {dice}; {cups}."
    return None


@game.rule("out-of-order", on=e.Roll, needs="roll", cite=f"{RULES} 4 and 6")
def two_dice_a_hand(round: HighSideRound, event: e.Roll) -> RuleResult:
    """Only two dice may be revealed in a hand."""
    if round.second_die is not None:
        says = f"A third die was revealed in the same hand; the first two count, {dice_of(*round.shown)}."
        return RuleHit(says, before=round.second_die)
    return None


@game.rule("announced-wrong", on=announcement("dice"), needs="announce roll", cite=f"{RULES} 7")
def sum_of_the_dice(round: HighSideRound, event: e.Announce) -> RuleResult:
    """Announce the sum total of the two dice."""
    if round.total is not None and event.value is not None and event.value != round.total:
        return f"The dealer announced {event.value} for the dice; {dice_of(*round.shown)} make {round.total}."
    return None


def foretold(round: HighSideRound) -> list[e.Announce]:
    """Return the announcements of a sum that came before the second die was revealed. An announcement of the
    first die's value is not a sum.

    An announcement without a value is returned only if there was no announcement after both dice were
    revealed.
    """
    if round.second_die is None:
        return []
    was_announced = "dice word" in round.steps.came
    return [
        word
        for word, die in round.early_words
        if (not was_announced if word.value is None else word.value != die)
    ]


@game.rule(
    "out-of-order",
    on=e.RoundClosed,
    needs="announce roll",
    cite=f"{RULES} 6 and 7",
    also_when_void=True,
    present="announce",
)
def said_when_shown(round: HighSideRound, event: Event) -> Iterator[RuleHit]:
    """The sum may be announced only when both dice are revealed."""
    for early in foretold(round):
        value = f" of {early.value}" if early.value is not None else ""
        says = (
            f"The dealer announced a sum{value} before the second die was revealed; the dice then showed"
            f" {dice_of(*round.shown)}."
        )
        yield RuleHit(says, at=early, after=round.second_die)


@game.rule("announced-wrong", on=e.RoundClosed, needs="announce roll", cite=f"{RULES} 7", also_when_void=True)
def said_wrong_too_soon(round: HighSideRound, event: Event) -> Iterator[RuleHit]:
    """If a sum is announced before the second die is revealed, it must still agree with the dice."""
    for early in foretold(round):
        if round.total is not None and early.value is not None and early.value != round.total:
            says = (
                f"The dealer announced {early.value} for the dice; {dice_of(*round.shown)} make"
                f" {round.total}."
            )
            yield RuleHit(says, at=early)


@game.rule("not-announced", on=e.RoundClosed, needs="announce roll", cite=f"{RULES} 7", also_when_void=True)
def sum_is_said(round: HighSideRound, event: Event) -> RuleResult:
    """Announce the total of the two dice after they are revealed and before the card is drawn."""
    if round.second_die is None or "dice word" in round.steps.came or foretold(round):
        return None
    if round.voided is not None and round.card is None and round.swept is None and not round.silent:
        return None  # no step that requires the sum was done before the void
    at = round.steps.proof("dice word", round.trail, round.name) or event
    until = ", before the hand was voided" if round.voided is not None else ""
    says = f"The dealer never announced the sum of the dice, {dice_of(*round.shown)}{until}."
    return RuleHit(says, at=at, spot="", wager="")


@game.rule(
    "out-of-order",
    on=announcement("dice"),
    needs="announce roll choose pull bet",
    cite=f"{RULES} 7 and 9",
    present="choose pull",
)
def sum_before_the_second_decisions(round: HighSideRound, event: e.Announce) -> Iterator[RuleHit]:
    """Players may decide on the second wager only after the sum of the dice has been announced."""
    if round.card is not None or "dice word" in round.steps.came:
        return
    for early in round.silent:
        did = f"withdrew {early.wager}" if isinstance(early, e.Pull) else "kept its second wager"
        says = (
            f"Spot {early.spot} {did} before the dealer announced the sum of the dice,"
            f" {dice_of(*round.shown)}."
        )
        yield RuleHit(says, at=early, after=event)


@game.rule("dealt-too-soon", on=announcement("dice"), needs="announce roll deal", cite=f"{RULES} 7 and 10")
def sum_before_the_card(round: HighSideRound, event: e.Announce) -> RuleResult:
    """The card may be drawn only after the sum of the dice has been announced."""
    if round.card is not None and round.second_die is not None and "dice word" not in round.steps.came:
        says = (
            f"The card, {dealt(round.card)}, was drawn before the sum of the dice, {dice_of(*round.shown)},"
            " was announced."
        )
        return RuleHit(says, at=round.card, spot="", wager="", after=event)
    return None


@game.rule(
    "out-of-order",
    on=announcement("dice"),
    needs="announce roll take bet",
    cite=f"{RULES} 7 and 8",
    present="take",
)
def sum_before_the_sweep(round: HighSideRound, event: e.Announce) -> RuleResult:
    """On a seven the sum must be announced before the second and third wagers are collected."""
    if round.swept is not None and "dice word" not in round.steps.came:
        says = (
            f"Wagers were collected for the seven ({dice_of(*round.shown)}) before the dealer announced it."
        )
        return RuleHit(says, at=round.swept, after=event)
    return None

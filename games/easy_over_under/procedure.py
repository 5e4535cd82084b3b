"""The rules of Easy Over Under about the dealer's steps before and at the roll, and about announcements up to
the first card (EOU Game Rules 2 to 5, Dealer Instructions 1 to 11).
"""

from __future__ import annotations

from collections.abc import Iterator

from games.easy_over_under.hands import EasyRound
from games.easy_over_under.manual import DEALER, SHAKES, SHORT_SIDE, SHORT_SIDE_PAYS, game
from games.kit import events as e
from games.kit.cards import RANKS
from games.kit.events import Event
from games.kit.odds import same_odds, to_one
from games.kit.rules import RuleHit, RuleResult, announcement
from games.kit.shoe_checks import decks
from games.kit.table import Table

SIDES = {"ties-push": "Ties Push", "ties-lose-half": "Ties Lose 1/2"}
"""The words on the two sides of the disc."""
NUMBER = {"roll": "4", "dice word": "5", "mark": "6", "short side": "9", "cards": "11"}
"""The number of the dealer instruction for each step."""


def clause(round: EasyRound, *steps: str) -> str:
    """Return the citation of the dealer instructions for `steps`, such as `roll` and `mark`. On a seven the
    Short Side is announced by instruction 8.
    """
    numbers = ["8" if step == "short side" and round.total == 7 else NUMBER[step] for step in steps]
    return f"{DEALER} {' and '.join(numbers)}"


@game.rule("cut-too-deep", on=e.Shuffled, needs="shuffled", cite=f"{DEALER} 1")
def half_at_most(table: Table, event: e.Shuffled) -> RuleResult:
    """Cut the decks so that no more than half of the cards can be dealt."""
    if event.cut is not None and event.cut > 26 * event.decks:
        return (
            f"{event.cut} cards were cut in front of the cut card; half of {decks(event.decks)} is"
            f" {26 * event.decks}."
        )
    return None


@game.rule("too-few-shakes", on=e.Roll, needs="shake roll", cite=f"{DEALER} 3")
def five_shakes(round: EasyRound, event: e.Roll) -> RuleResult:
    """Shake the cup five times at least before the roll is shown."""
    if round.shakes < SHAKES and not round.rolled:
        times = "once" if round.shakes == 1 else f"{round.shakes} times"
        return (
            f"The cup was {f'shaken {times}' if round.shakes > 0 else 'not shaken'} before the dice were"
            f" revealed; the least is {SHAKES}."
        )
    return None


@game.rule("out-of-order", on=e.Shake, needs="shake roll", cite=f"{DEALER} 3 and 4", present="roll")
def shaken_before_the_reveal(round: EasyRound, event: e.Shake) -> RuleResult:
    """The cup must be shaken and put down before the dice are revealed. After that it must not be shaken
    again.
    """
    revealed = round.steps.came.get("roll")
    if revealed is None or event.times <= 0:
        return None
    return RuleHit(
        f"The cup was shaken after the dice had been revealed: {shown(revealed)}.", before=revealed
    )


def shown(roll: Event) -> str:
    """Return the dice of a roll for a sentence: `3 and 4`."""
    return " and ".join(map(str, roll.dice)) or "nothing" if isinstance(roll, e.Roll) else ""


@game.rule("impossible-die", on=e.Roll, needs="roll", cite="EOU Overview")
def two_dice(round: EasyRound, event: e.Roll) -> RuleResult:
    """The game must be played with two six sided dice."""
    if len(event.dice) != 2 or not all(1 <= die <= 6 for die in event.dice):
        return f"The roll shows {shown(event)}; two dice with six sides each cannot show that."
    return None


@game.rule("out-of-order", on=e.Roll, needs="roll", cite=f"{DEALER} 4")
def one_roll(round: EasyRound, event: e.Roll) -> RuleResult:
    """The dice may be rolled only once in a hand."""
    first = round.steps.came.get("roll")
    says = "The dice were rolled again in the same hand, {}; the first roll counts, {}."
    return RuleHit(says.format(shown(event), shown(first)), before=first) if first else None


@game.rule("announced-wrong", on=announcement("dice"), needs="announce roll", cite=f"{DEALER} 5")
def dice_word(round: EasyRound, event: e.Announce) -> RuleResult:
    """Announce the value of the dice."""
    if round.total is not None and event.value is not None and event.value != round.total:
        return f"The dealer announced {event.value} for the dice; they show {round.total}."
    return None


@game.rule(
    "announced-wrong",
    on=(announcement("short-side"), announcement("no-short-side")),
    needs="announce roll",
    cite=f"{DEALER} 8 and 9",
)
def short_side_word(round: EasyRound, event: e.Announce) -> RuleResult:
    """Announce the cards that win the Short Side and what it pays. On a seven, announce that there is no
    Short Side.
    """
    total = round.total
    wrong = wrong_short_side(event, total) if total is not None else None
    return RuleHit(wrong, cite=clause(round, "short side")) if wrong else None


def wrong_short_side(event: e.Announce, total: int) -> str | None:
    """Return the sentence about an error in an announcement about the Short Side on this roll, or None if the
    announcement is correct.
    """
    if (total == 7) != (event.what == "no-short-side"):
        offered = "no Short Side" if event.what == "no-short-side" else "a Short Side"
        return (
            f"The dealer announced {offered} on a roll of {total}{', which has none' if total == 7 else ''}."
        )
    if total == 7:
        return None
    right = {RANKS[pip - 1] for pip in SHORT_SIDE[total]}
    if event.ranks is not None and set(event.ranks) != right:
        wins = " ".join(sorted(right, key=RANKS.index))
        return (
            f"The dealer announced {' '.join(event.ranks) or 'no cards'} for the Short Side; on a roll of"
            f" {total} it is {wins}."
        )
    if event.pays is not None and not same_odds(event.pays, *to_one(SHORT_SIDE_PAYS[total])):
        return (
            f"The dealer announced that the Short Side pays {event.pays}; on a roll of {total} it pays"
            f" {SHORT_SIDE_PAYS[total]}."
        )
    return None


@game.rule("marker-wrong-value", on=e.Mark, needs="mark roll", cite=f"{DEALER} 6")
def disc_on_the_roll(round: EasyRound, event: e.Mark) -> RuleResult:
    """Place the disc in the square of the value rolled."""
    wrong = round.total is not None and event.value != round.total
    return f"The disc was placed on {event.value}; the roll is {round.total}." if wrong else None


@game.rule("marker-wrong-side", on=e.Mark, needs="mark roll", cite=f"{DEALER} 6")
def disc_side(round: EasyRound, event: e.Mark) -> RuleResult:
    """Place the disc with "Ties Push" up on doubles, else with "Ties Lose 1/2" up."""
    right = "ties-push" if round.doubles else "ties-lose-half"
    if round.total is not None and event.side != right:
        dice = "doubles" if round.doubles else "not doubles"
        return (
            f"The disc was placed with {SIDES.get(event.side, event.side)} up; the dice are {dice}, so"
            f" {SIDES[right]} belongs up."
        )
    return None


def is_missing(round: EasyRound, step: str) -> bool:
    """Return True if a step between the roll and the first card is missing. In a voided hand the step is
    missing only if a later step was done before the void. The gesture for no more bets is a later step than
    the Short Side.
    """
    if not round.rolled or step in round.steps.came:
        return False
    waved = step == "short side" and round.early_wave is not None
    return round.voided is None or waved or round.steps.is_overtaken(step, since="roll")


def before_the_void(round: EasyRound) -> str:
    """Return the words ` before the hand was voided` for a sentence about a missing step, or an empty text if
    the hand was not voided. A step after the void does not count.
    """
    return " before the hand was voided" if round.voided is not None else ""


@game.rule(
    "not-announced", on=e.RoundClosed, needs="announce roll", cite=f"{DEALER} 5, 8 and 9", also_when_void=True
)
def words_for_the_table(round: EasyRound, event: Event) -> Iterator[RuleHit]:
    """Announce the roll, then the Short Side or that there is no Short Side."""
    short_side = "that there is no Short Side this hand" if round.total == 7 else "the Short Side"
    for step, words in (("dice word", "the value of the dice"), ("short side", short_side)):
        if is_missing(round, step):
            at = round.steps.proof(step, round.trail, round.name) or event
            says = f"The dealer never announced {words}{before_the_void(round)}."
            yield RuleHit(says, at=at, spot="", wager="", cite=clause(round, step))


@game.rule("not-marked", on=e.RoundClosed, needs="mark roll", cite=f"{DEALER} 6", also_when_void=True)
def disc_placed(round: EasyRound, event: Event) -> RuleResult:
    """Mark the roll with the disc."""
    if not is_missing(round, "mark"):
        return None
    at = round.steps.proof("mark", round.trail, round.name) or event
    return RuleHit(f"The roll was never marked with the disc{before_the_void(round)}.", at=at)

"""The rules of High Side about what players decide and withdraw (HS Rules 5, 6, 8 and 9)."""

from __future__ import annotations

from collections.abc import Iterator

from games.high_side.dice_and_card import NUMBER
from games.high_side.hands import FORBIDDEN, LATE, HighSideRound
from games.high_side.manual import RULES, game
from games.high_side.phrases import dealt, dice_of
from games.kit import events as e
from games.kit.events import Event
from games.kit.rules import RuleHit, RuleResult

DECISION = (e.Choose, e.Pull)


@game.rule("unknown-kind-of-play", on=e.Choose, needs="choose", cite=f"{RULES} 5 and 9")
def keep_or_withdraw(round: HighSideRound, event: e.Choose) -> RuleResult:
    """A player must either keep a wager in play or withdraw it. No other choice is allowed."""
    if event.choice == "keep":
        return None
    return f"Spot {event.spot} chose {event.choice or 'nothing'}, which this game does not offer."


@game.rule("choice-without-bet", on=e.Choose, needs="choose roll bet", cite=f"{RULES} 5 and 9")
def who_chooses_has_bet(round: HighSideRound, event: e.Choose) -> RuleResult:
    """Players may decide only on wagers that they have made."""
    if event.choice == "keep" and round.shown and not round.has_main(event.spot):
        cite = f"{RULES} {5 if round.second_die is None else 9}"
        return RuleHit(f"Spot {event.spot} chose to keep a wager and has none on dice or card.", cite=cite)
    return None


@game.rule("choice-without-bet", on=e.Roll, needs="choose roll bet", cite=f"{RULES} 5 and 9")
def who_chose_early_has_bet(round: HighSideRound, event: e.Roll) -> Iterator[RuleHit]:
    """Players may decide only on wagers that they have made."""
    for early in round.early_choices:
        if not round.shown and not round.has_main(early.spot):
            yield RuleHit(
                f"Spot {early.spot} chose to keep a wager and has none on dice or card.",
                at=early,
                cite=f"{RULES} 5",
            )


@game.rule(
    "out-of-order",
    on=e.Roll,
    needs="choose pull roll bet",
    cite=f"{RULES} 4, 5, 6 and 9",
    present="choose pull",
)
def choice_before_its_die(round: HighSideRound, event: e.Roll) -> Iterator[RuleHit]:
    """A player may decide on the first wager only when the first die is revealed. The decision on the second
    wager must wait until both dice are revealed.
    """
    shown = len(round.shown) + max(len(event.dice), 1)
    for early in round.early_choices:
        second = isinstance(early, e.Pull) and NUMBER.get(early.wager) == 2
        if round.has_main(early.spot) and (not second or shown > 1):
            place = "second" if second else "first"
            says = f"Spot {early.spot} decided on its {place} wager before the {place} die was revealed."
            yield RuleHit(says, at=early, after=event, cite=f"{RULES} {'6 and 9' if second else '4 and 5'}")


@game.rule("late-pull", on=e.Pull, needs="pull roll bet", cite=f"{RULES} 5 and 6")
def first_wager_before_the_second_die(round: HighSideRound, event: e.Pull) -> RuleResult:
    """The first wager may be withdrawn only until the second die is revealed."""
    if NUMBER.get(event.wager) == 1 and round.pulling(event) == LATE:
        says = (
            f"Spot {event.spot} withdrew {event.wager} after both dice had been revealed"
            f" ({dice_of(*round.shown)}); it stays in play."
        )
        return RuleHit(says, before=round.second_die)
    return None


@game.rule("late-pull", on=e.Pull, needs="pull deal bet", cite=f"{RULES} 9 and 10")
def second_wager_before_the_card(round: HighSideRound, event: e.Pull) -> RuleResult:
    """The second wager may be withdrawn only until the card is drawn."""
    if NUMBER.get(event.wager) == 2 and round.pulling(event) == LATE:
        says = (
            f"Spot {event.spot} withdrew {event.wager} after the card, {dealt(round.card)}, had been drawn;"
            " it stays in play."
        )
        return RuleHit(says, before=round.card)
    return None


@game.rule("pull-not-allowed", on=e.Pull, needs="pull roll bet", cite=f"{RULES} 5, 8 and 9")
def only_the_first_and_second(round: HighSideRound, event: e.Pull) -> RuleResult:
    """Only the first and the second wager may be withdrawn. On a seven the second wager must stay."""
    if round.pulling(event) != FORBIDDEN:
        return None
    if NUMBER.get(event.wager) == 2:
        says = (
            f"Spot {event.spot} withdrew {event.wager} after the dice had come to seven, which takes it; it"
            " stays in play."
        )
        return RuleHit(says, before=round.second_die, cite=f"{RULES} 8")
    says = (
        f"Spot {event.spot} withdrew {event.wager}; only the first and the second wager can be withdrawn, so"
        " it stays in play."
    )
    return RuleHit(says, cite=f"{RULES} 5 and 9")


@game.rule("revealed-too-soon", on=DECISION, needs="choose pull roll bet", cite=f"{RULES} 5 and 6")
def first_decision_before_the_second_die(round: HighSideRound, event: e.Choose | e.Pull) -> RuleResult:
    """The second die may be revealed only after every player has decided on the first wager."""
    if round.first_was_late(event):
        lids = (
            "Both lids were lifted at once, and" if round.both_at_once else "The second die was revealed, and"
        )
        says = f"{lids} spot {event.spot} decided on its first wager only afterwards."
        return RuleHit(says, at=round.second_die, spot="", wager="", after=event)
    return None


@game.rule("dealt-too-soon", on=DECISION, needs="choose pull roll deal bet", cite=f"{RULES} 9 and 10")
def second_decision_before_the_card(round: HighSideRound, event: e.Choose | e.Pull) -> RuleResult:
    """The card may be drawn only after every player has decided on the second wager."""
    if round.second_is_late(event):
        says = (
            f"The card, {dealt(round.card)}, was drawn before spot {event.spot} had decided on its second"
            " wager."
        )
        return RuleHit(says, at=round.card, spot="", wager="", after=event)
    return None


@game.rule("out-of-order", on=e.Choose, needs="choose pull roll bet", cite=f"{RULES} 8")
def no_second_decision_on_a_seven(round: HighSideRound, event: e.Choose) -> RuleResult:
    """On a seven no player may decide on the second wager, because it is collected."""
    if (
        round.seven
        and round.card is None
        and round.decides(event) is not None
        and not round.first_was_late(event)
    ):
        says = (
            f"Spot {event.spot} decided on its second wager after the dice had come to seven, which takes it."
        )
        return RuleHit(says, before=round.second_die)
    return None


@game.rule("choice-too-late", on=e.Choose, needs="choose pull roll deal bet", cite=f"{RULES} 9 and 10")
def nothing_left_to_keep(round: HighSideRound, event: e.Choose) -> RuleResult:
    """No player may decide on a wager after the card is drawn."""
    if round.card is None or round.total is None or round.decides(event) is None:
        return None
    if round.first_was_late(event) or round.second_is_late(event):
        return None
    says = (
        f"Spot {event.spot} had decided, and chose to keep a wager once more after the card,"
        f" {dealt(round.card)}, had been drawn."
    )
    return RuleHit(says, before=round.card)


@game.rule("choice-missing", on=e.RoundClosed, needs="choose pull roll bet", cite=f"{RULES} 5")
def everyone_on_the_first(round: HighSideRound, event: Event) -> Iterator[RuleHit]:
    """Every player must decide whether the first wager stays in play."""
    at = round.second_die or round.card
    if at is None:
        return
    for spot in round.spots:
        chosen = round.choices.get(spot)
        missing = (
            chosen is not None and chosen.owes and not (round.asks_second(spot) is None and chosen.after)
        )
        if round.second_die is None and spot not in round.away and round.laid(spot, 1):
            missing = chosen is None or chosen.first is None
        if missing:
            if round.both_at_once:
                occasion = ": both lids were lifted at once"
            elif round.second_die:
                occasion = " before the second die was revealed"
            else:
                occasion = f" before the card, {dealt(round.card)}, was drawn"
            yield RuleHit(
                f"Spot {spot} never decided on its first wager{occasion}.", at=at, spot=spot, wager=""
            )


@game.rule("choice-missing", on=e.RoundClosed, needs="choose pull roll deal bet", cite=f"{RULES} 9")
def everyone_on_the_second(round: HighSideRound, event: Event) -> Iterator[RuleHit]:
    """Every player must decide whether the second wager stays in play, unless the dice show a seven."""
    if round.card is None:
        return
    for spot in round.spots:
        chosen = round.choices.get(spot)
        if round.asks_second(spot) and spot not in round.away and (chosen is None or chosen.second is None):
            says = (
                f"Spot {spot} never decided on its second wager before the card, {dealt(round.card)}, was"
                " drawn."
            )
            yield RuleHit(says, at=round.card, spot=spot, wager="")

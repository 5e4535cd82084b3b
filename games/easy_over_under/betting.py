"""The rules about what players of Easy Over Under may bet (EOU Game Rules 1 and 4). They are applied when the
stakes are final.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.easy_over_under.hands import EasyRound
from games.easy_over_under.manual import DEALER, RULES, game
from games.kit import events as e
from games.kit.events import Event
from games.kit.rules import RuleHit


@game.rule("both-sides", on=e.RoundClosed, needs="bet", cite=f"{RULES} 1", also_when_void=True)
def over_or_under(round: EasyRound, event: Event) -> Iterator[RuleHit]:
    """A player may make either an Over or an Under wager, but not both."""
    for spot, lines in round.spots.items():
        mains = [line for line in lines if line.stake and line.wager in ("over", "under")]
        if len(mains) == 2:
            second = max(mains, key=lambda line: line.since)
            stakes = " and ".join(f"{round.table.say(line.stake)} on {line.wager}" for line in mains)
            yield RuleHit(
                f"Spot {spot} bet {stakes}; a player bets on one of them.",
                at=second.first,
                spot=spot,
                wager=second.wager,
            )


@game.rule("side-without-main", on=e.RoundClosed, needs="bet", cite=f"{RULES} 4", also_when_void=True)
def main_before_side(round: EasyRound, event: Event) -> Iterator[RuleHit]:
    """Only a player who made an Over or Under wager may make a Short Side wager."""
    for spot in round.spots:
        line = round.lines.get((spot, "short-side"))
        if line and line.stake and not round.stake(spot, "over", "under"):
            says = (
                f"Spot {spot} bet {round.table.say(line.stake)} on the Short Side and has no wager on Over or"
                " Under."
            )
            yield RuleHit(says, at=line.first, spot=spot, wager="short-side")


@game.rule("side-above-main", on=e.RoundClosed, needs="bet", cite=f"{RULES} 4", also_when_void=True)
def side_within_main(round: EasyRound, event: Event) -> Iterator[RuleHit]:
    """The Short Side wager cannot exceed the Over or Under wager."""
    for spot in round.spots:
        line, main = round.lines.get((spot, "short-side")), round.stake(spot, "over", "under")
        if line and 0 < main < line.stake:
            says = (
                f"Spot {spot} bet {round.table.say(line.stake)} on the Short Side, more than its"
                f" {round.table.say(main)} on Over or Under."
            )
            yield RuleHit(says, at=line.last, spot=spot, wager="short-side")


@game.rule(
    "late-bet",
    on=e.RoundClosed,
    needs="bet announce no-more-bets roll",
    cite=f"{DEALER} 10",
    also_when_void=True,
)
def after_the_only_wave(round: EasyRound, event: Event) -> Iterator[RuleHit]:
    """The wave closes the Short Side, also in a hand in which the dealer never offers it."""
    for late, line in round.on_early_wave:
        says = f"Spot {line.spot} bet on the Short Side after the dealer had waved for no more bets."
        yield RuleHit(says, at=late, spot=line.spot, wager=line.wager, before=round.early_wave)

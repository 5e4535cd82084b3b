"""What players of Easy Over Under may bet (EOU Game Rules 1 and 4), judged when the round's stakes are final."""

from __future__ import annotations

from collections.abc import Iterator

from games.easy_over_under.hands import EasyRound
from games.easy_over_under.manual import RULES, game
from games.kit import events as e
from games.kit.events import Event
from games.kit.game import Said


@game.rule("both-sides", on=e.RoundClosed, needs="bet", cite=f"{RULES} 1", though_void=True)
def over_or_under(round: EasyRound, event: Event) -> Iterator[Said]:
    """A player makes either an Over or an Under wager."""
    for spot, lines in round.spots.items():
        mains = [line for line in lines if line.stake and line.wager in ("over", "under")]
        if len(mains) == 2:
            second = max(mains, key=lambda line: line.since)
            yield Said(f"Spot {spot} bet on Over and on Under.", at=second.first, spot=spot, wager=second.wager)


@game.rule("side-without-main", on=e.RoundClosed, needs="bet", cite=f"{RULES} 4", though_void=True)
def main_before_side(round: EasyRound, event: Event) -> Iterator[Said]:
    """Only who made an Over or Under wager may make a Short Side wager."""
    for spot in round.spots:
        line = round.lines.get((spot, "short-side"))
        if line and line.stake and not round.stake(spot, "over", "under"):
            yield Said(f"Spot {spot} bet on the Short Side without Over or Under.", at=line.first, spot=spot, wager="short-side")


@game.rule("side-above-main", on=e.RoundClosed, needs="bet", cite=f"{RULES} 4", though_void=True)
def side_within_main(round: EasyRound, event: Event) -> Iterator[Said]:
    """The Short Side wager cannot exceed the Over or Under wager."""
    for spot in round.spots:
        line, main = round.lines.get((spot, "short-side")), round.stake(spot, "over", "under")
        if line and 0 < main < line.stake:
            says = f"Spot {spot} bet {round.table.say(line.stake)} on the Short Side, above its {round.table.say(main)} on Over or Under."
            yield Said(says, at=line.last, spot=spot, wager="short-side")

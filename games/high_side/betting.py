"""The rules about what players of High Side may bet (HS Rules 1 and 2). They are applied when the stakes are
final.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.high_side.dice_and_card import NUMBER
from games.high_side.hands import HighSideRound
from games.high_side.manual import RULES, game
from games.kit import events as e
from games.kit.events import Event
from games.kit.line import Line
from games.kit.rules import RuleHit


def mains(lines: list[Line]) -> dict[str, list[Line]]:
    """Return the bets of a spot on the main wagers of each side, sorted by number. Withdrawn bets are
    included.
    """
    sides: dict[str, list[Line]] = {}
    for line in sorted(lines, key=lambda line: line.wager):
        if line.wager in NUMBER and line.laid:
            sides.setdefault(line.wager[:4], []).append(line)
    return sides


def interrupted(round: HighSideRound) -> bool:
    """Return True if the round was voided while betting was open, so that the bets may be incomplete."""
    return round.voided is not None and not round.closed_by


@game.rule("both-sides", on=e.RoundClosed, needs="bet", cite=f"{RULES} 1", also_when_void=True)
def dice_or_card(round: HighSideRound, event: Event) -> Iterator[RuleHit]:
    """A player may bet on the dice or on the card, but not on both."""
    for spot, lines in round.spots.items():
        sides = mains(lines)
        if len(sides) == 2:
            firsts = [
                min((line for line in lines if line in side), key=lambda line: line.since)
                for side in sides.values()
            ]
            second = sorted(firsts, key=lambda line: (line.since, lines.index(line)))[1]
            yield RuleHit(
                f"Spot {spot} bet on the dice and on the card; a player bets on one.",
                at=second.first,
                spot=spot,
                wager=second.wager,
            )


@game.rule("unequal-bet", on=e.RoundClosed, needs="bet", cite=f"{RULES} 1", also_when_void=True)
def three_equal_wagers(round: HighSideRound, event: Event) -> Iterator[RuleHit]:
    """Each player must make three equal wagers."""
    if interrupted(round):
        return
    for spot, lines in round.spots.items():
        sides = mains(lines)
        bet = [line for side in sides.values() for line in side]
        if 0 < len(bet) < 3:
            last = max(bet, key=lambda line: place(round.trail, line.last))
            wagers = " and ".join(line.wager for line in bet)
            says = f"Spot {spot} bet on {wagers} alone; a player makes three equal wagers."
            yield RuleHit(says, at=last.last, spot=spot, wager=last.wager)
            continue
        for side in sides.values():
            first = next((line for line in (*side, *bet) if NUMBER[line.wager] == 1), bet[0])
            for line in side:
                if line.laid != first.laid:
                    says = (
                        f"Spot {spot} bet {round.table.say(line.laid)} on {line.wager} and"
                        f" {round.table.say(first.laid)} on {first.wager}; the three wagers are equal."
                    )
                    yield RuleHit(says, at=line.last, spot=spot, wager=line.wager)


def place(history: list[Event], fact: Event | None) -> int:
    """Return the index of a fact among the facts of the round, or -1 if it is not one of them."""
    return next((number for number, passed in enumerate(history) if passed is fact), -1)


@game.rule("side-without-main", on=e.RoundClosed, needs="bet", cite=f"{RULES} 1 and 2", also_when_void=True)
def main_before_bonus(round: HighSideRound, event: Event) -> Iterator[RuleHit]:
    """The Bonus may be bet only together with the three wagers."""
    if interrupted(round):
        return
    for spot in round.spots:
        line = round.lines.get((spot, "bonus"))
        if line and line.stake and not round.has_main(spot):
            says = (
                f"Spot {spot} bet {round.table.say(line.stake)} on the Bonus and has no wager on dice or"
                " card."
            )
            yield RuleHit(says, at=line.first, spot=spot, wager="bonus")

"""The rules about what players of Casino Over Under may bet (COU Time and location of wagers, Dealing
Procedures 1 and 4). They are applied when the stakes are final.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.casino_over_under.hands import BASE, OverUnderRound
from games.casino_over_under.manual import DEALING, SPOTS, WAGERS, game
from games.kit import events as e
from games.kit.events import Event
from games.kit.line import Line
from games.kit.round import CLOSED
from games.kit.rules import RuleHit


def laid(round: OverUnderRound, spot: str, wager: str) -> Line | None:
    """Return the bets of a spot on a wager, or None if there is no stake on it."""
    line = round.lines.get((spot, wager))
    return line if line is not None and line.stake else None


def unfinished(round: OverUnderRound, spot: str, *wagers: str) -> bool:
    """Return True if the round was voided while these wagers could still be bet, so that the stakes may be
    incomplete.
    """
    return round.voided is not None and any(round.window(spot, wager) != CLOSED for wager in wagers)


@game.rule("side-without-main", on=e.RoundClosed, needs="bet", cite=f"{DEALING} 1", also_when_void=True)
def ante_for_the_bonus(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """Only a player who made an Ante wager may make a Bonus wager."""
    for spot in round.spots:
        bonus = laid(round, spot, "bonus")
        if bonus and not laid(round, spot, "ante") and not unfinished(round, spot, "ante"):
            says = f"Spot {spot} bet {round.table.say(bonus.stake)} on the bonus and has no ante."
            yield RuleHit(says, at=bonus.first, spot=spot, wager="bonus")


@game.rule(
    "out-of-order", on=e.RoundClosed, needs="bet", cite=f"{DEALING} 1", also_when_void=True, present="bet"
)
def ante_before_bonus(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """The Ante wager must be made before the Bonus wager."""
    for spot in round.spots:
        ante, bonus = laid(round, spot, "ante"), laid(round, spot, "bonus")
        late = ante is not None and 0 < round.closed_at <= ante.since
        if ante and bonus and bonus.since < ante.since and not late:
            says = f"Spot {spot} bet on the bonus before it bet its ante."
            yield RuleHit(says, at=bonus.first, spot=spot, wager="bonus", after=ante.first)


@game.rule("unequal-bet", on=e.RoundClosed, needs="bet", cite=WAGERS, also_when_void=True)
def bonus_equals_ante(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """The Bonus wager must equal the Ante wager."""
    for spot in round.spots:
        ante, bonus = laid(round, spot, "ante"), laid(round, spot, "bonus")
        if ante and bonus and bonus.stake != ante.stake and not unfinished(round, spot, "bonus"):
            says = (
                f"Spot {spot} bet {round.table.say(bonus.stake)} on the bonus; its ante is"
                f" {round.table.say(ante.stake)}."
            )
            yield RuleHit(says, at=bonus.last, spot=spot, wager="bonus")


@game.rule("unequal-bet", on=e.RoundClosed, needs="bet deal", cite=f"{DEALING} 4", also_when_void=True)
def base_equals_ante(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """The Over or Under wager must equal the Ante wager. After a surrender it must not be made."""
    for spot in round.spots:
        if unfinished(round, spot, *BASE):
            continue
        ante = round.stake(spot, "ante")
        for wager in BASE:
            line = laid(round, spot, wager)
            if line and round.surrendered(spot):
                says = f"Spot {spot} surrendered and has {round.table.say(line.stake)} on {wager}."
                yield RuleHit(says, at=line.last, spot=spot, wager=wager)
            elif line and line.stake != ante:
                says = (
                    f"Spot {spot} bet {round.table.say(line.stake)} on {wager}; its ante is"
                    f" {round.table.say(ante)}."
                )
                yield RuleHit(says, at=line.last, spot=spot, wager=wager)


@game.rule("unequal-bet", on=e.RoundClosed, needs="bet choose deal", cite=f"{DEALING} 4", also_when_void=True)
def choice_with_a_wager(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """A player who chose Over or Under must also make an Over or Under wager."""
    for spot, choice in round.chosen.items():
        if choice.choice not in BASE or laid(round, spot, choice.choice) or round.stake(spot, *BASE):
            continue
        if laid(round, spot, "ante") and not unfinished(round, spot, *BASE):
            yield RuleHit(f"Spot {spot} chose {choice.choice} and laid no wager on it.", at=choice)


@game.rule(
    "choice-without-bet", on=e.RoundClosed, needs="bet choose deal", cite=f"{DEALING} 4", also_when_void=True
)
def chips_as_declared(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """A player must bet on the side that he declared. If he bets on the other side, the bet counts."""
    for spot, choice in round.chosen.items():
        line = round.said_otherwise(spot)
        if line is not None and round.stake(spot, "ante") and not unfinished(round, spot, *BASE):
            lies = f"bet on {line.wager} ({round.table.say(line.stake)})"
            yield RuleHit(f"Spot {spot} declared {choice.choice} but {lies}; the wager counts.", at=choice)


@game.rule("both-sides", on=e.RoundClosed, needs="bet", cite=f"{DEALING} 4", also_when_void=True)
def one_side(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """A player may bet on Over or on Under, but not on both."""
    for spot in round.spots:
        sides = [
            line
            for wager in BASE
            if (line := laid(round, spot, wager)) and (spot, wager) not in round.taken_back
        ]
        if len(sides) == len(BASE):
            second = max(sides, key=lambda line: line.since)
            stakes = " and ".join(f"{round.table.say(line.stake)} on {line.wager}" for line in sides)
            yield RuleHit(
                f"Spot {spot} bet {stakes}; a player bets on one of them.",
                at=second.first,
                spot=spot,
                wager=second.wager,
            )


@game.rule("too-many-spots", on=e.RoundClosed, needs="bet", cite=WAGERS, also_when_void=True)
def four_games(round: OverUnderRound, event: Event) -> Iterator[RuleHit]:
    """A player may play four spots at most."""
    first: dict[str, dict[str, Line]] = {}
    for line in sorted(
        (line for line in round.lines.values() if line.stake and line.player is not None),
        key=lambda line: line.since,
    ):
        first.setdefault(line.player or "", {}).setdefault(line.spot, line)
    for player, spots in first.items():
        for spot, line in list(spots.items())[SPOTS:]:
            says = (
                f"{player} bet on spots {', '.join(list(spots)[:-1])} and {list(spots)[-1]}; a player plays"
                f" {SPOTS} spots at most."
            )
            yield RuleHit(says, at=line.first, spot=spot, wager=line.wager)

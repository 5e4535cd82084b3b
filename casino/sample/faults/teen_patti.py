"""Faults that only Teen Patti has, in the decisions to play or fold and in the play wager."""

from __future__ import annotations

from functools import partial
from typing import Any

from casino.sample.faults.planting import fault
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import draft
from casino.sample.tables.play import Play

TP = "teen_patti"
ONE, TWO = "p-90111", "p-90122"
BETTER = ["As", "Kd", "Jh", "Ks", "9h", "4d"]
"""Six cards, ace high for the players and king high for the dealer: a player who plays wins, and one who
folds loses.
"""


def two_players(day: Day, **plays: bool) -> Play:
    """Play a round of two players with an ante each. By default the first one plays and the second
    one folds.
    """
    stakes = {ONE: {"ante": 1_000}, TWO: {"ante": 600}}
    decided = {ONE: plays.get("one", True), TWO: plays.get("two", False)}
    play: Play = day.table.play(
        stakes, BETTER, batch=False, announced=False, decide=lambda play: decide_in_turn(play, decided)
    )
    return play


def decide_in_turn(play: Play, decided: dict[str, bool]) -> None:
    """Add the players' decisions in the order of `decided`. Each decision to play is followed by its play
    wager.
    """
    for spot, stays in decided.items():
        play.add("choose", spot=spot, choice="play" if stays else "fold")
        if stays:
            play.add("bet", spot=spot, wager="play", amount=play.stakes[spot]["ante"])


# Decisions.


@fault("choice-missing", TP)
def no_decision(day: Day) -> None:
    """Leave out a player's decision, which the rules require. It counts as a fold. The finding is at the
    first take or pay.
    """
    play = two_players(day)
    play.drop(play.one("choose", spot=TWO))
    day.expect(play.one("take", "pay"), "choice-missing", spot=TWO)
    day.table.keep(play)


@fault("choice-missing:played", TP)
def no_decision_but_a_wager(day: Day) -> None:
    """Leave out the decision of a player who bets the play wager. The player counts as playing."""
    play = two_players(day)
    play.drop(play.one("choose", spot=ONE))
    day.expect(play.one("take", "pay"), "choice-missing", spot=ONE)
    day.table.keep(play)


@fault("choice-too-late", TP)
def decided_late(day: Day) -> None:
    """Let a player decide after the first take or pay, although the rules require the decision before any
    money moves. The decision still counts.
    """
    play = two_players(day)
    choice = play.one("choose", spot=TWO)
    play.drop(choice)
    play.put_after(play.one("take", "pay"), choice)
    day.expect(choice, "choice-too-late", spot=TWO)
    day.table.keep(play)


@fault("choice-without-bet", TP)
def decided_without_ante(day: Day) -> None:
    """Record a decision of a player without an ante. The rules require an ante."""
    play = two_players(day)
    choice = draft("choose", play.name, spot="p-90199", choice="fold")
    play.put_after(play.one("choose"), choice)
    day.expect(choice, "choice-without-bet", spot="p-90199")
    day.table.keep(play)


def early(day: Day, kind: str, spot: str, **fields: Any) -> None:
    """Let a player decide, or bet on play, before the sixth card. The rules require all six cards first. The
    decision or bet still counts.
    """
    play = two_players(day)
    fact = play.one(kind, spot=spot, **fields)
    play.move_before(fact, day.rng.choice(play.all("deal")[1:]))
    day.expect(fact, "out-of-order", spot=spot, **fields)
    day.table.keep(play)


fault("out-of-order:early-choice", TP)(partial(early, kind="choose", spot=TWO))
fault("out-of-order:early-play", TP)(partial(early, kind="bet", spot=ONE, wager="play"))


@fault("out-of-order:second-choice", TP)
def decided_again(day: Day) -> None:
    """Let a player decide to play after a fold. Only the first decision counts."""
    play = two_players(day)
    second = draft("choose", play.name, spot=TWO, choice="play")
    play.put_after(play.one("choose", spot=TWO), second)
    day.expect(second, "out-of-order", spot=TWO)
    day.table.keep(play)


@fault("unknown-kind-of-play:choice", TP)
def another_games_choice(day: Day) -> None:
    """Record a decision that this game does not have."""
    play = two_players(day)
    odd = draft("choose", play.name, spot=ONE, choice=day.rng.choice(("surrender", "over", "keep")))
    play.put_before(play.one("choose"), odd)
    day.expect(odd, "unknown-kind-of-play", spot=ONE)
    day.table.keep(play)


# The play wager.


def unequal(day: Day, step: int) -> None:
    """Let a player bet more or less on play than on the ante, although both must be equal. Each wager is
    settled on its own stake.
    """
    play = two_players(day)
    bet = play.one("bet", spot=ONE, wager="play")
    bet["amount"] += step
    play.one("pay", spot=ONE, wager="play")["amount"] += step
    day.expect(bet, "unequal-bet", spot=ONE, wager="play")
    day.table.keep(play)


fault("unequal-bet:less", TP)(partial(unequal, step=-10))
fault("unequal-bet:more", TP)(partial(unequal, step=10))


@fault("unequal-bet:two-heaps", TP)
def unequal_in_two(day: Day) -> None:
    """Let a player bet more on play than on the ante, in two bets. The finding is at the second bet."""
    play = two_players(day)
    second_bet = draft("bet", play.name, spot=ONE, wager="play", amount=200)
    play.put_after(play.one("bet", spot=ONE, wager="play"), second_bet)
    play.one("pay", spot=ONE, wager="play")["amount"] += 200
    day.expect(second_bet, "unequal-bet", spot=ONE, wager="play")
    day.table.keep(play)


def played_and_folded(day: Day, moved: int) -> None:
    """Let a player bet on play after a fold, which the rules forbid. Nothing is owed on the bet. If `moved`
    is not 0, the dealer wrongly pays (positive) or takes (negative) this amount.
    """
    play = two_players(day)
    bet = draft("bet", play.name, spot=TWO, wager="play", amount=600)
    play.put_after(play.one("choose", spot=TWO), bet)
    day.expect(bet, "unequal-bet", spot=TWO, wager="play")
    if moved:
        move = draft("pay" if moved > 0 else "take", play.name, spot=TWO, wager="play", amount=abs(moved))
        play.put_before(play.one("round-closed"), move)
        day.expect(move, "wrong-settlement", spot=TWO, wager="play", owed=0, moved=moved, slip="push-moved")
    day.table.keep(play)


fault("unequal-bet:folded", TP)(partial(played_and_folded, moved=0))
fault("wrong-settlement:folded-play-paid", TP)(partial(played_and_folded, moved=600))
fault("wrong-settlement:folded-play-taken", TP)(partial(played_and_folded, moved=-600))


@fault("unequal-bet:no-wager", TP)
def played_without_wager(day: Day) -> None:
    """Let a player decide to play without betting the play wager, which the rules require."""
    play = two_players(day)
    play.drop(play.one("bet", spot=ONE, wager="play"))
    play.drop(play.one("pay", spot=ONE, wager="play"))
    day.expect(play.one("choose", spot=ONE), "unequal-bet", spot=ONE)
    day.table.keep(play)


@fault("late-bet:play", TP)
def play_wager_late(day: Day) -> None:
    """Let a player decide in time, but bet the play wager after the first take or pay. Only the wager is
    late.
    """
    play = two_players(day)
    bet = play.one("bet", spot=ONE, wager="play")
    play.drop(bet)
    play.put_after(play.one("take", "pay"), bet)
    day.expect(bet, "late-bet", spot=ONE, wager="play")
    day.table.keep(play)

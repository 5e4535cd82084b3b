"""Faults in the decisions of High Side's players, and in how the dealer waits for them."""

from __future__ import annotations

from functools import partial

from casino.sample.faults.high_side import HIGH, both, spots
from casino.sample.faults.planting import fault
from casino.sample.tables.day import Day
from casino.sample.tables.drafts import draft
from casino.sample.tables.high_side import SIDES


def pulled_late(day: Day, number: int) -> None:
    """Let a player withdraw a wager too late: the first wager after both dice, the second wager after the
    card. The withdrawal has no effect. In half of the cases the dealer does not settle the wager, which is a
    second finding.
    """
    play = spots(day, both(), card=day.rng.choice("AK"))
    spot, side = day.rng.choice((("2", "dice"), ("5", "card")))
    wager = SIDES[side][number - 1]
    fact = draft("pull", play.name, spot=spot, wager=wager)
    play.put_after(play.one("announce") if number == 1 else play.one("deal"), fact)
    day.expect(fact, "late-pull", spot=spot, wager=wager)
    if day.rng.random() < 0.5:
        move = play.one("take", "pay", spot=spot, wager=wager)
        play.drop(move)
        owed = move["amount"] if move["kind"] == "pay" else -move["amount"]
        day.expect(play.one("round-closed"), "not-settled", spot=spot, wager=wager, owed=owed, moved=0)
    day.table.keep(play)


fault("late-pull:first", HIGH)(partial(pulled_late, number=1))
fault("late-pull:second", HIGH)(partial(pulled_late, number=2))


def not_to_be_pulled(day: Day, wager: str, dice: tuple[int, int] = (5, 4)) -> None:
    """Let a player withdraw a wager that must stay: a third wager, a Bonus, or the second wager on a seven.
    The wager stays in play and is settled.
    """
    play = spots(day, both(bonus=2_000), dice)
    spot = "5" if wager[:4] != "dice" else "2"
    fact = draft("pull", play.name, spot=spot, wager=wager)
    play.put_after(play.one("announce"), fact)
    day.expect(fact, "pull-not-allowed", spot=spot, wager=wager)
    day.table.keep(play)


for _wager in ("dice-3", "card-3", "bonus"):
    fault(f"pull-not-allowed:{_wager}", HIGH)(partial(not_to_be_pulled, wager=_wager))
fault("pull-not-allowed:on-a-seven", HIGH)(partial(not_to_be_pulled, wager="dice-2", dice=(3, 4)))


@fault("out-of-order:early-pull", HIGH)
def early_pull(day: Day) -> None:
    """Let a player withdraw the second wager before the second die, which the rules forbid. The wager is out
    of play anyway.
    """
    play = spots(day, both(), s2=("keep", "pull"))
    fact = play.one("pull")
    play.move_before(fact, play.all("roll")[1])
    day.expect(fact, "out-of-order", spot="2", wager="dice-2")
    day.table.keep(play)


def pulled_and_moved(day: Day, kind: str) -> None:
    """Pay or take a wager that its player has withdrawn. Nothing is owed on it."""
    play = spots(day, both(), s2=("pull", "pull"), s5=("pull", "pull"), card="K" if kind == "pay" else "A")
    spot, wager = ("5", "card-1") if day.rng.random() < 0.5 else ("5", "card-2")
    fact = draft(kind, play.name, spot=spot, wager=wager, amount=4_000)
    play.put_before(play.one("round-closed"), fact)
    day.expect(fact, "no-such-bet", spot=spot, wager=wager, moved=4_000 if kind == "pay" else -4_000)
    day.table.keep(play)


fault("no-such-bet:withdrawn-paid", HIGH)(partial(pulled_and_moved, kind="pay"))
fault("no-such-bet:withdrawn-taken", HIGH)(partial(pulled_and_moved, kind="take"))


def pulled_twice(day: Day, wager: str) -> None:
    """Let a player withdraw a wager that was already withdrawn or was never bet."""
    play = spots(day, both(), s2=("pull", "keep"))
    fact = draft("pull", play.name, spot="2", wager=wager)
    play.put_after(play.one("pull"), fact)
    day.expect(fact, "no-such-bet", spot="2", wager=wager)
    day.table.keep(play)


fault("no-such-bet:withdrawn-twice", HIGH)(partial(pulled_twice, wager="dice-1"))
fault("no-such-bet:withdrawn-from-nothing", HIGH)(partial(pulled_twice, wager="card-1"))


def decided_late(day: Day, number: int, dice: tuple[int, int], late: str) -> None:
    """Let a player decide too late: on the first wager after the second die, or on the second wager after the
    card. The dealer must wait for all decisions. If the late decision is a withdrawal, it is a second
    finding.
    """
    decision = (late, "keep") if number == 1 else ("keep", late)
    play = spots(day, both(), dice, s5=("keep", "keep"))
    choice = play.all("choose", spot="5")[number - 1]
    revealed = play.all("roll")[1] if number == 1 else play.one("deal")
    play.drop(choice)
    if decision[number - 1] == "pull":
        choice = draft("pull", play.name, spot="5", wager=f"card-{number}")
        day.expect(choice, "late-pull", spot="5", wager=f"card-{number}")
    play.put_after(revealed, choice)
    day.expect(revealed, "revealed-too-soon" if number == 1 else "dealt-too-soon")
    day.table.keep(play)


fault("revealed-too-soon:keep", HIGH)(partial(decided_late, number=1, dice=(5, 4), late="keep"))
fault("revealed-too-soon:pull", HIGH)(partial(decided_late, number=1, dice=(5, 4), late="pull"))
fault("revealed-too-soon:seven", HIGH)(partial(decided_late, number=1, dice=(6, 1), late="keep"))
fault("dealt-too-soon:keep", HIGH)(partial(decided_late, number=2, dice=(5, 4), late="keep"))
fault("dealt-too-soon:pull", HIGH)(partial(decided_late, number=2, dice=(5, 4), late="pull"))


def undecided(day: Day, number: int, dice: tuple[int, int] = (5, 4)) -> None:
    """Leave out a spot's decision on its first or second wager (`number`), which the rules require. The
    finding is at the second die or at the card.
    """
    play = spots(day, both(), dice)
    spot = day.rng.choice("25")
    play.drop(play.all("choose", spot=spot)[number - 1])
    day.expect(play.all("roll")[1] if number == 1 else play.one("deal"), "choice-missing", spot=spot)
    day.table.keep(play)


fault("choice-missing:first", HIGH)(partial(undecided, number=1))
fault("choice-missing:first-on-a-seven", HIGH)(partial(undecided, number=1, dice=(2, 5)))
fault("choice-missing:second", HIGH)(partial(undecided, number=2))


def choice(
    day: Day, code: str, after: str, spot: str, decision: str = "keep", dice: tuple[int, int] = (5, 4)
) -> None:
    """Let a player decide when it is not allowed: without a bet, before the first die, on a seven, or after
    the card. The decision may also be a word that only another game has.
    """
    play = spots(day, both(), dice)
    fact = draft("choose", play.name, spot=spot, choice=decision)
    play.put_after(play.all(after)[-1 if after == "bet" else 0], fact)
    day.expect(fact, code, spot=spot)
    day.table.keep(play)


fault("choice-without-bet", HIGH)(partial(choice, code="choice-without-bet", after="roll", spot="1"))
fault("choice-without-bet:before-the-die", HIGH)(
    partial(choice, code="choice-without-bet", after="bet", spot="1")
)
fault("out-of-order:early-choice", HIGH)(partial(choice, code="out-of-order", after="bet", spot="2"))
fault("out-of-order:choice-on-a-seven", HIGH)(
    partial(choice, code="out-of-order", after="announce", spot="2", dice=(6, 1))
)
fault("choice-too-late", HIGH)(partial(choice, code="choice-too-late", after="deal", spot="5"))
fault("unknown-kind-of-play:choice", HIGH)(
    partial(choice, code="unknown-kind-of-play", after="roll", spot="5", decision="surrender")
)

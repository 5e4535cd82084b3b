"""Settlements computed outside this project, one case a line, read as typed values. The files are compressed
with gzip. `cases` yields the cases in the order of the files and computes nothing.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from games import GAMES

HERE = Path(__file__).parent
FILES = tuple(sorted(path.name.removesuffix(".txt.gz") for path in HERE.glob("*.txt.gz")))


class Case(NamedTuple):
    """One hand at one spot: its stakes, and the amount that each stake must win or lose."""

    game: str
    edition: str
    pay_table: str
    dice: tuple[int, ...]
    """The dice, or empty if the game has none."""
    cards: tuple[str, ...]
    """The cards in the order dealt. At Andar Bahar the joker comes first."""
    stakes: dict[str, int]
    """Stakes in minor units, by wager."""
    decisions: dict[str, str]
    """Decisions by wager: play, fold, over, under, surrender, keep, withdraw."""
    expected: dict[str, tuple[Fraction, str]]
    """For each wager, the net amount that the player wins (negative for a loss), and the word for its result.
    Empty if the hand is not allowed.
    """
    illegal: bool
    reading: str
    """An option, written as `question=answer`, or empty."""
    note: str


def cases(*names: str) -> Iterator[Case]:
    """Yield every case of the named files, or of all files if none is named. Raise ValueError if a line is
    not a case.
    """
    for name in names or FILES:
        with gzip.open(HERE / f"{name}.txt.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                if line.partition(" ")[0] in GAMES:
                    yield read(line)


def read(line: str) -> Case:
    """Return the case that one line describes."""
    game, edition, pay_table, dice, cards, bets, settled, reading, note = (
        part.strip() for part in line.rstrip("\n").split("|")
    )
    stakes: dict[str, int] = {}
    decisions: dict[str, str] = {}
    for word in bets.split():
        wager, amount, *decision = word.split(":")
        stakes[wager] = int(amount)
        if decision:
            decisions[wager] = decision[0]
    illegal = settled == "illegal"
    return Case(
        game=game,
        edition=edition,
        pay_table=pay_table,
        dice=tuple(int(die) for die in dice.split(",")) if dice != "-" else (),
        cards=tuple(cards.split()),
        stakes=stakes,
        decisions=decisions,
        expected={} if illegal else dict(_net(word) for word in settled.split()),
        illegal=illegal,
        reading="" if reading == "-" else reading,
        note=note,
    )


def _net(word: str) -> tuple[str, tuple[Fraction, str]]:
    wager, _, amounts = word.rpartition("=")
    net, _, outcome = amounts.partition(":")
    return wager, (Fraction(net), outcome)

"""Settlements computed outside this house, one case a line, read as typed values.

The files are gzip copies of shared vectors; `cases` yields them in file order and computes nothing.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from games import GAMES

HERE = Path(__file__).parent
FILES = tuple(sorted(found.name.removesuffix(".txt.gz") for found in HERE.glob("*.txt.gz")))


class Case(NamedTuple):
    """One hand at one spot: what lay there, and what it must win or lose."""

    game: str
    edition: str
    pay_table: str
    dice: tuple[int, ...]
    """Empty where the game has none."""
    cards: tuple[str, ...]
    """In the order dealt; at Andar Bahar the joker first."""
    stakes: dict[str, int]
    """Minor units by wager."""
    decisions: dict[str, str]
    """By wager: play, fold, over, under, surrender, keep, withdraw."""
    expected: dict[str, tuple[Fraction, str]]
    """Net from the player's side and its word by wager; empty where the hand is illegal."""
    illegal: bool
    reading: str
    """`question=answer`, or empty."""
    note: str


def cases(*names: str) -> Iterator[Case]:
    """Every case of the named files, of all files without a name. `ValueError` where a line is not a case."""
    for name in names or FILES:
        with gzip.open(HERE / f"{name}.txt.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                if line.partition(" ")[0] in GAMES:
                    yield read(line)


def read(line: str) -> Case:
    """The case of one line."""
    game, edition, pay_table, dice, cards, laid, settled, reading, note = (
        part.strip() for part in line.rstrip("\n").split("|")
    )
    stakes: dict[str, int] = {}
    decisions: dict[str, str] = {}
    for word in laid.split():
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
    wager, _, rest = word.rpartition("=")
    net, _, outcome = rest.partition(":")
    return wager, (Fraction(net), outcome)

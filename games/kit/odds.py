"""Odds: what a wager is owed as a ratio of its stake, with the rule that says so."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from games.kit.amounts import Exact, exact


class Odds(NamedTuple):
    """The owed amount is stake x up / down, signed from the player. The officer reads `why` and `cite`."""

    up: int
    down: int
    why: str
    cite: str

    def owed(self, stake: int) -> Exact:
        """Return what this stake is owed, in minor units: an integer, or a fraction if it does not divide."""
        product = stake * self.up
        if product % self.down == 0:
            return product // self.down
        return Fraction(product, self.down)


_NUMBER = r"(\d{1,6}(?:\.\d{1,4})?)"
_TO = re.compile(rf"{_NUMBER}\s*(?:to|:|-|/)\s*{_NUMBER}")


@lru_cache(maxsize=256)
def to_one(pays: str) -> tuple[int, int]:
    """Return `"7 to 5"` as (7, 5): a stake of five wins seven; `"0.98:1"` as (49, 50).

    Raises:
        ValueError: the text does not name odds.
    """
    found = _TO.fullmatch(pays.strip())
    if found is None or Fraction(found[2]) == 0:
        raise ValueError(f"{pays!r} is no odds; write them as '7 to 5'")
    ratio = Fraction(found[1]) / Fraction(found[2])
    return ratio.numerator, ratio.denominator


def same_odds(pays: str, up: int, down: int) -> bool:
    """Return True if the words name these odds; `"14 to 10"` is `"7 to 5"`. Other words name no odds."""
    try:
        said_up, said_down = to_one(pays)
    except ValueError:
        return False
    return said_up * down == up * said_down


def total_return(times: str) -> tuple[int, int]:
    """Return `"X1.9"`, which includes the stake, as the win to one: (9, 10)."""
    win = Fraction(times.removeprefix("X")) - 1
    return win.numerator, win.denominator


def rounded(owed: Exact, stake: int, rounding: str, chip: int) -> Exact:
    """Return the owed amount, rounded as the table's option `rounding` says.

    `house` is the floor and `player` the ceiling in multiples of the smallest chip, signed from the player
    (rounds.md 17); any other value is `exact`. A loss never becomes greater than the stake (rounds.md 33).

    Args:
        owed: the exact amount, in minor units.
        stake: the stake that the amount is owed on, in minor units.
        rounding: the table's answer.
        chip: the smallest chip, in minor units.
    """
    if rounding not in ("house", "player") or owed % chip == 0:
        return owed
    steps = owed // chip if rounding == "house" else -(-owed // chip)
    return max(exact(Fraction(steps * chip)), -stake)

"""Odds: what a wager is owed in proportion to its stake, with the rule that says so."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from games.kit.amounts import Exact


class Odds(NamedTuple):
    """The amount that a wager is owed: stake x up / down, positive if the player receives it. `why` (the
    reason) and `cite` (the rule) are shown to the surveillance officer.
    """

    up: int
    down: int
    why: str
    cite: str

    def owed(self, stake: int) -> Exact:
        """Return the amount owed on this stake, in minor units: an integer, or a fraction if it is not a
        whole number.
        """
        product = stake * self.up
        if product % self.down == 0:
            return product // self.down
        return Fraction(product, self.down)


_NUMBER = r"(\d{1,6}(?:\.\d{1,4})?)"
_TO = re.compile(rf"{_NUMBER}\s*(?:to|:|-|/)\s*{_NUMBER}")


@lru_cache(maxsize=256)
def to_one(pays: str) -> tuple[int, int]:
    """Parse odds in words as win and stake. `"7 to 5"` is (7, 5), which is a win of seven on a stake of five.
    `"0.98:1"` is (49, 50).

    Raises:
        ValueError: the text does not name odds.
    """
    match = _TO.fullmatch(pays.strip())
    if match is None or Fraction(match[2]) == 0:
        raise ValueError(f"{pays!r} is not a valid pair of odds; write them as '7 to 5'")
    ratio = Fraction(match[1]) / Fraction(match[2])
    return ratio.numerator, ratio.denominator


def same_odds(pays: str, up: int, down: int) -> bool:
    """Return True if the words name these odds, for example `"14 to 10"` for 7 to 5. Return False if the
    words do not name odds.
    """
    try:
        said_up, said_down = to_one(pays)
    except ValueError:
        return False
    return said_up * down == up * said_down


def total_return(times: str) -> tuple[int, int]:
    """Parse a total return, which includes the stake, as win and stake: `"X1.9"` is (9, 10)."""
    win = Fraction(times.removeprefix("X")) - 1
    return win.numerator, win.denominator


def rounded(owed: Exact, stake: int, rounding: str, chip: int) -> Exact:
    """Return the owed amount, rounded as the table's option `rounding` says.

    `house` rounds down and `player` rounds up to a multiple of the smallest chip, where amounts to the player
    are positive; any other value leaves the amount exact. A loss never becomes greater than the stake.

    Args:
        owed: the exact amount, in minor units.
        stake: the stake that the amount is owed on, in minor units.
        rounding: the table's value of the option `rounding`.
        chip: the smallest chip, in minor units.
    """
    if rounding not in ("house", "player"):
        return owed
    numerator, denominator = owed.as_integer_ratio()
    step = denominator * chip
    if numerator % step == 0:
        return owed
    steps = numerator // step if rounding == "house" else -(-numerator // step)
    return max(steps * chip, -stake)

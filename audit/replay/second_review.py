"""The rule that says when a verdict needs a second reviewer. It depends on the largest amount in the verdict.
Pure.
"""

from __future__ import annotations

from datetime import date
from fractions import Fraction

from audit import facts as f
from audit.facts.vocabulary import WITHDRAWN
from audit.replay.registers import Registers

SECOND_REVIEWER_FROM = 500_00
"""Amount at stake in minor units from which a second reviewer is required, if the register `thresholds` has
no entry.
"""


def second_from(registers: Registers, day: date) -> int:
    """Return the amount, in minor units, from which a verdict of a gaming day needs a second reviewer."""
    for key, value in registers.on("thresholds", day):
        if key == "second-reviewer" and isinstance(value, dict) and isinstance(value.get("amount"), int):
            return int(value["amount"])
    return SECOND_REVIEWER_FROM


def at_stake(owed: int | str | None, moved: int | str | None, *others: int) -> Fraction:
    """Return the largest absolute amount in a verdict, in minor units."""
    between = Fraction(moved) - Fraction(owed) if owed is not None and moved is not None else Fraction(0)
    return max(abs(between), *(abs(Fraction(other)) for other in others), Fraction(0))


def needs_second(verdict: f.VerdictGiven, limit: int) -> bool:
    """Return True if a second reviewer must still sign a verdict because of the amount at stake in it.

    A verdict that is withdrawn decides nothing and needs no second reviewer. A text that is not an amount is
    ignored.
    """
    if verdict.second or verdict.verdict == WITHDRAWN:
        return False
    others = (verdict.savings, verdict.losses, verdict.recovered)
    try:
        return at_stake(verdict.owed, verdict.moved, *others) >= limit
    except (ValueError, ZeroDivisionError):
        return at_stake(None, None, *others) >= limit

"""The words of the column `verdict` of reports: if a row is inside its bounds, outside of them, or was not
judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from casino.reports.grouping import rounded

VERDICT = "verdict"
OUTSIDE, INSIDE, NOT_JUDGED_STATE = "outside", "inside", "not judged"
TOO_FEW, NOT_COMPARED = "too few wagers", "not compared"
NOT_JUDGED = ("no base level", "base of", TOO_FEW, NOT_COMPARED)
"""The first words of the verdict on a row that cannot be judged: its base level is missing or is based on too
few days, or it has too few wagers. A total of errors is compared with nothing.
"""
NO_FIGURE = "n/a"
"""The word in place of a z that cannot be computed."""


def state_of(figures: Mapping[str, str]) -> str:
    """Return the state of a row with these figures: OUTSIDE or INSIDE its bounds, or NOT_JUDGED_STATE."""
    if figures[VERDICT].startswith(NOT_JUDGED) or figures.get("z") == NO_FIGURE:
        return NOT_JUDGED_STATE
    return OUTSIDE if figures[VERDICT] else INSIDE


def verdict_text(figures: Mapping[str, str]) -> str:
    """Return the verdict of a row as people read it. In files for programs, the cell of a row that is inside
    its bounds is empty.
    """
    return figures[VERDICT] or state_of(figures)


def by_chance(judged: int, confidence: int) -> str:
    """Return how many of these judged rows chance alone puts outside their bounds on average.

    Args:
        judged: the number of rows that are compared with bounds.
        confidence: the share of results that chance keeps inside these bounds, in percent.
    """
    return rounded(Fraction(judged * (100 - confidence), 100), 1)

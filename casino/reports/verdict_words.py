"""The words of the column `verdict` of reports: if a row is inside its bounds, outside of them, or was not
judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from casino.reports.columns import RowChance
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


def outside_in_words(chances: Sequence[RowChance]) -> str:
    """Return how many of the judged rows are outside the range of chance, or that no row is judged."""
    judged = [chance for chance in chances if not chance.reason]
    if not judged:
        return "No row is judged."
    outside = sum(chance.is_outside for chance in judged)
    is_single = outside == 1 or len(judged) == 1
    return f"{outside:,} of {len(judged):,} judged {'is' if is_single else 'are'} outside."


def not_judged_in_words(chances: Sequence[RowChance]) -> str:
    """Return how many rows are not judged and why, such as `4 of 9 are not judged: pending days (3), no play
    (1).` Return empty text if all are judged.
    """
    reasons = Counter(chance.reason for chance in chances if chance.reason)
    if not reasons:
        return ""
    number = reasons.total()
    counted = ", ".join(f"{reason} ({count:,})" for reason, count in reasons.most_common())
    return f"{number:,} of {len(chances):,} {'is' if number == 1 else 'are'} not judged: {counted}."

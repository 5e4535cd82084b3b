"""How the rows of a report that a chart draws compare with what was expected of them: with chance, with the
range of the report, or by the verdict of each row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from casino.reports.columns import Absent, Row, RowChance, Sheet
from casino.reports.verdict_words import (
    NOT_JUDGED_STATE,
    OUTSIDE,
    VERDICT,
    not_judged_in_words,
    outside_in_words,
    state_of,
)

NOTHING = RowChance()


class Comparison(NamedTuple):
    """How the rows of a report compare with what was expected of them.

    Attributes:
        judge: a function that compares a row.
        words: what the drawing of the expected figures and of their bounds means.
        is_judged: True if the report says of its rows if they are outside their bounds.
    """

    judge: Callable[[Row], RowChance]
    words: str
    is_judged: bool

    @classmethod
    def of(cls, sheet: Sheet, place: int) -> Comparison:
        """Return how the rows of a sheet are compared. `place` is the index of the column that is drawn."""
        if sheet.chances is not None:
            chances = sheet.chances()
            return cls(chances.judge, chances.words, is_judged=True)
        has_verdict = any(column.key == VERDICT for column in sheet.columns)
        words = sheet.expected.words if sheet.expected is not None else ""
        return cls(lambda row: _judge(sheet, row, place), words, has_verdict)

    def words_of(self, compared: Sequence[RowChance]) -> str:
        """Return what the drawing means, how many rows are outside their bounds, and how many are not judged
        and why.

        Args:
            compared: the comparison of each row of a chart, also of those that have no figure.
        """
        if not self.is_judged:
            return self.words
        is_drawn = self.words and not all(chance.reason for chance in compared)
        drawing = f"{self.words}." if is_drawn else ""
        return " ".join(filter(None, (drawing, outside_in_words(compared), not_judged_in_words(compared))))


def _judge(sheet: Sheet, row: Row, place: int) -> RowChance:
    """Return the state of a row: by its verdict if it has one, otherwise by the range of the report."""
    expected, cell = sheet.expected, row[place]
    bounds = (expected.low, expected.high) if expected is not None else None
    middle = (expected.low + expected.high) / 2 if expected is not None else None
    values = {column.key: str(cell) for column, cell in zip(sheet.columns, row, strict=True)}
    if VERDICT in values:
        state = state_of(values)
        if state == NOT_JUDGED_STATE:
            return RowChance(reason=values[VERDICT] or "no figure")
        return RowChance(middle, bounds, is_outside=state == OUTSIDE)
    if bounds is None or isinstance(cell, Absent) or cell in ("", None):
        return NOTHING
    return RowChance(middle, bounds, is_outside=not bounds[0] <= Fraction(str(cell)) <= bounds[1])

"""Drawings in the cells of a table: rates with exact bounds, and money in two directions. All cells of a
column share an axis, which is drawn in the head of the column.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from casino.presentation.charts.rows import LEAST, Span
from casino.presentation.charts.scales import Number, Scale, Tick, percent, scale_for


class RateCell(NamedTuple):
    """A rate with its bounds. `kind` is the CSS class of the drawing: `out` if the rate is marked as an
    exception, `pale` if the rate is not judged.
    """

    label: str
    low: str
    high: str
    at: str
    kind: str


class RateAxis(NamedTuple):
    """The axis of a column of rates, with the expected rate."""

    scale: Scale
    ticks: list[Tick]
    expected: str

    def cell(
        self, rate: Number, bounds: tuple[Number, Number], label: str, *, marked: bool, judged: bool
    ) -> RateCell:
        """Return the drawing of one rate. A bound beyond the axis ends at the edge of the axis."""
        low, high, at = (percent(min(self.scale.part(value), Fraction(1))) for value in (*bounds, rate))
        return RateCell(label, low, high, at, "out" if marked else "" if judged else "pale")


def rate_axis(values: Iterable[Number], expected: Number) -> RateAxis:
    """Return an axis for these rates and bounds, with a dashed line at the expected rate."""
    scale = scale_for([*values, expected])
    return RateAxis(scale, scale.ticks, scale.at(expected))


class MoneyCell(NamedTuple):
    """Money in two directions from zero: to the casino at the left, to players at the right."""

    zero: str
    house: Span
    players: Span


class MoneyAxis(NamedTuple):
    """The axis of a column of money in two directions."""

    to_house: Number
    to_players: Number

    def cell(self, to_house: Number, to_players: Number) -> MoneyCell:
        """Return the drawing of the amounts in one row."""
        total = Fraction(self.to_house + self.to_players) or Fraction(1)
        zero = Fraction(self.to_house) / total
        left, right = (
            max(amount / total, LEAST) if amount else Fraction(0) for amount in (to_house, to_players)
        )
        return MoneyCell(
            percent(zero), Span(percent(zero - left), percent(left)), Span(percent(zero), percent(right))
        )


def money_axis(rows: Iterable[tuple[Number, Number]]) -> MoneyAxis:
    """Return an axis for rows of money to the casino and money to players."""
    pairs = list(rows)
    return MoneyAxis(
        max((house for house, _ in pairs), default=0), max((players for _, players in pairs), default=0)
    )

"""The expected values of the marks of a chart as dashed lines, and their bounds as bands with an edge.

Both are broken where a mark has none, so that they never say anything of a mark that is not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

from casino.presentation.charts.scales import Number, pixels

WIDE = 1000
"""Width of the coordinate system of lines. The browser stretches lines to the width of the plot."""
UNJUDGED = "unjudged"
"""The CSS class of a mark that is not judged. It is gray and hatched."""
OUTSIDE = "outside"
"""The word of a mark outside its bounds, for screen readers and tooltips."""
Bounds = tuple[Number, Number]
Value = TypeVar("Value")
Y = Callable[[Number], str]
"""A function that returns the y coordinate of a value."""


def state_words(*, outside: bool, not_judged: str) -> tuple[str, ...]:
    """Return what a tooltip says first of a mark that is outside its bounds or not judged.

    Args:
        not_judged: why it is not judged, or empty text.
    """
    if not_judged:
        return (f"not judged: {not_judged}",)
    return (OUTSIDE,) if outside else ()


class Across(NamedTuple):
    """Where marks are from left to right. Each has an equally wide part of the whole width.

    Attributes:
        number: the number of marks.
        middle: the middle of a mark in its part.
        half: half the width of a mark, in parts.
    """

    number: int
    middle: Fraction = Fraction(1, 2)
    half: Fraction = Fraction(7, 20)

    def x(self, place: int, side: int = 0) -> str:
        """Return the x coordinate of a mark: of its middle, or of its left (-1) or right (1) side."""
        return pixels(WIDE * (place + self.middle + side * self.half) / self.number)


def expected_lines(values: Sequence[Number | None], across: Across, y: Y) -> list[str]:
    """Return the points of each unbroken line of expected values. A single one is as wide as its mark."""
    runs: Iterator[list[tuple[str, Number]]] = _runs(values, across)
    return [" ".join(f"{x},{y(value)}" for x, value in run) for run in runs]


def band_outlines(bounds: Sequence[Bounds | None], across: Across, y: Y) -> list[str]:
    """Return the outline of each unbroken band. The band of a single mark is as wide as the mark."""
    outlines = []
    for run in _runs(bounds, across):
        upper = [f"{x},{y(high)}" for x, (_, high) in run]
        lower = [f"{x},{y(low)}" for x, (low, _) in reversed(run)]
        outlines.append(" ".join([*upper, *lower]))
    return outlines


def _runs(values: Sequence[Value | None], across: Across) -> Iterator[list[tuple[str, Value]]]:
    """Yield the (x coordinate, value) of each run of consecutive marks that have a value."""
    run: list[tuple[int, Value]] = []
    for place, value in enumerate([*values, None]):
        if value is not None:
            run.append((place, value))
        elif run:
            ((first, single), *others) = run
            sides = [(across.x(first, side), single) for side in (-1, 1)]
            yield [(across.x(at, 0), known) for at, known in run] if others else sides
            run = []

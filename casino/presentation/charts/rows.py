"""Charts that are lists. One kind has bars around zero, with an expected value and its bounds. The other kind
is a waterfall.

A row may be a link. Its value has a column of its own, and the drawing is between name and value.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from casino.presentation.charts.bands import UNJUDGED, state_words
from casino.presentation.charts.scales import Number, Scale, Tick, scale_for

LEAST = Fraction(1, 250)
"""Minimum width of a bar that is not zero, as a fraction of the whole width."""


class Bar(NamedTuple):
    """One bar. `written` is its value as text. `expected` is drawn as a dashed line, and `bounds` as a band.

    Attributes:
        outside: True if the bar is marked as an exception.
        counted: the value is a number of things and not money, so its sign has no color.
        tip: further lines of the tooltip.
        not_judged: why the bar is not judged. It is then gray and hatched.
    """

    name: str
    value: Number
    written: str
    href: str = ""
    expected: Number | None = None
    bounds: tuple[Number, Number] | None = None
    outside: bool = False
    counted: bool = False
    tip: tuple[str, ...] = ()
    not_judged: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the lines of the tooltip."""
        return (*state_words(outside=self.outside, not_judged=self.not_judged), *self.tip)

    @property
    def label(self) -> str:
        """Return the text of the bar's link for screen readers."""
        return ", ".join((f"{self.name}: {self.written}", *self.lines))

    @property
    def kind(self) -> str:
        """Return the CSS class of this bar."""
        if self.not_judged:
            return UNJUDGED
        return "mark" if self.counted else "floss" if self.value < 0 else "fgain"


class Span(NamedTuple):
    """A horizontal part of a drawing, in percentages of its width."""

    x: str
    width: str


class BarRow(NamedTuple):
    """A bar with the positions of its rectangle, of the band of its bounds, and of its expected value."""

    bar: Bar
    span: Span
    band: Span | None
    expected: str


class RowChart(NamedTuple):
    """A list of bars, ready to be drawn.

    Attributes:
        says: the title.
        unit: the unit of the axis.
        note: a text about the order and the scope. If `shown` is less than `total`, `every` is the URL of the
            page with all bars.
    """

    says: str
    unit: str
    note: str
    rows: list[BarRow]
    ticks: list[Tick]
    total: int
    every: str

    @property
    def shown(self) -> int:
        """Return the number of bars that are drawn."""
        return len(self.rows)

    @property
    def is_cut(self) -> bool:
        """Return True if there are more bars than the chart shows."""
        return self.shown < self.total


def bar_chart(
    bars: Sequence[Bar], says: str, *, unit: str = "", note: str = "", total: int = 0, every: str = ""
) -> RowChart:
    """Return a chart of bars in their order.

    Args:
        bars: the bars that are shown.
        says: the title.
        unit: the unit of the values, such as `USD`.
        note: the order and the scope in words.
        total: the number of all bars, if more exist than are shown.
        every: the address of the page that shows all bars.
    """
    values = (value for bar in bars for value in (bar.value, bar.expected, *(bar.bounds or ())))
    is_count = bool(bars) and all(bar.counted for bar in bars)
    scale = scale_for((value for value in values if value is not None), is_count=is_count)
    rows = [_row(bar, scale) for bar in bars]
    return RowChart(says, unit, note, rows, scale.ticks, max(total, len(rows)), every)


def _row(bar: Bar, scale: Scale) -> BarRow:
    band = _span(scale, *bar.bounds) if bar.bounds is not None else None
    expected = scale.at(bar.expected) if bar.expected is not None else ""
    return BarRow(bar, _span(scale, 0, bar.value), band, expected)


def _span(scale: Scale, begins: Number, ends: Number) -> Span:
    low, high = min(begins, ends), max(begins, ends)
    if low != high and scale.part(high) - scale.part(low) < LEAST:
        minimum = LEAST * (scale.high - scale.low)
        low, high = (low, low + minimum) if low >= 0 else (high - minimum, high)
    return Span(scale.at(low), scale.width(low, high))


class Step(NamedTuple):
    """One row of a waterfall. If `total` is True, the bar shows the sum so far. Otherwise it shows a part
    that is added to the sum. `unexplained` parts are hatched.
    """

    name: str
    value: Fraction
    written: str
    total: bool = False
    href: str = ""
    unexplained: bool = False

    @property
    def kind(self) -> str:
        """Return the CSS class of the bar of a step."""
        if self.total:
            return "fsum"
        return "hatch" if self.unexplained else "floss" if self.value < 0 else "fgain"


class StepRow(NamedTuple):
    """A step of a waterfall, with the positions of its bar and of the dotted lines that join it to the bars
    before and after it.
    """

    step: Step
    span: Span
    joined_above: str
    joined_below: str


class Waterfall(NamedTuple):
    """A waterfall, ready to be drawn."""

    says: str
    unit: str
    rows: list[StepRow]
    ticks: list[Tick]


def waterfall_chart(steps: Sequence[Step], says: str, unit: str = "") -> Waterfall:
    """Return a waterfall. Each bar begins where the previous one ended, and totals begin at zero."""
    ends: list[tuple[Number, Number]] = []
    level: Number = 0
    for step in steps:
        begins: Number = 0 if step.total else level
        level = begins + step.value
        ends.append((begins, level))
    scale = scale_for(value for pair in ends for value in pair)
    levels = [scale.at(level) for _, level in ends]
    rows = [
        StepRow(
            step,
            _span(scale, *pair),
            levels[place - 1] if place else "",
            levels[place] if place + 1 < len(steps) else "",
        )
        for place, (step, pair) in enumerate(zip(steps, ends, strict=True))
    ]
    return Waterfall(says, unit, rows, scale.ticks)

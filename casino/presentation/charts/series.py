"""Charts over time: lines with the expected value, its bounds and the previous period, and columns by day or
hour.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import NamedTuple

from casino.presentation.charts.bands import (
    UNJUDGED,
    WIDE,
    Across,
    band_outlines,
    expected_lines,
    state_words,
)
from casino.presentation.charts.scales import Number, Scale, percent, pixels, scale_for

HEIGHT, TOP, FOOT = 176, 12, 22
"""Height of a plot, of the space above it, and of the space for the labels below it, in pixels."""
LETTER = 7
"""Width of a character of a label or a tooltip in pixels."""
LABELS = 8
"""Maximum number of labels below a plot."""


class Point(NamedTuple):
    """A position on the horizontal axis, such as a day, with its value. If the value is None, nothing is
    drawn.

    Attributes:
        before: the value at the same position in the previous period.
        not_judged: why the value is not judged. Its column is then gray and hatched.
    """

    name: str
    value: Number | None
    written: str
    href: str = ""
    expected: Number | None = None
    bounds: tuple[Number, Number] | None = None
    before: Number | None = None
    outside: bool = False
    tip: tuple[str, ...] = ()
    not_judged: str = ""

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the lines of the tooltip after the first."""
        return (*state_words(outside=self.outside, not_judged=self.not_judged), *self.tip)

    @property
    def label(self) -> str:
        """Return the text of the point's link for screen readers."""
        return ", ".join((f"{self.name}: {self.written}", *self.lines))


class YTick(NamedTuple):
    """A tick of the vertical axis."""

    y: str
    text_y: str
    label: str
    line: str


class XLabel(NamedTuple):
    """A label below the plot."""

    x: str
    text: str
    anchor: str
    minor: bool


class Tip(NamedTuple):
    """A tooltip: its position, its size in pixels, the x coordinate of its box, and its lines with their y
    coordinates.
    """

    x: str
    y: str
    width: int
    height: int
    left: int
    lines: list[tuple[int, int, str]]


class Place(NamedTuple):
    """A point with the positions of its column, its dot and its tooltip."""

    point: Point
    left: str
    width: str
    bar_x: str
    bar_width: str
    bar_y: str
    bar_height: str
    kind: str
    dot_x: str
    dot_y: str
    tip: Tip


class Plot(NamedTuple):
    """A chart over time, ready to be drawn. The points of its lines have coordinates from 0 to WIDE and from
    0 to `height`.
    """

    says: str
    unit: str
    note: str
    height: int
    top: int
    whole_height: int
    y_width: int
    ticks: list[YTick]
    labels: list[XLabel]
    places: list[Place]
    line: list[str]
    expected: list[str]
    before: list[str]
    bands: list[str]
    zero: str

    @property
    def points(self) -> list[Point]:
        """Return the points of the chart, for the table of its figures."""
        return [place.point for place in self.places]

    @property
    def has_tips(self) -> bool:
        """Return True if any point has additional lines for its tooltip."""
        return any(point.lines for point in self.points)

    @property
    def has_links(self) -> bool:
        """Return True if any mark is a link."""
        return any(point.href for point in self.points)

    @property
    def foot(self) -> int:
        """Return the y coordinate of the labels below the plot, in pixels."""
        return self.whole_height - 6

    @property
    def bottom(self) -> int:
        """Return the y coordinate of the lower edge of the plot, in pixels."""
        return self.top + self.height


def line_chart(points: Sequence[Point], says: str, *, unit: str = "", note: str = "") -> Plot:
    """Return a line chart over time. The expected value, its bounds and the previous period are drawn if the
    points contain them.
    """
    return _plot(points, says, unit=unit, note=note, line=True, money=False, is_count=False)


def column_chart(
    points: Sequence[Point],
    says: str,
    *,
    unit: str = "",
    note: str = "",
    money: bool = False,
    is_count: bool = True,
) -> Plot:
    """Return a chart with a column for each value, up or down from zero.

    Args:
        money: columns have another color if their value is negative.
        is_count: the values are counts.
    """
    return _plot(points, says, unit=unit, note=note, line=False, money=money, is_count=is_count)


def _plot(
    points: Sequence[Point], says: str, *, unit: str, note: str, line: bool, money: bool, is_count: bool
) -> Plot:
    scale = scale_for(
        (
            value
            for point in points
            for value in (point.value, point.expected, point.before, *(point.bounds or ()))
            if value is not None
        ),
        is_count=is_count,
        maximum=4,
    )
    across = Across(max(len(points), 1))
    ticks = [
        _y_tick(scale, value, label.label, label.line)
        for value, label in zip(scale.values, scale.ticks, strict=True)
    ]
    return Plot(
        says=says,
        unit=unit,
        note=note,
        height=HEIGHT,
        top=TOP,
        whole_height=TOP + HEIGHT + FOOT,
        y_width=LETTER * max(len(tick.label) for tick in ticks) + 12,
        ticks=ticks,
        labels=_labels([point.name for point in points]),
        places=[_place(scale, points, place, money) for place in range(len(points))],
        line=_runs(scale, [point.value for point in points]) if line else [],
        expected=expected_lines(
            [point.expected for point in points], across, partial(scale.y, height=HEIGHT)
        ),
        before=_runs(scale, [point.before for point in points]),
        bands=band_outlines([point.bounds for point in points], across, partial(scale.y, height=HEIGHT)),
        zero=pixels(TOP + (1 - scale.part(0)) * HEIGHT),
    )


def _y_tick(scale: Scale, value: Fraction, label: str, line: str) -> YTick:
    y = TOP + (1 - scale.part(value)) * HEIGHT
    return YTick(pixels(y), pixels(y + 4), label, line)


def _labels(names: Sequence[str]) -> list[XLabel]:
    """Return at most LABELS labels below the plot. Narrow screens hide every second one."""
    every = -(-len(names) // LABELS) or 1
    shown = [place for place in range(len(names)) if place % every == 0]
    return [
        XLabel(
            percent(Fraction(2 * place + 1, 2 * len(names))),
            names[place],
            "m",
            number % 2 == 1,
        )
        for number, place in enumerate(shown)
    ]


def _place(scale: Scale, points: Sequence[Point], place: int, money: bool) -> Place:
    point, number = points[place], len(points)
    value = point.value if point.value is not None else 0
    at, zero = scale.part(value), scale.part(0)
    top, bottom = max(at, zero), min(at, zero)
    minimum = 1 if value else 0
    height = max((top - bottom) * HEIGHT, Fraction(minimum))
    left, width, bar_x, bar_width, dot_x = _across(place, number)
    y = TOP + (1 - top) * HEIGHT
    return Place(
        point=point,
        left=left,
        width=width,
        bar_x=bar_x,
        bar_width=bar_width,
        bar_y=pixels(y),
        bar_height=pixels(height),
        kind=UNJUDGED if point.not_judged else ("floss" if value < 0 else "fgain") if money else "mark",
        dot_x=dot_x,
        dot_y=pixels(TOP + (1 - at) * HEIGHT),
        tip=_tip(point, dot_x, 2 * place + 1 < number, y),
    )


@lru_cache(maxsize=2_000)
def _across(place: int, number: int) -> tuple[str, str, str, str, str]:
    """Return the horizontal positions of the item with index `place` in a plot of `number` items: left edge
    and width of its area, left edge and width of its bar, and the middle.
    """
    return (
        percent(Fraction(place, number)),
        percent(Fraction(1, number)),
        percent((place + Fraction(15, 100)) / number),
        percent(Fraction(70, 100) / number),
        percent(Fraction(2 * place + 1, 2 * number)),
    )


def _tip(point: Point, x: str, in_left_half: bool, y: Fraction) -> Tip:
    """Return the tooltip of a point. In the left half of the plot, the tooltip is to the right of the point.
    In the right half, it is to the left.
    """
    lines = [f"{point.name}: {point.written}", *point.lines]
    width, height = LETTER * max(map(len, lines)) + 16, 16 * len(lines) + 10
    left = 10 if in_left_half else -10 - width
    top = max(0, min(int(y), TOP + HEIGHT - height))
    return Tip(
        x,
        pixels(top),
        width,
        height,
        left,
        [(left + 8, 17 + 16 * place, text) for place, text in enumerate(lines)],
    )


def _runs(scale: Scale, values: Sequence[Number | None]) -> list[str]:
    """Return the points of each unbroken line. A missing value breaks a line."""
    runs: list[list[str]] = [[]]
    for place, value in enumerate(values):
        if value is None:
            runs.append([])
        else:
            runs[-1].append(f"{_x(place, len(values))},{scale.y(value, HEIGHT)}")
    return [" ".join(run) for run in runs if len(run) > 1]


def _x(place: int, number: int) -> str:
    return pixels(Fraction(WIDE * (2 * place + 1), 2 * number))

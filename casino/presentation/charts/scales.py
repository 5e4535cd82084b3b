"""The scale of an axis: its range, its ticks, and the position of a value as a percentage."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from casino.presentation.formatting import MINUS

Number = int | Fraction
MOST_TICKS = 5
"""Maximum number of steps between the ticks of an axis, before its ends are rounded to whole steps."""
CROWDED = 6
"""Maximum number of ticks of which each has a label."""
NARROW, LETTER, APART = 118, 6, 5
"""In pixels: the width of the narrowest axis, which is on a phone, the width of a letter of its labels, and
the least distance between two labels.
"""
THOUSAND, MILLION = 1_000, 1_000_000


class Tick(NamedTuple):
    """A tick of an axis. `anchor` is the CSS class of its text, `line` that of its line. Narrow screens hide
    the labels with `minor`, which would run into others.
    """

    at: str
    label: str
    anchor: str
    line: str
    minor: bool


class Scale(NamedTuple):
    """A range of values that begins and ends at whole steps and includes zero."""

    low: Fraction
    high: Fraction
    step: Fraction

    def part(self, value: Number) -> Fraction:
        """Return the position of a value, from 0 at the low end to 1 at the high end."""
        low, length = self.low, self.high - self.low
        above = value.numerator * low.denominator - low.numerator * value.denominator
        return Fraction(above * length.denominator, value.denominator * low.denominator * length.numerator)

    def at(self, value: Number) -> str:
        """Return the position of a value as a percentage of the width."""
        return percent(self.part(value))

    def width(self, value: Number, other: Number) -> str:
        """Return the distance between two values as a percentage of the width."""
        return percent(abs(self.part(value) - self.part(other)))

    def y(self, value: Number, height: int) -> str:
        """Return the position of a value in pixels from the top of a plot of this height."""
        high, length = self.high, self.high - self.low
        below = high.numerator * value.denominator - value.numerator * high.denominator
        return _one_decimal(
            10 * height * below * length.denominator, value.denominator * high.denominator * length.numerator
        )

    @property
    def values(self) -> list[Fraction]:
        """Return the values of the ticks."""
        return [self.low + place * self.step for place in range(int((self.high - self.low) / self.step) + 1)]

    @property
    def ticks(self) -> list[Tick]:
        """Return the ticks from the low end to the high end. If there are many, every second one has a label,
        so that labels do not run into each other.
        """
        values = self.values
        is_crowded = len(values) > CROWDED
        labels = {
            value: "" if is_crowded and (value / self.step) % 2 else tick_label(value, self.step)
            for value in values
        }
        on_phone = self._that_fit(labels)
        return [
            Tick(
                self.at(value),
                label,
                "" if value == self.low else "e" if value == self.high else "m",
                "zero" if value == 0 else "grid",
                value not in on_phone,
            )
            for value, label in labels.items()
        ]

    def _that_fit(self, labels: dict[Fraction, str]) -> set[Fraction]:
        """Return the values whose labels fit on the narrowest axis: zero, and then the largest values first,
        as long as a label does not run into another one.
        """
        taken: dict[Fraction, tuple[Number, Number]] = {}
        for value in sorted(labels, key=lambda value: (value != 0, -abs(value))):
            width, at = LETTER * len(labels[value]), NARROW * self.part(value)
            share = 0 if value == self.low else 2 if value == self.high else 1
            begins = at - Fraction(width * share, 2)
            if width and all(
                begins + width + APART <= low or high + APART <= begins for low, high in taken.values()
            ):
                taken[value] = (begins, begins + width)
        return {*taken}

    @property
    def zero(self) -> str:
        """Return the position of zero as a percentage of the width."""
        return self.at(0)


def scale_for(values: Iterable[Number], *, is_count: bool = False, maximum: int = MOST_TICKS) -> Scale:
    """Return a scale that includes zero and all these values.

    Args:
        is_count: True if the values are counts, so that a step is at least 1.
        maximum: the maximum number of steps.
    """
    known = [Fraction(value) for value in values]
    low, high = min([Fraction(0), *known]), max([Fraction(0), *known])
    if low == high:
        high = Fraction(1)
    step = nice_step((high - low) / maximum)
    if is_count:
        step = max(step, Fraction(1))
    return Scale(floor(low / step) * step, ceil(high / step) * step, step)


def nice_step(minimum: Fraction) -> Fraction:
    """Return the smallest number of the series ..., 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, ... that is not less
    than `minimum`.
    """
    power = Fraction(1)
    while power > minimum:
        power /= 10
    while power * 10 <= minimum:
        power *= 10
    return next(power * times for times in (1, 2, 5, 10) if power * times >= minimum)


def tick_label(value: Fraction, step: Fraction) -> str:
    """Return the label of a tick: `−2k`, `0`, `0.5`, `1.5M`. All ticks of an axis have the same unit."""
    if step % MILLION == 0:
        return _decimal(value / MILLION, 0, "M")
    if step >= MILLION // 10:
        return _decimal(value / MILLION, 1, "M")
    if step % THOUSAND == 0:
        return _decimal(value / THOUSAND, 0, "k")
    digits = 0
    while digits < 6 and (step * 10**digits).denominator != 1:
        digits += 1
    return _decimal(value, digits, "")


def _decimal(value: Fraction, digits: int, unit: str) -> str:
    scaled = round(abs(value) * 10**digits)
    integer, decimals = divmod(scaled, 10**digits)
    sign, suffix = (MINUS if value < 0 else ""), unit if value else ""
    return f"{sign}{integer:,}{f'.{decimals:0{digits}d}' if digits and value else ''}{suffix}"


def percent(part: Fraction) -> str:
    """Return a part of the whole as a percentage with two decimals: `12.34%`."""
    hundredths = _rounded(part.numerator * 10_000, part.denominator)
    integer, decimals = divmod(abs(hundredths), 100)
    return f"{'-' if hundredths < 0 else ''}{integer}.{decimals:02d}%"


def pixels(length: Number) -> str:
    """Return a length in pixels with one decimal: `12.3`."""
    return _one_decimal(length.numerator * 10, length.denominator)


def _one_decimal(numerator: int, denominator: int) -> str:
    """Return `numerator` / `denominator` tenths as text with one decimal. For example, 25 / 2 tenths are
    `1.2`.
    """
    tenths = _rounded(numerator, denominator)
    integer, decimals = divmod(abs(tenths), 10)
    return f"{'-' if tenths < 0 else ''}{integer}.{decimals}"


def _rounded(numerator: int, denominator: int) -> int:
    """Return `numerator` / `denominator` as an integer, rounded half to even like `round`. The fraction is
    not reduced first. `denominator` must be above 0.
    """
    integer, remainder = divmod(numerator, denominator)
    is_up = 2 * remainder > denominator or (2 * remainder == denominator and integer % 2 == 1)
    return integer + is_up

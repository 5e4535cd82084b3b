"""Small multiples: small charts of columns over time, one for each table or other name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from casino.presentation.charts.bands import UNJUDGED, Across, Bounds, band_outlines, expected_lines
from casino.presentation.charts.scales import Number, Scale, percent, pixels, scale_for

SMALL = 44
"""Height of a small multiple in pixels."""
IN_PART = Fraction(2, 5), Fraction(2, 5)
"""The middle of a column in its part of the width, and half the width of a column. A gap is to its right."""
NAMED = 4
"""The largest number of marked columns that a tooltip names."""


class Column(NamedTuple):
    """What the tooltip says of one column, and its URL. A column without a figure has empty text."""

    name: str
    figure: str
    href: str = ""


class Drawing(NamedTuple):
    """The rectangle of one column. Its sides are `x`, `y`, `width` and `height`, its CSS class is `kind`."""

    x: str
    y: str
    width: str
    height: str
    kind: str
    column: Column | None


class Small(NamedTuple):
    """One small multiple: a name with its total, a URL, and columns.

    Attributes:
        high: the label of the upper line, or empty text if all small multiples share one scale.
        tip: the lines that appear when the chart is pointed at or has the focus.
        expected: the points of the lines of expected values.
        bands: the outlines of their bounds.
    """

    name: str
    written: str
    href: str
    label: str
    columns: list[Drawing]
    zero: str
    high: str
    tip: list[str]
    expected: Sequence[str] = ()
    bands: Sequence[str] = ()


class Multiples(NamedTuple):
    """Small multiples, ready to be drawn.

    Attributes:
        high: the label of the upper line, or empty text if each small multiple has its own scale.
    """

    says: str
    note: str
    high: str
    charts: list[Small]
    height: int
    total: int
    every: str

    @property
    def is_cut(self) -> bool:
        """Return True if not all small charts are shown."""
        return len(self.charts) < self.total


class Rows(NamedTuple):
    """The data of one small chart: its name, its URL and its values.

    Attributes:
        marked: the indexes of the columns that are exceptions.
        columns: what the tooltip says of each column. Empty if there is no tooltip.
        expected: the expected value of each column, or nothing.
        bounds: the bounds of each column, or nothing.
        not_judged: the indexes of the columns that are not judged. They are gray and hatched.
    """

    name: str
    written: str
    href: str
    values: Sequence[Number]
    marked: frozenset[int] = frozenset()
    columns: Sequence[Column] = ()
    expected: Sequence[Number | None] = ()
    bounds: Sequence[Bounds | None] = ()
    not_judged: frozenset[int] = frozenset()

    def drawn(self) -> Iterator[Number]:
        """Yield all values that the scale must include."""
        yield from self.values
        yield from (value for value in self.expected if value is not None)
        for ends in self.bounds:
            yield from ends or ()


def small_multiples(
    rows: Sequence[Rows],
    says: str,
    *,
    note: str = "",
    total: int = 0,
    every: str = "",
    unit: str = "",
    own_scales: bool = False,
) -> Multiples:
    """Return one small chart for each row.

    Args:
        own_scales: each chart has its own scale, and names its upper line. Otherwise all have the same scale.
    """
    shared = None if own_scales else _scale(rows)
    charts = [_small(row, shared or _scale([row]), names_line=own_scales) for row in rows]
    high = f"{shared.ticks[-1].label} {unit}".strip() if shared else ""
    return Multiples(says, note, high, charts, SMALL, max(total, len(rows)), every)


def _scale(rows: Sequence[Rows]) -> Scale:
    return scale_for((value for row in rows for value in row.drawn()), maximum=2)


def _bar(value: Number, scale: Scale) -> tuple[str, str]:
    """Return the y coordinate and the height of a column with this value."""
    at, zero = scale.part(value), scale.part(0)
    top, bottom = max(at, zero), min(at, zero)
    return pixels((1 - top) * SMALL), pixels(max((top - bottom) * SMALL, Fraction(1 if value else 0)))


def _small(row: Rows, scale: Scale, *, names_line: bool) -> Small:
    """Return the drawing of one small multiple. Columns without height are left out.

    Args:
        names_line: the chart itself has the label of its upper line.
    """
    number = max(len(row.values), 1)
    width = percent(Fraction(4, 5 * number))
    bars = {value: _bar(value, scale) for value in set(row.values)}
    columns = [
        Drawing(
            percent(Fraction(place, number)),
            bars[value][0],
            width,
            bars[value][1],
            "falarm" if place in row.marked else UNJUDGED if place in row.not_judged else "mark",
            row.columns[place] if row.columns else None,
        )
        for place, value in enumerate(row.values)
        if value
    ]
    zero = pixels((1 - scale.part(0)) * SMALL)
    high = scale.ticks[-1].label if names_line else ""
    marked = f", {len(row.marked)} marked" if row.marked else ""
    tip = _tip(row)
    label = "; ".join((f"{row.name}: {row.written}{marked}", *tip))
    across, y = Across(number, *IN_PART), partial(scale.y, height=SMALL)
    return Small(
        row.name,
        row.written,
        row.href,
        label,
        columns,
        zero,
        high,
        tip,
        expected_lines(row.expected, across, y),
        band_outlines(row.bounds, across, y),
    )


def _tip(row: Rows) -> list[str]:
    """Return the lines of a tooltip: the highest and the lowest column, and the first marked ones."""
    known = [place for place, column in enumerate(row.columns) if column.figure]
    if len(known) < 2:
        return []
    highest, lowest = (choose(known, key=lambda place: row.values[place]) for choose in (max, min))
    marked = [place for place in known if place in row.marked]
    lines = [("highest", highest), ("lowest", lowest), *(("marked", place) for place in marked[:NAMED])]
    further = [f"{len(marked) - NAMED} more marked"] if len(marked) > NAMED else []
    return [f"{word} {row.columns[at].name}: {row.columns[at].figure}" for word, at in lines] + further

"""Draw charts as SVG: horizontal bars around zero, and waterfalls. The style sheet sets their colors. A table
on the same page shows the same figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

BAR, GAP, LABEL, WIDE, ROOM, BEHIND, DIGIT = 18, 10, 110, 280, 84, 14, 9


def bars(rows: Sequence[tuple[str, float, str]], says: str, label: int = LABEL) -> SafeString:
    """Draw horizontal bars around zero from rows of (name, value, formatted value).

    `label`: the width reserved for the names. A table on the page must show the same figures.
    """
    high, low = max((0.0, *(value for _, value, _ in rows))), min((0.0, *(value for _, value, _ in rows)))
    scale = WIDE / (high - low or 1)
    zero = label - low * scale
    drawn = format_html_join(
        "",
        '<text class="name" x="{}" y="{}">{}</text><rect class="{}" x="{}" y="{}" width="{}" height="{}"'
        ' rx="2"/><text class="value" x="{}" y="{}">{}</text>',
        (_bar(place, *row, zero, scale, label) for place, row in enumerate(rows)),
    )
    height = len(rows) * (BAR + GAP) + 4
    line = format_html('<line class="zero" x1="{0}" x2="{0}" y1="0" y2="{1}"/>', round(zero, 1), height)
    svg = '<svg class="bars" role="img" aria-label="{}" viewBox="0 0 {} {}">{}{}</svg>'
    return format_html(
        svg, says, label + WIDE + room_of(ROOM, (written for *_, written in rows)), height, line, drawn
    )


def room_of(least: int, written: Iterable[str]) -> int:
    """Return the width reserved for the formatted values, at least `least`. It fits the longest of them,
    which may follow the longest bar.
    """
    return max((least, *(BEHIND + DIGIT * len(text) for text in written)))


def _bar(
    place: int, name: str, value: float, written: str, zero: float, scale: float, label: int
) -> tuple[object, ...]:
    top, long = place * (BAR + GAP) + 4, abs(value) * scale
    left, right = (zero - long, zero) if value < 0 else (zero, zero + long)
    kind = "less" if value < 0 else "more"
    return (
        label - 10,
        top + 14,
        name,
        kind,
        round(left, 1),
        top,
        round(long, 1),
        BAR,
        round(right + 8, 1),
        top + 14,
        written,
    )


STEP_BAR, STEP, STEP_LABEL, STEP_WIDE, STEP_ROOM = 22, 34, 150, 400, 110


class Step(NamedTuple):
    """One bar of a waterfall. If `total` is True, the bar shows the sum so far. Otherwise it shows a part
    that is added to the sum.
    """

    name: str
    value: float
    written: str
    total: bool = False


def waterfall(steps: Sequence[Step], says: str) -> SafeString:
    """Draw a waterfall. Each bar begins where the previous one ended, and totals begin at zero.

    A table on the page must show the same figures.
    """
    ends, level = [], 0.0
    for step in steps:
        begins = 0.0 if step.total else level
        level = begins + step.value
        ends.append((begins, level))
    low, high = min(0.0, *(min(pair) for pair in ends)), max(0.0, *(max(pair) for pair in ends))
    scale = STEP_WIDE / (high - low or 1)

    def at(value: float) -> float:
        return round(STEP_LABEL + (value - low) * scale, 1)

    drawn = format_html_join(
        "",
        '<text class="name" x="{}" y="{}">{}</text><rect class="{}" x="{}" y="{}" width="{}" height="{}"'
        ' rx="2"/><text class="value" x="{}" y="{}">{}</text>',
        (
            _step_bar(place, step, at(min(pair)), at(max(pair)))
            for place, (step, pair) in enumerate(zip(steps, ends, strict=True))
        ),
    )
    links = format_html_join(
        "",
        '<line class="link" x1="{0}" x2="{0}" y1="{1}" y2="{2}"/>',
        (
            (at(level), place * STEP + 4 + STEP_BAR, (place + 1) * STEP + 4)
            for place, (_, level) in enumerate(ends[:-1])
        ),
    )
    height = len(steps) * STEP
    zero = format_html('<line class="zero" x1="{0}" x2="{0}" y1="0" y2="{1}"/>', at(0.0), height)
    svg = '<svg class="bars fall" role="img" aria-label="{}" viewBox="0 0 {} {}">{}{}{}</svg>'
    return format_html(
        svg,
        says,
        STEP_LABEL + STEP_WIDE + room_of(STEP_ROOM, (step.written for step in steps)),
        height,
        links,
        zero,
        drawn,
    )


def _step_bar(place: int, step: Step, left: float, right: float) -> tuple[object, ...]:
    top = place * STEP + 4
    kind = "sum" if step.total else "less" if step.value < 0 else "more"
    return (
        STEP_LABEL - 12,
        top + 16,
        step.name,
        kind,
        left,
        top,
        max(round(right - left, 1), 1),
        STEP_BAR,
        right + 8,
        top + 16,
        step.written,
    )

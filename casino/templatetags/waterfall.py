"""A waterfall: how one amount becomes another, part by part. Drawn here, styled by the style sheet, named for who cannot see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from casino.templatetags.felt import room_of

register = template.Library()

BAR, STEP, LABEL, WIDE, ROOM = 22, 34, 150, 400, 110


class Step(NamedTuple):
    """A part that is added to what stands before it, or (`total`) what stands by then."""

    name: str
    value: float
    written: str
    total: bool = False


@register.simple_tag
def waterfall(steps: Sequence[Step], says: str) -> SafeString:
    """Bars that begin where the one before ended; a total begins at nought. A table with the same figures stands beside it."""
    ends, stands = [], 0.0
    for step in steps:
        begins = 0.0 if step.total else stands
        stands = begins + step.value
        ends.append((begins, stands))
    low, high = min(0.0, *(min(pair) for pair in ends)), max(0.0, *(max(pair) for pair in ends))
    scale = WIDE / (high - low or 1)

    def at(value: float) -> float:
        return round(LABEL + (value - low) * scale, 1)

    drawn = format_html_join(
        "",
        '<text class="name" x="{}" y="{}">{}</text><rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="2"/>'
        '<text class="value" x="{}" y="{}">{}</text>',
        (_bar(place, step, at(min(pair)), at(max(pair))) for place, (step, pair) in enumerate(zip(steps, ends, strict=True))),
    )
    links = format_html_join(
        "", '<line class="link" x1="{0}" x2="{0}" y1="{1}" y2="{2}"/>',
        ((at(stood), place * STEP + 4 + BAR, (place + 1) * STEP + 4) for place, (_, stood) in enumerate(ends[:-1])),
    )  # fmt: skip
    height = len(steps) * STEP
    nought = format_html('<line class="nought" x1="{0}" x2="{0}" y1="0" y2="{1}"/>', at(0.0), height)
    svg = '<svg class="bars fall" role="img" aria-label="{}" viewBox="0 0 {} {}">{}{}{}</svg>'
    return format_html(svg, says, LABEL + WIDE + room_of(ROOM, (step.written for step in steps)), height, links, nought, drawn)


def _bar(place: int, step: Step, left: float, right: float) -> tuple[object, ...]:
    top = place * STEP + 4
    kind = "sum" if step.total else "less" if step.value < 0 else "more"
    return (LABEL - 12, top + 16, step.name, kind, left, top, max(round(right - left, 1), 1), BAR, right + 8, top + 16, step.written)

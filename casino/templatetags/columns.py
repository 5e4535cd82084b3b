"""Template tag that draws a column chart as inline SVG. The page also shows the figures in a table."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

WIDE, HIGH, ROOM, FOOT, SIDE = 480, 150, 18, 30, 16
BROADEST = 90
"""Maximum width of a column. Without it, two columns would fill the whole chart."""


@register.simple_tag
def columns(rows: Sequence[tuple[str, float, str]], says: str) -> SafeString:
    """Draw columns around zero from rows of (name, value, formatted value). Names that would overlap are
    omitted.
    """
    high, low = max((0.0, *(value for _, value, _ in rows))), min((0.0, *(value for _, value, _ in rows)))
    scale = HIGH / (high - low or 1)
    zero = ROOM + high * scale
    step = min(WIDE / max(len(rows), 1), BROADEST)
    every = max(1, round(max((len(name) for name, _, _ in rows), default=1) * 7 / step + 0.5))
    drawn = format_html_join(
        "",
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="1"><title>{}: {}</title></rect>{}',
        (
            (
                "less" if value < 0 else "more",
                round(place * step + step * 0.14, 1),
                round(zero - max(value, 0) * scale, 1),
                round(step * 0.72, 1),
                round(max(abs(value) * scale, 1 if value else 0), 1),
                name,
                written,
                _name(name, place, step, every),
            )
            for place, (name, value, written) in enumerate(rows)
        ),
    )
    top = max((row for row in rows), key=lambda row: abs(row[1]), default=("", 0.0, ""))
    most = (
        format_html('<text class="value" x="0" y="12">{}: {}</text>', top[0], top[2])
        if top[0]
        else SafeString("")
    )
    line = format_html('<line class="zero" x1="0" x2="{0}" y1="{1}" y2="{1}"/>', WIDE, round(zero, 1))
    svg = '<svg class="columns" role="img" aria-label="{}" viewBox="{} 0 {} {}">{}{}{}</svg>'
    return format_html(
        svg,
        f"{says}; the table has the figures",
        -SIDE,
        WIDE + 2 * SIDE,
        HIGH + ROOM + FOOT,
        drawn,
        line,
        most,
    )


def _name(name: str, place: int, step: float, every: int) -> SafeString:
    if place % every:
        return SafeString("")
    return format_html(
        '<text class="name" x="{}" y="{}">{}</text>',
        round(place * step + step / 2, 1),
        HIGH + ROOM + FOOT - 10,
        name,
    )

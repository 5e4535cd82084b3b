"""Template tags that draw charts (`casino/presentation/charts`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from casino.presentation.charts.scales import Tick
from casino.presentation.charts.series import Place, Plot, Small

register = template.Library()


def _drawn_by(name: str) -> Callable[[Any], dict[str, Any]]:
    @register.inclusion_tag(f"charts/{name}.html", name=name)
    def draw(chart: Any) -> dict[str, Any]:
        return {"chart": chart}

    return draw


@register.simple_tag
def grid(ticks: Iterable[Tick], height: int) -> SafeString:
    """Return the vertical lines of a drawing of this height in pixels. Every row of a chart has the same."""
    return _grid(tuple(ticks), height)


@lru_cache(maxsize=100)
def _grid(ticks: tuple[Tick, ...], height: int) -> SafeString:
    lines = ((tick.line, tick.at, tick.at, height) for tick in ticks)
    return format_html_join("", '<line class="{}" x1="{}" x2="{}" y1="0" y2="{}"/>', lines)


@register.simple_tag
def small_columns(small: Small) -> SafeString:
    """Return the columns of a small multiple. Charts have hundreds of marks, for which the loops of a
    template take too long.
    """
    marks = ((kind, x, y, width, height) for x, y, width, height, kind in small.columns)
    return format_html_join("", '<rect class="{}" x="{}" y="{}" width="{}" height="{}"/>', marks)


@register.simple_tag
def plot_columns(chart: Plot) -> SafeString:
    """Return the columns of a chart over time."""
    marks = (
        (place.kind, place.bar_x, place.bar_width, place.bar_y, place.bar_height)
        for place in chart.places
        if place.point.value
    )
    return format_html_join("", '<rect class="{}" x="{}" width="{}" y="{}" height="{}"/>', marks)


@register.simple_tag
def plot_places(chart: Plot) -> SafeString:
    """Return the area of each place that reacts to the pointer, with its link and its tooltip."""
    return format_html_join("", "{}{}", ((_hit(chart, place), _tip(place)) for place in chart.places))


def _hit(chart: Plot, place: Place) -> SafeString:
    hit = format_html(
        '<rect class="hit" x="{}" width="{}" y="{}" height="{}"/>',
        *(place.left, place.width, chart.top, chart.height),
    )
    if place.point.href:
        return format_html('<a href="{}" aria-label="{}">{}</a>', place.point.href, place.point.label, hit)
    return format_html('<g class="mark-at">{}</g>', hit)


def _tip(place: Place) -> SafeString:
    tip = place.tip
    return format_html(
        '<g class="tip" aria-hidden="true"><svg x="{}" y="{}" overflow="visible">'
        '<rect x="{}" y="0" width="{}" height="{}" rx="3"/>{}</svg></g>',
        *(tip.x, tip.y, tip.left, tip.width, tip.height),
        format_html_join("", '<text x="{}" y="{}">{}</text>', tip.lines),
    )


@register.simple_tag
def plot_figures(chart: Plot) -> SafeString:
    """Return the rows of the table with the figures of a chart over time."""
    return format_html_join(
        "",
        '<tr><th scope="row">{}</th><td class="n">{}</td>{}</tr>',
        (
            (
                format_html('<a href="{}">{}</a>', point.href, point.name) if point.href else point.name,
                point.written,
                format_html("<td>{}</td>", "; ".join(point.tip)) if chart.has_tips else "",
            )
            for point in chart.points
        ),
    )


for _name in ("bars", "waterfall", "plot", "multiples", "rate_head", "rate_cell", "money_cell"):
    _drawn_by(_name)

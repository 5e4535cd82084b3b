"""Template tags that draw charts (`casino/presentation/charts`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from html import escape
from typing import Any

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from casino.presentation.charts.bands import UNJUDGED
from casino.presentation.charts.cells import MoneyCell, RateAxis, RateCell
from casino.presentation.charts.multiples import Drawing, Small
from casino.presentation.charts.scales import Tick
from casino.presentation.charts.series import Place, Plot, Point

register = template.Library()
CELL, MIDDLE = 38, 19
"""Height of a drawing in a cell of a table and the y coordinate of its middle, in pixels."""


def _drawn_by(name: str) -> Callable[[Any], dict[str, Any]]:
    @register.inclusion_tag(f"charts/{name}.html", name=name)
    def draw(chart: Any) -> dict[str, Any]:
        return {"chart": chart}

    return draw


@register.simple_tag
def grid(ticks: Iterable[Tick], height: int) -> SafeString:
    """Return the vertical grid lines for a row of a chart.

    Args:
        height: the height of the row in pixels.
    """
    return _grid(tuple(ticks), height)


@lru_cache(maxsize=100)
def _grid(ticks: tuple[Tick, ...], height: int) -> SafeString:
    lines = ((tick.line, tick.at, tick.at, height) for tick in ticks)
    return format_html_join("", '<line class="{}" x1="{}" x2="{}" y1="0" y2="{}"/>', lines)


@register.simple_tag
def small_columns(small: Small) -> SafeString:
    """Return the columns of a small multiple as HTML. This is not a template, because a page has hundreds of
    columns and a loop in a template would take too long.
    """
    return SafeString("".join(map(_small_column, small.columns)))


def _small_column(drawn: Drawing) -> str:
    """Return one column. It is a link for the pointer only: for the keyboard the whole chart is one link, and
    its tooltip names the columns that matter.
    """
    x, y, width, height, kind, column = drawn
    rect = f'<rect class="{kind}"{_hatch(kind)} x="{x}" y="{y}" width="{width}" height="{height}"/>'
    if kind == "falarm":
        rect += f'<text class="over" x="{x}" y="{max(float(y) - 1, 8):g}">▲</text>'
    if column is None:
        return rect
    title = f"<title>{escape(column.name)}: {escape(column.figure)}</title>"
    hit = f'<rect class="hit" x="{x}" y="0" width="{width}" height="100%"/>'
    if not column.href:
        return f"<g>{title}{rect}{hit}</g>"
    return f'<a href="{escape(column.href)}" tabindex="-1">{title}{rect}{hit}</a>'


def _hatch(kind: str) -> str:
    """Return the attribute that fills a mark that is not judged with the pattern of `charts/_hatch.html`."""
    return ' fill="url(#unjudged)"' if kind == UNJUDGED else ""


@register.simple_tag
def plot_columns(chart: Plot) -> SafeString:
    """Return the columns of a chart over time."""
    return SafeString(
        "".join(
            f'<rect class="{place.kind}"{_hatch(place.kind)} x="{place.bar_x}" width="{place.bar_width}"'
            f' y="{place.bar_y}" height="{place.bar_height}"/>'
            for place in chart.places
            if place.point.value
        )
    )


@register.simple_tag
def plot_places(chart: Plot) -> SafeString:
    """Return the areas of a chart over time that react to the pointer. Each area has a tooltip and, if its
    point has one, a link.
    """
    return SafeString("".join(_hit(chart, place) + _tip(place) for place in chart.places))


def _hit(chart: Plot, place: Place) -> str:
    hit = (
        f'<rect class="hit" x="{place.left}" width="{place.width}" y="{chart.top}" height="{chart.height}"/>'
    )
    if place.point.href:
        label = escape(place.point.label)
        return f'<a href="{escape(place.point.href)}" aria-label="{label}">{hit}</a>'
    return f'<g class="mark-at">{hit}</g>'


def _tip(place: Place) -> str:
    tip = place.tip
    lines = "".join(f'<text x="{x}" y="{y}">{escape(text)}</text>' for x, y, text in tip.lines)
    return (
        f'<g class="tip" aria-hidden="true"><svg x="{tip.x}" y="{tip.y}" overflow="visible">'
        f'<rect x="{tip.left}" y="0" width="{tip.width}" height="{tip.height}" rx="3"/>{lines}</svg></g>'
    )


@register.simple_tag
def plot_figures(chart: Plot) -> SafeString:
    """Return the rows of the table with the figures of a chart over time."""
    return SafeString("".join(_figures(point, with_tip=chart.has_tips) for point in chart.points))


def _figures(point: Point, *, with_tip: bool) -> str:
    name = escape(point.name)
    named = f'<a href="{escape(point.href)}">{name}</a>' if point.href else name
    tip = f"<td>{escape('; '.join(point.lines))}</td>" if with_tip else ""
    return f'<tr><th scope="row">{named}</th><td class="n">{escape(point.written)}</td>{tip}</tr>'


@register.simple_tag
def rate_cell(drawn: tuple[RateAxis, RateCell]) -> SafeString:
    """Return the drawing of a rate, with a line from its lower to its upper bound."""
    axis, cell = drawn
    if cell.kind == "out":
        circle = f'<circle class="outring" cx="{cell.at}" cy="{MIDDLE}" r="4.5"/>'
    else:
        circle = f'<circle class="{"hollow" if cell.kind else "mark"}" cx="{cell.at}" cy="{MIDDLE}" r="4.5"/>'
    return SafeString(
        f'<svg class="chart cell" width="100%" height="{CELL}" role="img" aria-label="{escape(cell.label)}">'
        f"{_grid(tuple(axis.ticks), CELL)}"
        f'<line class="expect" x1="{axis.expected}" x2="{axis.expected}" y1="0" y2="{CELL}"/>'
        f'<line class="whisk {cell.kind}" x1="{cell.low}" x2="{cell.high}" y1="{MIDDLE}" y2="{MIDDLE}"/>'
        f"{circle}</svg>"
    )


@register.simple_tag
def money_cell(cell: MoneyCell) -> SafeString:
    """Return the drawing of two amounts as bars from zero: to the casino at the left, to players at the
    right.
    """
    bars = "".join(
        f'<rect class="{kind}" x="{bar.x}" width="{bar.width}" y="13" height="12"/>'
        for kind, bar in (("fgain", cell.house), ("floss", cell.players))
    )
    return SafeString(
        f'<svg class="chart cell" width="100%" height="{CELL}" aria-hidden="true">{bars}'
        f'<line class="zero" x1="{cell.zero}" x2="{cell.zero}" y1="0" y2="{CELL}"/></svg>'
    )


for _name in ("bars", "waterfall", "plot", "multiples", "rate_head"):
    _drawn_by(_name)

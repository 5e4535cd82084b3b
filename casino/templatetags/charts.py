"""Template tags that draw charts (`casino/presentation/charts`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from casino.presentation.charts.scales import Tick

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


for _name in ("bars", "waterfall", "plot", "multiples", "rate_head", "rate_cell", "money_cell"):
    _drawn_by(_name)

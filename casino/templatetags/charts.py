"""Template tags that draw charts (`casino/presentation/charts`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import template

register = template.Library()


def _drawn_by(name: str) -> Callable[[Any], dict[str, Any]]:
    @register.inclusion_tag(f"charts/{name}.html", name=name)
    def draw(chart: Any) -> dict[str, Any]:
        return {"chart": chart}

    return draw


for _name in ("bars", "waterfall", "plot", "multiples", "rate_head", "rate_cell", "money_cell"):
    _drawn_by(_name)

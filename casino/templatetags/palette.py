"""Template tag of the search over pages, tables, reports, people and hands."""

from __future__ import annotations

from typing import Any

from django import template

from casino.palette import places

register = template.Library()


@register.simple_tag
def search_kinds(person: Any) -> list[str]:
    """Return what the person can find by the search, for example `["page", "report", "hand"]`."""
    return places.kinds(person)

"""Template tag that names the property of a page to people who work at several."""

from __future__ import annotations

from typing import Any

from django import template

register = template.Library()


@register.simple_tag(takes_context=True)
def at_property(context: Any, before: str = ", ") -> str:
    """Return the property of the page after `before`, if the user works at several properties. Otherwise,
    the property is never in doubt, and the tag returns empty text.
    """
    properties = [property for property, roles in context["request"].user.roles.items() if roles]
    return f"{before}{context['property']}" if len(properties) > 1 else ""

"""Template tag of the navigation: the pages that the user may open, search, and the logged-in user."""

from __future__ import annotations

from typing import Any

from django import template

from casino.accounts.permissions import properties
from casino.web.navigation import groups_for

register = template.Library()


@register.inclusion_tag("_nav.html", takes_context=True)
def nav(context: Any) -> dict[str, Any]:
    """Return the context of the navigation, which only links to pages that the user may open."""
    request = context["request"]
    person = request.user
    groups = groups_for(person, request.path)
    roles = sorted({role for held in person.roles.values() for role in held})
    return {
        "request": request,
        "groups": groups,
        "first": [link for group in groups for link in group.links][:4],
        "person": person,
        "roles": ", ".join(roles).replace("-", " "),
        "is_alerted": bool(properties(person, "see-alerts")),
        "may_log": bool(properties(person, "write-log")),
    }

"""Template tag of the navigation: links to the pages that the user may open, the search button, and the
logged-in user.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from casino.accounts.permissions import properties
from casino.web.navigation import Group, groups_for

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
        "groups": _groups(tuple(groups)),
        "first": [link for group in groups for link in group.links][:4],
        "person": person,
        "roles": ", ".join(roles).replace("-", " "),
        "is_alerted": bool(properties(person, "see-alerts")),
        "is_group": settings.GROUP,
        "may_log": bool(properties(person, "write-log")),
    }


@lru_cache(maxsize=500)
def _groups(groups: tuple[Group, ...]) -> SafeString:
    """Return the links as HTML. The HTML is cached, because it depends only on the groups and each page shows
    it twice.
    """
    return render_to_string("_nav_groups.html", {"groups": groups})


@register.simple_tag
def is_group() -> bool:
    """Return True in an installation that follows several properties and records nothing."""
    return bool(settings.GROUP)

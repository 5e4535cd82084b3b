"""Template tag of the navigation bar: the pages that the user may open, quick search, and the
logged-in user.
"""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import NoReverseMatch, reverse

from casino.accounts.permissions import properties

register = template.Library()

PAGES = (
    ("see-queue", "queue", "Queue", "q"),
    ("see-hand", "hands", "Hands", "s"),
    ("see-hold", "hold", "Hold", "h"),
    ("see-hold", "reports", "Reports", "r"),
    ("see-hold", "exports", "Exports", "x"),
    ("see-floor", "floor", "Floor", "f"),
    ("see-cage", "cage", "Cage", "c"),
    ("see-count", "count", "Count", ""),
    ("close-day", "closing", "Close", ""),
    ("close-day", "journal", "Journal", ""),
    ("see-certificate", "certificate", "Certificate", "o"),
    ("see-views", "views", "Viewing log", "v"),
    ("enter-admin", "admin:index", "Admin", "a"),
)


@register.inclusion_tag("_nav.html", takes_context=True)
def nav(context: Any) -> dict[str, Any]:
    """Return the context of the navigation bar, which only links to pages that the user may open."""
    request = context["request"]
    person = request.user
    pages = []
    for act, name, label, key in PAGES:
        try:
            address = reverse(name)
        except NoReverseMatch:
            continue
        if properties(person, act):
            pages.append(
                (
                    address,
                    label,
                    key,
                    request.path.startswith(address)
                    or (name == "queue" and request.path.startswith(("/hand/", "/fact/"))),
                )
            )
    roles = sorted({role for held in person.roles.values() for role in held})
    return {
        "request": request,
        "pages": pages,
        "person": person,
        "roles": ", ".join(roles).replace("-", " "),
        "may_jump": bool(properties(person, "see-hand")),
    }

"""Template tags for cases. They label the items of a case, and find the cases that contain a hand."""

from __future__ import annotations

from typing import Any

from django import template

from audit.review.hands import Played
from casino.accounts.permissions import can, properties
from casino.cases import access, packs, queries
from casino.cases.parts import hand_part
from casino.cases.timeline import part_label

register = template.Library()
register.filter("part_label", part_label)


@register.simple_tag(takes_context=True)
def may_open_case(context: Any) -> bool:
    """Return True if the user may open a case at some property."""
    person = context["request"].user
    return bool(properties(person, access.WORK) or properties(person, access.WORK_SUSPICION))


@register.inclusion_tag("cases/_of_hand.html", takes_context=True)
def cases_of_hand(context: Any, played: Played, name: str) -> dict[str, Any]:
    """Return the template context about the cases of a hand: the cases that contain it, as far as the user
    may see them, and the actions that the user may take.
    """
    person, property = context["request"].user, played.property
    may_see = can(person, access.SEE, property)
    part = hand_part(played.stream, name)
    return {
        "property": property,
        "stream": played.stream,
        "hand": context["in_forms"],
        "chosen": f"{played.stream}|{context['in_forms']}",
        "may_see": may_see,
        "rows": [row for _, row in queries.cases_joining(person, property, [part])] if may_see else [],
        "may_open": can(person, access.WORK, property) or can(person, access.WORK_SUSPICION, property),
        "may_pack": may_see and packs.may_order(person, property),
        "csrf_token": context.get("csrf_token"),
    }

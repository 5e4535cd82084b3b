"""Template tag for a notice that some jobs need the attention of a person."""

from __future__ import annotations

from typing import Any

from django import template

from audit.queries import job_alarms
from casino.accounts.permissions import can, properties

register = template.Library()

READERS = ("see-hold", "see-jobs", "close-day")
"""Rights to see the notice. One of them is enough. Users with these rights need the notice, because figures
may be incomplete and exports may be missing.
"""


@register.inclusion_tag("_job_alarms.html", takes_context=True)
def job_alarms_notice(context: Any) -> dict[str, Any]:
    """Return the context of the notice. The notice is empty if no job of the user's properties needs
    attention.
    """
    person = context["request"].user
    places = sorted({property for act in READERS for property in properties(person, act)})
    alarms = job_alarms.of_properties(places)
    return {
        "alarms": alarms,
        "several": len(places) > 1,
        "may_see_jobs": any(can(person, "see-jobs", alarm.property) for alarm in alarms),
    }

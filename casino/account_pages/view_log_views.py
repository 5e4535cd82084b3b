"""The page of the viewing log, for internal audit and the regulator: who viewed which hand or downloaded
which report, and when.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from audit.facts.input_parsing import whole
from casino.accounts import view_log
from casino.web import request_params

MOST_HOURS = 8_784
"""The number of hours of the longest year."""


@require_safe
def views_log(request: HttpRequest) -> HttpResponse:
    """Show the viewing log, latest entry first. Parameters: `property`, `person`, `table`; `kind`, which is
    `hands` or `files`; `hours`, the number of hours before now.
    """
    before, person, table, kind, property, hours = (
        request_params.clean_text(request.GET.get(name))
        for name in ("before", "person", "table", "kind", "property", "hours")
    )
    places = (
        [request_params.chosen_property(request, "see-views")]
        if property
        else request_params.permitted_properties(request, "see-views")
    )
    if kind not in ("", *view_log.KINDS):
        raise BadRequest(f"kind must be {' or '.join(view_log.KINDS)}, for example kind=hands.")
    viewings = view_log.viewings(
        places, person=person, table=table, kind=kind, since=_since(hours), before=whole(before)
    )
    zones = request_params.zones(places)
    rows = [
        (
            viewing,
            viewing.address or request_params.hand_url(viewing.stream, viewing.hand),
            zones[viewing.property],
        )
        for viewing in viewings[: view_log.PAGE]
    ]
    last_shown = viewings[view_log.PAGE - 1].id if len(viewings) > view_log.PAGE else None
    return render(
        request,
        "surveillance/views.html",
        {
            "rows": rows,
            "more": last_shown,
            "person": person,
            "table": table,
            "kind": kind,
            "hours": hours,
            "property": property,
            "query": request_params.query_of(
                person=person, table=table, kind=kind, hours=hours, property=property
            ),
            "kinds": list(view_log.KINDS),
            "is_filtered": any((person, table, kind, hours)),
        },
    )


def _since(hours: str) -> datetime | None:
    """Return the time that many hours before now, or None if the parameter is empty. Raise BadRequest if it
    is not a number of hours.
    """
    if not hours:
        return None
    number = whole(hours)
    if number is None or not 1 <= number <= MOST_HOURS:
        raise BadRequest(f"hours must be from 1 to {MOST_HOURS}, for example hours=24.")
    return timezone.now() - timedelta(hours=number)

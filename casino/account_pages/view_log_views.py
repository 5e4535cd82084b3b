"""The page of the viewing log, for internal audit and the regulator: who viewed which hand or downloaded
which report, and when.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from audit.facts.input_parsing import whole
from casino.accounts import view_log
from casino.web import request_params


@require_safe
def views_log(request: HttpRequest) -> HttpResponse:
    """Show the viewing log, latest entry first."""
    places = request_params.permitted_properties(request, "see-views")
    before, person, table = (
        request_params.clean_text(request.GET.get(name)) for name in ("before", "person", "table")
    )
    viewings = view_log.viewings(places, person=person, table=table, before=whole(before))
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
        {"rows": rows, "more": last_shown, "person": person, "table": table},
    )

"""The viewing log, for internal audit and the regulator: who saw which hand or took which report away, and when."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from audit.facts.input_parsing import whole
from casino import viewing
from casino.web import asked


@require_safe
def views_log(request: HttpRequest) -> HttpResponse:
    """The latest views first."""
    places = asked.where(request, "see-views")
    before, person, table = (asked.text(request.GET.get(name)) for name in ("before", "person", "table"))
    found = viewing.viewings(places, person=person, table=table, before=whole(before))
    zones = asked.zones(places)
    rows = [(each, each.address or asked.address(each.stream, each.hand), zones[each.property]) for each in found[: viewing.PAGE]]
    more = found[viewing.PAGE - 1].id if len(found) > viewing.PAGE else None
    return render(request, "surveillance/views.html", {"rows": rows, "more": more, "person": person, "table": table})

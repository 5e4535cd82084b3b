"""The search for pages, tables, reports, people and hands. The results are shown on a page, or in the palette
(Ctrl+K).
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe

from casino.palette import places
from casino.surveillance.quick_search_text import ambiguity
from casino.web.request_params import is_partial_request


@require_safe
def find(request: HttpRequest) -> HttpResponse:
    """Show the pages, tables, reports, people and hands that match a text. Only those that the user may open
    are shown. If the request does not come from htmx, redirect in two cases: to the only result, or to the
    hand that the text names.
    """
    typed = request.GET.get("q", "").strip()[:200]
    groups = places.find(request.user, typed)
    context = {"typed": typed, "groups_found": groups, "refused_date": ambiguity(typed)}
    if is_partial_request(request):
        return render(request, "find/_found.html", context)
    every = [place for _, group in groups for place in group]
    if typed and every and (len(every) == 1 or groups[0][0] == "Hands"):
        return HttpResponseRedirect(every[0].address)
    return render(request, "find/find.html", context)

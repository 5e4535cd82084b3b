"""While the database is unavailable, answer requests with 503: under /api/ with a problem document, otherwise
with a page. The answer says when to try again.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone

from casino.presentation.problem_document import document, is_api
from casino.runtime.database_watch import watch
from casino.runtime.operations import logs
from casino.runtime.outages import DATABASE_AWAY, Outage


class RefuseWithoutDatabase:
    """Middleware that answers immediately while the database is unavailable
    (casino/runtime/database_watch.py).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return unavailable(request, DATABASE_AWAY) if watch.is_away else self.get_response(request)


def unavailable(request: HttpRequest, outage: Outage) -> HttpResponse:
    """Return the answer to a request that failed because of an outage. This does not query the database."""
    if is_api(request):
        says = f"{outage.says} Send the request again in {outage.seconds} seconds."
        response = document(503, outage.code, says, retry_after=outage.seconds)
    else:
        values = {
            "says": outage.says,
            "seconds": outage.seconds,
            "at": timezone.now(),
            "path": request.get_full_path() if request.method == "GET" else "",
            "number": logs.request_id(),
        }
        response = HttpResponse(render_to_string("503.html", values), status=503)
    response["Retry-After"] = str(outage.seconds)
    response["Cache-Control"] = "no-store"
    return response

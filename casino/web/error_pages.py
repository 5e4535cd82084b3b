"""Error pages that say what is wrong and what to do. They can be rendered even if other parts of the site
fail.
"""

from __future__ import annotations

from django.core.exceptions import BadRequest, DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.template.loader import render_to_string
from django.utils import timezone

from casino.runtime.operations import logs


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render the 400 page. It shows the message of a `BadRequest`, or the host name if the host name is not
    allowed.
    """
    says, host = str(exception) if isinstance(exception, BadRequest) else "", ""
    if isinstance(exception, DisallowedHost):
        host = str(request.META.get("HTTP_HOST") or request.META.get("SERVER_NAME", ""))[:100]
        says = "This host name is not allowed (CATWALK_HOSTS)."
    return HttpResponse(
        render_to_string("400.html", {"says": says, "host": host}, None if host else request), status=400
    )


def method_not_allowed(request: HttpRequest) -> str:
    """Return the 405 page. It says if the address shows no page, or takes no form."""
    return render_to_string("405.html", {"shows_nothing": request.method in ("GET", "HEAD")}, request)


def server_error(request: HttpRequest) -> HttpResponse:
    """Render the 500 page without a database query, because the database may be the cause of the error."""
    path = request.get_full_path() if request.method == "GET" else ""
    context = {"at": timezone.now(), "path": path, "number": logs.request_id()}
    return HttpResponseServerError(render_to_string("500.html", context))

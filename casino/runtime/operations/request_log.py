"""Give each request an ID that appears in its response and in its log lines. Count and time requests by
route.

A route is a URL pattern (`hand/<str:property>/…`). The URL itself is not used, because it contains names of
tables, people and slips.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

from casino.runtime.operations import logs, metrics
from casino.runtime.operations.health_paths import PROBES

HEADER = "X-Request-ID"
GIVEN = re.compile(r"[0-9a-fA-F-]{16,64}")
"""Pattern of a request ID that is accepted from a proxy. It allows only hexadecimal digits as in a UUID, so
that the ID cannot contain a name or a token.
"""
STATIC, PROBE, NOWHERE = "static", "probe", "nowhere"
_log = logging.getLogger("casino.request")


class RequestLogMiddleware:
    """The middleware that logs, counts and times requests. It is the outermost one and therefore sees the
    final response.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        header_value = request.headers.get(HEADER, "")
        number = header_value if GIVEN.fullmatch(header_value) else secrets.token_hex(16)
        began = time.perf_counter()
        with logs.about(request_id=number):
            response = self.get_response(request)
            seconds = time.perf_counter() - began
            response[HEADER] = number
            if not response.streaming:
                response.headers.setdefault("Content-Length", str(len(response.content)))
            if request.method == "HEAD":
                without_body(response)
            route = route_of(request)
            metrics.answered(request.method or "", route, response.status_code, seconds)
            level = logging.ERROR if response.status_code >= 500 and route != PROBE else logging.INFO
            if route not in (STATIC, PROBE) and _log.isEnabledFor(level):
                fields = {
                    "method": metrics.method_of(request.method or ""),
                    "route": route,
                    "code": response.status_code,
                }
                _log.log(level, "answered", extra={"fields": fields | {"ms": round(seconds * 1000, 1)}})
        return response


def without_body(response: HttpResponse | StreamingHttpResponse) -> None:
    """Remove the body of a response to HEAD, which the web server would drop with a warning."""
    if isinstance(response, StreamingHttpResponse):
        response.streaming_content = ()
    else:
        response.content = b""


def route_of(request: HttpRequest) -> str:
    """Return the URL pattern that matched the request."""
    if request.resolver_match is not None:
        return str(request.resolver_match.route) or "/"
    if request.path in PROBES:
        return PROBE
    return STATIC if request.path.startswith(settings.STATIC_URL) else NOWHERE

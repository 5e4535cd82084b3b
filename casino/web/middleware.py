"""Middleware that sets additional security headers, reads the calendar once for a page, answers rejected
actions, explains status 405, and redirects htmx requests of expired sessions to the login.
"""

from collections.abc import Callable
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url

from casino.presentation.errors import ActionRejected
from casino.presentation.problem_document import is_api
from casino.reference.calendar import read_once
from casino.web.error_pages import bad_request, method_not_allowed

NOTHING = ", ".join(f"{device}=()" for device in ("camera", "microphone", "geolocation", "payment", "usb"))


class SecurityHeaders:
    """Set Cache-Control: no-store and an empty Permissions-Policy."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.setdefault("Permissions-Policy", NOTHING)
        return response


class ReadCalendarOnce:
    """Read the calendar of each property at most once for a request that changes nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return self.get_response(request)
        with read_once():
            return self.get_response(request)


class AnswerRejectedActions:
    """Answer 400 with the reason if a view raises ActionRejected. A view does so, for example, for a form
    without a uid.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the answer to a rejected action, or None for any other exception."""
        if isinstance(exception, ActionRejected):
            return bad_request(request, BadRequest(str(exception)))
        return None


class ExplainMethodNotAllowed:
    """Answer 405 with a page. Django answers without a body, and the browser then shows an error of its own.
    Users get there if they send a form after the session has expired: after the login, the browser opens the
    address of the form.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 405 and not response.content and not is_api(request):
            response.content = method_not_allowed(request)
        return response


class RedirectExpiredLogin:
    """Redirect the browser to the login if htmx requests a part of a page after the session has expired."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        htmx = getattr(request, "htmx", None)
        if (
            htmx
            and response.status_code == 302
            and response["Location"].partition("?")[0] == resolve_url(settings.LOGIN_URL)
        ):
            query = urlencode({"next": htmx.current_url_abs_path or "/"})
            return HttpResponse(headers={"HX-Redirect": f"{resolve_url(settings.LOGIN_URL)}?{query}"})
        return response

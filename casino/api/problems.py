"""Errors as described by RFC 9457: application/problem+json with `type`, `title`, `status`, `detail`, `code`,
and further members that help the client.

Under /api/ this includes errors that never reach a view. Other addresses get HTML error pages
(casino/web/error_pages.py).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.views import defaults
from rest_framework import exceptions
from rest_framework.negotiation import BaseContentNegotiation

from audit.facts import Refused
from casino.presentation.errors import ActionRejected
from casino.presentation.problem_document import document, encodable, is_api
from casino.runtime.outages import outage_of
from casino.web import error_pages as refused_page
from casino.web.recording import ALREADY_RECORDED
from casino.web.unavailable import unavailable

Result = TypeVar("Result")

STATUS = {
    "uid-reused": 409,
    "stream-sealed": 409,
    "not-opened": 409,
    "no-right": 403,
    "line-too-long": 413,
    "not-json": 400,
    "not-text": 400,
    "not-an-object": 400,
    "too-deep": 400,
    "fraction": 400,
    "number-too-long": 400,
}
"""For each code of a refused fact: the HTTP status. Codes that are not listed have status 422."""


class Problem(exceptions.APIException):
    """An error of the API with its status, its code, a sentence, and further members of the problem
    document.
    """

    def __init__(self, status: int, code: str, says: str, **members: Any) -> None:
        super().__init__(says, code)
        self.status_code, self.code, self.says, self.members = status, code, says, members


def unknown_word(status: int, field: str, says: str, known: Iterable[str]) -> Problem:
    """Return the error for a field whose value is not one of the words in `known`."""
    return Problem(status, field, says, field=field, known=list(known))


def perform(act: Callable[[], Result], subject: str) -> Result:
    """Call `act` and return its result. Raise Problem if the action is rejected.

    Args:
        subject: the name of the error if the rejection names no field.
    """
    try:
        return act()
    except ActionRejected as rejected:
        if str(rejected) == ALREADY_RECORDED:
            raise Problem(409, "already-recorded", str(rejected)) from None
        field = rejected.field or subject
        raise Problem(422, field.replace("_", "-"), str(rejected), field=field) from None


class JsonNegotiation(BaseContentNegotiation):
    """Content negotiation that always answers in JSON."""

    def select_parser(self, request: Any, parsers: Any) -> Any:
        return parsers[0]

    def select_renderer(self, request: Any, renderers: Any, format_suffix: str | None = None) -> Any:
        return renderers[0], renderers[0].media_type


def exception_handler(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Return the answer for an exception that a view raised. Return None if the exception was not expected;
    the answer is then an error 500.
    """
    if isinstance(error, Problem):
        return document(error.status_code, error.code, error.says, **error.members)
    if isinstance(error, Refused):
        return fact_refused(error)
    if isinstance(error, Http404):
        return document(404, "not-found", "There is nothing at this address.")
    if isinstance(error, PermissionDenied):
        return document(403, "no-right", "You do not have permission for this.")
    if isinstance(error, exceptions.APIException):
        return _framework_error(error)
    if outage := outage_of(error):
        return unavailable(context["request"]._request, outage)
    return None


def fact_refused(error: Refused) -> HttpResponse:
    """Return the problem document of a refused fact. It names the fact (`index` from 0, and `uid`), the
    `field`, and the reason (`why`).
    """
    members = {"index": error.index, "uid": error.uid, "field": error.field, "why": error.why}
    return document(STATUS.get(error.code, 422), error.code, encodable(str(error)), **members)


def _framework_error(error: exceptions.APIException) -> HttpResponse:
    codes = error.get_codes()
    response = document(
        error.status_code,
        (codes if isinstance(codes, str) else "invalid").replace("_", "-"),
        str(error.detail),
    )
    if wait := getattr(error, "wait", None):
        response["Retry-After"] = str(int(wait) + 1)
    if header := getattr(error, "auth_header", None):
        response["WWW-Authenticate"] = header
    if isinstance(error, exceptions.MethodNotAllowed):
        response["Allow"] = ""
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400 (Django's handler400)."""
    return (
        document(400, "bad-request", "The request cannot be parsed.")
        if is_api(request)
        else refused_page.bad_request(request, exception)
    )


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403 (Django's handler403)."""
    handler = defaults.permission_denied
    return (
        document(403, "no-right", "You do not have permission for this.")
        if is_api(request)
        else handler(request, exception)
    )


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404 (Django's handler404)."""
    handler = defaults.page_not_found
    return (
        document(404, "not-found", "There is nothing at this address.")
        if is_api(request)
        else handler(request, exception)
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500 (Django's handler500), or 503 if an outage caused the error. Do not query the database,
    because it may have failed.
    """
    if outage := outage_of(sys.exc_info()[1]):
        return unavailable(request, outage)
    return (
        document(500, "our-fault", "Something failed in Catwalk. Try again, or tell your administrator.")
        if is_api(request)
        else refused_page.server_error(request)
    )

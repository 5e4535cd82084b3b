"""Refuse requests with characters that no text of Catwalk can contain: NUL, lone surrogates, bytes that are
not UTF-8, and broken percent-encoding.

Neither Postgres nor a fact can store them, so a URL, filter or field that contains them cannot match
anything. Parameters and bodies of the REST API are checked when they are parsed, because the API's problem
documents name the parameter or the fact.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

from casino.presentation.problem_document import document, is_api
from casino.web.error_pages import bad_request

BROKEN = re.compile(r"%(?![0-9A-Fa-f]{2})")
NOT_UTF_8 = re.compile(r"%[89A-Fa-f][0-9A-Fa-f]")
"""Pattern of a percent-encoded byte that Django leaves in a path because it is not part of valid UTF-8."""
URLENCODED = "application/x-www-form-urlencoded"
FORMS = (URLENCODED, "multipart/form-data")
SAYS = "{place} contains a character that cannot be stored (NUL, or text that is not UTF-8). Remove it."
SHOWN = re.compile(r"\w[\w.\- ]{0,59}", re.ASCII)


class BadCharacter(Exception):
    """A request contains a character that cannot be stored. The text says where.

    Attributes:
        field: the name of the parameter or form field.
    """

    def __init__(self, place: str, field: str = "") -> None:
        shown = f" “{field}”" if SHOWN.fullmatch(field) else ""
        super().__init__(SAYS.format(place=f"{place}{shown}"))
        self.field = field if shown else None


class RefuseBadCharacters:
    """Middleware that answers 400 to a request with a character that cannot be stored. The answer is a page
    or a problem document.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            check(request)
        except BadCharacter as error:
            if is_api(request):
                return document(400, "bad-character", str(error), field=error.field)
            return bad_request(request, BadRequest(str(error)))
        return self.get_response(request)


def check(request: HttpRequest) -> None:
    """Raise BadCharacter if the path, the query, a header, a cookie or a form field contains a character that
    cannot be stored.
    """
    if not is_api(request):
        if not is_text(request.path) or NOT_UTF_8.search(request.path):
            raise BadCharacter("The address")
        _check_pairs(request.META.get("QUERY_STRING", ""), "The parameter")
    for name, value in request.META.items():
        if name.startswith(("HTTP_", "CONTENT_")) and isinstance(value, str) and not is_text(value):
            raise BadCharacter("The header", name.removeprefix("HTTP_").replace("_", "-").title())
    for name, value in request.COOKIES.items():
        if not is_text(value):
            raise BadCharacter("The cookie", name)
    if request.method == "POST" and not is_api(request) and request.content_type in FORMS:
        _check_form(request)


def is_text(value: str) -> bool:
    """Return True if all characters of a text can be stored."""
    return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _check_form(request: HttpRequest) -> None:
    if request.content_type == URLENCODED:
        _check_pairs(request.body, "The field")
        return
    uploads = [(name, file.name or "") for name, files in request.FILES.lists() for file in files]
    fields = [(name, value) for name, values in request.POST.lists() for value in values]
    for name, value in (*fields, *uploads):
        if not is_text(f"{name}{value}"):
            raise BadCharacter("The field", name)


def _check_pairs(encoded: str | bytes, place: str) -> None:
    """Raise BadCharacter if a name or a value in a query or a urlencoded body cannot be stored."""
    text = encoded.decode("latin-1") if isinstance(encoded, bytes) else encoded
    if "%" not in text and text.isascii() and "\0" not in text:
        return
    for pair in text.split("&"):
        name = pair.partition("=")[0].replace("+", " ")
        if BROKEN.search(pair):
            raise BadCharacter(place, name)
        _check_bytes(unquote_to_bytes(pair.encode("latin-1", "replace")), place, name)


def _check_bytes(value: bytes, place: str, field: str = "") -> None:
    try:
        text = value.decode()
    except UnicodeDecodeError:
        raise BadCharacter(place, field) from None
    if "\0" in text:
        raise BadCharacter(place, field)

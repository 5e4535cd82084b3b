"""The older styles of paging. Four lists had them before all lists were paged by `cursor` and `page_size`.

API v1 is frozen, so these lists still give the older answer to a request without the parameters of a standard
page. That answer has the headers `Deprecation` (RFC 9745) and `Link` with the relation `deprecation`. It has
no `Sunset`, because it stays as long as API v1.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter

from casino.api import shapes as s
from casino.api.openapi import Answer, query_parameter
from casino.api.paging import MOST, USUAL
from casino.api.problems import Problem

SINCE = datetime(2026, 12, 1, tzinfo=UTC)
"""The time since which the older styles are deprecated."""
SECTION = "older-styles-of-paging"
"""The section of docs/api.md about the older styles, which is also a help page."""
HEADERS = {
    "Link": "The next page, if there is one. Of a deprecated answer: the page that says what to use instead.",
    "Deprecation": "Only of a deprecated answer: the time since which it is deprecated (RFC 9745).",
}
AnyResponse = TypeVar("AnyResponse", bound=HttpResponse)


PAGE_SIZE = query_parameter("page_size", s.integer(1, MOST), f"The number of rows, usually {USUAL}.")
"""The parameter has no default in the schema, because some generated clients send each default, and it would
turn a request of the older style into one of both.
"""


class OlderStyle(NamedTuple):
    """The older style of one list.

    Attributes:
        parameter: the parameter that chooses an older page.
        standard: the parameters that ask for a standard page.
    """

    parameter: str
    standard: tuple[str, ...] = ("cursor", "page_size")

    def documented(self, shape: s.Shape, says: str, example: Any = None) -> OpenApiParameter:
        """Return the documentation of the older parameter."""
        instead = f"{says} Deprecated: use `cursor` and `page_size`."
        return query_parameter(self.parameter, shape, instead, example=example, deprecated=True)

    def is_requested(self, query: Mapping[str, str]) -> bool:
        """Return True if the request is for an older page. Raise Problem if it has parameters of both."""
        standard = next((name for name in self.standard if name in query), None)
        if standard is not None and self.parameter in query:
            says = f"{standard} and {self.parameter} cannot be combined. Use cursor and page_size."
            raise Problem(400, self.parameter, says, field=self.parameter)
        return standard is None


def answers(page: s.Body, older: s.Shape, older_says: str) -> Answer:
    """Return the documentation of the answer of a list that has a standard and an older page."""
    says = f"A page. {older_says} That answer is deprecated: an empty `cursor` requests the first page."
    return Answer(_either(page.shape, older), says, page.example, headers=HEADERS)


def _either(page: s.Shape, older: s.Shape) -> s.Shape:
    """Return the shape of an answer that is a standard or an older page. If the older page is an array, the
    shape has two types in place of `oneOf`, because Java's generator cannot make a class of such a `oneOf`.
    It makes a class of the first type.
    """
    if older["type"] == "array":
        return page | older | {"type": ["object", "array"]}
    return {"oneOf": [page, older]}


def deprecated(request: Any, response: AnyResponse) -> AnyResponse:
    """Add the headers of a deprecated answer."""
    response["Deprecation"] = f"@{int(SINCE.timestamp())}"
    address = request.build_absolute_uri(f"{reverse('help_guide', args=['api'])}#{SECTION}")
    response["Link"] = f'<{address}>; rel="deprecation"; type="text/html"'
    return response

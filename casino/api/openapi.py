"""Documentation of endpoints, with the decorator `described` for the methods of views. The documentation is
part of the OpenAPI schema, and requests are checked against it.

    @described("Rounds of a property", query_parameter("from", shapes.DAY, "The first gaming day."),
        responses=Answer(ROUNDS, example={...}))
    def get(self, request): "A longer description."

`openapi_document.py` adds the answers that every endpoint has (no token, a missing scope, too many requests,
no database). A request with an undocumented parameter, or with a value of another shape, is refused before
the method is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, NamedTuple

from django.http import Http404, HttpResponseBase
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiRequest,
    OpenApiResponse,
    extend_schema,
)

from audit.facts.input_parsing import day_of, whole
from casino.api.problems import Problem
from casino.api.shapes import Body, Shape

JSON = "application/json"
Method = Callable[..., HttpResponseBase]


class Answer(NamedTuple):
    """One answer of an endpoint: its shape (None if it has no body), a description, an example, and headers
    by name with their descriptions.
    """

    shape: Shape | None
    says: str = ""
    example: Any = None
    content_type: str = JSON
    headers: Mapping[str, str] = {}

    @classmethod
    def of(cls, body: Body, says: str, headers: Mapping[str, str] = {}) -> Answer:
        """Return an answer with this body and its example."""
        return cls(body.shape, says, body.example, headers=headers)


class RequestBody(NamedTuple):
    """A request body that an endpoint accepts: its shape and an example."""

    shape: Shape
    example: Any = None
    content_type: str = JSON


Responses = Answer | Mapping[int, Answer | tuple[Answer, ...]]


def query_parameter(
    name: str,
    shape: Shape,
    says: str,
    *,
    example: Any = None,
    default: Any = None,
    deprecated: bool = False,
) -> OpenApiParameter:
    """Return the documentation of an optional parameter of the query string."""
    return _parameter(name, shape, OpenApiParameter.QUERY, says, example, default, deprecated)


def path_parameter(name: str, shape: Shape, says: str, *, example: Any = None) -> OpenApiParameter:
    """Return the documentation of a parameter that is part of the path."""
    return _parameter(name, shape, OpenApiParameter.PATH, says, example)


def header(name: str, shape: Shape, says: str, *, example: Any = None) -> OpenApiParameter:
    """Return the documentation of a request header that affects the answer."""
    return _parameter(name, shape, OpenApiParameter.HEADER, says, example)


def described(
    summary: str,
    *parameters: OpenApiParameter,
    responses: Responses,
    request_body: RequestBody | tuple[RequestBody, ...] | None = None,
    problems: Iterable[int] = (),
) -> Callable[[Method], Method]:
    """Return a decorator that documents a view's method.

    Args:
        problems: further error statuses. The statuses that a path, parameters or a body can cause are added
            automatically.
    """
    types = {
        parameter.name: parameter.type
        for parameter in parameters
        if parameter.location == OpenApiParameter.QUERY
    }
    answers, headers = _answers(responses)
    bodies = (request_body,) if isinstance(request_body, RequestBody) else request_body or ()

    def over(method: Method) -> Method:
        @wraps(method)
        def checked(self: Any, request: Any, **kwargs: Any) -> HttpResponseBase:
            check(request.query_params, types)
            if any(isinstance(part, str) and "\0" in part for part in kwargs.values()):
                raise Http404
            return method(self, request, **kwargs)

        extended: Method = extend_schema(
            summary=summary,
            parameters=[*parameters, *headers],
            request={
                body.content_type: OpenApiRequest(body.shape, examples=_examples(body.example))
                for body in bodies
            }
            or None,
            responses=answers,
            extensions={"x-problems": sorted(problems)},
        )(checked)
        return extended

    return over


def check(query: Any, known: Mapping[str, Any]) -> None:
    """Check that every given parameter is known, is given only once, and has its shape. Raise Problem, which
    names the first wrong parameter.
    """
    for name, values in query.lists():
        if name not in known:
            available = f"Available: {', '.join(known)}." if known else "This address has no parameters."
            raise Problem(
                400,
                "unknown-parameter",
                f"Unknown parameter {name[:60]!r}. {available}",
                field=name[:60],
                known=list(known),
            )
        if len(values) > 1:
            raise Problem(400, "given-twice", f"{name} occurs {len(values)} times. Give it once.", field=name)
        if wanted := _mismatch(values[0], known[name]):
            code = "day" if known[name].get("format") == "date" else name.replace("_", "-")
            raise Problem(400, code, f"{name}: {values[0][:60]!r} is {wanted}.", field=name)


def _mismatch(text: str, shape: Shape) -> str:
    """Return a sentence about how the value of a parameter differs from its shape, or empty text if it has
    the shape.
    """
    words = shape.get("enum")
    if words and text not in words:
        return f"not one of {', '.join(words)}"
    if shape["type"] == "integer":
        number, minimum, maximum = whole(text), shape.get("minimum", 0), shape.get("maximum")
        if number is None or number < minimum or (maximum is not None and number > maximum):
            return f"not a whole number from {minimum}" + (f" to {maximum}" if maximum is not None else "")
    elif shape.get("format") == "date" and day_of(text) is None:
        return "not a valid gaming day (use 2026-11-27)"
    elif "\0" in text or len(text) < shape.get("minLength", 0) or len(text) > shape.get("maxLength", 2000):
        return "too short, too long, or has an invalid character"
    elif "pattern" in shape and not re.search(shape["pattern"].replace("$", r"\Z"), text):
        return f"not written like {shape.get('example', shape['pattern'])}"
    return ""


def _parameter(
    name: str,
    shape: Shape,
    location: Any,
    says: str,
    example: Any,
    default: Any = None,
    deprecated: bool = False,
) -> OpenApiParameter:
    shown = {key: value for key, value in shape.items() if key != "description"}
    examples = [] if example is None else [OpenApiExample("such as", value=example)]
    return OpenApiParameter(
        name,
        shown,
        location,
        location == OpenApiParameter.PATH,
        says,
        deprecated=deprecated,
        default=default,
        examples=examples,
    )


def _answers(responses: Responses) -> tuple[dict[Any, OpenApiResponse], list[OpenApiParameter]]:
    by_status = {200: responses} if isinstance(responses, Answer) else responses
    answers: dict[Any, OpenApiResponse] = {}
    headers = []
    for status, response in by_status.items():
        for answer in (response,) if isinstance(response, Answer) else response:
            key = status if answer.shape is None else (status, answer.content_type)
            answers[key] = OpenApiResponse(answer.shape, answer.says, _examples(answer.example))
            headers += [
                OpenApiParameter(
                    name, {"type": "string"}, OpenApiParameter.HEADER, description=says, response=[status]
                )
                for name, says in answer.headers.items()
            ]
    return answers, headers


def _examples(example: Any) -> list[OpenApiExample]:
    return [] if example is None else [OpenApiExample("such as", value=example)]

"""Problem documents of RFC 9457 (application/problem+json). They have `type`, `title`, `status`, `detail`,
`code`, and further members that help the client.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from msgspec import json

TYPE = "application/problem+json"
TITLES = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    409: "Conflict",
    412: "Precondition Failed",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    416: "Range Not Satisfiable",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable",
    507: "Insufficient Storage",
}
"""The reason phrases of RFC 9110. The standard library's phrases are not used, because they depend on its
version.
"""


def document(status: int, code: str, says: str, **members: Any) -> HttpResponse:
    """Return a problem document as a response."""
    body = {
        "type": f"urn:catwalk:{code}",
        "title": TITLES.get(status, "Error"),
        "status": status,
        "detail": says,
        "code": code,
    }
    body |= {
        name: encodable(value) if isinstance(value, str) else value
        for name, value in members.items()
        if value is not None
    }
    return HttpResponse(json.encode(body), status=status, content_type=TYPE)


def encodable(text: str) -> str:
    """Return the text with each lone surrogate replaced by a question mark, because surrogates cannot be
    encoded.
    """
    return text.encode(errors="replace").decode()


def is_api(request: HttpRequest) -> bool:
    """Return True if the request is for the REST API."""
    return is_api_path(request.path_info)


def is_api_path(path: str) -> bool:
    """Return True if this is a path of the REST API."""
    return path == "/api" or path.startswith("/api/")

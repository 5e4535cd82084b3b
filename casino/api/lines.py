"""Read the body of a post: split it into facts, each with exactly the bytes that were sent, or decode it as
one JSON object.
"""

from __future__ import annotations

from typing import Any, TypeVar

from django.conf import settings
from django.http import HttpRequest
from msgspec import DecodeError, Raw, Struct, json

from casino.api.problems import Problem

NDJSON = frozenset({"application/x-ndjson", "application/ndjson", "application/jsonl"})
ARRAY = "application/json"
FACTS = 10_000
"""Maximum number of facts in a post. More would lock the property's ledger too long."""
CHUNK = 1 << 16

Body = TypeVar("Body", bound=Struct)
_elements = json.Decoder(list[Raw]).decode


def split_facts(request: HttpRequest) -> list[bytes]:
    """Return the facts of a post in their order. They are not validated yet. Raise Problem if they cannot be
    separated.
    """
    form = (request.content_type or "").lower()
    if form not in NDJSON and form != ARRAY:
        raise Problem(
            415,
            "unknown-form",
            f"Send application/x-ndjson or application/json, not {form[:60] or 'an unnamed type'}.",
        )
    if request.META.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        raise Problem(415, "encoded", "Send the facts as they are, without a Content-Encoding.")
    body = read_body(request)
    if form == ARRAY:
        try:
            lines = [bytes(element) for element in _elements(body)]
        except (DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Problem(400, "not-an-array", f"The body is not a JSON array: {error}") from None
    else:
        lines = [line for line in body.split(b"\n") if line and not line.isspace()]
    if not lines:
        raise Problem(400, "empty", "The post has no facts.")
    if len(lines) > FACTS:
        raise Problem(
            413, "too-many", f"The post has {len(lines)} facts. At most {FACTS} are allowed.", limit=FACTS
        )
    return lines


def read_body(request: HttpRequest) -> bytes:
    """Return the body, without reading beyond the size limit. Raise Problem if it is too large."""
    limit = settings.POST_BYTES
    try:
        length = int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        length = 0
    if length > limit:
        raise _too_large(limit)
    source: Any = request
    if not length and request.META.get(
        "wsgi.input_terminated"
    ):  # For a body that is sent in chunks, Django would read nothing.
        source = request.META["wsgi.input"]
    parts, size = [], 0
    while part := _part(source):
        size += len(part)
        if size > limit:
            raise _too_large(limit)
        parts.append(part)
    if size < length:
        raise Problem(400, "cut-off", f"{size} bytes arrived of the {length} that were announced.")
    return b"".join(parts)


def read_json(request: HttpRequest, type: type[Body], code: str, description: str) -> Body:
    """Return the body of a post, decoded as this type. Raise Problem if it is not valid.

    Args:
        request: the request with the body.
        type: the type that the JSON must have.
        code: the code of the problem if the body is not of this type.
        description: how the problem names the expected body, for example `a valid order`.
    """
    form = (request.content_type or "").lower()
    if form != ARRAY:
        raise Problem(415, "unknown-form", f"Send application/json, not {form[:60] or 'an unnamed type'}.")
    try:
        return json.decode(read_body(request), type=type)
    except (DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(400, code, f"The body is not {description}: {error}.") from None


def _part(source: Any) -> bytes:
    try:
        part: bytes = source.read(CHUNK)
    except OSError:
        raise Problem(400, "cut-off", "The connection was closed before the end of the body.") from None
    return part


def _too_large(limit: int) -> Problem:
    return Problem(413, "too-large", f"The post is longer than {limit} bytes.", limit=limit)

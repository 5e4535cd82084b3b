"""Responses with the bytes of an archived export: the whole file, one range of it, or no body if the client
already has the file. Pages and the REST API both use them.
"""

from __future__ import annotations

import re

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import parse_etags

from audit.facts.input_parsing import DIGITS
from casino.exports.archive import blobs
from casino.exports.archive.orders import ExportOrder

_RANGE = re.compile(rf"bytes=([0-9]{{0,{DIGITS}}})-([0-9]{{0,{DIGITS}}})").fullmatch


def archived_file(request: HttpRequest, order: ExportOrder, content_type: str) -> HttpResponseBase:
    """Return the file as an HTTP response according to RFC 9110, with constant memory. The ETag is the
    SHA-256 of the whole file. A request for one range gets that range; a request for several ranges gets the
    whole file.
    """
    tag = f'"{order.sha256}"'
    headers = {
        "ETag": tag,
        "Accept-Ranges": "bytes",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-cache",
    }
    known = [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))]
    if tag in known or "*" in known:
        unchanged = HttpResponse(status=304, headers=headers)
        del unchanged["Content-Type"]
        return unchanged
    begins, ends, status = 0, order.length, 200
    part = _part(request.headers.get("Range", ""), order.length)
    if part is not None and request.headers.get("If-Range", tag) == tag:
        begins, ends = part
        if begins >= ends:
            return HttpResponse(status=416, headers=headers | {"Content-Range": f"bytes */{order.length}"})
        status = 206
        headers["Content-Range"] = f"bytes {begins}-{ends - 1}/{order.length}"
    headers["Content-Length"] = str(ends - begins)
    return StreamingHttpResponse(
        blobs.read(order.id, begins, ends), status=status, content_type=content_type, headers=headers
    )


def _part(range_text: str, length: int) -> tuple[int, int] | None:
    """Return the position of the first byte of the requested range, and the position after its last byte. If
    the range is outside the file, the second position is not after the first. Return None if the header does
    not request exactly one range.
    """
    match = _RANGE(range_text.replace(" ", ""))
    if match is None or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:
        return max(length - int(last), 0), length if int(last) else 0
    if last and int(last) < int(first):
        return None
    return int(first), min(int(last) + 1, length) if last else length

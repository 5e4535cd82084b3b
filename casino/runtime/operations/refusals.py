"""Answers that the web server gives before a request reaches Django."""

from __future__ import annotations

from casino.presentation import problem_document

REFUSALS = {
    400: ("bad-request", "The request cannot be parsed."),
    408: ("too-slow", "The request did not arrive in time. Send it again."),
    413: ("too-large", "The request is longer than {limit} bytes. Send less at once."),
    431: ("headers-too-large", "The headers of the request are too large. Send fewer or shorter ones."),
    501: ("not-implemented", "This transfer encoding is not supported. Send the body as it is, or chunked."),
    503: ("overloaded", "Too many requests at once. Send the request again."),
    507: ("no-space", "The body cannot be stored, because the disk is full. Send the request again later."),
}
"""For each status code: the code and the sentence of an answer that is given before a request
reaches Django.
"""
RETRY_SECONDS = 5


def refusal(code: int, path: str, limit: int = 0) -> tuple[str, list[tuple[str, str]], bytes]:
    """Return the status line, headers and body of a refusal. The body is a problem document under /api/, and
    otherwise a sentence.
    """
    name, says = REFUSALS[code]
    says = says.format(limit=limit - 1)
    if problem_document.is_api_path(path):
        document = problem_document.document(code, name, says)
        kind, body = document.headers["Content-Type"], document.content
    else:
        kind, body = "text/plain; charset=utf-8", f"{says}\n".encode()
    headers = [("Content-Type", kind), ("Cache-Control", "no-store")]
    if code in (503, 507):
        headers.append(("Retry-After", str(RETRY_SECONDS)))
    return f"{code} {problem_document.TITLES[code]}", headers, body

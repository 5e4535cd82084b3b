"""Parse requests with waitress's parser and three additional rules.

- The end of a request is unambiguous. A request with both a length and a transfer encoding is refused. A
  transfer encoding before HTTP/1.1 is also refused. A proxy in front of this server may read such requests in
  another way than this server.
- The body of a request must not be longer than the usual limit. A higher limit applies if the page accepts
  files and the request has the cookie of a session.
- The parser does not ask the client for the body of a request that is refused.
"""

from __future__ import annotations

from typing import Any

from waitress.parser import HTTPRequestParser, ParsingError
from waitress.utilities import Error

FILES_AT = "/cases/"
"""Beginning of the URLs of the pages that accept files."""


class Overloaded(Error):  # type: ignore[misc]
    """A client has sent too many requests at once."""

    code = 503
    reason = "Service Unavailable"


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Parses one request."""

    adj: Any

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the headers, and choose the limit for the body.

        Raise ParsingError if two headers contradict each other about the end of the body.
        """
        super().parse_header(header_plus)
        if "TRANSFER_ENCODING" in self.headers or (self.chunked and "CONTENT_LENGTH" in self.headers):
            raise ParsingError("the length of the body is ambiguous")
        files = getattr(self.adj, "for_files", None)
        if files is None or not self.path.startswith(FILES_AT):
            return
        if f"{files.session_cookie}=" in self.headers.get("COOKIE", ""):
            self.adj = files

    def received(self, data: bytes) -> int:
        """Parse the beginning of these bytes, up to the end of the request. Return how many bytes belong to
        the request.
        """
        consumed: int = super().received(data)
        if self.error:
            self.expect_continue = False
        return consumed


class TooMany(Parser):
    """A placeholder for all requests that a client has sent beyond the maximum at once. It is answered with
    503.
    """

    def received(self, data: bytes) -> int:
        """Discard these bytes, mark the request as complete, and return how many bytes there are."""
        self.parse_header(b"GET / HTTP/1.0\r\n")
        self.error, self.completed = Overloaded("too many requests at once"), True
        return len(data)

"""Rate limits. Requests with a valid token are counted for each token, all others for each address.

A valid token is limited by its own requests alone, so that no other program at the same address can keep a
device from posting. All web processes count together (casino/runtime/counters.py), in windows of a minute. A
refusal says when to try again, and the headers `RateLimit-Policy` and `RateLimit` say how many requests are
left (IETF draft `draft-ietf-httpapi-ratelimit-headers`).
"""

from __future__ import annotations

from collections.abc import Callable
from time import time
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.exceptions import Throttled
from rest_framework.throttling import BaseThrottle

from casino.accounts import client_ip
from casino.runtime import counters

WINDOW = 60
GUESSES = 30
"""Maximum number of requests in a minute that one address may send with wrong tokens that begin with the same
characters.
"""
BEGINNING = 9
"""Number of characters at the beginning of a token. Wrong tokens that begin with the same characters are
counted together. The list of tokens shows the same number of characters.
"""


class PerToken(BaseThrottle):
    """Limits the requests of each token to CATWALK_API_RATE per minute."""

    def allow_request(self, request: Any, view: Any) -> bool:
        if request.auth is None:
            return True
        limit = counters.share_of(settings.API_RATE)
        (requests,) = counters.count(_key("api", request.auth.pk), window=WINDOW)
        request._request.rate_limit = limit, max(0, limit - requests)
        return requests <= limit

    def wait(self) -> float:
        return _left()


class RateLimitHeaders:
    """Middleware that tells the holder of a token its limit and how many requests are left in this minute."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if rate := getattr(request, "rate_limit", None):
            limit, remaining = rate
            response["RateLimit-Policy"] = f'"token";q={limit};w={WINDOW}'
            response["RateLimit"] = f'"token";r={remaining};t={int(_left()) + 1}'
        return response


def count_anonymous(request: Any) -> None:
    """Count a request without a valid token. Raise Throttled if its address has sent more than
    CATWALK_API_ADDRESS_RATE such requests in this minute.
    """
    address = client_ip.client_ip(request._request)
    (requests,) = counters.count(_key("address", address), window=WINDOW)
    if requests > counters.share_of(settings.API_ADDRESS_RATE):
        raise Throttled(_left())


def count_wrong_token(request: Any, secret: str) -> None:
    """Count a request with a wrong token. Raise Throttled if its address has sent too many wrong tokens, or
    too many wrong tokens that begin with the same characters.
    """
    count_anonymous(request)
    guess = f"{secret[:BEGINNING]}:{client_ip.client_ip(request._request)}"
    (wrong,) = counters.count(_key("guess", guess), window=WINDOW)
    if wrong > counters.share_of(GUESSES):
        raise Throttled(_left())


def _left() -> float:
    """Return the number of seconds until the next window."""
    return WINDOW - time() % WINDOW


def _key(kind: str, of: object) -> str:
    return f"{kind}:{of}:{int(time()) // WINDOW}"

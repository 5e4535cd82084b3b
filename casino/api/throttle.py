"""Rate limits: requests per minute for each token and for each address, and wrong tokens per minute for each
address.

Each web process counts by itself, in windows of a minute, so two processes allow twice as many. A refusal
says when to try again.
"""

from __future__ import annotations

from time import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.exceptions import Throttled
from rest_framework.throttling import BaseThrottle

from casino.accounts import client_ip

WINDOW = 60
GUESSES = 30
"""Maximum number of wrong tokens from an address in a minute."""


class PerToken(BaseThrottle):
    """Limits a token to CATWALK_API_RATE requests per minute."""

    def allow_request(self, request: Any, view: Any) -> bool:
        return request.auth is None or _count(f"api:{request.auth.pk}") <= settings.API_RATE

    def wait(self) -> float:
        return WINDOW - time() % WINDOW


def refuse_too_many(request: Any) -> None:
    """Raise Throttled for an address with more than CATWALK_API_ADDRESS_RATE requests in this minute, with or
    without a token. Raise it also for an address that has sent too many wrong tokens, even if this one is
    right.
    """
    if _count(f"address:{client_ip.client_ip(request._request)}") > settings.API_ADDRESS_RATE:
        raise Throttled(WINDOW - time() % WINDOW)
    if cache.get(_guesses(request), 0) >= GUESSES:
        raise Throttled(WINDOW - time() % WINDOW)


def count_wrong_token(request: Any) -> None:
    """Count one more wrong token from this address."""
    _count(_guesses(request))


def _guesses(request: Any) -> str:
    return f"guess:{client_ip.client_ip(request._request)}:{int(time()) // WINDOW}"


def _count(what: str) -> int:
    key = what if what.startswith("guess:") else f"{what}:{int(time()) // WINDOW}"
    cache.add(key, 0, WINDOW)
    try:
        return int(cache.incr(key))
    except ValueError:  # The window ended between the two calls.
        return 1

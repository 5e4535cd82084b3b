"""Rate limits: requests per minute for each token and for each address, and wrong tokens per minute for each
address.

All web processes count together (casino/runtime/counters.py), in windows of a minute. A refusal says when to
try again.
"""

from __future__ import annotations

from time import time
from typing import Any

from django.conf import settings
from rest_framework.exceptions import Throttled
from rest_framework.throttling import BaseThrottle

from casino.accounts import client_ip
from casino.runtime import counters

WINDOW = 60
GUESSES = 30
"""Maximum number of wrong tokens from an address in a minute."""


class PerToken(BaseThrottle):
    """Limits a token to CATWALK_API_RATE requests per minute."""

    def allow_request(self, request: Any, view: Any) -> bool:
        if request.auth is None:
            return True
        (requests,) = counters.count(_key("api", request.auth.pk), window=WINDOW)
        return requests <= counters.share_of(settings.API_RATE)

    def wait(self) -> float:
        return WINDOW - time() % WINDOW


def refuse_too_many(request: Any) -> None:
    """Raise Throttled for an address with more than CATWALK_API_ADDRESS_RATE requests in this minute, with or
    without a token. Raise it also for an address that has sent too many wrong tokens, even if this one is
    right.
    """
    address = client_ip.client_ip(request._request)
    requests, wrong = counters.count(_key("address", address), window=WINDOW, also=[_key("guess", address)])
    if requests > counters.share_of(settings.API_ADDRESS_RATE) or wrong >= counters.share_of(GUESSES):
        raise Throttled(WINDOW - time() % WINDOW)


def count_wrong_token(request: Any) -> None:
    """Count one more wrong token from this address."""
    counters.count(_key("guess", client_ip.client_ip(request._request)), window=WINDOW)


def _key(kind: str, of: object) -> str:
    return f"{kind}:{of}:{int(time()) // WINDOW}"

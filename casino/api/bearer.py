"""Authentication with `Authorization: Bearer TOKEN`. A token is looked up by its SHA-256. It belongs to a
person or a device, and has scopes and an expiry time.
"""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS

from casino.accounts import otp
from casino.accounts import services as accounts
from casino.api import throttle
from casino.models import Device, Person, Token
from casino.reference import registers

NOTED_EVERY = timedelta(minutes=1)
"""How often `last_used_at` is updated at most, because a device posts many times a second."""


class BearerToken(BaseAuthentication):
    """Authenticates a request as (Person or Device, Token). A wrong token gets 401, and 429 if it is sent too
    often. A valid token is never refused because of other tokens of its address.

    If a property requires one-time passwords, a person who has not set them up may only read and gets 403 for
    other requests, as on the pages (casino/accounts/middleware.py).
    """

    def authenticate_header(self, request: Any) -> str:
        return 'Bearer realm="catwalk"'

    def authenticate(self, request: Any) -> tuple[Person | Device, Token] | None:
        """Return the bearer and the token; None if the request has no token."""
        word, _, secret = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if not word:
            throttle.count_anonymous(request)
            return None
        token = _known(secret.strip()) if word.lower() == "bearer" else None
        bearer = None if token is None else _bearer(token)
        if token is None or bearer is None:
            throttle.count_wrong_token(request, secret.strip())
            raise AuthenticationFailed("The token is unknown, or no longer valid.")
        if (
            request.method not in SAFE_METHODS
            and isinstance(bearer, Person)
            and (places := otp.properties_requiring_otp(bearer))
        ):
            says = "requires one-time passwords for every change: set them up at /otp/."
            raise PermissionDenied(f"{', '.join(places)} {says}", "codes-first")
        return bearer, token


def _known(secret: str) -> Token | None:
    instant = timezone.now()
    digest = sha256(secret.encode(errors="surrogateescape")).digest()
    tokens = Token.objects.select_related("person").filter(
        sha256=digest, revoked_at=None, expires_at__gt=instant
    )
    token = tokens.first()
    if token is not None and (token.last_used_at is None or instant - token.last_used_at > NOTED_EVERY):
        accounts.note_use(token, instant)
    return token


def _bearer(token: Token) -> Person | Device | None:
    if token.person is None:
        device = registers.device(token.property, token.device)
        if device is not None and device.get("signs"):
            raise AuthenticationFailed(f"{device.key} must sign its requests: its tokens are refused.")
        return device
    if token.person.is_active and (token.person.roles or not registers.find_departed([token.person.pk])):
        return token.person
    return None

"""Authentication with `Authorization: Bearer TOKEN`. A token is looked up by its SHA-256. It belongs to a
person or a device, and has scopes and an expiry time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS

from audit import database
from casino.accounts import networks, otp, tokens
from casino.accounts.client_ip import client_ip
from casino.api import throttle
from casino.models import Device, Person, Token
from casino.reference import registers

_log = logging.getLogger("casino.tokens")


class BearerToken(BaseAuthentication):
    """Authenticates a request as (Person or Device, Token). A wrong token gets 401, or 429 if it is sent too
    often. A valid token is never refused because of other tokens that are sent from the same address.

    A token that is used from an address outside its networks gets 403, and this is recorded.

    If a property requires one-time passwords, a person who has not set them up may only read, and gets 403
    for other requests. The pages have the same rule (casino/accounts/middleware.py).
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
        _check_address(request, token, secret.strip())
        tokens.note_use(token, timezone.now())
        request._request.token = token
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
    for token in database.prepared_instances(Token, _VALID, [digest, instant]):
        if token.person_id is not None:
            (token.person,) = database.prepared_instances(Person, "id = %s", [token.person_id])
        return token
    return None


_VALID = "sha256 = %s AND revoked_at IS NULL AND expires_at > %s"


def _check_address(request: Any, token: Token, secret: str) -> None:
    """Raise PermissionDenied if the token may not be used from the client's address, and record the refusal.
    The request counts as one with a wrong token. Too many such requests get 429.
    """
    address = client_ip(request._request)
    if networks.allow(token.networks, address):
        return
    throttle.count_wrong_token(request, secret)
    if tokens.note_refusal(token, address or "", timezone.now()):
        _log.warning("token used from an address that it does not allow", extra={"fields": {"id": token.pk}})
    raise PermissionDenied("This token may not be used from your address.", "address-not-allowed")


def _bearer(token: Token) -> Person | Device | None:
    if token.person is None:
        device = registers.device(token.property, token.device)
        if device is not None and device.get("signs"):
            raise AuthenticationFailed(f"{device.key} must sign its requests: its tokens are refused.")
        return device
    if token.person.is_active and (token.person.roles or not registers.find_departed([token.person.pk])):
        return token.person
    return None


class TokenEndHeaders:
    """Middleware that adds to each answer the time at which its token ends. If the token ends soon, the
    answer also says how many days are left.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        token: Token | None = getattr(request, "token", None)
        if token is not None:
            response["Catwalk-Token-Expires"] = f"{token.expires_at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
            if (days := token.days_left()) is not None:
                response["Catwalk-Token-Days-Left"] = str(days)
        return response

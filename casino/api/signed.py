"""Authentication of devices by HTTP Message Signatures (RFC 9421) with Ed25519.

The register `devices` has the public keys of a device. Like every entry of that register, a key is entered
and withdrawn by two people. A signature names the device as `keyid` (`PROPERTY/DEVICE`). It is valid for a
few minutes, and for one request: its nonce is stored for these minutes and not accepted again.
"""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.http import HttpRequest
from django.utils import timezone
from http_message_signatures import HTTPMessageVerifier, HTTPSignatureKeyResolver, InvalidSignature
from http_message_signatures.algorithms import ED25519
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed

from casino.accounts import nonces
from casino.accounts.scopes import OF_A_DEVICE
from casino.api import throttle
from casino.models import Device
from casino.reference import registers

WINDOW = timedelta(minutes=5)
"""Maximum difference between the time `created` in a signature and the server's clock."""
COVERED = ("@method", "@authority", "@path")
"""What each signature must cover. It must also cover `@query` if there is a query, and `content-digest` if
there is a body.
"""
LONGEST_NONCE = 128


@dataclass(frozen=True)
class Signed:
    """What the sender of a valid signature may do. It has the same fields as a token of a device."""

    pk: str
    """The name under which the requests are counted for the rate limit."""
    device: str
    expires_at: datetime
    scopes: tuple[str, ...] = OF_A_DEVICE
    person: None = None
    networks: tuple[str, ...] = ()


class MessageSignature(BaseAuthentication):
    """Authenticates a request as (Device, Signed). A request without a signature is left to other
    authentication classes.
    """

    def authenticate_header(self, request: Any) -> str:
        return 'Bearer realm="catwalk"'

    def authenticate(self, request: Any) -> tuple[Device, Signed] | None:
        """Return the device and what it may do. Raise AuthenticationFailed if the signature is not valid, or
        if it was used before.
        """
        meta = request.META
        if "HTTP_SIGNATURE" not in meta and "HTTP_SIGNATURE_INPUT" not in meta:
            return None
        try:
            device, created, nonce = _verified(request._request)
        except InvalidSignature as invalid:
            throttle.count_wrong_token(request, "signature")
            raise AuthenticationFailed(f"The signature is not valid: {_reason(invalid)}.") from None
        if not nonces.use(device.property, device.key, nonce, created + 2 * WINDOW):
            raise AuthenticationFailed("The nonce was used before. Sign each request with a new one.")
        return device, Signed(f"{device.property}/{device.key}", device.key, created + WINDOW)


class Message:
    """A Django request with the attributes that the library for signatures reads: method, URL and headers."""

    def __init__(self, request: HttpRequest) -> None:
        self.method, self.url = request.method, request.build_absolute_uri()
        self.headers = dict(request.headers)


class OneKey(HTTPSignatureKeyResolver):
    """Gives the library for signatures one public key of the device that signed. The key id of a signature
    names the device. A device may have several keys; `place` is the index of the key to try. `device` is None
    if the device is not registered.
    """

    def __init__(self, place: int) -> None:
        self.place = place
        self.device: Device | None = None
        self.keys: list[str] = []

    def resolve_public_key(self, key_id: str) -> Ed25519PublicKey | None:
        """Return the public key at index `place` in the device's list, or None if the list is shorter. Raise
        InvalidSignature if the list is empty.
        """
        property, _, name = key_id.partition("/")
        self.device = registers.device(property, name) if "\0" not in key_id else None
        self.keys = self.device.public_keys if self.device is not None else []
        if not self.keys:
            raise InvalidSignature(
                "its keyid names no device with a public key that is in force today. Check the name, and the"
                " key and the first day of the device's entry in the register"
            )
        if self.place >= len(self.keys):
            return None
        return Ed25519PublicKey.from_public_bytes(b64decode(self.keys[self.place]))

    def resolve_private_key(self, key_id: str) -> None:
        """Raise an error: this server has no private keys of devices."""
        raise LookupError(key_id)


def _verified(request: HttpRequest) -> tuple[Device, datetime, str]:
    """Return the device that signed a request, the time of the signature and its nonce. Try all keys of the
    device, so that both keys are valid while a device replaces an old key by a new one.
    """
    message = Message(request)
    covered = (*COVERED, *(["@query"] if request.META.get("QUERY_STRING") else []))
    place = 0
    while True:
        key = OneKey(place)
        verifier = HTTPMessageVerifier(signature_algorithm=ED25519, key_resolver=key)
        verifier.max_clock_skew = WINDOW
        try:
            (result,) = verifier.verify(
                message, max_age=timedelta(0), require_components=covered, body=request.body
            )
            break
        except InvalidSignature:
            place += 1
            if place >= len(key.keys):
                raise
    nonce = result.nonce or ""
    if not 0 < len(nonce) <= LONGEST_NONCE:
        raise InvalidSignature(f"a nonce of 1 to {LONGEST_NONCE} characters is needed")
    assert key.device is not None, "a signature was verified with a key of this device"
    created = datetime.fromtimestamp(int(result.parameters["created"]), timezone.get_current_timezone())
    return key.device, created, nonce


def _reason(invalid: InvalidSignature) -> str:
    """Return why a signature is not valid. If the library names no reason, the signature was not made with a
    key of the device.
    """
    return str(invalid).strip().rstrip(".") or "it was not made with a key of this device"

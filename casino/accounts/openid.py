"""Sign-in at an OpenID Connect provider: the requests to the provider, and the checks of its answers.

Authlib sends the requests and checks the signature and the claims of the ID token. The authorization code
flow is used with PKCE, `state` and `nonce`. Their values are stored in a signed cookie and not in the
database, so that visitors who have not signed in cannot fill the database.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

from authlib.common.errors import AuthlibBaseError
from authlib.common.urls import add_params_to_uri
from authlib.integrations.django_client import OAuth
from django.conf import settings
from joserfc.errors import JoseError
from requests import RequestException

ALGORITHMS = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
    "Ed25519",
)
"""Signature algorithms that are accepted in ID tokens. All of them need the provider's private key."""
SIGN_IN_SECONDS = 600
"""Seconds within which a sign-in at the provider must be completed."""
CONFIRMED_SECONDS = 300
"""Maximum age, in seconds, of the sign-in at the provider that confirms an action."""
LEEWAY = 60
"""Seconds by which the clocks of Catwalk and of the provider may differ."""
TIMEOUT = 5
"""Seconds to wait for an answer of the provider."""
KEYS_SECONDS = 3600
"""Seconds after which the provider's addresses and keys are read again."""
HINT_LETTERS = 4_000
"""The longest ID token that is sent back at sign-out. Some servers refuse longer addresses."""


class OpenIdRefused(Exception):
    """A sign-in was refused. The text says why and what to do.

    Attributes:
        name: the staff ID or account that was refused, or an empty text if it is not known.
        status: the HTTP status of the answer.
    """

    def __init__(self, says: str, name: str = "", status: int = 403) -> None:
        super().__init__(says)
        self.name, self.status = name, status


class Account(NamedTuple):
    """An account of the provider, from a checked ID token.

    Attributes:
        openid: issuer and subject, which identify the account permanently.
        staff_id: the value of CATWALK_OPENID_CLAIM, or an empty text.
        name: the name to show.
        signed_in_at: when the person entered a password at the provider, in seconds since 1970; 0 if the
            provider does not say.
        id_token: the token itself, which the provider gets back at sign-out; empty if it is too long.
    """

    openid: str
    staff_id: str
    name: str
    signed_in_at: float
    id_token: str


class AuthorizationRequest(NamedTuple):
    """A request to the provider: the address to which the browser goes, and what is stored in its cookie."""

    url: str
    state: str
    stored: dict[str, str]


def is_configured() -> bool:
    """Return True if people can sign in with OpenID Connect."""
    return bool(settings.OPENID_ISSUER)


def account_of(subject: str) -> str:
    """Return the text that identifies the account with this subject at the configured issuer."""
    return f"{settings.OPENID_ISSUER} {subject}"


def begin(callback: str) -> AuthorizationRequest:
    """Begin a sign-in. The provider asks for a password even if the browser has a session there, because
    several people use one workstation.

    Args:
        callback: the address to which the provider sends the browser back.

    Raises:
        OpenIdRefused: if the provider does not answer.
    """
    with _errors():
        client = _client()
        created = client.create_authorization_url(callback, prompt="login", max_age=0)
    stored = {name: created[name] for name in ("state", "nonce", "code_verifier")}
    return AuthorizationRequest(created["url"], created["state"], stored | {"redirect_uri": callback})


def finish(answer: Mapping[str, str], stored: Mapping[str, str]) -> Account:
    """Check the provider's answer, and return the account that has signed in.

    Args:
        answer: the parameters of the address to which the provider sent the browser back.
        stored: what `begin` stored.

    Raises:
        OpenIdRefused: if the provider refused, or if a check failed.
    """
    if "error" in answer:
        raise OpenIdRefused(
            f"{settings.OPENID_NAME} did not sign you in ({answer['error'][:100]}).", status=403
        )
    with _errors():
        client = _client()
        names_issuer = client.server_metadata.get("authorization_response_iss_parameter_supported")
        issuer = answer.get("iss", "" if names_issuer else settings.OPENID_ISSUER)
        if not answer.get("code") or issuer != settings.OPENID_ISSUER:
            raise _invalid()
        token = client.fetch_access_token(
            code=answer["code"], redirect_uri=stored["redirect_uri"], code_verifier=stored["code_verifier"]
        )
        claims = client.parse_id_token(
            token,
            stored["nonce"],
            {"iss": {"essential": True, "value": settings.OPENID_ISSUER}},
            leeway=LEEWAY,
        )
        if claims is None:
            raise _invalid()
        claims = _with_staff_id(client, token, claims)
    return Account(
        account_of(claims["sub"]),
        _staff_id(claims),
        claims["name"] if isinstance(claims.get("name"), str) else "",
        float(claims.get("auth_time") or 0),
        token["id_token"] if len(token["id_token"]) <= HINT_LETTERS else "",
    )


def end_session_address(id_token: str, after: str) -> str:
    """Return the address at which the provider ends its session, or an empty text if the provider publishes
    none or does not answer (OpenID Connect RP-Initiated Logout 1.0).

    Args:
        id_token: the ID token of the sign-in. If it is empty, the provider asks the person to confirm.
        after: the address to which the provider sends the browser afterwards.
    """
    try:
        with _errors():
            address = _client().server_metadata.get("end_session_endpoint", "")
    except OpenIdRefused:
        return ""
    if not isinstance(address, str) or not address.startswith(("https://", "http://")):
        return ""
    values = {"client_id": settings.OPENID_CLIENT, "post_logout_redirect_uri": after}
    if id_token:
        values["id_token_hint"] = id_token
    return str(add_params_to_uri(address, list(values.items())))


def is_fresh(account: Account) -> bool:
    """Return True if the person has just entered a password at the provider."""
    return account.signed_in_at > time.time() - CONFIRMED_SECONDS - LEEWAY


def _with_staff_id(client: Any, token: Any, claims: dict[str, Any]) -> dict[str, Any]:
    """Return the claims of an ID token. If the claim with the staff ID is missing, add the claims from the
    provider's userinfo endpoint, unless they describe another account.
    """
    claim = settings.OPENID_CLAIM
    if not claim or claim in claims or "userinfo_endpoint" not in client.server_metadata:
        return claims
    information = client.userinfo(token=token)
    return {**information, **claims} if information.get("sub") == claims["sub"] else claims


def _staff_id(claims: Mapping[str, Any]) -> str:
    """Return the staff ID in the claims, or an empty text. A mail address counts only if the provider has
    verified it.
    """
    value = claims.get(settings.OPENID_CLAIM) if settings.OPENID_CLAIM else None
    if not isinstance(value, str) or (
        settings.OPENID_CLAIM == "email" and claims.get("email_verified") is not True
    ):
        return ""
    return value


def _invalid() -> OpenIdRefused:
    return OpenIdRefused(
        f"The answer of {settings.OPENID_NAME} is not valid, or it was used before. Sign in again.",
        status=400,
    )


def _unavailable() -> OpenIdRefused:
    return OpenIdRefused(
        f"{settings.OPENID_NAME} does not answer as expected. Try again later. If you have a password in"
        " Catwalk, sign in with it.",
        status=503,
    )


@contextmanager
def _errors() -> Iterator[None]:
    """Raise OpenIdRefused for the errors of Authlib, and for a provider that does not answer."""
    try:
        yield
    except RequestException as error:
        raise _unavailable() from error
    except (AuthlibBaseError, JoseError) as error:
        raise _invalid() from error


def _client() -> Any:
    """Return the client of the provider, with the provider's addresses."""
    client = _new_client(
        settings.OPENID_ISSUER,
        settings.OPENID_CLIENT,
        settings.OPENID_SECRET,
        "openid profile email" if settings.OPENID_CLAIM else "openid",
        int(time.time() // KEYS_SECONDS),
    )
    metadata = client.load_server_metadata()
    if metadata.get("issuer") != settings.OPENID_ISSUER or "token_endpoint" not in metadata:
        _new_client.cache_clear()
        raise _unavailable()
    offered = metadata.get("id_token_signing_alg_values_supported", ["RS256"])
    metadata["id_token_signing_alg_values_supported"] = [name for name in offered if name in ALGORITHMS]
    return client


@lru_cache(maxsize=1)
def _new_client(issuer: str, client_id: str, secret: str, scope: str, hour: int) -> Any:
    return OAuth().register(
        "provider",
        client_id=client_id,
        client_secret=secret or None,
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": scope,
            "code_challenge_method": "S256",
            "default_timeout": TIMEOUT,
            "leeway": 0,  # the access token is used at once, and only for the userinfo
            "token_endpoint_auth_method": "client_secret_basic" if secret else "none",
        },
    )

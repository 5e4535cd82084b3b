"""The environment variables of sign-in with OpenID Connect."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from casino.runtime import weak_secrets
from casino.runtime.storage_variables import Storage
from casino.runtime.variable_entry import about as _about

SEE = "see [Sign-in with OpenID Connect](#sign-in-with-openid-connect)"


class OpenId(Storage, frozen=True, kw_only=True):
    """The environment variables of sign-in with OpenID Connect. Without an issuer, it is off."""

    openid_issuer: Annotated[
        str,
        Meta(pattern=r"^(https://[^\s?#]+|http://(localhost|127\.0\.0\.1)(:\d+)?(/[^\s?#]*)?)$"),
        _about(
            f"issuer of your OpenID Connect provider, {SEE}. Unset: people sign in with passwords only",
            expected="an address that begins with https://, without ? and #",
        ),
    ] = field(name="CATWALK_OPENID_ISSUER", default="")
    openid_client: Annotated[str, _about("client ID of Catwalk at the provider")] = field(
        name="CATWALK_OPENID_CLIENT", default=""
    )
    openid_secret: Annotated[
        str,
        _about(
            "client secret of Catwalk at the provider. Unset: Catwalk is a public client",
            expected="a secret that is not well known: create another one at the provider",
            secret=True,
            check=weak_secrets.check_password,
        ),
    ] = field(name="CATWALK_OPENID_SECRET", default="")
    openid_name: Annotated[
        str,
        Meta(max_length=40),
        _about("name of the provider on the sign-in page", expected="a name of at most 40 characters"),
    ] = field(name="CATWALK_OPENID_NAME", default="single sign-on")
    openid_claim: Annotated[
        str,
        Meta(pattern=r"^[A-Za-z0-9_:/.-]{1,100}$"),
        _about(
            "claim that has the staff ID, such as `preferred_username`. It links an account of the provider"
            " with a user at the first sign-in. People must not be able to change it themselves. Unset: only"
            " `manage.py let_in --openid` links accounts",
            expected="the name of a claim, such as preferred_username",
        ),
    ] = field(name="CATWALK_OPENID_CLAIM", default="")
    openid_create: Annotated[
        bool,
        _about("`1` creates a user without roles for each new staff ID in `CATWALK_OPENID_CLAIM`"),
    ] = field(name="CATWALK_OPENID_CREATE", default=False)

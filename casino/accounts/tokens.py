"""Issue, list and revoke tokens of the REST API. A secret is shown once; only its SHA-256 is stored."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import IntegrityError
from django.db.models import Q, QuerySet
from django.utils import timezone

from casino.accounts.scopes import SCOPES
from casino.models import Entry, Token

TOKEN_DAYS = 90
LONGEST = 365
"""Maximum number of days for which a token issued on a page is valid."""
WARN_DAYS, LONGEST_WARNING = 14, 90
"""The number of days before the end of a token at which its holder is warned: the default and the maximum."""
NOTED_EVERY = timedelta(minutes=1)
"""Minimum time between two updates of a token's last use, or of its last refusal."""


class AlreadyIssued(Exception):
    """A token has already been issued for the form with this uid."""


def issue_token(
    *,
    made_by: str,
    person: str = "",
    property: str = "",
    device: str = "",
    scopes: Iterable[str] | None = None,
    days: int = TOKEN_DAYS,
    label: str = "",
    uid: UUID | None = None,
    networks: Iterable[str] = (),
    warn_days: int = WARN_DAYS,
) -> str:
    """Issue a token for a person, or for a device of a property. Return its secret. The caller must show it
    only once. Raise AlreadyIssued if a token with this `uid` exists.

    Args:
        networks: networks (CIDR) from which it may be used, by default all addresses.
    """
    secret = f"cw_{secrets.token_urlsafe(32)}"
    made_at = timezone.now()
    if uid is not None and Token.objects.filter(uid=uid).exists():
        raise AlreadyIssued
    try:
        Token.objects.create(
            sha256=sha256(secret.encode()).digest(),
            prefix=secret[:9],
            person_id=person or None,
            property=property,
            device=device,
            scopes=list(SCOPES if scopes is None else scopes),
            label=label,
            uid=uid,
            made_by=made_by,
            made_at=made_at,
            expires_at=made_at + timedelta(days=days),
            networks=list(networks),
            warn_days=warn_days,
        )
    except IntegrityError:
        if uid is None:
            raise
        raise AlreadyIssued from None  # the same form was submitted twice at once
    return secret


def tokens_of(person: str) -> QuerySet[Token]:
    """Return the tokens of a person, latest first."""
    return Token.objects.filter(person_id=person).order_by("-made_at", "-id")


def tokens_at(places: Sequence[str]) -> QuerySet[Token]:
    """Return the tokens of these properties, latest first: the tokens of their devices, and of all people who
    are in their registers of people or ever were.
    """
    named = Entry.objects.filter(register="people", property__in=places).values("key")
    rows = Token.objects.filter(Q(property__in=places) | Q(person__in=named))
    return rows.select_related("person").order_by("-made_at", "-id")


def revoke(prefix: str, by: str = "") -> int:
    """Revoke the tokens with this prefix. Return the number of tokens that were revoked."""
    return _end(Token.objects.filter(prefix=prefix), by)


def revoke_one(token: Token, by: str) -> bool:
    """Revoke a token with immediate effect. Return False if it was already revoked."""
    return bool(_end(Token.objects.filter(pk=token.pk), by))


def end_all(people: Iterable[str], by: str = "") -> int:
    """Revoke every token of these people. Return the number of tokens that were revoked."""
    return _end(Token.objects.filter(person__in=list(people)), by)


def change(token: Token, networks: Iterable[str], warn_days: int, by: str) -> None:
    """Change the networks from which a token may be used, and the number of days before its end at which its
    holder is warned.
    """
    values = {"networks": list(networks), "warn_days": warn_days}
    Token.objects.filter(pk=token.pk).update(**values, changed_at=timezone.now(), changed_by=by)


def ending_soon(tokens: QuerySet[Token]) -> list[Token]:
    """Return those tokens that end so soon that their holders are warned, the earliest end first."""
    latest = timezone.now() + timedelta(days=LONGEST_WARNING)
    rows = tokens.filter(revoked_at=None, expires_at__lte=latest).order_by("expires_at", "pk")
    return [token for token in rows if token.days_left() is not None]


def refused_since(tokens: QuerySet[Token], instant: datetime) -> list[Token]:
    """Return the tokens that were used after `instant` from an address that they do not allow."""
    return list(tokens.filter(refused_at__gte=instant).order_by("pk"))


def note_use(token: Token, instant: datetime) -> None:
    """Record when a token was last used. To write less, record nothing if a use within the last NOTED_EVERY
    is already recorded.
    """
    if token.last_used_at is None or instant - token.last_used_at > NOTED_EVERY:
        Token.objects.filter(pk=token.pk).update(last_used_at=instant)


def note_refusal(token: Token, address: str, instant: datetime) -> bool:
    """Record that a token was used from an address that it does not allow. Return False if a use from the
    same address was recorded less than NOTED_EVERY ago.
    """
    is_known = token.refused_at is not None and instant - token.refused_at <= NOTED_EVERY
    if is_known and token.refused_from == address:
        return False
    return bool(Token.objects.filter(pk=token.pk).update(refused_at=instant, refused_from=address))


def _end(tokens: QuerySet[Any], by: str) -> int:
    return tokens.filter(revoked_at=None).update(revoked_at=timezone.now(), revoked_by=by)

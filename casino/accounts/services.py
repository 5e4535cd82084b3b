"""Manage users: their names, passwords and sessions, which are not in the ledger. Roles are register entries
and are not managed here.

For tokens see `tokens.py`, for one-time passwords `otp.py`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from django.db.models import F

from casino.accounts import alert_contacts, otp, preferences
from casino.accounts.tokens import TOKEN_DAYS as TOKEN_DAYS
from casino.accounts.tokens import end_all
from casino.accounts.tokens import issue_token as issue_token
from casino.accounts.tokens import revoke as revoke
from casino.models import Person


def activate_user(id: str, name: str, password: str | None = None) -> str:
    """Activate a user with a name and a password, and return the password. If `password` is None, generate
    one.

    The user's roles are in the register of people.
    """
    password = password or secrets.token_urlsafe(12)
    person = Person.objects.filter(pk=id).first() or Person(id=id)
    person.name, person.is_active = name, True
    person.set_password(password)
    person.save()
    return password


def create_without_password(id: str, name: str) -> None:
    """Create or activate a user who signs in with OpenID Connect. A new user has no password."""
    person = Person.objects.filter(pk=id).first()
    if person is None:
        person = Person(id=id)
        person.set_unusable_password()
    person.name, person.is_active = name or person.name, True
    person.save()


def erase_personal_data(id: str) -> None:
    """Erase the name of a user and deactivate the user. The staff ID stays in the facts."""
    deactivate_user(id)
    person = Person.objects.get(pk=id)
    person.name = person.openid = ""
    person.set_unusable_password()
    person.save()
    otp.remove_otp(id)
    alert_contacts.erase(id)
    preferences.erase(id)


def deactivate_user(id: str) -> None:
    """End all sessions of a user and revoke all of the user's tokens. No password is accepted until
    `activate_user` is called.
    """
    Person.objects.filter(pk=id).update(is_active=False)
    end_sessions([id])


def end_sessions_of(person: Person) -> None:
    """End every session of this person. The caller can then call `update_session_auth_hash` to let its own
    session continue.
    """
    Person.objects.filter(pk=person.pk).update(logins_ended=F("logins_ended") + 1)
    person.refresh_from_db(fields=["logins_ended"])


def end_sessions(ids: Iterable[str]) -> None:
    """End all sessions of these people, from their next request on, and revoke their tokens."""
    person_ids = list(ids)
    Person.objects.filter(pk__in=person_ids).update(logins_ended=F("logins_ended") + 1)
    end_all(person_ids)

"""Browsers in which a user is logged in, made without the login page."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client

from casino.models import Person

PASSWORDS = "django.contrib.auth.backends.ModelBackend"


def logged_in(id: str, **options: Any) -> Client:
    """Return a browser with a session like the one that Django's `login` creates for this person.

    This takes 5 statements. `Client.force_login` takes 25, because it also makes a first session without a
    person and looks for failed logins, and the tests of pages need thousands of logins.

    Args:
        id: The staff ID.
        options: Options of Django's test client, such as `raise_request_exception`.
    """
    person = Person.objects.get(pk=id)
    session = SessionStore()
    session.update(
        {
            SESSION_KEY: person.pk,
            BACKEND_SESSION_KEY: PASSWORDS,
            HASH_SESSION_KEY: person.get_session_auth_hash(),
        }
    )
    session.create()
    client = Client(**options)
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    return client

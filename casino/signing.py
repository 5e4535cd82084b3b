"""The second person's signature: his own password, at this moment."""

from __future__ import annotations

from django.contrib.auth import authenticate
from django.http import HttpRequest

from casino.models import Person


def signs(request: HttpRequest, person_id: str, password: str) -> Person | None:
    """The person whose password this is, or None. Wrong ones count: five lock the name out at this address."""
    found = authenticate(request, username=person_id, password=password)
    return found if isinstance(found, Person) else None

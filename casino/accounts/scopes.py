"""Scopes of tokens. A scope gives no right that its bearer does not have; it only restricts."""

from __future__ import annotations

from typing import Any

from rest_framework.permissions import BasePermission

from casino.accounts.permissions import OF_A_PERSON, properties
from casino.models import Person

SCOPES = {
    "read:reports": "Read reports, hold, tallies and certificates",
    "read:facts": "Read facts, rounds and the ledger's head",
    "read:findings": "Read findings and verdicts",
    "read:tables": "Read the state of a table",
    "post:facts": "Record facts",
    "export": "Order exports, and download them",
}
"""Name to what it lets its bearer do, as people read it who make a token."""

ACTS = {
    "read:reports": ("see-hold", "see-certificate"),
    "read:facts": ("see-facts",),
    "read:findings": ("see-findings",),
    "read:tables": ("see-table",),
    "post:facts": tuple(sorted(set(OF_A_PERSON.values()))),
    "export": ("see-hold", "see-facts", "see-findings"),
}
"""Name to the acts that it is good for: to who may do none of them, anywhere, it is of no use."""


def usable_scopes(person: Person) -> list[str]:
    """Return the scopes that a token of this person can be used for today."""
    return [scope for scope, acts in ACTS.items() if any(properties(person, act) for act in acts)]


def needs(scope: str) -> type[BasePermission]:
    """Return the permission class of a view whose callers need a token with this scope. Raise ValueError for
    an unknown scope.
    """
    if scope not in SCOPES:
        raise ValueError(f"no scope {scope}")

    class Scoped(BasePermission):
        message = f"The token lacks the scope {scope}."

        def has_permission(self, request: Any, view: Any) -> bool:
            return request.auth is not None and scope in request.auth.scopes

    Scoped.scope = scope  # the schema tells it
    return Scoped


def needs_by_method(**scopes: str) -> type[BasePermission]:
    """Return the permission class of a view whose methods need different scopes:
    `needs_by_method(GET="read:facts", POST="post:facts")`.
    """
    by_method = {method: needs(scope) for method, scope in scopes.items()}

    class ScopedByMethod(BasePermission):
        def has_permission(self, request: Any, view: Any) -> bool:
            asked = by_method.get("GET" if request.method == "HEAD" else request.method)
            found = [asked] if asked is not None else list(by_method.values())
            self.message = found[0].message
            return any(each().has_permission(request, view) for each in found)

    ScopedByMethod.scopes = scopes
    return ScopedByMethod

"""Scopes of tokens. A scope only restricts a token. It never gives a right that the token's holder does not
have.
"""

from __future__ import annotations

from typing import Any

from rest_framework.permissions import BasePermission

from casino.accounts.permissions import OF_A_PERSON, properties
from casino.models import Person, Token

SCOPES = {
    "read:reports": "Read reports, hold, tallies and certificates",
    "read:facts": "Read facts, rounds and the ledger's head",
    "read:findings": "Read findings and verdicts",
    "read:log": "Read the daily log of surveillance",
    "read:cases": "Read cases",
    "work:cases": "Open cases, and work on them",
    "read:tables": "Read the state of a table",
    "post:facts": "Record facts",
    "export": "Order exports, and download them",
    "read:alerts": "Read alerts, webhooks and the delivery log",
    "manage:webhooks": "Send test events, and deliver events again",
}
"""For each scope: a description for the people who issue tokens."""

ACTS = {
    "read:reports": ("see-hold", "see-certificate"),
    "read:facts": ("see-facts",),
    "read:findings": ("see-findings",),
    "read:log": ("see-log",),
    "read:cases": ("see-case",),
    "work:cases": ("work-case", "work-suspicion"),
    "read:tables": ("see-table",),
    "post:facts": tuple(sorted(set(OF_A_PERSON.values()))),
    "export": ("see-hold", "see-facts", "see-findings", "see-log"),
    "read:alerts": ("see-alerts", "see-deliveries"),
    "manage:webhooks": ("set-webhook",),
}
"""For each scope: the rights that make it usable. A holder needs at least one of them, at any property."""


OF_A_DEVICE = ("post:facts", "read:tables")
"""The scopes that a device can use; they match its rights in `permissions.RIGHTS`."""


def usable_scopes(person: Person) -> list[str]:
    """Return the scopes that this person can use with today's rights."""
    return [scope for scope, acts in ACTS.items() if any(properties(person, act) for act in acts)]


def of_token(token: Token) -> list[str]:
    """Return the scopes of a token that its holder can use today."""
    usable = usable_scopes(token.person) if token.person is not None else OF_A_DEVICE
    return [scope for scope in token.scopes if scope in usable]


def needs(scope: str) -> type[BasePermission]:
    """Return the permission class for a view that requires a token with this scope.

    Raise ValueError if the scope is unknown.
    """
    if scope not in SCOPES:
        raise ValueError(f"no scope {scope}")

    class Scoped(BasePermission):
        message = f"The token lacks the scope {scope}."

        def has_permission(self, request: Any, view: Any) -> bool:
            return request.auth is not None and scope in request.auth.scopes

    Scoped.scope = scope  # shown in the OpenAPI schema
    return Scoped


def needs_by_method(**scopes: str) -> type[BasePermission]:
    """Return the permission class for a view whose HTTP methods require different scopes, for example
    `needs_by_method(GET="read:facts", POST="post:facts")`.
    """
    by_method = {method: needs(scope) for method, scope in scopes.items()}

    class ScopedByMethod(BasePermission):
        def has_permission(self, request: Any, view: Any) -> bool:
            permission = by_method.get("GET" if request.method == "HEAD" else request.method)
            permissions = [permission] if permission is not None else list(by_method.values())
            self.message = permissions[0].message
            return any(permission_class().has_permission(request, view) for permission_class in permissions)

    ScopedByMethod.scopes = scopes
    return ScopedByMethod

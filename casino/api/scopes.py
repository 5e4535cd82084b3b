"""What a token is for: `facts:post`, `tables:read`, `reports:read`. A scope gives no right that its bearer has not."""

from __future__ import annotations

from typing import Any

from rest_framework.permissions import BasePermission

SCOPES = ("facts:post", "tables:read", "reports:read")


def needs(scope: str) -> type[BasePermission]:
    """The permission of a view whose callers need a token with this scope."""

    class Scoped(BasePermission):
        message = f"The token lacks the scope {scope}."

        def has_permission(self, request: Any, view: Any) -> bool:
            return request.auth is not None and scope in request.auth.scopes

    return Scoped

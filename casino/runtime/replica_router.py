"""Django's database router: models that show data are read from the replica inside `replica.read`. People,
tokens, sessions and everything that is written use the primary.
"""

from __future__ import annotations

from typing import Any

from django.db import DEFAULT_DB_ALIAS

from audit import database
from casino.runtime.replica import ALIAS

PACKAGES = ("audit.", "casino.")
ALWAYS_PRIMARY = ("casino.models.people", "casino.models.tokens", "casino.models.one_time")
"""Modules with models that decide who a user is. A person who was deactivated must not get in because the
replica does not know it yet.
"""


class ReplicaRouter:
    """Chooses the connection for Django's models."""

    def db_for_read(self, model: Any, **hints: Any) -> str | None:
        """Return the alias to read a model from, or None for Django's default."""
        is_data = model.__module__.startswith(PACKAGES) and model.__module__ not in ALWAYS_PRIMARY
        return database.read_alias() if is_data and not database.reads_primary() else None

    def db_for_write(self, model: Any, instance: Any = None, **hints: Any) -> str | None:
        """Return the primary for an instance that was read from the replica, and None for all others."""
        return DEFAULT_DB_ALIAS if instance is not None and instance._state.db == ALIAS else None

    def allow_relation(self, first: Any, second: Any, **hints: Any) -> bool | None:
        """Return True for two rows of the primary and of the replica, because both databases have the same
        rows. Return None for other databases.
        """
        known = {DEFAULT_DB_ALIAS, ALIAS}
        return True if {first._state.db, second._state.db} <= known else None

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        """Return False for the replica, which gets its schema from the primary. Return None for other
        databases.
        """
        return False if db == ALIAS else None

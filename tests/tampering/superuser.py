"""A superuser who changes the database in a transaction, runs the proofs, and undoes the change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import connections, transaction

from audit.proofs.registry import Fault, Proof
from audit.proofs.run import Result, run


class Superuser:
    """The role `postgres` on the connection that Django calls "default", with one open transaction."""

    def __init__(self) -> None:
        self.app = settings.DATABASES["default"]["USER"]

    def execute(self, statement: str, values: Iterable[Any] = ()) -> None:
        """Execute statements while triggers and foreign keys are disabled."""
        with connections["default"].cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(statement, list(values) or None)
            cursor.execute("SET LOCAL session_replication_role = origin")

    def rows(self, query: str, values: Iterable[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows that a query selects."""
        with connections["default"].cursor() as cursor:
            cursor.execute(query, list(values) or None)
            return list(cursor.fetchall())

    def is_disconnected(self) -> bool:
        """Return True if the connection to Postgres is lost."""
        connection = connections["default"].connection
        return connection is None or bool(connection.closed)

    @contextmanager
    def undone(self) -> Iterator[None]:
        """Undo everything in this block at its end, also settings of the session."""
        with transaction.atomic():
            try:
                yield
            finally:
                transaction.set_rollback(True)

    @contextmanager
    def committed(self) -> Iterator[None]:
        """Keep the changes of this block in the open transaction. If the block raises an error, undo them."""
        with transaction.atomic():
            yield

    def verify(self, lines: Iterable[Proof]) -> Result:
        """Run these proofs as `manage.py verify` does, with the rights of the application's role. Return the
        result.
        """
        cache.clear()
        with self.undone():
            return run(lines, snapshot=self.as_application)

    def faults(self, lines: Iterable[Proof]) -> list[Fault]:
        """Return the faults that these proofs find."""
        return self.verify(lines).faults

    @contextmanager
    def as_application(self) -> Iterator[None]:
        with transaction.atomic(), connections["default"].cursor() as cursor:
            cursor.execute(f'SET LOCAL ROLE "{self.app}"')
            yield


@contextmanager
def superuser() -> Iterator[Superuser]:
    """Replace Django's connection by one of the superuser `postgres` while this block runs, and yield the
    superuser.
    """
    before = connections["default"]
    connection = type(before)(before.settings_dict | {"USER": "postgres"}, alias="default")
    connections["default"] = connection
    try:
        with transaction.atomic():
            yield Superuser()
            transaction.set_rollback(True)
    finally:
        _end(connection, before)
        connections["default"] = before


def _end(connection: Any, other: Any) -> None:
    """Close the superuser's connection and wait until it has ended, because a database with a connection
    cannot be dropped.
    """
    process = connection.connection.info.backend_pid
    connection.close()
    with other.cursor() as cursor:
        for _ in range(1000):
            cursor.execute("SELECT pg_sleep(0.01) FROM pg_stat_activity WHERE pid = %s", [process])
            if cursor.fetchone() is None:
                return

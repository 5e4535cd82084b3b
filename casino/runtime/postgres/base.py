"""Django's Postgres backend. In a web process, connections fail at once while the database is unavailable."""

from typing import Any

import psycopg
from django.db.backends.postgresql import base

from casino.runtime.database_watch import watch


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper with connections that are registered with `DatabaseWatch`."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        options = watch.connect_options()
        try:
            opened = super().get_new_connection(conn_params | options)
        except psycopg.errors.ConnectionTimeout:
            watch.is_away = bool(options)
            raise
        watch.add(opened)
        return opened

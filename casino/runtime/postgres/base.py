"""Django's Postgres backend, whose connections fail at once in a web process while the database is away."""

from typing import Any

import psycopg
from django.db.backends.postgresql import base

from casino.runtime.database_watch import watch


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper with connections that `DatabaseWatch` knows."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        options = watch.connect_options()
        try:
            opened = super().get_new_connection(conn_params | options)
        except psycopg.errors.ConnectionTimeout:
            watch.is_away = bool(options)
            raise
        watch.add(opened)
        return opened

"""Django's Postgres backend with a server that is started at the first query. Commands without a query (help,
check, a mistyped option) do not start it.
"""

from pathlib import Path
from typing import Any

import psycopg

from casino.runtime.auto_migrate import migrate_once
from casino.runtime.database_watch import watch
from casino.runtime.embedded import has_joined, join
from casino.runtime.postgres import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper, except that the first connection of a process starts the server and applies
    migrations. A later connection starts the server again only if it does not answer. Connecting may raise
    Trouble.
    """

    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        params.pop("house", None)
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        data = Path(self.settings_dict["OPTIONS"]["house"])
        if watch.has_answered or has_joined(data):
            migrate_once(self.alias)
            try:
                return super().get_new_connection(conn_params)
            except psycopg.errors.ConnectionTimeout:
                # The server runs but does not answer. libpq's ping would make all threads wait.
                raise
            except psycopg.OperationalError:
                if not watch.may_start_server():
                    raise
        join(data)
        migrate_once(self.alias)
        return super().get_new_connection(conn_params)

"""Django's Postgres backend, which starts the embedded server at the first query. Commands without a query
(help, check, a mistyped option) do not start it.
"""

from pathlib import Path
from typing import Any

from django.db.backends.postgresql import base

from casino.runtime.auto_migrate import migrate_once
from casino.runtime.embedded import join


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper, but a new connection first starts the server and applies migrations. Connecting may
    raise Trouble.
    """

    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        params.pop("house", None)
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        join(Path(self.settings_dict["OPTIONS"]["house"]))
        migrate_once(self.alias)
        return super().get_new_connection(conn_params)

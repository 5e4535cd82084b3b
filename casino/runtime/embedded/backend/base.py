"""Django's Postgres backend that starts the house when it is first needed: whatever asks the database a
question (a command, a page, a worker's child) joins the server, and what asks none (help, check, a mistyped
option) starts nothing.
"""

from pathlib import Path
from typing import Any

from django.db.backends.postgresql import base

from casino.runtime.auto_migrate import migrate_once
from casino.runtime.embedded import join


class DatabaseWrapper(base.DatabaseWrapper):
    """As Django's; a new connection joins the house first and finds every migration applied. Raises Trouble."""

    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        params.pop("house", None)
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        join(Path(self.settings_dict["OPTIONS"]["house"]))
        migrate_once(self.alias)
        return super().get_new_connection(conn_params)

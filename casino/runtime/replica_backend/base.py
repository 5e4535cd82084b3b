"""Django's Postgres backend for a replica. In a web process, connections fail at once while the replica is
unavailable. The primary is not affected.
"""

from typing import Any

from django.db.backends.postgresql import base

from casino.runtime.database_watch import replica_watch


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper with connections that are registered with the watch of the replica."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        opened = super().get_new_connection(conn_params | replica_watch.connect_options())
        replica_watch.add(opened)
        return opened

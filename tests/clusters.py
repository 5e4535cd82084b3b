"""Postgres clusters of a test: a primary with its roles, and streaming standbys made by pg_basebackup."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
from django.db import connections
from psycopg import sql
from psycopg.pq import Ping

from casino.runtime import env
from casino.runtime.embedded.binaries import as_account, find
from casino.runtime.embedded.folders import House
from casino.runtime.embedded.server import INITDB, ROLES, SETTINGS

REPLICATING = {
    "wal_level": "logical",
    "max_wal_senders": "20",
    "max_replication_slots": "20",
    "hot_standby_feedback": "on",
    "wal_receiver_status_interval": "1s",
    "wal_retrieve_retry_interval": "100ms",
    "max_logical_replication_workers": "16",
    "max_sync_workers_per_subscription": "4",
    "max_worker_processes": "24",
    "shared_buffers": "32MB",
    "log_min_messages": "fatal",
}
"""Settings that differ from those of the embedded server, which replicates nothing."""
PATIENCE = 60.0


class Cluster:
    """One Postgres server with its own folder and Unix socket. It runs as an account without rights."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data, self.socket = folder, folder / "data", folder / "socket"
        self.account = House(folder).account()
        self.binaries = find(self.account).folder
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    def primary(cls, parent: Path, name: str) -> Cluster:
        """Create and start a cluster with the roles and the empty database of an installation."""
        cluster = cls(_folder(parent / name))
        cluster.run("initdb", "-D", str(cluster.data), *INITDB, "--no-sync")
        cluster.start()
        with cluster.superuser(database="postgres") as connection:
            for statement in filter(str.strip, ROLES.split(";")):
                connection.execute(statement)  # type: ignore[arg-type]
        return cluster

    def standby(self, parent: Path, name: str) -> Cluster:
        """Create and start a streaming standby of this cluster."""
        standby = Cluster(_folder(parent / name))
        source = f"host={self.socket} port={House.PORT} user=postgres"
        self.run(
            "pg_basebackup", "-D", str(standby.data), "-d", source, "-R", "-c", "fast", "-X", "stream", "-N"
        )
        standby.start()
        return standby

    def run(self, program: str, *options: str) -> None:
        """Run a program of Postgres as the account of the server."""
        command = [str(self.binaries / program), *options]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, **as_account(self.account))
        assert ran.returncode == 0, ran.stderr

    def start(self) -> None:
        """Start the server and wait until it answers."""
        settings = SETTINGS | REPLICATING | {"unix_socket_directories": str(self.socket)}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        command = [str(self.binaries / "postgres"), "-D", str(self.data), *options]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, **as_account(self.account))
        deadline = time.monotonic() + PATIENCE
        address = f"host={self.socket} port={House.PORT} user=postgres dbname=postgres".encode()
        while psycopg.pq.PGconn.ping(address) != Ping.OK:
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.01)

    def end(self, sent: signal.Signals = signal.SIGINT) -> None:
        """End the server with this signal. SIGQUIT ends all its processes at once, as a crash does."""
        if self._process is not None:
            self._process.send_signal(sent)
            self._process.wait(PATIENCE)
            self._process = None

    def superuser(self, database: str = House.DATABASE) -> psycopg.Connection[Any]:
        """Return a new connection as the superuser."""
        return psycopg.connect(
            host=str(self.socket), port=House.PORT, user="postgres", dbname=database, autocommit=True
        )

    def entry(self, role: str = House.APP_ROLE, *, is_replica: bool = False) -> dict[str, Any]:
        """Return the entry of Django's DATABASES for this cluster, as an installation has it."""
        url = self.url(role)
        entry = env.replica(url) if is_replica else env.from_url(url, "DATABASE_URL")
        return connections["default"].settings_dict | entry

    def fill(self, database: str) -> None:
        """Copy a database of the test run into this cluster."""
        source = connections["owner"].settings_dict
        address = ["-h", source["HOST"], "-p", source["PORT"], "-U", source["USER"]]
        dump = [str(self.binaries / "pg_dump"), *address, database]
        into = [str(self.binaries / "psql"), "-qX", "-v", "ON_ERROR_STOP=1", "-h", str(self.socket)]
        into += ["-p", str(House.PORT), "-U", "postgres", House.DATABASE]
        with subprocess.Popen(dump, stdout=subprocess.PIPE) as dumping:
            loaded = subprocess.run(into, stdin=dumping.stdout, capture_output=True, text=True, check=False)
        assert (dumping.returncode, loaded.returncode) == (0, 0), loaded.stderr
        with self.superuser() as connection:
            connection.execute(f"grant temporary on database {House.DATABASE} to {House.APP_ROLE}")

    def require_password(self, role: str, password: str) -> None:
        """Create a role that may replicate and can log in only with a password. Postgres demands a password
        of a subscribing role that is not a superuser.
        """
        rules = self.data / "pg_hba.conf"
        rules.write_text(f"local all {role} scram-sha-256\n{rules.read_text()}")
        with self.superuser() as connection:
            create = sql.SQL("create role {} login replication password {}")
            connection.execute(create.format(sql.Identifier(role), sql.Literal(password)))
            connection.execute(
                sql.SQL("grant connect on database {} to {}").format(
                    sql.Identifier(House.DATABASE), sql.Identifier(role)
                )
            )
            connection.execute("select pg_reload_conf()")

    def url(self, role: str, password: str = "") -> str:
        """Return the address of the database in the form that an environment variable needs."""
        user = f"{role}:{quote(password)}" if password else role
        return f"postgres://{user}@/{House.DATABASE}?host={quote(str(self.socket))}&port={House.PORT}"


def _folder(path: Path) -> Path:
    account = House(path).account()
    for folder in (path, path / "socket"):
        folder.mkdir(mode=0o700)
        if account is not None:
            os.chown(folder, account.pw_uid, account.pw_gid)
    return path


@contextmanager
def connected(**entries: dict[str, Any]) -> Iterator[None]:
    """Point Django's connections with these names at other databases inside the `with` block."""
    before = {alias: connections.settings.get(alias) for alias in entries}
    try:
        for alias, entry in entries.items():
            _replace(alias, entry)
        yield
    finally:
        for alias, known in before.items():
            _replace(alias, known)


def _replace(alias: str, entry: dict[str, Any] | None) -> None:
    if alias in connections.settings:
        connections[alias].close()
        del connections[alias]
    connections.settings.pop(alias, None)
    if entry is not None:
        connections.settings[alias] = entry


class Clusters:
    """A folder in memory with the clusters of a test. All are stopped and deleted at the end."""

    def __init__(self) -> None:
        place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.folder = Path(tempfile.mkdtemp(prefix="catwalk-clusters-", dir=place))
        self.folder.chmod(0o711)
        self._clusters: list[Cluster] = []

    def primary(self, name: str) -> Cluster:
        self._clusters.append(Cluster.primary(self.folder, name))
        return self._clusters[-1]

    def standby(self, of: Cluster, name: str) -> Cluster:
        self._clusters.append(of.standby(self.folder, name))
        return self._clusters[-1]

    def close(self) -> None:
        """Stop all servers and delete their folders."""
        for cluster in reversed(self._clusters):
            cluster.end(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

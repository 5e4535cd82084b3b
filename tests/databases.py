"""Databases of tests: a template that is migrated once, databases that are filled once, and copies."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import Error, connections
from psycopg import sql

from casino.runtime import auto_migrate, embedded
from tests.manage import PROJECT, SHARED

ALIASES = ("default", "owner")
FURNISHED = "catwalk_furnished_"
AS_NEW = "reset all; unlisten *; select pg_advisory_unlock_all(), pg_stat_force_next_flush()"
"""Statements that reset a connection and send its counts of written rows to the server."""
_number = count(1)


def _connect(alias: str, **other: Any) -> psycopg.Connection[Any]:
    place = connections.settings[alias]
    options = {name: value for name, value in place["OPTIONS"].items() if name != "house"}
    words = {
        "dbname": place["NAME"],
        "user": place["USER"],
        "password": place["PASSWORD"],
        "host": place["HOST"],
        "port": place["PORT"],
    }
    return psycopg.connect(
        **{name: value for name, value in (words | options | other).items() if value}, autocommit=True
    )


def _point_at(name: str) -> None:
    """Point Django's connections, including those that other threads will open, at the database `name`."""
    for alias in ALIASES:
        connections[alias].close()
        connections.settings[alias]["NAME"] = name


STATE = """
select numbackends, tup_inserted + tup_updated + tup_deleted,
    row(d.datdba, d.datacl, d.datconnlimit,
        (select array_agg(s.setrole || s.setconfig::text order by s.setrole) from pg_db_role_setting s
            where s.setdatabase = d.oid),
        (select count(s.subdbid) from pg_subscription s where s.subdbid = d.oid))::text
from pg_stat_database join pg_database d on d.oid = datid where d.datname = %s
"""
"""The query for the number of connections, the number of written rows, and the rights and settings of a
database.
"""


def _state(name: str, owner: psycopg.Connection[Any]) -> tuple[int, int, str]:
    state: tuple[int, int, str] | None = owner.execute(STATE, [name]).fetchone()
    assert state is not None
    return state


def _written(name: str, owner: psycopg.Connection[Any]) -> tuple[int, str] | None:
    """Return two values about the database `name`: how many rows were ever written, and its rights and
    settings. Rows of all tables and catalogs count if they were inserted, updated or deleted, also in
    transactions that were rolled back. Return None if a transaction or a connection that is not Django's is
    open.

    Args:
        owner: A connection to another database.
    """
    used = [connections[alias] for alias in ALIASES if connections[alias].connection is not None]
    if any(wrapper.in_atomic_block or not wrapper.autocommit for wrapper in used):
        return None
    for wrapper in used:
        with wrapper.cursor() as cursor:
            cursor.execute(AS_NEW)
    open_now, *state = _state(name, owner)
    return (state[0], state[1]) if open_now == len(used) else None


def _log_out_all() -> int:
    """Delete all sessions of browsers, and return the number of deleted sessions."""
    if connections["default"].connection is None:
        return 0
    with connections["default"].cursor() as cursor:
        cursor.execute("delete from django_session")
        return int(cursor.rowcount)


class Spare(NamedTuple):
    """A copy of the database `of` that a test did not change, with Django's connections to it."""

    of: str
    name: str
    wrappers: dict[str, Any]
    written: int
    settings: str


def drop_furnished() -> None:
    """Drop the databases that the functions of this run have filled. This is needed only on a server that the
    run did not start itself.
    """
    with _connect("owner") as owner:
        for pickled in Path(os.environ[SHARED]).glob(f"{FURNISHED}*.pickle"):
            owner.execute(f"drop database if exists {pickled.stem} with (force)")


class Template:
    """A migrated database from which others are copied. Its name is computed from the migrations, so changed
    migrations lead to another database.
    """

    def __init__(self) -> None:
        self._spare: Spare | None = None
        self._furnished: dict[Callable[[], Any], tuple[str, Any]] = {}
        self.run = Path(os.environ[SHARED])
        self.home = connections.settings["owner"]["NAME"]
        if settings.EMBEDDED:
            embedded.join(settings.CATWALK_DATA)
            with _connect(
                "owner", user="postgres", dbname="postgres"
            ) as superuser:  # rights that only a test run needs
                # Roles belong to the whole server. Two processes of one run must take turns, because Postgres
                # refuses simultaneous changes.
                superuser.execute("select pg_advisory_lock(%s)", [auto_migrate.LOCK])
                superuser.execute(f"alter role {embedded.OWNER_ROLE} createdb")
                superuser.execute(f"grant pg_signal_backend to {embedded.OWNER_ROLE}")
        files = sorted(
            path for app in ("audit", "casino") for path in (PROJECT / app / "migrations").glob("*.py")
        )
        content = [path.read_bytes() for path in files] + [repr(sorted(auto_migrate.on_disk())).encode()]
        self.name = f"catwalk_template_{sha256(b''.join(content)).hexdigest()[:12]}"
        with _connect("owner") as owner:
            owner.execute("select pg_advisory_lock(%s)", [auto_migrate.LOCK])
            if not owner.execute("select 1 from pg_database where datname = %s", [self.name]).fetchone():
                self._make(owner)
        self._owner = _connect(
            "owner", dbname=self.home
        )  # one connection creates and drops all copies, because each new one reads the catalogs

    def _make(self, owner: psycopg.Connection[Any]) -> None:
        half = f"{self.name}_half"
        owner.execute(f"drop database if exists {half} with (force)")
        owner.execute(f"create database {half}")
        _point_at(half)
        call_command("migrate", database="owner", interactive=False, verbosity=0)
        _point_at(self.home)
        owner.execute(f"alter database {half} rename to {self.name}")

    @contextmanager
    def filled(self, purpose: str, fill: Callable[[], object]) -> Iterator[str]:
        """Yield the name of a copy for tests that only read. The first process of the run fills the copy.
        `purpose` names its contents.
        """
        name = f"{self.name}_{sha256(purpose.encode()).hexdigest()[:12]}"
        half = f"{name}_half"
        before = connections.settings["owner"]["NAME"]
        with _connect("owner", dbname=self.home) as owner:
            owner.execute("select pg_advisory_lock(%s)", [auto_migrate.LOCK + 1])
            if not owner.execute("select 1 from pg_database where datname = %s", [name]).fetchone():
                owner.execute(f"drop database if exists {half} with (force)")
                owner.execute(f"create database {half} template {self.name} strategy file_copy")
                _point_at(half)
                try:
                    fill()
                finally:
                    _point_at(before)
                owner.execute(f"alter database {half} rename to {name}")
        _point_at(name)
        try:
            yield name
        finally:
            _point_at(before)

    @contextmanager
    def copied(self, of: str = "") -> Iterator[str]:
        """Yield the name of a new copy, to which Django's connections point. Drop it at the end with its
        connections.
        """
        name = self._copy(of or self.name)
        before = connections.settings["owner"]["NAME"]
        _point_at(name)
        try:
            yield name
        finally:
            _point_at(before)
            self._drop(name)

    @contextmanager
    def lent(self, of: str) -> Iterator[str]:
        """Yield the name of a copy, as `copied` does. If the test writes nothing to it except sessions of
        browsers, the next test that wants a copy of the same database gets this one without those sessions.
        """
        before = connections.settings["owner"]["NAME"]
        lent, self._spare = self._spare, None
        if lent is not None and lent.of != of:
            self._give_up(lent)
            lent = None
        if lent is None:
            name = self._copy(of)
            lent = Spare(of, name, {}, *_state(name, self._owner)[1:])
        _point_at(lent.name)
        for alias, wrapper in lent.wrappers.items():
            connections[alias] = wrapper
        try:
            yield lent.name
        finally:
            spare = self._unchanged(lent)
            _point_at(before)
            if spare is None:
                self._drop(lent.name)
            self._spare = spare

    def _unchanged(self, lent: Spare) -> Spare | None:
        """Remove the lent copy's connections from Django. Return the copy with these connections for the next
        test. Return None if the test wrote to the copy.
        """
        try:
            state = _written(lent.name, self._owner)
            if state is None:
                return None
            sessions = _log_out_all()
            if state != (lent.written + sessions, lent.settings):
                return None
        except Error:
            return None
        wrappers = {alias: connections[alias] for alias in ALIASES}
        for alias in ALIASES:
            del connections[alias]
        return Spare(lent.of, lent.name, wrappers, lent.written + 2 * sessions, lent.settings)

    def _give_up(self, spare: Spare) -> None:
        for wrapper in spare.wrappers.values():
            wrapper.close()
        self._drop(spare.name)

    def _copy(self, of: str) -> str:
        name = f"catwalk_test_{os.getpid()}_{next(_number)}"
        app = connections.settings["default"]["USER"]
        self._owner.execute(f"create database {name} template {of} strategy file_copy")
        closed = sql.SQL(
            "revoke all on database {0} from public; grant connect, temporary on database {0} to {1}"
        )
        self._owner.execute(closed.format(sql.Identifier(name), sql.Identifier(app)))
        return name

    def _drop(self, name: str) -> None:
        self._owner.execute(f"drop database if exists {name} with (force)")

    def furnished(self, furnish: Callable[[], Any]) -> tuple[str, Any]:
        """Return the name of the database that `furnish` has filled, and the return value of `furnish`. The
        function runs once in a test run, and tests get copies of the database (tests/furnished.py).
        """
        if furnish not in self._furnished:
            self._furnished[furnish] = self._filled_once(furnish)
        return self._furnished[furnish]

    def _filled_once(self, furnish: Callable[[], Any]) -> tuple[str, Any]:
        """Fill the database in the first process that needs it, and store what `furnish` returned in a file.
        The other processes read that file.
        """
        digest = sha256(f"{furnish.__module__}.{furnish.__qualname__}".encode())
        name = f"{FURNISHED}{sha256(self.run.name.encode()).hexdigest()[:8]}_{digest.hexdigest()[:12]}"
        pickled = self.run / f"{name}.pickle"
        with _connect("owner", dbname=self.home) as owner:  # other processes wait until it is filled
            owner.execute(
                "select pg_advisory_lock(%s)", [int.from_bytes(digest.digest()[:8], "big", signed=True)]
            )
            if pickled.exists():
                return name, pickle.loads(pickled.read_bytes())
            with self.copied() as empty:
                gave = furnish()
                _point_at(self.home)
                self._owner.execute(f"alter database {empty} rename to {name}")
            half = pickled.with_suffix(".half")
            half.write_bytes(pickle.dumps(gave))
            half.rename(pickled)
            return name, gave

    def close(self) -> None:
        if self._spare is not None:
            self._give_up(self._spare)
        self._owner.close()


class House:
    """The database of one test. `owner` and `app` are psycopg connections (autocommit), `env` has the
    variables that connect a subprocess to the same database, and `furniture` is the return value of the
    function that filled it.
    """

    def __init__(self, name: str, furniture: Any = None) -> None:
        self.name, self.furniture = name, furniture
        self._open: list[psycopg.Connection[Any]] = []
        self.env = {
            variable: self._url(alias)
            for variable, alias in (("DATABASE_URL", "default"), ("DATABASE_OWNER_URL", "owner"))
        } | {"CATWALK_SECRET_KEY": str(settings.SECRET_KEY)}

    @property
    def owner(self) -> psycopg.Connection[Any]:
        """Return a new connection as the owner of the schema, for tampering and for counting rows."""
        return self._connected("owner")

    @property
    def app(self) -> psycopg.Connection[Any]:
        """Return a new connection as the application's role, which can change no fact in the ledger."""
        return self._connected("default")

    def _connected(self, alias: str) -> psycopg.Connection[Any]:
        self._open.append(_connect(alias))
        return self._open[-1]

    def close(self) -> None:
        for connection in self._open:
            connection.close()

    def _url(self, alias: str) -> str:
        place = connections.settings[alias]
        user = quote(place["USER"], safe="") + (
            ":" + quote(place["PASSWORD"], safe="") if place["PASSWORD"] else ""
        )
        options = {name: value for name, value in place["OPTIONS"].items() if name != "house"}
        query = urlencode({"host": place["HOST"], "port": place["PORT"], **options})
        return f"postgres://{user}@/{self.name}?{query}"

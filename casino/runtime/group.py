"""A group installation follows the databases of properties by Postgres logical replication. It reads the
facts, findings and tallies of all of them and records no facts.

At each property, `publish` names the tables that the group may follow. In the group's database, `follow`
subscribes to a property. Its rows arrive in the order of its commits. After a restart of either server, the
subscription continues from the last transaction that it has stored. Only the subscription can change the
followed tables: triggers refuse the changes of everybody else.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import psycopg
from django.db import DatabaseError, connections, transaction
from psycopg import sql

from audit import database

PUBLICATION, PREFIX = "catwalk_group", "catwalk_follows_"
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
OWNER = "owner"
FOLLOWED = (
    *("head", "stream", "fact", "verdict", "flag", "withdrawn", "assigned", "snoozed", "log_entry"),
    *("examination", "ledger_examination", "finding", "finding_tally", "round_tally", "queued", "followed"),
    *("tally", "cage_tally", "player_tally", "tray_tally", "void_tally", "slip_tally"),
    *("serial_again", "unpaid_marker", "log_followed", "camera_outage", "tile"),
)
"""The tables that a group follows. The first column of each primary key is the property, so rows of several
properties never collide. Registers are computed from the facts (`casino/reference/projection.py`).
"""


class GroupError(Exception):
    """A property cannot be published or followed. The text is a sentence that says what to do."""


class Followed(NamedTuple):
    """The state of a subscription.

    Attributes:
        copied: the number of tables whose first copy is complete.
        is_running: True if a process of the server receives changes now.
        age: seconds since the last message of the property's server, or None if there was none.
    """

    name: str
    copied: int
    is_running: bool
    age: float | None


def publish(role: str) -> None:
    """Publish the followed tables of this database, and let a role of the server copy them.

    Raise GroupError if the role does not exist or may not replicate, or if the server writes no logical WAL.
    """
    with connections[OWNER].cursor() as cursor:
        cursor.execute("SELECT rolreplication FROM pg_catalog.pg_roles WHERE rolname = %s", [role])
        if cursor.fetchone() != (True,):
            raise GroupError(
                f"{role} cannot replicate. An administrator of the server creates it: CREATE ROLE {role}"
                " LOGIN REPLICATION PASSWORD '…'"
            )
        cursor.execute("SELECT current_setting('wal_level')")
        if cursor.fetchone() != ("logical",):
            raise GroupError("Set wal_level = logical in postgresql.conf, and restart the server.")
        cursor.execute("SELECT 1 FROM pg_catalog.pg_publication WHERE pubname = %s", [PUBLICATION])
        statement = _ALTER if cursor.fetchone() else _CREATE
        cursor.execute(_sql(statement, publication=PUBLICATION, tables=FOLLOWED))
        cursor.execute(_sql("GRANT USAGE ON SCHEMA public TO {role}", role=role))
        readable = (*FOLLOWED, "django_migrations")
        cursor.execute(_sql("GRANT SELECT ON {tables} TO {role}", tables=readable, role=role))


def follow(name: str, url: str) -> list[str]:
    """Follow the database of a property, and return the codes of its properties.

    Raise GroupError if it has another release, if it is not published, or if this database already has facts
    of one of its properties.

    Args:
        name: the name of the subscription, such as `aurora`.
        url: the address of the property's database, with the role and password of `publish`.
    """
    if NAME.fullmatch(name) is None:
        raise GroupError(f"{name!r} is not a valid name: use lower-case letters, digits and _")
    properties = _inspect(url)
    if known := [code for (code,) in database.rows(_OWN, [properties])]:
        raise GroupError(f"This database already has a ledger of {', '.join(known)}.")
    with connections[OWNER].cursor() as cursor:
        with transaction.atomic(using=OWNER):
            _prepare(cursor, properties)
        try:
            cursor.execute(_sql(_SUBSCRIBE, name=PREFIX + name, url=url, publication=PUBLICATION))
        except DatabaseError as error:
            raise GroupError(f"The subscription was refused: {_first_line(error)}.") from error
    return properties


def _prepare(cursor: Any, properties: list[str]) -> None:
    """Prepare the group's database for these properties. Create their partitions, and the triggers that
    refuse every change that does not come from a property. Creating a partition adds a row to `head`: delete
    it, because the property sends its own row.
    """
    cursor.execute("DROP TRIGGER IF EXISTS group_records_nothing ON head")
    for code in properties:
        cursor.execute("SELECT open_ledger(%s)", [code])
    cursor.execute("DELETE FROM head WHERE property = ANY(%s) AND position = 0", [properties])
    _refuse_changes(cursor)


def _refuse_changes(cursor: Any) -> None:
    """Create the triggers that refuse changes of the followed tables."""
    cursor.execute(_REFUSE)
    for table in FOLLOWED:
        cursor.execute(_sql(_TRIGGER, table=table))


def unfollow(name: str) -> None:
    """Remove a subscription. The rows that have arrived stay. Raise GroupError if it does not exist."""
    if name not in {followed.name for followed in state()}:
        raise GroupError(f"There is no subscription {name!r}.")
    with connections[OWNER].cursor() as cursor:
        cursor.execute(_sql("DROP SUBSCRIPTION {name}", name=PREFIX + name))


def refresh() -> list[str]:
    """Follow tables that a release has added at the properties: copy them, and refuse changes of them here.
    Return the names of the subscriptions.
    """
    names = [followed.name for followed in state()]
    with connections[OWNER].cursor() as cursor:
        with transaction.atomic(using=OWNER):
            _refuse_changes(cursor)
        for name in names:
            try:
                cursor.execute(_sql("ALTER SUBSCRIPTION {name} REFRESH PUBLICATION", name=PREFIX + name))
            except DatabaseError as error:
                raise GroupError(f"{name} cannot be refreshed: {_first_line(error)}.") from error
    return names


def state() -> list[Followed]:
    """Return the state of all subscriptions of this database, by name."""
    with connections[OWNER].cursor() as cursor:
        cursor.execute(_STATE, [len(PREFIX) + 1, f"{PREFIX}%"])
        return [Followed(*row) for row in cursor.fetchall()]


def is_group() -> bool:
    """Return True if this database follows properties."""
    return bool(database.rows(_IS_GROUP, [f"{PREFIX}%"]))


def _inspect(url: str) -> list[str]:
    """Return the codes of the properties in a database that can be followed. Raise GroupError."""
    try:
        with psycopg.connect(url, connect_timeout=10, autocommit=True) as publisher:
            migrations = publisher.execute(_MIGRATIONS).fetchall()
            properties = [code for (code,) in publisher.execute(_PROPERTIES).fetchall()]
            published = publisher.execute(_PUBLISHED, [PUBLICATION]).fetchone()
    except psycopg.Error as error:
        raise GroupError(f"The database of the property does not answer: {_first_line(error)}.") from None
    if migrations != database.rows(_MIGRATIONS):
        raise GroupError("The property has another release: install the same one at both, and migrate.")
    if published != (len(FOLLOWED),):
        raise GroupError("The property is not published: run manage.py group publish there.")
    if not properties:
        raise GroupError("The property has no facts yet.")
    return properties


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [""])[0].rstrip(".")


def _sql(statement: str, **names: Any) -> sql.Composed:
    """Return a statement in which names of tables and roles, and the address as a text, are inserted."""
    quoted = {
        key: sql.Literal(value)
        if key == "url"
        else sql.SQL(", ").join(map(sql.Identifier, [value] if isinstance(value, str) else value))
        for key, value in names.items()
    }
    return sql.SQL(statement).format(**quoted)


_CREATE = "CREATE PUBLICATION {publication} FOR TABLE {tables} WITH (publish_via_partition_root = true)"
_ALTER = "ALTER PUBLICATION {publication} SET TABLE {tables}"
_SUBSCRIBE = "CREATE SUBSCRIPTION {name} CONNECTION {url} PUBLICATION {publication}"
_OWN = "SELECT property FROM head WHERE property = ANY(%s) ORDER BY property"
_PROPERTIES = "SELECT property FROM head ORDER BY property"
_MIGRATIONS = "SELECT app::text, name::text FROM django_migrations ORDER BY app, name"
_PUBLISHED = "SELECT count(*) FROM pg_catalog.pg_publication_tables WHERE pubname = %s"
_IS_GROUP = """SELECT 1 FROM pg_catalog.pg_subscription s JOIN pg_catalog.pg_database d ON d.oid = s.subdbid
    WHERE d.datname = current_database() AND s.subname LIKE %s LIMIT 1"""
_STATE = """SELECT substr(s.subname, %s),
        (SELECT count(*) FROM pg_catalog.pg_subscription_rel r
            WHERE r.srsubid = s.oid AND r.srsubstate = 'r'),
        t.pid IS NOT NULL, extract(epoch FROM clock_timestamp() - t.last_msg_receipt_time)::float8
    FROM pg_catalog.pg_subscription s JOIN pg_catalog.pg_database d ON d.oid = s.subdbid
    LEFT JOIN pg_catalog.pg_stat_subscription t ON t.subid = s.oid AND t.worker_type = 'apply'
    WHERE d.datname = current_database() AND s.subname LIKE %s ORDER BY 1"""
_REFUSE = """CREATE OR REPLACE FUNCTION group_records_nothing() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'this installation follows properties and records nothing'
            USING ERRCODE = 'read_only_sql_transaction';
    END $$"""
_TRIGGER = """CREATE OR REPLACE TRIGGER group_records_nothing
    BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION group_records_nothing()"""

"""Roles of the database server that read the views of the schema `bi`, for BI programs.

A role reads only the views and properties that `bi_reader` lists for it. It owns nothing and is a member of
no other role. An administrator of the server creates it. Every change of the list is sealed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import connections, transaction

from audit import database
from casino.sealing import journal

NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")
TABLE = "bi_reader"
CREATE = (
    "CREATE ROLE {0} LOGIN NOINHERIT CONNECTION LIMIT 20 PASSWORD '…';"
    " ALTER ROLE {0} SET default_transaction_read_only = on;"
    " ALTER ROLE {0} SET statement_timeout = '5min'; ALTER ROLE {0} SET search_path = bi;"
    ' GRANT CONNECT ON DATABASE "{1}" TO {0};'
)
"""The statements that create a role. An administrator runs them, so the owner of the database needs no right
to create roles.
"""


class NoRole(Exception):
    """Raised if a role cannot be used. The text is a sentence."""


class Reader(NamedTuple):
    """A role, a property, and the views that it reads there."""

    role: str
    property: str
    views: list[str]


def views() -> list[str]:
    """Return the names of all views of the schema `bi`."""
    query = """SELECT viewname FROM pg_catalog.pg_views WHERE schemaname = 'bi' ORDER BY viewname"""
    return [name for (name,) in database.rows(query)]


def readers() -> list[Reader]:
    """Return each role and property once, with the views that the role reads there."""
    query = """SELECT role, property, array_agg(view ORDER BY view) AS views FROM bi_reader
        GROUP BY 1, 2 ORDER BY 1, 2"""
    return database.records(Reader, query)


def allow(role: str, properties: Sequence[str], names: Sequence[str], by: str) -> None:
    """Give a role the right to read these views at these properties, and remove its right to read any others.
    Raise NoRole if the role does not exist, or has other rights.
    """
    with transaction.atomic(using="owner"), connections["owner"].cursor() as cursor:
        _require_harmless(cursor, role)
        _forget(cursor, role)
        keys = [f"{role} {property} {view}" for property in properties for view in names]
        cursor.executemany(
            "INSERT INTO bi_reader (role, property, view, by) VALUES (%s, %s, %s, %s)",
            [(role, property, view, by) for property in properties for view in names],
        )
        journal.record(TABLE, keys, using="owner")


def statements(role: str) -> str:
    """Return the statements with which an administrator of the server creates a role."""
    ((name,),) = database.rows("SELECT current_database()")
    return CREATE.format(role, name)


def revoke(role: str) -> bool:
    """Revoke all access of a role. Return False if the role had no access."""
    with transaction.atomic(using="owner"), connections["owner"].cursor() as cursor:
        return _forget(cursor, role)


def _forget(cursor: Any, role: str) -> bool:
    cursor.execute("DELETE FROM bi_reader WHERE role = %s RETURNING property, view", [role])
    keys = [f"{role} {property} {view}" for property, view in cursor.fetchall()]
    journal.record(TABLE, keys, using="owner")
    return bool(keys)


def _require_harmless(cursor: Any, role: str) -> None:
    """Raise NoRole if the role does not exist, may not connect, or has other rights."""
    if NAME.fullmatch(role) is None:
        raise NoRole(f"{role!r} is not a valid role name: use lower-case letters, digits and _")
    cursor.execute(_RIGHTS, [role])
    rights = cursor.fetchone()
    if rights is None:
        raise NoRole(
            f"There is no role {role}. An administrator of the server creates it: {statements(role)}"
        )
    if not rights[1]:
        raise NoRole(
            f"{role} may not connect. An administrator must run the last statement of: {statements(role)}"
        )
    if rights[0]:
        raise NoRole(f"{role} has other rights ({rights[0]}): choose another name")


_RIGHTS = """SELECT concat_ws(', ', CASE WHEN r.rolsuper THEN 'superuser' END,
        CASE WHEN r.rolcreaterole THEN 'createrole' END, CASE WHEN r.rolcreatedb THEN 'createdb' END,
        CASE WHEN r.rolreplication THEN 'replication' END, CASE WHEN r.rolbypassrls THEN 'bypassrls' END,
        CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_auth_members m WHERE m.member = r.oid)
            THEN 'member of another role' END,
        CASE WHEN EXISTS (SELECT FROM pg_catalog.pg_class c
                CROSS JOIN pg_catalog.aclexplode(c.relacl) x WHERE x.grantee = r.oid OR c.relowner = r.oid)
            THEN 'tables of this database' END),
        has_database_privilege(r.oid, current_database(), 'CONNECT')
    FROM pg_catalog.pg_roles r WHERE r.rolname = %s"""

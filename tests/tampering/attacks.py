"""The changes that the tests of tampering make, one at a time: to each column of each database table, to
rows, and to each object of the schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.tampering.superuser import Superuser

OTHER = {
    "text": "coalesce({0}, '') || 'x'",
    "character varying": "left(coalesce({0}, ''), 10) || 'x'",
    "bigint": "coalesce({0}, 0) + 1",
    "integer": "coalesce({0}, 0) + 1",
    "smallint": "coalesce({0}, 0) + 1",
    "numeric": "coalesce({0}, 0) + 1",
    "double precision": "coalesce({0}, 0) + 1",
    "boolean": "NOT coalesce({0}, false)",
    "date": "coalesce({0}, '2026-01-01') + 1",
    "timestamp with time zone": "coalesce({0}, '2026-01-01') + interval '1 day'",
    "interval": "coalesce({0}, interval '0') + interval '1 day'",
    "time without time zone": "coalesce({0}, '00:00') + interval '1 hour'",
    "uuid": "'00000000-0000-4000-8000-00000000beef'::uuid",
    "inet": "'203.0.113.9'::inet",
    "bytea": "CASE WHEN length({0}) > 0 THEN set_byte({0}, 0, get_byte({0}, 0) # 1) ELSE '\\x00'::bytea END",
    "jsonb": "coalesce('[\"x\"]'::jsonb || {0}, '1')",
    "json": "'[\"x\"]'::json",
    "ARRAY": "array_cat({0}, '{{7}}')",
    "xid8": "'7'::xid8",
    "pg_lsn": "coalesce({0}, '0/0') + 1",
}
"""For each column type: SQL for another value of a column, whose name replaces `{0}`."""
COLUMNS = """SELECT table_name, column_name, data_type FROM information_schema.columns
    JOIN pg_class c ON c.relname = table_name AND c.relnamespace = 'public'::regnamespace
    WHERE table_schema = 'public' AND relkind IN ('r', 'p') AND NOT relispartition AND is_generated = 'NEVER'
    ORDER BY table_name, ordinal_position"""
"""The query for the columns that a statement can set. Columns that Postgres computes are left out."""
KEYS = """SELECT c.relname, a.attname FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
    WHERE i.indisprimary AND c.relnamespace = 'public'::regnamespace"""


SWAP = """WITH two AS (
        (SELECT tableoid AS its_part, ctid AS its_place, * FROM "{table}" ORDER BY tableoid, ctid LIMIT 1)
        UNION ALL
        (SELECT tableoid, ctid, * FROM "{table}" ORDER BY tableoid DESC, ctid DESC LIMIT 1))
    UPDATE "{table}" t SET {sets} FROM two this, two other
    WHERE (t.tableoid, t.ctid) = (this.its_part, this.its_place)
        AND (this.its_part, this.its_place) <> (other.its_part, other.its_place)
        """


class Attack(NamedTuple):
    """One change: the database table, the column if the change is about one, what is done, and the statement
    that does it.
    """

    table: str
    column: str
    act: str
    statement: str

    @property
    def name(self) -> str:
        """Return the change in words, as the list of exceptions writes it."""
        return f"{self.table}{'.' if self.column else ''}{self.column} {self.act}"


def on_rows(user: Superuser) -> Iterator[Attack]:
    """Yield changes of rows: a change of each column in the first and in the last row, and changes of whole
    rows.
    """
    columns: dict[str, dict[str, str]] = {}
    for table, column, kind in user.rows(COLUMNS):
        columns.setdefault(table, {})[column] = kind
    keys: dict[str, set[str]] = {}
    for table, column in user.rows(KEYS):
        keys.setdefault(table, set()).add(column)
    for table, kinds in columns.items():
        ((rows,),) = user.rows(f'SELECT count(*) FROM "{table}"')
        if rows:
            yield from _columns(table, kinds, rows)
            yield from _rows(table, kinds, keys.get(table, set()), rows)
        else:
            names = ", ".join(f'"{name}"' for name in kinds)
            values = ", ".join(OTHER[kind].format(f"NULL::{_cast(kind)}") for kind in kinds.values())
            yield Attack(
                table,
                "",
                "insert",
                f'INSERT INTO "{table}" ({names}) OVERRIDING SYSTEM VALUE VALUES ({values})',
            )


def _cast(kind: str) -> str:
    return "text[]" if kind == "ARRAY" else kind


def _columns(table: str, kinds: dict[str, str], rows: int) -> Iterator[Attack]:
    for column, kind in kinds.items():
        other = OTHER[kind].format(f'"{column}"')
        for end, order in (("first", "ASC"), ("last", "DESC"))[: min(rows, 2)]:
            yield Attack(
                table,
                column,
                f"change {end}",
                f'UPDATE "{table}" SET "{column}" = {other} WHERE {_row(table, order)}',
            )


def _rows(table: str, kinds: dict[str, str], keys: set[str], rows: int) -> Iterator[Attack]:
    names = [f'"{name}"' for name in kinds]
    every = ", ".join(names)
    yield Attack(table, "", "delete first", f'DELETE FROM "{table}" WHERE {_row(table, "ASC")}')
    yield Attack(table, "", "delete all", f'DELETE FROM "{table}"')
    yield Attack(
        table,
        "",
        "duplicate",
        f'INSERT INTO "{table}" ({every}) OVERRIDING SYSTEM VALUE SELECT {every} FROM "{table}"'
        f" WHERE {_row(table, 'ASC')}",
    )
    changed = ", ".join(
        OTHER[kind].format(f'"{name}"') if name in keys else f'"{name}"' for name, kind in kinds.items()
    )
    yield Attack(
        table,
        "",
        "add",
        f'INSERT INTO "{table}" ({every}) OVERRIDING SYSTEM VALUE SELECT {changed} FROM "{table}"'
        f" WHERE {_row(table, 'DESC')}",
    )
    if rows > 1:
        yield Attack(table, "", "delete last", f'DELETE FROM "{table}" WHERE {_row(table, "DESC")}')
        values = [name for name in kinds if name not in keys]
        if values and keys:
            sets = ", ".join(f'"{name}" = other."{name}"' for name in values)
            yield Attack(table, "", "swap", SWAP.format(table=table, sets=sets))


def _row(table: str, order: str) -> str:
    """Return an SQL condition that selects one row of a database table. `order` is ASC for the first row and
    DESC for the last.
    """
    return f'(tableoid, ctid) = (SELECT tableoid, ctid FROM "{table}" ORDER BY 1 {order}, 2 {order} LIMIT 1)'

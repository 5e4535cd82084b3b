"""Impossible values in the columns of the database tables that `verify` proves: NULL, and the most extreme
values of each type.

`verify` runs to its end. It names the value in one line, and no line is about an error in a function that
checks a database table. `make long` tries every column with every value. `make test` tries a fixed sample.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from django.db import Error

from audit.proofs import nulls
from audit.proofs.registry import NOT_PROVED, Proof, proofs
from audit.proofs.run import in_words
from tests.counts import LONG
from tests.tampering.attacks import COLUMNS
from tests.tampering.superuser import Superuser
from tests.tampering.test_tampering import ALSO, LOOSE, TOGETHER, attacker, furnished

assert furnished
assert attacker  # fixtures
SAMPLE = 8
WHOLE = ("NULL", "-1", "0", "9223372036854775807", "-9223372036854775808")
TIMES = ("NULL", "'infinity'", "'-infinity'", "'20000-01-01'")
JSON = ("NULL", "'null'", "'[]'", "'7'", "'{}'", "'\"x\"'")
VALUES: dict[str, tuple[str, ...]] = {
    "text": ("NULL", "''", "chr(55295) || chr(8238)", "repeat('x', 3000)"),
    "character varying": ("NULL", "''", "chr(27)"),
    "bigint": WHOLE,
    "integer": ("NULL", "-1", "2147483647", "-2147483648"),
    "smallint": ("NULL", "-1", "32767"),
    "numeric": ("NULL", "'NaN'", "'Infinity'", "-1", "1e300"),
    "double precision": ("NULL", "'NaN'", "'Infinity'"),
    "boolean": ("NULL",),
    "date": TIMES,
    "timestamp with time zone": TIMES,
    "interval": ("NULL", "'100000000 years'"),
    "time without time zone": ("NULL", "'24:00'"),
    "uuid": ("NULL",),
    "inet": ("NULL", "'::/0'"),
    "bytea": ("NULL", "''", "'\\xff'"),
    "jsonb": (*JSON, "'1e400'"),
    "json": JSON,
    "ARRAY": ("NULL", "'{NULL}'", "'{}'"),
    "xid8": ("NULL",),
}
"""For each column type: SQL for values that Catwalk never writes, or that Python cannot represent."""
FREE = """DO $$ DECLARE r record; BEGIN
    FOR r IN SELECT attname, attidentity FROM pg_attribute
        WHERE attrelid = '"{0}"'::regclass AND attnotnull AND attnum > 0 AND NOT attisdropped
    LOOP
        IF r.attidentity <> '' THEN
            EXECUTE format('ALTER TABLE "{0}" ALTER %I DROP IDENTITY', r.attname);
        END IF;
        EXECUTE format('ALTER TABLE "{0}" ALTER %I DROP NOT NULL', r.attname);
    END LOOP; END $$"""
"""SQL that lets every column of a table be NULL."""
CHANGE = """UPDATE "{0}" SET "{1}" = {2}
    WHERE (tableoid, ctid) = (SELECT tableoid, ctid FROM "{0}" ORDER BY 1 DESC, 2 DESC LIMIT 1)"""


class Case(NamedTuple):
    """A value for one column of a database table."""

    table: str
    column: str
    value: str


def cases(user: Superuser) -> Iterator[Case]:
    """Yield every value for every column of the database tables that `verify` proves and that have rows."""
    proved = {line.table for line in proofs() if line.how != NOT_PROVED}
    for table, column, kind in user.rows(COLUMNS):
        if table in proved and user.rows(f'SELECT FROM "{table}" LIMIT 1'):
            yield from (Case(table, column, value) for value in VALUES[kind])


def lines_of(table: str) -> list[Proof]:
    """Return the proofs of a database table, and those of the tables that are compared with it."""
    tables = next((group for group in TOGETHER if table in group), (table,))
    return [line for line in proofs() if line.table in (*tables, ALSO.get(table))]


def printed(user: Superuser, case: Case) -> list[str] | None:
    """Return what `verify` prints after a change, or None if Postgres refuses the change."""
    with user.undone():
        user.execute(LOOSE.format(case.table))
        user.execute(FREE.format(case.table))
        try:
            with user.committed():
                user.execute(CHANGE.format(*case))
        except Error:
            return None
        return [in_words(fault) for fault in user.faults(lines_of(case.table))]


def test_every_prover_reaches_its_end_with_any_value_in_a_column(attacker: Superuser) -> None:
    every = list(cases(attacker))
    tried = every if LONG else every[:: len(every) // SAMPLE]
    wrong, refused = [], 0
    for case in tried:
        lines = printed(attacker, case)
        if lines is None:
            refused += 1
            continue
        required = nulls.required()[case.table].columns
        if case.value == "NULL" and case.column in required and not lines:
            wrong.append(f"{case}: is not named")
        wrong += [f"{case}: {line}" for line in lines if "Error:" in line]
    print(f"impossible values: {len(tried)} tried, {refused} refused by Postgres, {len(wrong)} wrong")
    assert wrong == []


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("summed", "stamp"),
        ("checkpoint", "note"),
        ("checkpoint_key", "name"),
        ("ledger_examination", "rules"),
    ],
)
def test_a_null_hides_no_other_change_of_its_table(attacker: Superuser, table: str, column: str) -> None:
    first = f'(SELECT tableoid, ctid FROM "{table}" ORDER BY 1, 2 LIMIT 1)'
    other = f"UPDATE \"{table}\" SET property = 'zz' WHERE (tableoid, ctid) = {first}"
    with attacker.undone():
        attacker.execute(LOOSE.format(table))
        attacker.execute(FREE.format(table))
        attacker.execute(other)
        alone_lines = {in_words(fault) for fault in attacker.faults(lines_of(table))}
        attacker.execute(CHANGE.format(table, column, "NULL"))
        lines = {in_words(fault) for fault in attacker.faults(lines_of(table))}
    assert alone_lines
    assert alone_lines <= lines
    assert [line for line in lines if line.endswith(f"impossible: {column} is NULL, which is not possible")]

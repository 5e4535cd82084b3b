"""Changes of the database schema that the tests try. They concern every trigger, function, table, constraint,
index and default. Other changes grant the application's role too many rights.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from audit.proofs.registry import STRUCTURE
from tests.tampering.attacks import Attack
from tests.tampering.superuser import Superuser

APP = settings.DATABASES["default"]["USER"]
OWNER = settings.DATABASES["owner"]["USER"]
TABLES = f"""SELECT oid::regclass::text, has_table_privilege('{APP}', oid, 'SELECT') AND NOT relispartition
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1"""
TRIGGERS = """SELECT tgname, tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 2, 1"""
FUNCTIONS = """SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace"""
CONSTRAINTS = """SELECT conname, conrelid::regclass::text FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype <> 'n' AND conparentid = 0 ORDER BY 2, 1"""
INDEXES = """SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class c ON c.oid = indexrelid
    WHERE c.relnamespace = 'public'::regnamespace AND NOT relispartition
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid) ORDER BY 1"""
COLUMNS = """SELECT attrelid::regclass::text, attname, attnotnull AND NOT EXISTS (
        SELECT FROM pg_index WHERE indrelid = attrelid AND indisprimary AND attnum = ANY (indkey)),
        atthasdef AND attgenerated = ''
    FROM pg_attribute
    JOIN pg_class c ON c.oid = attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND attnum > 0 AND NOT attisdropped AND attidentity = '' ORDER BY 1, attnum"""
SINGLE: dict[str, str] = tomllib.loads(Path(__file__).with_name("schema.toml").read_text(encoding="utf-8"))


def on_schema(user: Superuser) -> Iterator[Attack]:
    """Yield changes of the schema. Those that are generated for every object come first."""
    for trigger, table in user.rows(TRIGGERS):
        yield _on(f"drop trigger {trigger} of {table}", f"DROP TRIGGER {trigger} ON {table}")
        yield _on(f"disable trigger {trigger} of {table}", f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")
    for (function,) in user.rows(FUNCTIONS):
        yield _on(f"owner of {function}", f"ALTER FUNCTION {function} OWNER TO {APP}")
        yield _on(f"path of {function}", f"ALTER FUNCTION {function} SET search_path = pg_temp, public")
        yield _on(f"drop {function}", f"DROP FUNCTION {function} CASCADE")
    for table, readable in user.rows(TABLES):
        yield _on(f"grant on {table}", f"GRANT TRUNCATE ON {table} TO {APP}")
        yield _on(f"owner of {table}", f"ALTER TABLE {table} OWNER TO {APP}")
        yield _on(f"policy on {table}", f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
        if readable:
            yield _on(f"revoke on {table}", f"REVOKE SELECT ON {table} FROM {APP}")
    for constraint, table in user.rows(CONSTRAINTS):
        yield _on(f"drop {constraint}", f'ALTER TABLE {table} DROP CONSTRAINT "{constraint}" CASCADE')
    for (index,) in user.rows(INDEXES):
        yield _on(f"drop index {index}", f"DROP INDEX {index}")
    for table, column, optional, default in user.rows(COLUMNS):
        if default:
            yield _on(f"default of {table}.{column}", f'ALTER TABLE {table} ALTER "{column}" DROP DEFAULT')
        if optional:
            yield _on(f"null in {table}.{column}", f'ALTER TABLE {table} ALTER "{column}" DROP NOT NULL')
    yield from (
        _on(name, statement.replace("{app}", APP).replace("{owner}", OWNER))
        for name, statement in SINGLE.items()
    )


def _on(act: str, statement: str) -> Attack:
    return Attack(STRUCTURE, "", act, statement)

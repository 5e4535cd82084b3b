"""The views for BI programs. A database role reads them over a plain Postgres connection. It sees only the
rows of its properties.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import psycopg
import pytest

from audit.proofs.registry import selected
from audit.proofs.run import run as proofs
from audit.queries.span import Span
from casino.exports import bi_roles
from casino.reports import catalog
from casino.sealing import journal
from games.kit.amounts import EXPONENT
from tests.casino.casework import opened, suspicion
from tests.casino.conftest import Cast
from tests.casino.feeding import run
from tests.casino.test_export_formats import floor
from tests.casino.test_reports import felt, record
from tests.conftest import House

__all__ = ["floor"]
GUIDE = Path(__file__).parents[2] / "docs" / "bi.md"
DENIED = psycopg.errors.InsufficientPrivilege
EVERYTHING = """SELECT n.nspname, c.relname, array(SELECT a.attname FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND n.nspname !~ '^(pg_|information_schema)'"""


@pytest.fixture
def role(house: House) -> Iterator[str]:
    """Create a database role as an administrator does, and yield its name. The role is dropped at the end."""
    name = f"bi_{uuid4().hex[:12]}"
    with connected(house, "postgres", "postgres") as server:
        for statement in bi_roles.statements(name).replace("…", "secret").split(";"):
            server.execute(statement)  # type: ignore[arg-type]
        yield name
        while (
            server.execute("SELECT FROM pg_stat_activity WHERE usename = %s", [name]).fetchone() is not None
        ):
            pass  # until the server has ended the connections of the test
        server.execute(f'DROP OWNED BY "{name}"; DROP ROLE "{name}"')  # type: ignore[arg-type]


def connected(house: House, role: str, database: str = "") -> psycopg.Connection[Any]:
    url = re.sub("//[^@]*@", f"//{quote(role)}@", house.env["DATABASE_URL"])
    return psycopg.connect(url, autocommit=True, dbname=database or house.name)


def allowed(role: str, *options: str) -> str:
    ran = run("bi_role", role, "--property", "aurora", *options)
    assert ran.code == 0, ran.err
    return ran.out.strip()


def test_a_role_can_read_only_its_views_and_its_property(house: House, desk: Cast, role: str) -> None:
    opened(desk)
    suspicion()
    record(felt(1000, 100, "borealis/T1"))
    assert allowed(role).startswith(f"{role} may read count, fact, ")
    relations = house.owner.execute(EVERYTHING).fetchall()
    assert {"fact", "confidential_fact", "case_words", "casino_token", "webhook_secret"} <= {
        name for _, name, _ in relations
    }
    with connected(house, role) as reader:
        rows = {}
        for schema, name, columns in relations:
            for columns_read in ("*", *(f'"{column}"' for column in columns), "count(*)"):
                query = f'SELECT {columns_read} FROM "{schema}"."{name}"'
                if schema == "bi":
                    rows[name] = reader.execute(query.replace("count(*)", "*")).fetchall()
                    continue
                with pytest.raises(DENIED):
                    reader.execute(query)
            for write in (
                "DELETE FROM {}",
                "TRUNCATE {}",
                "LOCK TABLE {}",
                "COPY {} TO STDOUT",
                "UPDATE {} SET x = 1",
            ):
                if schema != "bi" or not write.startswith("COPY"):
                    with pytest.raises(psycopg.Error):
                        reader.execute(write.format(f'"{schema}"."{name}"'))
        assert set(rows) == set(bi_roles.views())
        assert all(rows[name] for name in ("fact", "hand", "tally"))
        for name in rows:
            places = {place for (place,) in reader.execute(f'SELECT DISTINCT property FROM bi."{name}"')}
            assert places <= {"aurora"}, name
        kinds = {kind for (kind,) in reader.execute("SELECT DISTINCT kind FROM bi.fact")}
        assert not {kind for kind in kinds if kind.startswith(("case-", "log-", "register", "webhook"))}
        assert reader.execute(
            "SELECT count(*) FROM pg_stats WHERE schemaname IN ('public', 'bi')"
        ).fetchone() == (0,)
        _finds_no_way_around(reader)


def _finds_no_way_around(reader: psycopg.Connection[Any]) -> None:
    definers = reader.execute(
        """SELECT oid::regprocedure::text FROM pg_proc WHERE prosecdef
        AND has_function_privilege(oid, 'EXECUTE') AND pronamespace <> 'pg_catalog'::regnamespace"""
    ).fetchall()
    assert definers == [], "no function lends it the rights of somebody else"
    for forbidden in (
        "SET SESSION AUTHORIZATION postgres",
        "SET ROLE postgres",
        "SELECT pg_read_file('PG_VERSION')",
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "CREATE TABLE bi.mine (x int)",
        "CREATE TABLE public.mine (x int)",
        "INSERT INTO public.bi_reader VALUES ('x', 'borealis', 'fact', 'x')",
    ):
        with pytest.raises(psycopg.Error):
            reader.execute(forbidden)


def test_a_filter_that_fails_for_a_row_sees_no_row_of_another_property(
    house: House, floor: Cast, role: str
) -> None:
    record(felt(1000, 100, "borealis/T1"))
    allowed(role)
    with connected(house, role) as reader:
        for view in bi_roles.views():
            reader.execute(f"""SELECT count(*) FROM bi."{view}"
                WHERE 1 / CASE property WHEN 'borealis' THEN 0 ELSE 1 END = 1""")


def test_the_command_changes_lists_and_revokes_what_a_role_reads(
    house: House, floor: Cast, role: str
) -> None:
    allowed(role, "--view", "hold", "--view", "count")
    assert run("bi_role").out.splitlines() == [f"{role} at aurora: count, hold"]
    with connected(house, role) as reader:
        rows = {
            view: reader.execute(f'SELECT count(*) FROM "{view}"').fetchone() for view in bi_roles.views()
        }
        assert {view for view, (count,) in rows.items() if count} == {"hold", "count"}
        assert allowed(role, "--view", "tally") == f"{role} may read tally of aurora."
        assert reader.execute("SELECT count(*) FROM hold").fetchone() == (0,)
        assert run("bi_role", role, "--revoke").code == 0
        assert reader.execute("SELECT count(*) FROM tally").fetchone() == (0,)
    assert list(journal.contents("bi_reader")) == []
    owner = str(house.owner.info.user)
    for wrong, says in (
        ((role, "--revoke"), "has no access"),
        ((role,), "Give at least one property"),
        ((role, "--property", "nowhere"), "No facts are recorded for nowhere"),
        ((role, "--property", "aurora", "--view", "x"), "Unknown view x"),
        (("no name", "--property", "aurora"), "not a valid role name"),
        ((owner, "--property", "aurora"), "other rights"),
        (("bi_nobody", "--property", "aurora"), "CREATE ROLE bi_nobody LOGIN"),
    ):
        ran = run("bi_role", *wrong)
        assert (ran.code > 0, says in ran.err) == (True, True), (wrong, ran.err)


def test_a_row_that_lets_a_role_read_is_sealed(house: House, floor: Cast, role: str) -> None:
    allowed(role, "--view", "hold")
    assert _faults() == []
    house.owner.execute("UPDATE bi_reader SET view = 'fact'")
    assert _faults() != []


def _faults() -> list[str]:
    return [str(fault) for fault in proofs(selected(("bi_reader",))).faults]


def test_win_and_hold_equal_the_report(house: House, floor: Cast, role: str) -> None:
    record([fact for fact in felt(700, 70, "aurora/T4") if fact["kind"] != "drop-counted"])
    allowed(role)
    sheet = catalog.report("hold").sheet(Span(property="aurora"), ("table", "day"))
    keys = [column.key for column in sheet.columns]
    report = [dict(zip(keys, row, strict=True)) for row in sheet.rows]
    expected = {
        (row["table"], row["day"], row["currency"]): tuple(
            None if str(row[key]) in ("pending", "n/a") else float(str(row[key]))
            for key in ("win", "denominator", "hold_percent")
        )
        for row in report
    }
    with connected(house, role) as reader:
        rows = reader.execute(
            'SELECT "table", gaming_day::text, currency, win, denominator, hold_percent FROM hold'
        ).fetchall()
    amounts = (tuple(None if cell is None else float(cell) for cell in row[3:]) for row in rows)
    assert dict(zip((row[:3] for row in rows), amounts, strict=True)) == expected
    assert (None, None, None) in expected.values()


def test_the_drop_has_a_second_name_that_needs_no_quotes(house: House, floor: Cast, role: str) -> None:
    allowed(role)
    with connected(house, role) as reader:
        rows = reader.execute('SELECT counted_drop, "drop" FROM "count" WHERE counted_drop > 0').fetchall()
        total = reader.execute('SELECT SUM(counted_drop) FROM "count"').fetchone()
    assert rows
    assert all(counted_drop == drop for counted_drop, drop in rows)
    assert total == (sum(drop for _, drop in rows),)


def test_amounts_have_the_decimals_of_their_currency(house: House) -> None:
    for currency, digits in (EXPONENT | {"USD": 2, "EUR": 2}).items():
        row = house.owner.execute("SELECT bi.major(12345, %s)", [currency]).fetchone()
        assert row is not None
        assert row[0] * 10**digits == 12345, currency


def test_the_guide_names_each_view_and_column_with_its_type_and_meaning(house: House) -> None:
    stored = house.owner.execute(
        """SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), col_description(c.oid, a.attnum)
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = 'bi'::regnamespace AND a.attnum > 0"""
    ).fetchall()
    guide = GUIDE.read_text()
    named = [
        (view, *cells)
        for view, table in re.findall(r"### `bi\.(\w+)`(.*?)(?=\n###|\Z)", guide, re.S)
        for cells in re.findall(r"^\| `(\w+)` \| (.+?) \| (.+) \|$", table, re.M)
    ]
    assert sorted(named) == sorted(stored)

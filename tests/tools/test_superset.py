"""Apache Superset reads the views of the schema `bi` over plain Postgres. It lists the views with their
columns and comments, and its charts have the figures of the reports to the cent.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

import pytest

from casino.exports import bi_roles
from tests.casino.conftest import Cast
from tests.casino.feeding import run
from tests.casino.lists import recorded_lists
from tests.casino.test_bi import EVERYTHING, allowed, role
from tests.casino.test_reports import felt, record
from tests.databases import House
from tests.furnished import furnishing
from tests.tools import superset
from tests.tools.superset import Superset

__all__ = ["role"]
pytestmark = pytest.mark.long
NOVEMBER = ("--from", "2026-11-01", "--to", "2026-12-01", "--property", "aurora")
IN_NOVEMBER = {"col": "gaming_day", "op": "TEMPORAL_RANGE", "val": "2026-11-01 : 2026-12-01"}
UNQUOTED = {"count"}
"""Views with a column that Superset writes without quotes and cannot parse then: `drop`. See docs/bi.md."""
COLUMNS = """SELECT a.attname, upper(format_type(a.atttypid, NULL)), col_description(c.oid, a.attnum)
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'bi'::regnamespace AND c.relname = %s AND a.attnum > 0 ORDER BY a.attnum"""


class Connected(NamedTuple):
    """A Superset, its number for the database of this test, and the datasets of the test."""

    superset: Superset
    database: int
    datasets: list[int]

    def dataset(self, view: str) -> int:
        """Create a dataset from a view and return its number."""
        body = {"database": self.database, "schema": "bi", "table_name": view}
        number: int = self.superset.accepted("dataset/", body)["id"]
        self.datasets.append(number)
        return number

    def execute(self, sql: str) -> tuple[int, Any]:
        """Run SQL in SQL Lab."""
        body = {"database_id": self.database, "sql": sql, "schema": "bi", "runAsync": False}
        return self.superset.ask("sqllab/execute/", body)


@furnishing
def two_properties() -> Cast:
    cast = recorded_lists()
    record(felt(7700, 770, "borealis/T1"), felt(1230, 123, "aurora/T3", day="2026-10-31"))
    return cast


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Superset]:
    with superset.running(tmp_path_factory.mktemp("superset")) as started:
        yield started


@pytest.fixture
def reader(server: Superset, two_properties: Cast, house: House, role: str) -> Iterator[Connected]:
    """Register the database of this test in Superset with the login of the role. The datasets are deleted at
    the end, because with SQLite Superset allows one dataset of a name.
    """
    allowed(role)
    place = urlsplit(house.env["DATABASE_URL"])
    uri = f"postgresql+psycopg2://{quote(role)}:secret@{place.path}?{place.query}"
    body = {"database_name": house.name, "sqlalchemy_uri": uri}
    server.accepted("database/test_connection/", body)
    connected = Connected(server, server.accepted("database/", body | {"expose_in_sqllab": True})["id"], [])
    yield connected
    for dataset in connected.datasets:
        assert server.ask(f"dataset/{dataset}", method="DELETE")[0] == 200


def test_superset_lists_the_views_with_their_columns_and_comments(reader: Connected, house: House) -> None:
    database = f"database/{reader.database}"
    assert "bi" in reader.superset.accepted(f"{database}/schemas/")["result"]
    tables = reader.superset.accepted(f"{database}/tables/?q=(force:!t,schema_name:bi)")["result"]
    assert {(table["value"], table["type"]) for table in tables} == {
        (view, "view") for view in bi_roles.views()
    }
    for view in bi_roles.views():
        stored = house.owner.execute(COLUMNS, [view]).fetchall()
        dataset = reader.superset.accepted(f"dataset/{reader.dataset(view)}")["result"]
        columns = dataset["columns"]
        assert [
            (column["column_name"], column["type"], column["description"]) for column in columns
        ] == stored
        days = {column["column_name"] for column in columns if column["is_dttm"]}
        assert dataset["main_dttm_col"] == "gaming_day"
        assert days == {name for name, type, _ in stored if type.startswith(("DATE", "TIMESTAMP"))}
        if view not in UNQUOTED:
            preview = reader.superset.accepted(f"{database}/table_metadata/?name={view}&schema=bi")
            assert preview["comment"], view


def exported(dataset: str, folder: Path) -> list[dict[str, str]]:
    file = folder / f"{dataset}.csv"
    assert run("export", dataset, *NOVEMBER, "--format", "csv", "--out", file).code == 0
    return list(csv.DictReader(StringIO(file.read_text())))


def report_by_table() -> dict[tuple[str, str, str], tuple[Decimal, Decimal, Decimal]]:
    ran = run("report", "hold", *NOVEMBER, "--by", "table", "--format", "json")
    assert ran.code == 0, ran.err
    return {
        (row["table"], row["currency"], row["basis"]): (
            Decimal(row["win"]),
            Decimal(row["denominator"]),
            Decimal(row["hold_percent"]),
        )
        for row in json.loads(ran.out)["rows"]
        if row["denominator"] is not None
    }


def total(column: str) -> dict[str, Any]:
    """Return the metric that a person chooses in a list: the sum of a column."""
    return {
        "expressionType": "SIMPLE",
        "column": {"column_name": column},
        "aggregate": "SUM",
        "label": column,
    }


def custom(expression: str, label: str) -> dict[str, Any]:
    """Return a metric that a person writes in SQL."""
    return {"expressionType": "SQL", "sqlExpression": expression, "label": label}


def test_a_chart_of_hold_by_table_equals_the_report(reader: Connected) -> None:
    percent = custom("round(100 * sum(win) / nullif(sum(denominator), 0), 1)", "hold")
    rows = reader.superset.chart(
        reader.dataset("hold"),
        columns=["table", "currency", "basis"],
        metrics=[total("win"), total("denominator"), percent],
        filters=[IN_NOVEMBER],
    )
    chart = {
        (row["table"], row["currency"], row["basis"]): tuple(
            Decimal(str(row[key])) for key in ("win", "denominator", "hold")
        )
        for row in rows
    }
    report = report_by_table()
    assert chart == report
    assert {currency for _, currency, _ in chart} == {"USD", "JPY", "BHD"}
    rows = reader.superset.chart(
        reader.dataset("count"),
        columns=["table", "currency"],
        metrics=[total("counted_drop")],
        filters=[IN_NOVEMBER],
    )
    assert {(row["table"], row["currency"]): Decimal(str(row["counted_drop"])) for row in rows} == {
        (table, currency): drop
        for (table, currency, basis), (_, drop, _) in report.items()
        if basis == "win / drop"
    }


def test_charts_of_findings_and_play_equal_the_exports(reader: Connected, tmp_path: Path) -> None:
    rows = reader.superset.chart(
        reader.dataset("finding"),
        columns=["code"],
        metrics=[custom("count(*)", "findings")],
        filters=[IN_NOVEMBER],
    )
    codes = Counter(row["code"] for row in exported("findings", tmp_path))
    assert {row["code"]: row["findings"] for row in rows} == codes != {}
    amounts = ("staked", "paid", "taken", "returned")
    rows = reader.superset.chart(
        reader.dataset("tally"),
        columns=["currency", "wager"],
        metrics=[total(name) for name in amounts],
        filters=[IN_NOVEMBER],
    )
    chart = {
        (row["currency"], row["wager"], name): Decimal(str(row[name])) for row in rows for name in amounts
    }
    sums: dict[tuple[str, str, str], Decimal] = {}
    for row in exported("tally", tmp_path):
        for name in amounts:
            key = row["currency"], row["wager"], name
            sums[key] = sums.get(key, Decimal()) + Decimal(row[name])
    assert chart == sums


def test_superset_reads_no_other_property_and_no_table_outside_of_the_schema(
    reader: Connected, house: House
) -> None:
    for view in bi_roles.views():
        status, answer = reader.execute(f'SELECT DISTINCT property FROM bi."{view}"')
        assert (status, answer["data"]) == (200, [{"property": "aurora"}]), (view, answer)
    other = {"col": "property", "op": "==", "val": "borealis"}
    assert reader.superset.chart(reader.dataset("hold"), columns=["table"], filters=[other]) == []
    assert house.owner.execute("SELECT FROM examination WHERE property = 'borealis'").fetchall() != []
    relations = house.owner.execute(EVERYTHING).fetchall()
    outside = {name: schema for schema, name, _ in relations if schema != "bi"}
    assert {"fact", "confidential_fact", "casino_token", "webhook_secret", "bi_reader"} <= outside.keys()
    for name, schema in outside.items():
        status, answer = reader.execute(f'SELECT * FROM "{schema}"."{name}"')
        assert (status >= 400, "permission denied" in str(answer)) == (True, True), (name, answer)

"""Amounts in exported files are numbers in major units, with the decimals of their currency. The currency is
named. A fraction is exact text.
"""

from __future__ import annotations

import csv
import json
import re
from decimal import Decimal
from io import BytesIO, StringIO
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from django.db import connection
from pyarrow import parquet

from audit.queries.list_filters import Query
from audit.queries.span import Span
from casino.exports import datasets
from casino.exports.datasets import Selection
from casino.exports.formats import registry
from casino.exports.formats.registry import COPIED, FORMATS
from casino.reports import catalog
from casino.reports.columns import Column, Sheet
from tests.casino.conftest import Cast
from tests.casino.lists import recorded_lists
from tests.casino.test_report_pages import cells
from tests.furnished import furnishing

AURORA = Span(property="aurora")


@furnishing
def lists() -> Cast:
    return recorded_lists()


def file_of(name: str, format: str) -> bytes:
    return b"".join(registry.parts(datasets.sheet(name, Selection(AURORA)), format))


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(content.decode("utf-8-sig"), newline="")))


def book(content: bytes) -> tuple[list[str], list[dict[int, tuple[str, str]]]]:
    """Return the headings of a worksheet and its rows. A row has the type and text of each cell, by the index
    of its column.
    """
    heading, *rows = cells(content)
    places = {at.rstrip("1"): place for place, at in enumerate(heading)}
    value_rows = [{places[at.rstrip("0123456789")]: row[at][:2] for at in row} for row in rows]
    return [value for _, value, _ in heading.values()], value_rows


@pytest.mark.parametrize("name", datasets.names() + catalog.names())
def test_every_sheet_with_amounts_names_their_currency(lists: Cast, name: str) -> None:
    sheet = (
        datasets.sheet(name, Selection(AURORA))
        if name in datasets.names()
        else catalog.report(name).sheet(AURORA, catalog.report(name).DEFAULT_BY)
    )
    types = {column.key: column.type for column in sheet.columns}
    assert "currency" in types or "money" not in types.values()
    for key in ("owed", "moved", "amount", "win", "drop", "staked", "paid", "taken", "savings", "losses"):
        assert types.get(key, "money") == "money"


@pytest.mark.parametrize("name", ["findings", "verdicts"])
def test_owed_and_moved_amounts_are_numbers_in_their_currency_in_every_file(lists: Cast, name: str) -> None:
    of = datasets.get(name)
    minor = [
        dict(zip((column.key for column in of.COLUMNS), row, strict=True))
        for row in datasets.rows(of, Selection(AURORA))
    ]
    wanted = [None if row["owed"] is None else Decimal(row["owed"]) / 100 for row in minor]
    assert any(wanted)
    read_rows = rows_of(file_of(name, "csv"))
    assert [Decimal(row["owed"]) if row["owed"] else None for row in read_rows] == wanted
    assert all(
        re.fullmatch(r"-?\d+\.\d\d", row[key]) and row["currency"] == "USD"
        for row in read_rows
        for key in ("owed", "moved")
        if row[key]
    )
    assert [row["owed_exact"] for row in read_rows] == [""] * len(read_rows)
    lines = [json.loads(line) for line in file_of(name, "ndjson").splitlines()]
    assert [None if row["owed"] is None else Decimal(row["owed"]) for row in lines] == wanted
    columns = parquet.read_table(BytesIO(file_of(name, "parquet"))).to_pydict()
    assert columns["owed"] == wanted
    heading, book_rows = book(file_of(name, "xlsx"))
    place = heading.index("owed")
    assert sum(Decimal(row[place][1]) for row in book_rows if place in row) == sum(filter(None, wanted))
    assert {row[place][0] for row in book_rows if place in row} == {"n"}, "a spreadsheet adds them up"


def test_a_fraction_of_a_minor_unit_is_rounded_as_a_number_and_exact_as_text(lists: Cast) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM finding WHERE owed IS NOT NULL ORDER BY stream, number LIMIT 4")
        ids = [row[0] for row in cursor.fetchall()]
        for id, owed in zip(ids, ("25/2", "-25/2", "1/3", "-1000"), strict=True):
            cursor.execute("UPDATE finding SET owed = %s WHERE id = %s", [owed, id])
    read_rows = {row["id"]: (row["owed"], row["owed_exact"]) for row in rows_of(file_of("findings", "csv"))}
    assert [read_rows[id] for id in ids] == [
        ("0.13", "25/2"),
        ("-0.13", "'-25/2"),
        ("0.00", "1/3"),
        ("-10.00", ""),
    ]
    read_rows = {row["id"]: row for row in map(json.loads, file_of("findings", "ndjson").splitlines())}
    assert [(read_rows[id]["owed"], read_rows[id]["owed_exact"]) for id in ids] == [
        ("0.13", "25/2"),
        ("-0.13", "-25/2"),
        ("0.00", "1/3"),
        ("-10.00", None),
    ]


def test_amounts_have_the_decimals_of_their_currency(lists: Cast) -> None:
    counted = {(row["currency"], row["kind"]): row["amount"] for row in rows_of(file_of("counts", "csv"))}
    assert counted["JPY", "drop-counted"] == "9000"
    assert counted["USD", "drop-counted"] == "100.00"
    read_rows = rows_of(
        b"".join(registry.parts(catalog.report("live-dealer").sheet(AURORA, ("table",)), "csv"))
    )
    assert {row["currency"]: row["handle"] for row in read_rows} == {"USD": "20.00", "BHD": "0.800"}


TEXTS = [
    "1-5",
    "41+",
    "0012",
    "1E5",
    "1e5",
    "007",
    "12",
    "3.5",
    "1/2",
    "22:05",
    "5 Mar 2026",
    "Mar 5",
    "MAR1",
    "2026-11",
    "50%",
    "$5",
    "(5)",
    "TRUE",
    "false",
    " 0012",
]
PLAIN = [
    "r-0009",
    "EOU-01",
    "over",
    "Zoë 1",
    "5b3d7c52-0000-4000-8000-00000000000f",
    "march on",
    "s-101",
    "true north",
    "n 1",
    "２",
]


def texts() -> Sheet:
    values = [*TEXTS, *PLAIN, "=1", "-5", "＝1", "", None]
    query = Query(
        f"SELECT name FROM (VALUES {', '.join(['(%s, %s)'] * len(values))}) AS v (place, name) ORDER BY"
        " place",
        [cell for pair in enumerate(values) for cell in pair],
    )
    return Sheet("Texts", (Column("name", "name"),), [(value,) for value in values], query=query)


@pytest.mark.parametrize(
    "write", [FORMATS["csv-excel"], lambda sheet: COPIED["csv-excel"](sheet, lambda rows: None)]
)
def test_csv_for_excel_keeps_a_text_that_looks_like_a_number_or_a_day(lists: Cast, write: Any) -> None:
    read_rows = [row["name"] for row in rows_of(b"".join(write(texts())))]
    assert read_rows[: len(TEXTS)] == [f'="{text}"' for text in TEXTS]
    assert read_rows[len(TEXTS) :] == [*PLAIN, "'=1", "'-5", "'＝1"]


def test_other_formats_keep_such_a_text_as_it_is(lists: Cast) -> None:
    assert [row["name"] for row in rows_of(b"".join(registry.parts(texts(), "csv")))][: len(TEXTS)] == TEXTS
    _, read_rows = book(b"".join(registry.parts(texts(), "xlsx")))
    assert [row[0] for row in read_rows[: len(TEXTS)]] == [("inlineStr", text) for text in TEXTS]


FULL_WIDTH_GUARDED = 3
"""The first version of the XLSX writer that marks formulas with full-width signs as text."""


@pytest.mark.parametrize("format", ["csv", "csv-excel", "xlsx"])
def test_exports_archived_earlier_are_rebuilt_with_the_same_bytes(lists: Cast, format: str) -> None:
    sheet = Sheet("Texts", (Column("name", "name"),), [("＝1",), ("1-5",), ("=1",)])
    for writing in (writing for of, writing in registry.FORMER if of == format):
        file = BytesIO()
        registry.write(sheet._replace(rows=list(sheet.rows)), format, file, writing=writing)
        if format == "xlsx":
            page = ZipFile(BytesIO(file.getvalue())).read("xl/worksheets/sheet1.xml").decode()
            styles = [
                cell.get("s")
                for cell in ElementTree.fromstring(page).iter(
                    "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}c"
                )
            ]
            assert writing >= FULL_WIDTH_GUARDED or styles[1] is None or styles[1] == styles[2]
            assert styles[3] is not None
        else:
            assert [row["name"] for row in rows_of(file.getvalue())] == ["＝1", "1-5", "'=1"]

"""Every export format has the same rows, whether Python writes them or the database's COPY does. The manifest
of each export verifies them.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from io import BytesIO, StringIO
from typing import Any
from zipfile import ZipFile

import pytest
from pyarrow import parquet

from audit.queries.list_filters import Query, Selection
from casino.exports import datasets
from casino.exports.formats import registry
from casino.exports.formats.registry import COPIED, FORMATS, MARK
from casino.exports.formats.xlsx import LONGEST_NAME, worksheet_name
from casino.reports import catalog
from casino.reports.columns import Absent, Column, Sheet
from tests.casino.conftest import Cast
from tests.casino.test_report_pages import cells
from tests.casino.test_reports import felt, live, record
from tests.conftest import House
from tests.furnished import furnishing

TEXTS = [
    "=HYPERLINK(1)",
    "+1",
    "-1",
    "@SUM(A1)",
    "  =1",
    "\tx",
    "\r",
    "\nx",
    "＝1",
    "＋1",
    "－1",
    "＠SUM(A1)",
    "\u3000＝1",
    "\u00a0=1",
    'a "quoted", one',
    "Zoë",
    "",
    None,
    "007",
    "A=1",
    "~",
    "'x",
    "{}",
    "\\.",
    "Ａ",
]
FORMULAS = TEXTS.index('a "quoted", one')
"""The number of texts in `TEXTS` that begin like a formula. They come first."""
CHECKED = ("csv", "csv-excel", "ndjson", "json", "xlsx")
"""Formats for which rows and totals are read back from the file and compared."""


@furnishing
def floor() -> Cast:
    cast = Cast()
    record(felt(1000, 100), felt(500, -25, "aurora/T2"), felt(9000, 900, "aurora/T3", currency="JPY"))
    record(live(2000, 50), live(800, 8, "aurora/L2", "JPY"))
    return cast


def sheet(name: str) -> Sheet:
    return datasets.sheet(name, Selection())


def odd() -> Sheet:
    """Return a sheet whose query yields values that are difficult to write to a file."""
    rows = ", ".join(["(%s, %s, %s, %s)"] * len(TEXTS))
    values = [
        cell
        for place, text in enumerate(TEXTS)
        for cell in (text, place - 2, f"{place - 3}.50", None if place % 2 else "2026-11-27")
    ]
    text = f"SELECT name, n::bigint AS n, win, day FROM (VALUES {rows}) AS v (name, n, win, day)"
    query = Query(text, values)
    columns = (
        Column("name", "name"),
        Column("n", "n", "count"),
        Column("win", "win", "money"),
        Column("day", "day", "day"),
    )
    return Sheet("Odd", columns, query.rows(), query=query)


COPIES: dict[str, Callable[[], Sheet]] = {
    "odd": odd,
    **{name: lambda name=name: sheet(name) for name in ("tally", "facts", "verdicts")},
}


@pytest.mark.parametrize("format", sorted({*COPIED} - {"parquet"}))
@pytest.mark.parametrize("name", COPIES)
def test_files_written_with_copy_have_the_bytes_of_files_written_by_python(
    floor: Cast, name: str, format: str
) -> None:
    assert COPIES[name]().query is not None
    assert b"".join(registry.parts(COPIES[name](), format)) == b"".join(FORMATS[format](COPIES[name]()))


@pytest.mark.parametrize("name", COPIES)
def test_a_copied_parquet_file_has_the_rows_and_types_of_the_other(floor: Cast, name: str) -> None:
    own_table, copied = (
        parquet.read_table(BytesIO(b"".join(parts)))
        for parts in (FORMATS["parquet"](COPIES[name]()), registry.parts(COPIES[name](), "parquet"))
    )
    assert copied.schema == own_table.schema
    assert copied.to_pylist() == own_table.to_pylist()


def test_c15_no_csv_cell_is_run_as_a_formula_and_json_and_parquet_keep_the_text(house: House) -> None:
    lines = list(csv.reader(StringIO(b"".join(registry.parts(odd(), "csv")).decode(), newline="")))[1:]
    assert [line[0] for line in lines[:FORMULAS]] == [f"'{text}" for text in TEXTS[:FORMULAS]]
    assert [line[0] for line in lines[FORMULAS:]] == [text or "" for text in TEXTS[FORMULAS:]]
    assert [line[2] for line in lines[:2]] == ["-3.50", "-2.50"], "a number stays a number"
    texts_read = [json.loads(line)["name"] for line in b"".join(registry.parts(odd(), "ndjson")).splitlines()]
    assert texts_read == TEXTS
    assert (
        parquet.read_table(BytesIO(b"".join(registry.parts(odd(), "parquet")))).column("name").to_pylist()
        == TEXTS
    )


def test_c17_only_the_csv_for_excel_begins_with_a_byte_order_mark(floor: Cast) -> None:
    plain, excel = (b"".join(registry.parts(sheet("tally"), format)) for format in ("csv", "csv-excel"))
    assert excel.startswith(MARK)
    assert excel[len(MARK) :].splitlines()[0] == plain.splitlines()[0]
    assert plain.startswith(b"property,stream,")
    assert [format for format in FORMATS if b"".join(FORMATS[format](sheet("tally"))).startswith(MARK)] == [
        "csv-excel"
    ]


def test_c19_hold_without_a_denominator_is_null_or_a_word_and_never_a_number(
    house: House,
) -> None:
    columns = (
        Column("table", "table"),
        Column("hold_percent", "hold", "percent"),
        Column("win", "win", "money"),
    )
    rows = [("T1", Absent("n/a"), Absent("pending")), ("T2", "-5.0", "-0.25")]
    contents = {
        format: b"".join(registry.parts(Sheet("Hold", columns, list(rows)), format))
        for format in ("csv", "json", "ndjson", "parquet")
    }
    assert contents["csv"].decode() == "table,hold_percent,win\nT1,n/a,pending\nT2,-5.0,-0.25\n"
    assert [(row["hold_percent"], row["win"]) for row in json.loads(contents["json"])["rows"]] == [
        (None, None),
        ("-5.0", "-0.25"),
    ]
    assert b'{"table":"T1","hold_percent":null,"win":null}' in contents["ndjson"]
    assert parquet.read_table(BytesIO(contents["parquet"])).column("win").null_count == 1
    written = registry.write(Sheet("Hold", columns, rows), "csv", BytesIO())
    assert [tuple(total) for total in written.totals] == [("", 2, {"win": "-0.25"})], "a word adds nothing"


def test_a_column_of_a_spreadsheet_has_room_for_its_amounts_and_for_its_name() -> None:
    columns = (Column("denominator_of_the_hold", "x", "count"), Column("win", "win", "money"))
    with ZipFile(
        BytesIO(b"".join(registry.parts(Sheet("x", columns, [(1, "-123456789012.34")]), "xlsx")))
    ) as book:
        page = book.read("xl/worksheets/sheet1.xml").decode()
    widths = [float(width) for width in re.findall(r'<col min="\d+" max="\d+" width="([0-9.]+)"', page)]
    assert [
        width > letters
        for width, letters in zip(widths, (len(columns[0].key), len("-123456789012.34")), strict=True)
    ] == [True, True]


def read(format: str, content: bytes) -> list[dict[str, str]]:
    """Return the rows of an exported file, each as {column: text}."""
    if format in ("csv", "csv-excel"):
        rows = list(csv.DictReader(StringIO(content.decode("utf-8-sig"), newline="")))
        return [
            {key: as_excel_shows(cell) if format == "csv-excel" else cell for key, cell in row.items()}
            for row in rows
        ]
    if format == "ndjson":
        read_rows: list[dict[str, Any]] = [json.loads(line) for line in content.splitlines()]
    elif format == "json":
        read_rows = json.loads(content)["rows"]
    elif format == "parquet":
        read_rows = parquet.read_table(BytesIO(content)).to_pylist()
    else:
        heading, *rows = cells(content)
        names = {place.rstrip("1"): value for place, (_, value, _) in heading.items()}
        read_rows = [
            dict.fromkeys(names.values(), "") | {names[at.rstrip("0123456789")]: row[at][1] for at in row}
            for row in rows
        ]
    return [{name: "" if value is None else str(value) for name, value in row.items()} for row in read_rows]


def as_excel_shows(cell: str) -> str:
    """Return the text that Excel shows for a cell written as `="text"`."""
    return cell[2:-1] if cell.startswith('="') and cell.endswith('"') else cell


def plain(text: str) -> str:
    """Return a number or time in one form for all formats: without zeros at its end, and with `T` and `Z`."""
    text = text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text
    text = text.replace(" ", "T") if text.endswith("Z") else text
    integer, point, part = text.partition(".")
    return (
        (integer + point + part.rstrip("0")).rstrip(".")
        if point and integer.lstrip("-").isdigit() and part.isdigit()
        else text
    )


@pytest.mark.parametrize("name", [*(name for name in datasets.names() if name != "facts"), "hold", "slips"])
def test_every_format_has_the_same_rows(floor: Cast, name: str) -> None:
    def sheet_of() -> Sheet:
        return (
            sheet(name)
            if name in datasets.names()
            else catalog.report(name).sheet(Selection().span, catalog.report(name).DEFAULT_BY)
        )

    rows_by_format = {}
    for format in ("csv", "csv-excel", "ndjson", "json", "xlsx", "parquet"):
        rows = read(format, b"".join(registry.parts(sheet_of(), format)))
        words = {"pending", "n/a"} if format in ("csv", "csv-excel", "xlsx") else set()
        rows_by_format[format] = [
            {
                key: "" if value in words else plain(value).replace(".000000Z", "Z")
                for key, value in row.items()
            }
            for row in rows
        ]
    may_be_empty = ("findings", "verdicts", "fills", "credits", "adjusted", "slips", "daily-log")
    assert rows_by_format["csv"] or name in may_be_empty
    for format, rows in rows_by_format.items():
        assert rows == rows_by_format["csv"], format


@pytest.mark.parametrize(
    ("title", "number", "name"),
    [
        ("Hold", 1, "Hold"),
        ("Hold", 2, "Hold (2)"),
        ("Statistical review: win against exact odds", 1, "Statistical review"),
        ("Investigations of the statistical review", 1, "Investigations of the…"),
        ("A" * 40, 12, "A" * 25 + "… (12)"),
        ("'Win [a/b]: c*?\\'", 1, "Win a b c"),
        ("Summary", 1, "Rows"),
        ("history", 1, "Rows"),
        ("///", 1, "Rows"),
    ],
)
def test_a_worksheet_has_a_name_that_spreadsheets_accept(title: str, number: int, name: str) -> None:
    assert worksheet_name(title, number) == name
    assert len(name) <= LONGEST_NAME


def test_worksheets_of_all_reports_have_different_names() -> None:
    titles = [catalog.report(name).TITLE for name in catalog.names()]
    names = [worksheet_name(title) for title in titles]
    assert len(set(names)) == len(names)


def test_an_earlier_version_of_the_spreadsheet_keeps_its_names_of_worksheets() -> None:
    sheet = Sheet("Hold", (Column("name", "name"),), [("a",)])
    names = []
    for writing in (5, 6):
        file = BytesIO()
        registry.write(sheet, "xlsx", file, writing=writing)
        with ZipFile(file) as book:
            names += re.findall(r'<sheet name="([^"]+)"', book.read("xl/workbook.xml").decode())
    assert names == ["Sheet1", "Hold"]

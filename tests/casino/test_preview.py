"""The preview of an archived export shows the first rows of the stored file. It works with every format, and
even if the stored file is not complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from casino.exports.formats.registry import FORMATS
from casino.exports.preview import LARGEST, ROWS, Preview, preview
from casino.reports.columns import Absent, Column, Sheet
from tests.casino.conftest import Cast
from tests.casino.test_reports import felt, record

COLUMNS = (
    Column("table", "table"),
    Column("day", "day", "day"),
    Column("boxes", "boxes pulled", "count"),
    Column("drop", "drop", "money"),
)
SAID = {column.key: (column.heading, column.type) for column in COLUMNS}
EVIL = [
    "T1",
    "T, 2",
    'T "3"',
    "two\nlines",
    "=HYPERLINK(1)",
    "",
    "Überraschung ×",
    "<b>T</b>",
    "],totals:",
    '],"totals":[',
]


def sheet(rows: int) -> Sheet:
    sheet_rows = [
        (
            EVIL[number % len(EVIL)],
            "2026-11-27",
            number,
            Absent("pending") if number == 3 else f"-{number}234.50",
        )
        for number in range(rows)
    ]
    return Sheet("Drop", COLUMNS, sheet_rows, (("total", "", "", "1.00"),))


def preview_of(format: str, rows: int, columns: dict[str, tuple[str, str]] = SAID) -> Preview:
    content = b"".join(FORMATS[format](sheet(rows)))
    shown = preview(format, len(content), lambda: iter([content]), columns)
    assert shown is not None
    return shown


@pytest.mark.parametrize("format", ["csv", "json", "ndjson", "xlsx", "parquet"])
def test_the_first_rows_are_those_of_the_file_in_every_format(format: str) -> None:
    shown = preview_of(format, 25)
    assert shown.headings == [("table", False), ("day", False), ("boxes pulled", True), ("drop", True)]
    assert (len(shown.rows), shown.more) == (ROWS, True)
    guarded = ["'" + text if text.startswith("=") and format == "csv" else text for text in EVIL]
    assert [row[0][0] for row in shown.rows] == guarded * 2
    digits = "00" if format == "parquet" else ""
    assert [cell for cell, _ in shown.rows[12]][1:] == [
        "2026-11-27",
        "12",
        f"\N{MINUS SIGN}12,234.50{digits}",
    ]
    assert shown.rows[3][3][0] == ("pending" if format in ("csv", "xlsx") else "")
    short = preview_of(format, 4)
    assert (len(short.rows), short.more) == (4, False)
    assert preview_of(format, 0)[1:] == ([], [], False, False)


def test_only_complete_rows_of_a_truncated_file_are_shown() -> None:
    for format in ("csv", "json", "ndjson", "table"):
        content, complete = b"".join(FORMATS[format](sheet(12))), preview_of(format, 12)
        first = content.index(b"\n") + 1
        for cut in range(first, len(content)):
            shown = preview(
                format, len(content), lambda content=content, cut=cut: iter([content[:cut]]), SAID
            )
            assert shown is not None
            assert shown.rows == complete.rows[: len(shown.rows)], (format, cut)
            assert shown.lines == complete.lines[: len(shown.lines)], (format, cut)


def test_a_file_of_a_wrong_format_is_reported_without_an_error_page() -> None:
    for format in ("json", "ndjson", "xlsx", "parquet"):
        for content in (b"x", b'{"title":[1]', b"PK\x03\x04", b"[1,2]"):
            shown = preview(format, len(content), lambda content=content: iter([content]), SAID)
            assert shown == Preview([], [], [], more=False, broken=True), (format, content)


def test_accounting_sees_a_preview_next_to_the_proof(cast: Cast) -> None:
    record(felt(1000, 100), felt(500, -25, "aurora/T2"))
    alma = cast.browser("Alma")
    for format, drop in (("csv", "10.00"), ("xlsx", "10.00"), ("parquet", "10.0000"), ("json", "10.00")):
        sent = {
            "property": "aurora",
            "from": "2026-11-27",
            "to": "2026-11-27",
            "by": "table",
            "format": format,
        }
        page = alma.post("/reports/hold/keep/", sent)["Location"]
        shown = alma.get(page).content.decode().partition("Preview<")[2].partition("</table>")[0]
        assert '<th scope="col" class="n">Drop or handle</th>' in shown
        assert [cell in shown for cell in ("aurora/T1", f'<td class="n">{drop}</td>')] == [True, True], format
    facts = {
        "property": "aurora",
        "what": "facts",
        "from": "2026-11-27",
        "to": "2026-11-27",
        "format": "ndjson",
    }
    dana = cast.browser("Dana")
    lines = (
        dana.get(dana.post("/exports/", facts)["Location"])
        .content.decode()
        .partition("<pre")[2]
        .partition("</pre>")[0]
    )
    assert lines.count("aurora/T1") == 5


def test_facts_are_previewed_as_lines_and_too_large_files_not_at_all() -> None:
    assert [line[:9] for line in preview_of("ndjson", 3, {}).lines] == ['{"table":'] * 3
    assert preview_of("table", 2).lines[0] == "Drop"

    def never() -> Iterator[bytes]:
        raise AssertionError("it is not read")

    arguments: dict[str, Any] = {"read": never, "columns": SAID}
    assert preview("xlsx", LARGEST + 1, **arguments) is preview("parquet", LARGEST + 1, **arguments) is None


def test_a_text_that_excel_would_convert_is_shown_as_excel_shows_it() -> None:
    content = b'\xef\xbb\xbfname,wager\n"=""0012""","=""1-5"""\n'
    shown = preview("csv-excel", len(content), lambda: iter([content]), {})
    assert shown is not None
    assert [[cell for cell, _ in row] for row in shown.rows] == [["0012", "1-5"]]

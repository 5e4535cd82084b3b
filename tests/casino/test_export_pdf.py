"""PDF files of reports: their text, the control totals, and the same bytes for the same rows. The summary in
a spreadsheet is tested too.
"""

from __future__ import annotations

import re
from datetime import date
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from casino.exports.formats import pdf, registry
from casino.reports.columns import Absent, Column, Heading, Sheet
from tests.casino.conftest import Cast
from tests.casino.test_export_manifests import checked, exported
from tests.casino.test_report_pages import DAYS, floor

__all__ = ["floor"]

COLUMNS = (
    Column("table", "table"),
    Column("currency", "currency"),
    Column("rounds", "rounds", "count"),
    Column("win", "win", "money"),
    Column("win_exact", "win, exact minor units"),
    Column("note", "note"),
)
SIGNED = "Prepared by: name, signature, date"
HEADING = Heading(
    "aurora", date(2026, 11, 1), date(2026, 11, 26), ("table",), "closed", (), (("aurora", 1234, "ab" * 32),)
)
ROWS = [
    ("aurora/EOU-01", "USD", 1200, "-1234567.50", "-123456750", "seen by नरेश"),
    ("aurora/EOU-02", "USD", 3, Absent("pending"), "", ""),
    ("aurora/EOU-03", "EUR", 0, "10.00", "1000", ""),
]
SHEET = Sheet("Hold", COLUMNS, ROWS, (("total", "USD", 1203, "-1234567.50", "", ""),), heading=HEADING)


def texts(file: bytes) -> list[str]:
    """Return the texts of a PDF in the order in which they are drawn. The texts can be read from the bytes,
    because the PDF is not compressed.
    """
    drawn = re.findall(rb"\(((?:[^()\\]|\\.)*)\) Tj", file)
    return [re.sub(rb"\\(.)", rb"\1", text).decode("latin-1") for text in drawn]


def write_pdf(sheet: Sheet) -> tuple[bytes, registry.WriteResult]:
    file = BytesIO()
    written = registry.write(sheet, "pdf", file)
    return file.getvalue(), written


def test_the_pdf_has_what_a_signer_must_know() -> None:
    file, written = write_pdf(SHEET)
    assert file.startswith(b"%PDF-")
    assert write_pdf(SHEET)[0] == file
    texts_found = texts(file)
    for text in (
        "Hold",
        "1 Nov 2026 to 26 Nov 2026",
        "closed books",
        f"aurora, ledger position 1,234, chain {'ab' * 32}",
        "EOU-01",
        "-1,234,567.50",
        "pending",
        "Prepared by: name, signature, date",
        "Approved by: name, signature, date",
    ):
        assert text in texts_found, text
    assert texts_found[texts_found.index("page 1 of ") + 1] == "1"
    assert not any("exact minor units" in text for text in texts_found), "this column is for programs"
    assert "1 row in EUR: rounds 0, win 10.00" in texts_found
    assert "2 rows in USD: rounds 1,203, win -1,234,567.50 (1 without a figure)" in texts_found
    assert [(total.currency, total.rows, total.sums["win"]) for total in written.totals] == [
        ("EUR", 1, "10.00"),
        ("USD", 2, "-1234567.50"),
    ]


def test_a_long_report_is_cut_and_says_so_and_its_totals_are_of_all_rows() -> None:
    rows = [("aurora/EOU-01", "USD", 1, "1.00", "100", "")] * (pdf.ROWS + 5)
    file, written = write_pdf(SHEET._replace(rows=rows, totals=()))
    texts_found = texts(file)
    assert f"The first {pdf.ROWS:,} of {pdf.ROWS + 5:,} rows. Totals are of all rows." in texts_found
    assert written.rows == pdf.ROWS + 5
    assert f"{pdf.ROWS + 5:,} rows in USD: rounds {pdf.ROWS + 5:,}, win {pdf.ROWS + 5:,}.00" in texts_found
    pages = sum(text.startswith("page ") for text in texts_found)
    assert pages > 10
    first_line = "Hold, aurora, 1 Nov 2026 to 26 Nov 2026, closed books"
    assert texts_found.count(first_line) == pages - 1, "a sheet that was separated names its report and days"
    assert texts_found.count("Table") in (pages - 1, pages), "headings are on every page with rows"


@pytest.mark.parametrize("count", range(28, 36))
def test_totals_are_on_the_page_of_the_last_row(count: int) -> None:
    rows = [(f"aurora/EOU-{place:02}", "USD", 1, "1.00", "100", "") for place in range(count)]
    texts_found = texts(write_pdf(SHEET._replace(rows=rows))[0])
    last_row, total = texts_found.index(f"EOU-{count - 1:02}"), texts_found.index("total")
    assert not any(text.startswith("page ") for text in texts_found[last_row:total])


@pytest.mark.parametrize("count", range(18, 36))
def test_nobody_signs_a_page_without_figures(count: int) -> None:
    rows = [(f"aurora/EOU-{place:02}", "USD", 1, "1.00", "100", "") for place in range(count)]
    texts_found = texts(write_pdf(SHEET._replace(rows=rows))[0])
    last_row, signed = texts_found.index(f"EOU-{count - 1:02}"), texts_found.index(SIGNED)
    between = texts_found[last_row:signed]
    assert "Control totals" in between
    assert not any(text.startswith("page ") for text in between), "a page ends between row and signature"


def test_control_totals_of_many_currencies_stay_on_the_pages() -> None:
    rows = [("aurora/EOU-01", f"C{place:02}", 1, "1.00", "100", "") for place in range(60)]
    file = write_pdf(SHEET._replace(rows=rows, totals=()))[0]
    heights = [float(high) for high in re.findall(rb"BT [0-9.]+ (-?[0-9.]+) Td", file)]
    assert min(heights) > 0
    assert sum(text.startswith("1 row in C") for text in texts(file)) == 60


def test_a_pdf_of_several_properties_names_the_property_of_each_table() -> None:
    rows = [
        ("aurora/EOU-01", "USD", 1, "1.00", "100", "pending aurora/EOU-01/2026-11-26: no closer"),
        ("boreal/EOU-01", "USD", 1, "2.00", "200", ""),
    ]
    of_all = texts(write_pdf(SHEET._replace(rows=rows, heading=HEADING._replace(property="")))[0])
    assert {"aurora/EOU-01", "boreal/EOU-01", "total"} <= {*of_all}
    assert "pending aurora/EOU-01, gaming day 26 Nov 2026: no closer" in of_all
    of_aurora = texts(write_pdf(SHEET._replace(rows=rows[:1]))[0])
    assert "pending EOU-01, gaming day 26 Nov 2026: no closer" in of_aurora
    assert "EOU-01" in of_aurora, "the property is in the heading"


def test_no_word_of_a_late_row_is_broken() -> None:
    rows = [("aurora/EOU-01", "USD", 1, "1.00", "100", "")] * 300
    note = "never sent: its number was voided"
    texts_found = texts(write_pdf(SHEET._replace(rows=[*rows, (*rows[0][:-1], note)]))[0])
    assert note in texts_found, "the page has room for it on one line"


def test_long_texts_are_broken_between_words_and_after_slashes() -> None:
    columns = tuple(Column(f"text_{place}", f"text {place}") for place in range(14))
    row = ("aurora/COU-01/2026-11-01/1", *("markers paid in the cage",) * 13)
    texts_found = texts(write_pdf(Sheet("Wide", columns, [row]))[0])
    begins, ends = texts_found.index("Text 13"), texts_found.index("Control totals")
    printed = texts_found[begins + 1 : ends]
    words = {"markers", "paid", "in", "the", "cage", "aurora", "COU-01", "2026-11-01", "1"}
    assert {word for text in printed for word in re.split("[ /]", text) if word} == words
    assert "aurora/COU-01/2026-11-01/1" in "".join(printed)


def test_people_have_room_to_sign_in_each_row(floor: Cast, tmp_path: Path) -> None:
    file = exported(tmp_path, "stiff-sheet", "pdf").read_bytes()
    left = {
        text.decode(): float(x)
        for x, text in re.findall(rb"BT ([0-9.]+) [0-9.]+ Td \(([A-Z][a-z]+ by)\) Tj", file)
    }
    points = 19.9 * 72 / 25.4
    assert left["Verified by"] - left["Counted by"] >= points
    assert left["Audited by"] - left["Verified by"] >= points
    page = floor.browser("Dana").get(f"/reports/stiff-sheet/?{DAYS}")
    assert b"ounted by" not in page.content, "a screen cannot be signed"


def test_the_pdf_writes_days_as_pages_do() -> None:
    columns = (Column("table", "table"), Column("issued_on", "issued on", "day"), Column("note", "note"))
    rows = [("aurora/A", "2026-11-20", "2026-11-18: counted with the box of 2026-11-19")]
    texts_found = texts(write_pdf(Sheet("Days", columns, rows))[0])
    assert {"20 Nov 2026", "18 Nov 2026: counted with the box of 19 Nov 2026"} <= {*texts_found}


def test_the_pdf_has_the_verdict_of_each_row() -> None:
    columns = (Column("table", "table"), Column("z", "z", "percent"), Column("verdict", "verdict"))
    rows = [
        ("aurora/A", "0.5", ""),
        ("aurora/B", "4.5", "beyond chance"),
        ("aurora/C", Absent("n/a"), ""),
        ("aurora/D", "1.0", "base of 4 days"),
    ]
    texts_found = texts(write_pdf(Sheet("Review", columns, rows))[0])
    verdicts = [texts_found[texts_found.index(table) + 2] for table in "ABCD"]
    assert verdicts == ["inside", "beyond chance", "not judged", "base of 4 days"]


@pytest.mark.parametrize("count", [1, 25, 40])
def test_columns_fit_the_page_and_nothing_is_lost(count: int) -> None:
    columns = tuple(Column(f"amount_{place}", f"amount {place}", "money") for place in range(count))
    row = tuple(f"{place * 1111111}.25" for place in range(count))
    texts_found = texts(write_pdf(Sheet("Wide", columns, [row]))[0])
    assert {f"{place * 1111111:,}.25" for place in range(count)} <= set(texts_found)


def test_an_empty_report_says_so() -> None:
    assert "No rows in these days." in texts(write_pdf(SHEET._replace(rows=[], totals=()))[0])


def test_a_pdf_and_a_spreadsheet_are_checked_against_their_manifests(floor: Cast, tmp_path: Path) -> None:
    for format, says in (("pdf", "only the bytes are checked"), ("xlsx", "as its manifest says: Hold")):
        out = exported(tmp_path, "hold", format)
        ran = checked(out)
        assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
        assert says in ran.stdout
    on_paper = texts((tmp_path / "hold.pdf").read_bytes())
    assert any(text.startswith("aurora, ledger position ") for text in on_paper)
    with ZipFile(tmp_path / "hold.xlsx") as book:
        names = re.findall(r'<sheet name="([^"]+)"', book.read("xl/workbook.xml").decode())
        summary = book.read("xl/worksheets/sheet2.xml").decode()
        rows = book.read("xl/worksheets/sheet1.xml").decode()
        styles = book.read("xl/styles.xml").decode()
    assert names == ["Hold", "Summary"]
    for worksheet in (rows, summary):
        assert '<pageSetup paperSize="9" fitToHeight="0" orientation="landscape"' in worksheet
        assert "<oddHeader>&amp;LHold, aurora, " in worksheet
        assert "&amp;Laurora, ledger position " in worksheet
    assert 'xSplit="1" ySplit="1"' in rows, "the names of rows and columns stay in view"
    formats = re.findall(r"<xf [^>]*?(?:/>|>.*?</xf>)", styles[styles.index("<cellXfs") :])
    headings = {
        key: formats[int(format)]
        for format, key in re.findall(r'<c r="[A-Z]+1" s="(\d+)" t="inlineStr"><is><t>(\w+)<', rows)
    }
    assert 'horizontal="right"' in headings["win"]
    assert 'horizontal="right"' not in headings["table"]
    assert all(text in summary for text in (">Hold<", ">Property<", ">Totals<", ">drop or handle<"))


def test_a_page_and_rest_give_a_pdf_with_the_position(floor: Cast) -> None:
    answer = floor.browser("Dana").get(f"/reports/hold/pdf/?{DAYS}")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    assert answer["Content-Disposition"].endswith('.pdf"')
    file = b"".join(answer)  # type: ignore[arg-type]
    assert any(text.startswith("aurora, ledger position ") for text in texts(file))

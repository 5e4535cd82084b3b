"""Every report has the same kind of page, with a chart and files. A user who may not see money sees no
amounts.
"""

from __future__ import annotations

import csv
import json
from datetime import date, timedelta
from decimal import Decimal
from io import BytesIO, StringIO
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from django.test import Client
from pyarrow import parquet

from audit.queries.span import Span
from casino.exports import datasets
from casino.exports.datasets import Selection
from casino.exports.formats.registry import DOWNLOADS, FORMATS
from casino.exports.formats.text import as_csv
from casino.exports.formats.xlsx import as_xlsx
from casino.exports.report_description import description, explanation
from casino.reports import catalog
from casino.reports.columns import Absent, Column, Sheet, without_words
from tests.casino.conftest import ROLES, Cast
from tests.casino.feeding import run
from tests.casino.pages import markup, status_for, text
from tests.casino.test_reports import BY, at, felt, live, record
from tests.counts import LONG
from tests.furnished import furnishing

DAYS = "from=2026-11-27&to=2026-11-27"
MAY = {"Dana", "Dora", "Boris", "Alma", "Igor", "Rhea"}
NAMES = {"s": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}


@furnishing
def floor() -> Cast:
    cast = Cast()
    record(
        felt(1000, 100),
        felt(500, -25, "aurora/T2"),
        felt(9000, 900, "aurora/T3", currency="JPY"),
        live(2000, 50),
    )
    return cast


def cells(book: bytes) -> list[dict[str, tuple[str, str, str]]]:
    """Read a spreadsheet. Return for each row its cells by address, such as A1. A cell is (type, value,
    style), and a cell with a date has the type `day`.
    """
    with ZipFile(BytesIO(book)) as archive:
        sheet = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
        styles = ElementTree.fromstring(archive.read("xl/styles.xml"))
    dated = {
        format.attrib["numFmtId"]
        for format in styles.iterfind("s:numFmts/s:numFmt", NAMES)
        if format.attrib["formatCode"] == "yyyy-mm-dd"
    }
    days = {
        str(place)
        for place, format in enumerate(styles.iterfind("s:cellXfs/s:xf", NAMES))
        if format.attrib["numFmtId"] in dated
    }
    rows_read = []
    for row in sheet.iterfind("s:sheetData/s:row", NAMES):
        read = {}
        for cell in row.iterfind("s:c", NAMES):
            value, text = cell.find("s:v", NAMES), cell.find("s:is/s:t", NAMES)
            kind, style = cell.get("t", "n"), cell.get("s", "0")
            text_value = (
                str((value if value is not None else text).text)
                if value is not None or text is not None
                else ""
            )  # type: ignore[union-attr]
            if kind == "n" and style in days:
                kind, text_value = "day", (date(1899, 12, 30) + timedelta(days=int(text_value))).isoformat()
            read[cell.attrib["r"]] = (kind, text_value, style)
        rows_read.append(read)
    return rows_read


def test_every_report_has_a_page_that_needs_the_right(floor: Cast) -> None:
    """Test that only roles with the right get the page and the files of a report. The files are requested as
    two users. The page is requested as some of the roles, and rendered for one of them only. The page of the
    hold report is requested as all roles.
    """
    browsers = {name: floor.browser(name) for name in ROLES}
    people = {name: floor.person(name) for name in ROLES}
    wrong = []
    for place, name in enumerate(catalog.names()):
        rendered = sorted(MAY)[place % len(MAY)]
        others = [
            other_user
            for number, other_user in enumerate(sorted({*ROLES} - {rendered}))
            if number % 3 == place % 3
        ]
        for page, asking in (
            (f"/reports/{name}/", [*ROLES] if LONG or name == "hold" else [rendered, *others]),
            *((f"/reports/{name}/{format}/", ["Dana", "Eve"]) for format in DOWNLOADS),
        ):
            for user in asking:
                if LONG or user == rendered:
                    status = browsers[user].get(f"{page}?{DAYS}").status_code
                else:
                    status = status_for(people[user], f"{page}?{DAYS}")
                if status != (200 if user in MAY else 403):
                    wrong.append((page, user, status))
    assert wrong == []
    assert Client().get("/reports/hold/csv/")["Location"].startswith("/login/")
    assert {
        browsers["Dana"].get(page).status_code
        for page in ("/reports/luck/", "/reports/hold/docx/", "/reports/luck/csv/")
    } == {404}


def test_a_page_shows_what_the_command_prints_and_draws_no_two_currencies_together(floor: Cast) -> None:
    page = floor.browser("Dana").get(f"/reports/hold/?{DAYS}").content.decode()
    assert page.count('<div class="wf bars"') == 3, "win / drop in dollars, in yen, and GGR / handle"
    for phrase in ("10.0", "−5.0", "9,000", "win / drop", "GGR / handle"):
        assert phrase in page
    assert (
        'href="/reports/hold/xlsx/?property=aurora&amp;from=2026-11-27&amp;to=2026-11-27&amp;by=table"'
        in page
    )
    by_game = floor.browser("Dana").get(f"/reports/hold/?{DAYS}&by=game").content.decode()
    assert 'value="game" checked' in by_game
    assert 'value="table" checked' not in by_game


def test_a_long_report_is_paged_and_has_the_totals_of_all_rows(
    floor: Cast,
) -> None:
    make, trays = at(table="aurora/T1"), []
    for number in range(104):  # 107 rows, with the openers of T1, T2 and T3
        trays += [
            make("opener-counted", chips={}, amount=100 + number, **BY),
            make("closer-counted", chips={}, amount=100, **BY),
        ]
    record(trays)
    dana, address = floor.browser("Dana"), f"/reports/opener-closer/?{DAYS}"
    first, last = markup(dana.get(address)), markup(dana.get(f"{address}&page=2"))
    for page, says, rows, key in (
        (first, "Rows 1 to 100 of 107; totals include all rows", 100, "]"),
        (last, "Rows 101 to 107 of 107", 7, "["),
    ):
        assert says in page
        assert page.partition("<tbody>")[2].partition("</tbody>")[0].count("<tr>") == rows
        assert (f'data-key="{key}"' in page, page.count("data-key=")) == (True, 1)
        assert "53.56" in page.partition("<tfoot>")[2], "the openers of T1 that were over: 1 to 103 cents"
    following = (
        first.partition('data-key="]"')[0].rpartition('href="')[2].partition('"')[0].replace("&amp;", "&")
    )
    for same_rows in (
        f"/reports/opener-closer/{following}",
        f"{address}&page=99",
    ):  # a number beyond the last page shows the last one, because rows may have been removed
        assert markup(dana.get(same_rows)).partition("<tbody>")[2] == last.partition("<tbody>")[2]
    refused = dana.get(f"{address}&page=two")
    assert (refused.status_code, "Page: “two” is not a page number" in refused.content.decode()) == (
        400,
        True,
    )
    assert (
        len(b"".join(dana.get(f"/reports/opener-closer/csv/?{DAYS}").streaming_content).splitlines()) == 108
    )


def test_pages_have_names_of_games_and_files_their_codes(floor: Cast) -> None:
    dana = floor.browser("Dana")
    for address in (
        f"/reports/hold/?{DAYS}&by=game",
        f"/reports/stiff-sheet/?{DAYS}",
        f"/reports/master-game-report/?{DAYS}",
    ):
        page = text(dana.get(address).content.decode().partition("<tbody>")[2])
        assert ("Easy Over Under" in page, "easy_over_under" in page) == (True, False), address
    by_table = dana.get(f"/reports/hold/?{DAYS}&by=game&by=table").content.decode()
    assert '<span class="l">T1 Easy Over Under</span>' in by_table, "the bars too"
    page_of_game = dana.get(f"/hold/where/?{DAYS}&by=game").content.decode()
    assert (">Easy Over Under</a>" in page_of_game, ">easy_over_under<" in page_of_game) == (True, False)
    within = text(dana.get(f"/hold/where/?{DAYS}&by=table&game=easy_over_under"))
    assert "Limited to game Easy Over Under" in within
    assert b"easy_over_under" in b"".join(dana.get(f"/reports/stiff-sheet/csv/?{DAYS}").streaming_content)


def test_bars_are_labeled_with_all_keys_of_their_row(
    floor: Cast,
) -> None:
    dana = floor.browser("Dana")
    assert (
        '<span class="l">Nov 2026 Easy Over Under</span>'
        in dana.get(f"/reports/new-jersey/?{DAYS}").content.decode()
    ), "a month has a bar for each game"
    page = dana.get(f"/reports/hold-to-date/?{DAYS}").content.decode()
    headings = page.partition("<thead>")[2].partition("</thead>")[0]
    assert [headings.count(f"Hold %, {days}<") for days in ("day", "month to date", "year to date")] == [
        1,
        1,
        1,
    ]
    assert "Hold %, month to date, win / drop, USD" in page


def test_no_request_shows_money_of_another_property(floor: Cast) -> None:
    record(felt(77700, 100, "borealis/T9"))
    for page in ("/reports/hold/", "/reports/hold/csv/"):
        assert floor.browser("Dana").get(f"{page}?{DAYS}&property=borealis").status_code == 403
    shown = floor.browser("Dana").get(f"/reports/hold/?{DAYS}").content.decode().partition("<main")[2]
    assert "All reports" in shown
    assert ">T9<" not in shown
    assert "777.00" not in shown


def test_invalid_parameters_are_explained_and_no_file_is_made(floor: Cast) -> None:
    answer = floor.browser("Dana").get("/reports/slips/?from=yesterday&by=colour")
    assert answer.status_code == 400
    for phrase in (
        "First day: “yesterday” is not a valid date",
        "“colour” is not a grouping of this report",
    ):
        assert phrase in answer.content.decode()
    assert floor.browser("Dana").get("/reports/hold/csv/?by=colour")["Location"] == "/reports/hold/?by=colour"


@pytest.mark.parametrize("page", ["/reports/hold/", "/hold/", "/hold/where/", "/hold/review/", "/journal/"])
def test_days_in_the_wrong_order_are_refused_and_no_page_swaps_them(floor: Cast, page: str) -> None:
    answer = floor.browser("Dana").get(f"{page}?property=aurora&from=2026-11-30&to=2026-11-24")
    assert answer.status_code == 400
    shown = text(answer)
    assert "First day: 30 Nov 2026 is after the last day, 24 Nov 2026." in shown
    assert 'name="from" value="2026-11-24"' in markup(answer), "the form has the days in order"


def test_a_file_from_the_page_has_the_bytes_of_the_command(floor: Cast) -> None:
    answer = floor.browser("Alma").get(f"/reports/hold/csv/?{DAYS}&by=game")
    output = run(
        "report",
        "hold",
        "--from",
        "2026-11-27",
        "--to",
        "2026-11-28",
        "--property",
        "aurora",
        "--by",
        "game",
        "--format",
        "csv",
    )
    assert b"".join(answer.streaming_content).decode() == output.out
    assert answer["Content-Disposition"] == 'attachment; filename="hold_aurora_2026-11-27_2026-11-27.csv"'


def test_a_spreadsheet_has_the_rows_of_the_csv_and_always_the_same_bytes(floor: Cast, tmp_path) -> None:
    first_file, other = tmp_path / "one.xlsx", tmp_path / "other.xlsx"
    for file in (first_file, other):
        assert run("export", "hold", "--format", "xlsx", "--out", file).code == 0
    assert first_file.read_bytes() == other.read_bytes()
    sheet = without_words(catalog.report("hold").sheet(Span(), ("table",)))
    lines = list(csv.reader(StringIO("".join(as_csv(sheet)))))
    book = [[value for _, value, _ in row.values()] for row in cells(first_file.read_bytes())]
    assert book[0] == lines[0]
    for line, row in zip(lines[1:], book[1:], strict=True):
        assert [
            float(cell) if cell.lstrip("-").replace(".", "").isdigit() else cell for cell in line if cell
        ] == [float(cell) if cell.lstrip("-").replace(".", "").isdigit() else cell for cell in row]
    assert cells(first_file.read_bytes())[1]["E2"][0] == "n", "a win is a number"


def test_a_spreadsheet_runs_no_formula_and_loses_no_digit() -> None:
    columns = (Column("name", "name"), Column("win", "win", "money"))
    evil = ["=HYPERLINK(1)", "+1", "@SUM(A1)", "  =1", "https" + "://example.org", "007"]
    amounts = ["-1.00", "123456789012345678.90", Absent("pending"), "0.00", "12345678901234.5", "1"]
    rows = cells(b"".join(as_xlsx(Sheet("x", columns, list(zip(evil, amounts, strict=True))))))[1:]
    assert [row[f"A{place}"][1] for place, row in enumerate(rows, 2)] == evil
    assert {row[f"A{place}"][0] for place, row in enumerate(rows, 2)} == {"inlineStr"}
    assert len({row[f"A{place}"][2] for place, row in enumerate(rows[:4], 2)}) == 1 != rows[4]["A6"][2], (
        "formulas are marked as text"
    )
    assert [row[f"B{place}"][:2] for place, row in enumerate(rows, 2)] == [
        ("n", "-1"),
        ("inlineStr", "123456789012345678.90"),
        ("inlineStr", "pending"),
        ("n", "0"),
        ("n", "12345678901234.5"),
        ("n", "1"),
    ]


def test_a_day_is_a_day_in_a_spreadsheet_and_an_invalid_one_is_text() -> None:
    days = ["2026-11-27", "1900-03-01", "1900-02-28", "9999-12-31", Absent("pending"), None, "later"]
    book = b"".join(as_xlsx(Sheet("x", (Column("day", "day", "day"),), [(day,) for day in days])))
    assert b"".join(as_xlsx(Sheet("x", (Column("day", "day", "day"),), [(day,) for day in days]))) == book
    kinds = [row.get(f"A{place}", ("", ""))[:2] for place, row in enumerate(cells(book)[1:6], 2)]
    assert kinds == [
        ("day", "2026-11-27"),
        ("day", "1900-03-01"),
        ("inlineStr", "1900-02-28"),
        ("day", "9999-12-31"),
        ("inlineStr", "pending"),
    ]
    assert b">later<" in ZipFile(BytesIO(book)).read("xl/worksheets/sheet1.xml")


def test_an_empty_report_can_be_read_in_every_format(house) -> None:
    for name in catalog.names():
        sheet = catalog.report(name).sheet(Span(), catalog.report(name).DEFAULT_BY)
        assert json.loads(b"".join(FORMATS["json"](sheet)))["rows"] == []
        assert len(cells(b"".join(FORMATS["xlsx"](sheet)))) == 1
        assert parquet.read_table(BytesIO(b"".join(FORMATS["parquet"](sheet)))).num_rows == 0


def test_a_parquet_file_has_exact_amounts_integers_and_null_for_words(floor: Cast) -> None:
    sheet = catalog.report("hold").sheet(Span(), ("table", "day"))
    written = [b"".join(FORMATS["parquet"](sheet)) for _ in range(2)]
    assert written[0] == written[1]
    rows = {row["table"]: row for row in parquet.read_table(BytesIO(written[0])).to_pylist()}
    assert rows["aurora/T2"] | {"note": ""} == {
        "table": "aurora/T2",
        "day": date(2026, 11, 27),
        "basis": "win / drop",
        "currency": "USD",
        "rounds": 0,
        "win": Decimal("-0.25"),
        "denominator": Decimal("5.00"),
        "hold_percent": Decimal("-5.0"),
        "note": "",
    }
    columns = (Column("win", "win", "money"), Column("day", "day", "day"), Column("n", "n", "count"))
    later_rows = [("123456789012345678.9012", "", None), (Absent("pending"), "2026-11-27", 2**62)]
    assert parquet.read_table(
        BytesIO(b"".join(FORMATS["parquet"](Sheet("x", columns, later_rows))))
    ).to_pylist() == [
        {"win": Decimal("123456789012345678.9012"), "day": None, "n": None},
        {"win": None, "day": date(2026, 11, 27), "n": 2**62},
    ]
    for name in datasets.names():
        assert (
            parquet.read_table(
                BytesIO(b"".join(FORMATS["parquet"](datasets.sheet(name, Selection()))))
            ).num_rows
            >= 0
        )


def test_the_description_of_a_report_does_not_repeat_its_title() -> None:
    for name in catalog.names():
        report, title = catalog.report(name), catalog.report(name).TITLE.partition(":")[0]
        assert description(report)[:1].isupper(), name
        assert not description(report).casefold().startswith(f"{title.casefold()}:"), name
    assert description(catalog.report("hold")).startswith("At a felt table win over drop")
    assert description(catalog.report("drop-variance")).startswith("Count against recount: ")


def test_the_page_of_a_report_explains_its_figures(floor: Cast) -> None:
    for report in map(catalog.report, catalog.names()):
        blocks = explanation(report)
        assert len(blocks) == (report.__doc__ or "").strip().count("\n\n"), report.__name__
        assert not any(
            "`" in part or "casino." in part for block in blocks for item in block.items for part, _ in item
        )
    page = text(floor.browser("Dana").get(f"/reports/statistics/?{DAYS}"))
    assert "What the figures mean For wagers with stakes w, edges e and variances v: z = " in page

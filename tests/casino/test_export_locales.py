"""A CSV file may have the separators of a country. It has the same rows as other files, whether it is ordered
on a page or through the REST API, and is verified without Catwalk. No report has a word in a column of
figures.
"""

from __future__ import annotations

import csv
import json
import re
from calendar import month_abbr, month_name
from datetime import date
from decimal import Decimal
from io import BytesIO, StringIO
from pathlib import Path

import pytest

from audit.queries.span import Span
from casino.exports.formats import registry
from casino.exports.formats.locales import LOCALES, localized
from casino.exports.manifest import SUFFIX
from casino.reports import catalog
from casino.reports.columns import STATUS, Absent, Column, Sheet
from tests.casino.conftest import Cast
from tests.casino.feeding import run
from tests.casino.test_api_exports import ADDRESS, door, order
from tests.casino.test_export_formats import COPIES, floor, sheet
from tests.casino.test_export_manifests import checked
from tests.casino.test_kept import rebuilt_same
from tests.conftest import House

__all__ = ["floor"]
FIGURES = ("count", "money", "percent")


def rows_of(content: bytes, separator: str) -> list[list[str]]:
    return list(csv.reader(StringIO(content.decode("utf-8-sig"), newline=""), delimiter=separator))


@pytest.mark.parametrize("format", ["csv-de", "csv-excel-de"])
@pytest.mark.parametrize("name", COPIES)
def test_the_database_and_python_write_a_locale_with_the_same_bytes(
    floor: Cast, name: str, format: str
) -> None:
    written = b"".join(registry.parts(COPIES[name](), format))
    assert written == b"".join(registry.writer_of(format)(COPIES[name]()))


@pytest.mark.parametrize("locale", LOCALES)
def test_a_locale_changes_the_separators_and_nothing_else(floor: Cast, locale: str) -> None:
    separators = LOCALES[locale]
    plain, local = (
        rows_of(b"".join(registry.parts(sheet("tally"), format)), separator)
        for format, separator in (("csv", ","), (localized("csv", locale), separators.cell))
    )
    amounts = [place for place, column in enumerate(sheet("tally").columns) if column.type == "money"]
    for row in plain[1:]:
        for place in amounts:
            row[place] = row[place].replace(".", separators.decimal)
    assert local == plain
    assert any(separators.decimal in row[amounts[0]] for row in local[1:])


def test_the_manifest_has_the_locale_and_the_file_is_verified_without_catwalk(
    floor: Cast, tmp_path: Path
) -> None:
    for format, locale in (("csv", "de"), ("csv-excel", "fr")):
        out = tmp_path / f"tally-{format}"
        ran = run(
            "export", "tally", "--property", "aurora", "--format", format, "--locale", locale, "--out", out
        )
        assert ran.code == 0, ran.err
        manifest_path = out.with_name(f"{out.name}{SUFFIX}")
        manifest = json.loads(manifest_path.read_text())
        notation = {key: manifest[key] for key in ("format", "locale", "separator", "decimal")}
        assert notation == {"format": format, "locale": locale, "separator": ";", "decimal": ","}
        assert checked(out).returncode == 0
        content = out.read_bytes()
        for changed, by, says in ((b";20,00;", b";27,00;", "staked"), (b"20,00", b"20.00", "decimal sign")):
            out.write_bytes(content.replace(changed, by))
            wrong = checked(out)
            assert (wrong.returncode, says in wrong.stdout) == (1, True), (changed, wrong.stdout)
        out.write_bytes(content)
        del manifest["decimal"]
        manifest_path.write_text(json.dumps(manifest))
        assert checked(out).returncode == 2
    refused = run("export", "tally", "--property", "aurora", "--format", "xlsx", "--locale", "de")
    assert (refused.code, "xlsx has no locales" in refused.err) == (2, True)
    shown = run("report", "hold", "--property", "aurora", "--format", "csv", "--locale", "de")
    assert shown.out.startswith("table;basis;currency;")


def test_an_export_in_a_locale_is_ordered_by_rest_and_page_and_built_again(floor: Cast) -> None:
    alma = door()
    body = order(alma, what="tally", locale="de").json()
    assert (body["format"], body["locale"], body["file"].endswith(".de.csv")) == ("csv", "de", True)
    assert order(alma, what="tally").json()["id"] != body["id"]
    answer = alma.get(f"{ADDRESS}/{body['id']}/content")
    assert answer["Content-Type"].startswith("text/csv")
    assert rebuilt_same(body["id"])
    page = floor.browser("Alma").get(f"/exports/{body['id']}/").content.decode()
    assert "CSV, decimal comma" in page
    assert "20,00" in page, "the preview shows the cells of the file"
    for fields, status, code in (
        ({"locale": "xx"}, 422, "locale"),
        ({"locale": "de", "format": "json"}, 422, "locale"),
        ({"format": "csv-de"}, 422, "format"),
    ):
        wrong = order(alma, what="tally", **fields)
        assert (wrong.status_code, wrong.json()["code"]) == (status, code), fields


def test_a_report_comes_in_a_locale_by_rest_and_from_its_page(floor: Cast) -> None:
    alma, days = door(), "property=aurora&from=2026-11-27&to=2026-11-28"
    by_rest = alma.get(f"/api/v1/hold?{days}&format=csv&locale=fr")
    content = b"".join(by_rest.streaming_content)
    assert rows_of(content, ";")[1][:3] == ["aurora/L1", "GGR / handle", "USD"]
    browser, query = floor.browser("Alma"), days.replace("2026-11-28", "2026-11-27")
    page = browser.get(f"/reports/hold/?{query}").content.decode()
    assert "/reports/hold/csv/" in page
    assert "&amp;locale=de" in page
    assert b"".join(browser.get(f"/reports/hold/csv/?{query}&locale=fr").streaming_content) == content
    for format, locale in (("json", "de"), ("csv", "xx")):
        assert alma.get(f"/api/v1/hold?{days}&format={format}&locale={locale}").json()["code"] == "locale"
        assert browser.get(f"/reports/hold/{format}/?{query}&locale={locale}").status_code == 400


def test_words_of_figures_are_in_the_column_status_and_earlier_files_are_built_as_they_were(
    house: House,
) -> None:
    columns = (Column("table", "table"), Column("win", "win", "money"), Column("hold", "hold", "percent"))
    rows = [
        ("T1", Absent("pending"), Absent("pending")),
        ("T2", "1.50", Absent("n/a")),
        ("T3", Absent("pending"), Absent("n/a")),
        ("T4", "1.50", "2.5"),
    ]
    words = Sheet("Hold", columns, rows, has_absent=True)
    assert b"".join(registry.parts(words, "csv-de")).decode() == (
        "table;win;hold;status\nT1;;;pending\nT2;1,50;;n/a\nT3;;;pending: win; n/a: hold\nT4;1,50;2,5;\n"
    ).replace("pending: win; n/a: hold", '"pending: win; n/a: hold"')
    for format, writing in (("csv", 2), ("json", 1), ("ndjson", 1)):
        file = BytesIO()
        registry.write(words, format, file, writing=writing)
        assert b"status" not in file.getvalue()
        assert (b"n/a" in file.getvalue()) == (format == "csv")
    assert "pending" in b"".join(registry.parts(words, "table")).decode()


def test_no_report_has_a_word_in_a_column_of_figures(floor: Cast) -> None:
    span, with_words = Span(property="aurora"), 0
    for name in catalog.names():
        report = catalog.report(name)
        by_grouping = {report.DEFAULT_BY, report.BY[:1]}
        for by in by_grouping:
            sheet = report.sheet(span, by)
            rows = rows_of(b"".join(registry.parts(sheet, "csv")), ",")
            columns = registry.as_file(sheet, "csv").columns
            assert rows[0] == [column.key for column in columns], name
            with_words += columns[-1] is STATUS
            for row in rows[1:]:
                for column, cell in zip(columns, row, strict=True):
                    if column.type in FIGURES and cell:
                        assert Decimal(cell).is_finite(), (name, column.key, cell)
    assert with_words > 15


MONTH_NAMES = re.compile(r"\b(?:" + "|".join(name for name in (*month_name, *month_abbr) if name) + r")\b")


@pytest.mark.parametrize("format", ["csv", "csv-de", "csv-fr", "csv-excel-de", "json", "ndjson"])
def test_a_file_has_months_as_numbers_and_no_names_of_months(floor: Cast, format: str) -> None:
    for report, by in (("hold", "month"), ("new-jersey", "month"), ("table-drop", "day")):
        span = Span(date(2026, 11, 1), date(2026, 12, 1), "aurora")
        text = b"".join(registry.parts(catalog.report(report).sheet(span, (by,)), format)).decode("utf-8-sig")
        assert "2026-11" in text, report
        assert MONTH_NAMES.findall(text) == [], report

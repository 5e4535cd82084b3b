"""A report and "Where the hold went" have fields that limit them to a table, a shift or another value."""

from __future__ import annotations

import re

from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports import catalog, limit_parameters, limits
from tests.casino import pages
from tests.casino.conftest import Cast
from tests.casino.test_reports import felt, record

DAYS = "from=2026-11-27&to=2026-11-27"


def fields_of(cast: Cast, path: str) -> set[str]:
    page = pages.markup(cast.browser("Boris").get(path))
    form = page[page.index('id="filters"') :].partition("</form>")[0]
    shown = re.findall(r'<(?:select|input) name="(table|game|pit|shift|dealer|wager)"', form)
    return set(shown)


def registered() -> None:
    entries = [Entry("tables", "T1", {"pit": "main"}), Entry("tables", "T2", {"pit": "main"})]
    set_registers("aurora", entries, by="m-101", second="m-102")


def test_each_report_has_the_fields_by_which_it_can_be_limited(cast: Cast) -> None:
    registered()
    record(felt(10_000, 700))
    for name in catalog.names():
        known = set(limits.names_of(catalog.report(name))) & set(limit_parameters.CHECKED)
        assert fields_of(cast, f"/reports/{name}/?{DAYS}") == known, name


def test_a_chosen_table_limits_the_page_and_its_field_is_gone(cast: Cast) -> None:
    registered()
    record(felt(10_000, 700), felt(10_000, 500, "aurora/T2"))
    for path in ("/reports/hold/", "/hold/where/"):
        assert "table" in fields_of(cast, f"{path}?{DAYS}")
        sent = f"{path}?{DAYS}&by=day&table=aurora/T1&game=&shift=&dealer=&pit="
        page = pages.markup(cast.browser("Boris").get(sent))
        assert "Limited to" in page, path
        total = page.partition("<tfoot>")[2].partition("</tfoot>")[0]
        assert ("7.00" in total, "12.00" in total) == (True, False), path
        assert "table" not in fields_of(cast, sent), "the limit has a link that removes it"


def test_the_choices_are_those_of_the_registers(cast: Cast) -> None:
    registered()
    shown = limit_parameters.fields(("table", "pit", "dealer"), (), "aurora")
    assert [(field.name, field.choices) for field in shown] == [
        ("table", [("aurora/T1", "T1"), ("aurora/T2", "T2")]),
        ("pit", [("main", "main")]),
        ("dealer", []),
    ]
    assert limit_parameters.fields(("table",), (("table", "aurora/T1"),), "aurora") == []


def test_without_registers_tables_are_those_of_the_ledger_and_shifts_are_typed(cast: Cast) -> None:
    record(
        felt(10_000, 700), felt(10_000, 500, "aurora/T2"), felt(10_000, 500, "aurora/T2", day="2026-11-28")
    )
    table, shift = limit_parameters.fields(("table", "shift"), (), "aurora")
    assert table.choices == [("aurora/T1", "T1"), ("aurora/T2", "T2")]
    assert shift.choices == []

"""Reports that are limited to one table, shift, game, dealer or another value: their rows are rows of the
whole report, and the totals of all tables add up to the totals of the whole report.
"""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from audit.queries.span import Span
from casino.accounts import services as accounts
from casino.accounts import view_log
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports import catalog, limits
from casino.reports.columns import Absent, Sheet
from tests.audit.floor import OPENING
from tests.casino import nights, pages
from tests.casino.conftest import ROLES, Api, Cast
from tests.casino.feeding import run
from tests.casino.test_reports import at, felt, live, record
from tests.casino.test_reports_agree import SEES, of_two_shifts, studio, void_round
from tests.casino.test_where_the_hold_went import SHOULD_BE, three_hands
from tests.furnished import furnishing

SPAN = Span(date(2026, 11, 27), date(2026, 11, 28), "aurora")
DAYS = "property=aurora&from=2026-11-27&to=2026-11-27"
TABLE = "aurora/C1"
ROUNDING = Decimal("0.005")
"""Each total is rounded to the cent, so it can differ from its exact amount by half a cent."""
ELSEWHERE = frozenset({"markers", "marker-ageing", "deposits", "journal", "new-jersey", "investigations"})
"""Reports that `tests/casino/test_list_limits.py` tests."""
NOT_ADDED = frozenset({"deviation", "per_1000_money", "expected_exact", "variance_exact", "z", "z_least"})
"""Figures of totals that are not the sums of the figures of rows."""


@furnishing
def tables() -> Cast:
    """Record a day with unexplained money, a day of two shifts, live-dealer play, and a day with faults."""
    cast = Cast()
    record(
        three_hands(closer=SHOULD_BE - 7_500),
        of_two_shifts(counted=True),
        live(100_000, 5_000, "aurora/L2"),
        studio(void_round(700, 300), sees=SEES),
        felt(9_000, 900, "aurora/T3", currency="JPY"),
    )
    nights.record(nights.troubled_day(times=1))
    return cast


def cells(sheet: Sheet, rows: Any) -> list[dict[str, Any]]:
    keys = [column.key for column in sheet.columns]
    return [dict(zip(keys, row, strict=True)) for row in rows]


def sums(sheet: Sheet, totals: list[dict[str, Any]]) -> dict[tuple[str, ...], Decimal]:
    """Add up the amounts and counts of totals, by basis, kind, currency and column. Subtotals of the master
    game report are left out.
    """
    added: dict[tuple[str, ...], Decimal] = defaultdict(Decimal)
    for total in totals:
        if sheet.title == "Master game report" and "total" not in total.values():
            continue
        for column in sheet.columns:
            cell = total[column.key]
            if column.type in ("money", "count") and column.key not in NOT_ADDED:
                group = [str(total.get(key, "")) for key in ("basis", "kind", "currency")]
                if not isinstance(cell, Absent) and cell not in ("", None):
                    added[*group, column.key] += Decimal(str(cell))
    return dict(added)


@pytest.mark.parametrize("name", ["table", "shift", "game", "day", "dealer", "hour", "wager"])
def test_limited_reports_are_parts_of_the_whole_report(tables: Cast, name: str) -> None:
    checked, sheets = [], {}
    for report_name in catalog.names():
        report = catalog.report(report_name)
        if name in limits.names_of(report) and report_name not in ELSEWHERE:
            by = (
                report.DEFAULT_BY
                if name in report.DEFAULT_BY or not report.BY
                else (*report.DEFAULT_BY, name)
            )
            sheets[report_name] = report.sheet(SPAN, by)
    values = {row[name] for full_sheet in sheets.values() for row in cells(full_sheet, full_sheet.rows)}
    for report_name, full_sheet in sheets.items():
        report, rows, parts = catalog.report(report_name), cells(full_sheet, full_sheet.rows), []
        for value in sorted(values):
            sheet = limits.sheet(report, SPAN, report.DEFAULT_BY, {name: value})
            assert sheet.columns == full_sheet.columns, report_name
            of_value = [row for row in rows if row[name] == value]
            if report_name != "coverage":
                assert cells(sheet, sheet.rows) == of_value, (report_name, value)
            parts += cells(sheet, sheet.totals)
        if (
            full_sheet.totals and name != "shift"
        ):  # a day with a pending shift is in the totals of other shifts
            checked.append(report_name)
            added, of_whole = sums(full_sheet, parts), sums(full_sheet, cells(full_sheet, full_sheet.totals))
            rounding = ROUNDING * (len(parts) + 1)
            for figure in of_whole:
                difference = added.get(figure, Decimal(0)) - of_whole.get(figure, Decimal(0))
                assert abs(difference) <= rounding, (report_name, figure)
    assert checked or name == "shift", f"no report with totals can be limited by {name}"


def test_totals_of_rows_by_dealer_add_up_though_counts_are_unknown(tables: Cast) -> None:
    for report_name in ("hold", "where-the-hold-went", "live-dealer", "voids"):
        report = catalog.report(report_name)
        sheet = limits.sheet(report, SPAN, ("dealer",), {"table": "aurora/EOU-07"})
        rows = cells(sheet, sheet.rows)
        added, totals = sums(sheet, rows), sums(sheet, cells(sheet, sheet.totals))
        if report_name == "voids":  # rounds of dealers without a void are in no row
            totals = {key: amount for key, amount in totals.items() if amount and key[-1] != "rounds"}
        assert added == totals, report_name
        assert {row["table"] for row in rows} <= {"aurora/EOU-07"}, report_name


def test_a_page_names_its_limits_and_keeps_them_in_its_links(tables: Cast) -> None:
    boris = tables.browser("Boris")
    answer = boris.get(f"/reports/where-the-hold-went/?{DAYS}&by=day&by=shift&table=C1&shift=day")
    page = pages.markup(answer)
    assert "Limited to" in page
    assert answer.status_code == 200
    limit_query = "table=aurora%2FC1&amp;shift=day"
    for link in ("sort=", "/csv/?", "/pdf/?", "/parquet/?", "bars=all"):
        addresses = [
            part.partition('"')[0] for part in page.split('href="') if link in part.partition('"')[0]
        ]
        assert addresses or link == "bars=all", link
        assert all(limit_query in address for address in addresses), link
    assert '<input type="hidden" name="table" value="aurora/C1">' in page
    chips = page.partition('class="limits"')[2].partition("</p>")[0]
    assert chips.count("<a ") == 2
    assert "shift=day" in chips.split("<a ")[1]
    assert "table=" not in chips.split("<a ")[1].partition(">")[0]
    presets = page.partition('aria-label="Gaming days"')[2].partition("</nav>")[0]
    assert presets.count(limit_query) == presets.count("<a ")


def test_a_limit_that_the_report_does_not_know_is_explained(tables: Cast) -> None:
    boris = tables.browser("Boris")
    for address, words in (
        ("/reports/opener-closer/?dealer=d-1", "cannot be limited by dealer. Choose table, day, shift."),
        ("/reports/journal/?table=C1", "cannot be limited by table. Choose game, day, month."),
        ("/reports/hold/?wager=main", "cannot be limited by wager. Choose table, game, pit, day"),
        ("/hold/where/?wager=main", "cannot be limited by wager. Choose table, game, pit, day"),
    ):
        answer = boris.get(address)
        assert (answer.status_code, words in pages.text(answer)) == (400, True), address
    refused = boris.get(f"/reports/hold/csv/?{DAYS}&wager=main")
    assert (refused.status_code, "/reports/hold/?" in refused["Location"]) == (302, True)
    assert tables.browser("Eve").get(f"/reports/hold/?{DAYS}&table=C1").status_code == 403


UNKNOWN = (
    ("table=C11", "Table: “C11” is not a table of aurora. Choose ", ["C1"]),
    ("table=borealis/C1", "Table: “borealis/C1” is not a table of aurora. Choose ", ["C1"]),
    ("shift=morning", "Shift: “morning” is not a shift of aurora. Choose ", ["day", "swing"]),
    ("game=lucky", "Game: “lucky” is not a game of aurora. Choose ", ["lucky_7"]),
    ("table=house", "Table: “house” is not a table of aurora. Choose ", ["C1"]),
    ("pit=pit-9", "Pit: “pit-9” is not a pit of aurora.", []),
)
"""Misspelled limits, the sentence that refuses each, and some of the values that it offers."""


@pytest.mark.parametrize(("query", "says", "offered"), UNKNOWN)
def test_a_misspelled_value_is_refused_with_the_known_ones(
    tables: Cast, query: str, says: str, offered: list[str]
) -> None:
    alma = Api(accounts.issue_token(made_by="m-101", person=ROLES["Alma"]))
    days = "property=aurora&from=2026-11-27&to=2026-11-28"
    answer = alma.get(f"/api/v1/reports/hold?{days}&{query}")
    name = query.partition("=")[0]
    assert (answer.status_code, answer.json()["field"], answer.json()["code"]) == (400, name, name)
    assert answer.json()["detail"].startswith(says)
    assert set(offered) <= set(answer.json()["known"])
    for address in ("/reports/hold/", "/hold/where/"):
        page = tables.browser("Boris").get(f"{address}?{DAYS}&{query}")
        assert (page.status_code, says in pages.text(page)) == (400, True)
    archive = tables.browser("Alma").get(f"/reports/hold/csv/?{DAYS}&{query}")
    assert (archive.status_code, "/reports/hold/?" in archive["Location"]) == (302, True)


@pytest.mark.parametrize("query", ["dealer=d-999", "wager=mian"])
def test_a_misspelled_dealer_or_wager_is_refused(tables: Cast, query: str) -> None:
    alma = Api(accounts.issue_token(made_by="m-101", person=ROLES["Alma"]))
    name, _, value = query.partition("=")
    report = next(report for report in catalog.names() if name in limits.names_of(catalog.report(report)))
    answer = alma.get(f"/api/v1/reports/{report}?property=aurora&{query}")
    assert (answer.status_code, answer.json()["field"]) == (400, name)
    assert answer.json()["detail"].startswith(f"{name.capitalize()}: “{value}” is not a {name} of aurora.")


def test_a_value_of_the_register_or_of_another_day_is_accepted(tables: Cast) -> None:
    entry = Entry("tables", "N9", {"pit": "pit-7"}, begins="2026-12-05")
    set_registers("aurora", [entry], by="m-101", second="m-102")
    alma = Api(accounts.issue_token(made_by="m-101", person=ROLES["Alma"]))
    for query in ("table=N9", "pit=pit-7", "table=C1", "table=aurora/C1", "shift=swing", "game=lucky_7"):
        for days in ("from=2026-11-27&to=2026-11-28", "from=2026-01-01&to=2026-01-02"):
            answer = alma.get(f"/api/v1/reports/hold?property=aurora&{days}&{query}")
            assert answer.status_code == 200, (query, answer.content)


@pytest.mark.parametrize("command", ["report", "export"])
def test_commands_refuse_unknown_values_in_the_same_words(tables: Cast, command: str) -> None:
    for query, says, _ in UNKNOWN:
        name, _, value = query.partition("=")
        for property in (("--property", "aurora"), ()):
            ran = run(command, "hold", *property, f"--{name}", value)
            assert (ran.code, says in ran.err) == (2, True), ran.err
    ran = run(command, "hold", "--dealer", "d-999")
    assert (ran.code, "Dealer: “d-999” is not a dealer of aurora." in ran.err) == (2, True)


def test_exports_of_datasets_refuse_unknown_tables_and_games(tables: Cast) -> None:
    for option, value in (("table", "aurora/C11"), ("game", "lucky")):
        ran = run("export", "tally", f"--{option}", value)
        assert (ran.code, f"is not a {option} of aurora. Choose " in ran.err) == (2, True), ran.err


def test_commands_accept_values_of_any_property(tables: Cast) -> None:
    record(felt(9_000, 900, "borealis/B1"))
    for table in ("aurora/C1", "borealis/B1"):
        full = run("report", "hold", "--table", table, "--format", "csv")
        assert (full.code, f"{table}," in full.out) == (0, True)
        property, _, code = table.partition("/")
        short = run("report", "hold", "--property", property, "--table", code, "--format", "csv")
        assert short.out == full.out
    refused = run("report", "hold", "--table", "B1")
    assert (refused.code, "Table: “B1” is not a table of aurora, borealis." in refused.err) == (2, True)
    refused = run("report", "hold", "--property", "aurora", "--table", "borealis/B1")
    assert (refused.code, "is not a table of aurora." in refused.err) == (2, True)


def test_a_dealer_who_was_seated_and_dealt_no_round_is_known(tables: Cast) -> None:
    report = next(name for name in catalog.names() if "dealer" in limits.names_of(catalog.report(name)))
    alma = Api(accounts.issue_token(made_by="m-101", person=ROLES["Alma"]))
    address = f"/api/v1/reports/{report}?property=aurora&dealer=d-777"
    assert alma.get(address).status_code == 400
    assert run("report", report, "--dealer", "d-777").code == 2
    make = at(table="aurora/T9")
    record([make(**OPENING), make("dealer-seated", dealer="d-777", supervisor="s-1")])
    assert alma.get(address).status_code == 200
    assert run("report", report, "--dealer", "d-777").code == 0


def test_a_limited_report_is_not_stored_and_the_page_says_so(tables: Cast) -> None:
    alma = tables.browser("Alma")
    full_page, limited_page = (
        pages.markup(alma.get(f"/reports/hold/?{DAYS}{limit}")) for limit in ("", "&table=aurora/C1")
    )
    assert ("/keep/" in full_page, "/keep/" in limited_page) == (True, False)
    assert "To order one, remove the limits." in limited_page
    sent = {"property": "aurora", "from": "2026-11-27", "to": "2026-11-27", "by": "table", "format": "csv"}
    refused = alma.post("/reports/hold/keep/", {**sent, "table": "aurora/C1"})
    assert refused.status_code == 400
    assert "Remove the limits first." in pages.text(refused)


def test_files_and_the_viewing_log_name_the_limits(tables: Cast) -> None:
    boris = tables.browser("Boris")
    address = f"/reports/hold/json/?{DAYS}&by=table&table=aurora/C1"
    answer = boris.get(address)
    assert answer["Content-Disposition"].endswith('hold_aurora_2026-11-27_2026-11-27_aurora-C1.json"')
    file = json.loads(b"".join(answer.streaming_content))
    assert {row["table"] for row in file["rows"]} == {TABLE}
    assert [row["win"] for row in file["totals"]] == [row["win"] for row in file["rows"]]
    viewed = view_log.viewings(["aurora"])[0]
    assert viewed.address.endswith("by=table&table=aurora%2FC1")
    assert boris.get(viewed.address).status_code == 200

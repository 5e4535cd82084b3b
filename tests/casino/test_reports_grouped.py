"""Tests of the reports `hold` (by pit, dealer and hour), `drop` and `coverage`, and of exported reports."""

from __future__ import annotations

import csv
import json
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from casino.exports.formats.text import as_csv, as_json
from casino.reference import projection
from casino.reports import catalog
from casino.reports.columns import Absent, Column, Sheet
from tests.audit.floor import OPENING
from tests.casino.feeding import CAPTURE, LIVE, run
from tests.casino.test_reports import BY, PEOPLE, SHIFTS, at, felt, live, only, record, report


def test_hold_is_grouped_by_the_pit_registered_on_that_day(house):
    entry = {"register": "tables", "by": "m-1", "second": "m-2"}
    make = at(table="aurora/house")
    entries = [
        make(
            "register-set",
            **entry | {"key": "T1", "value": {"pit": "north"}, "from": None, "to": "2026-11-26"},
        ),
        make(
            "register-set",
            **entry | {"key": "T1", "value": {"pit": "south"}, "from": "2026-11-26", "to": None},
        ),
        make(
            "register-set",
            **entry
            | {
                "register": "pits",
                "key": "south",
                "value": {"tables": ["T2"]},
                "from": None,
                "to": None,
            },
        ),
    ]
    record(
        entries,
        felt(1000, 100, day="2026-11-25"),
        felt(1000, 200, day="2026-11-26"),
        felt(500, 100, "aurora/T2"),
        felt(9, 9, "aurora/T3"),
    )
    projection.sync_registers()
    rows = report("hold", "--by", "pit")["rows"]
    assert [(row["pit"], row["win"], row["denominator"]) for row in rows] == [
        ("", "0.09", "0.09"),
        ("north", "1.00", "10.00"),
        ("south", "3.00", "15.00"),
    ]


def test_by_dealer_and_hour_a_felt_table_shows_its_wagers_and_never_a_drop(house):
    day, make = felt(1000, 100), at(table="aurora/T1")
    hands = []
    for name, dealer, stake in (("1", "d-1", 1000), ("2", "d-2", 3000)):
        of = {"round": name, "spot": "1", "wager": "over", "amount": stake}
        hands += [
            make("dealer-seated", dealer=dealer, supervisor="s-1"),
            make("round-opened", round=name),
            make("bet", **of),
            make("take", **of),
            make("round-closed", round=name),
        ]
    record([*day[:2], *hands, *day[2:]], live(2000, 50))
    rows = {row["dealer"]: row for row in report("hold", "--by", "dealer")["rows"]}
    assert {
        name: (row["basis"], row["win"], row["denominator"], row["hold_percent"])
        for name, row in rows.items()
    } == {
        "": ("GGR / handle", "0.50", "20.00", "2.5"),
        "d-1": ("win from wagers / handle", "10.00", "10.00", "100.0"),
        "d-2": ("win from wagers / handle", "30.00", "30.00", "100.0"),
    }
    assert {row["hour"] for row in report("hold", "--by", "hour")["rows"]} == {"12"}


def test_a_day_is_shown_with_its_month_and_its_year_to_date(house):
    days = [
        felt(1000, 100, day="2026-01-05"),
        felt(1000, 200, day="2026-11-01"),
        felt(1000, 700, day="2026-11-27"),
    ]
    record(*days, felt(9, 9, day="2025-12-31"), felt(9, 9, day="2026-11-28"))
    for _ in range(2):  # the second time from the cache
        row = only("hold-to-date", "--to", "2026-11-28")
        assert [row[f"{period}_hold_percent"] for period in ("day", "month", "year")] == [
            "70.0",
            "45.0",
            "33.3",
        ]
        assert (row["as_of"], row["year_win"], row["year_denominator"]) == ("2026-11-27", "10.00", "30.00")
    record([at(table="aurora/T1", day="2026-01-05")("fill-sent", slip="F-1", chips={}, amount=90, **PEOPLE)])
    assert only("hold-to-date", "--to", "2026-11-28")["year_win"] == "9.10", (
        "what comes late is added up again"
    )


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("hold", "--from", "2026-11-27", "--to", "2026-11-27"), "has no days"),
        (("hold", "--from", "yesterday"), "'yesterday' is not a gaming day"),
        (("hold", "--by", "colour"), "available groupings: property, table"),
        (("coverage", "--by", "table"), "this report cannot be grouped"),
        (("coverage", "--shift", "swing"), "cannot be limited by shift. Choose table, game."),
        (
            ("hold", "--property", "nope"),
            "--property 'nope' has no ledger. Available: none",
        ),
        (("base-level", "--from", "0001-01-01"), "'0001-01-01' is not a gaming day"),
        (("statistics", "--to", "0001-01-01"), "'0001-01-01' is not a gaming day"),
        (("luck",), f"Available: {', '.join(catalog.names())}"),
    ],
)
def test_unknown_report_options_exit_2(house, args, message):
    for command in ("report", "export"):
        ran = run(command, *args)
        assert ran.code == 2
        assert message in ran.err or command == "export"


def test_an_unknown_property_is_refused_with_the_known_ones(house):
    record(felt(1000, 100))
    for command, name in (("report", "hold"), ("export", "facts"), ("export", "hold")):
        ran = run(command, name, "--property", "nope")
        assert (ran.code, ran.out, ran.err) == (
            2,
            "",
            "--property 'nope' has no ledger. Available: aurora",
        )
    refused = run("reexamine", "--as", "edition=ezugi-bahar-first", "--from", "0001-01-01")
    assert (refused.code, "is not a gaming day" in refused.err) == (2, True)


def test_closed_books_of_a_report_without_them_exit_2(house):
    ran = run("report", "statistics", "--books", "closed")
    assert (ran.code, ran.out) == (2, "")
    assert "Reports with books: hold, hold-to-date, master-game-report, new-jersey, table-drop." in ran.err


def test_the_drop_is_shown_with_both_counts_and_what_is_not_counted_is_pending(house):
    day, make = felt(1000, 100, shifts=SHIFTS), at(table="aurora/T1")
    later = [
        make("chips-bought", spot="1", amount=1000, tender="cash") | {"at": "2026-11-27T07:00:00-08:00"},
        make("count-verified", box="b-1", amount=990, by="c-3") | {"at": "2026-11-27T12:30:00-08:00"},
        make("box-pulled", box="b-2", shift="swing", **BY),
    ]
    record(day + later)
    rows = {row["shift"]: row for row in report("table-drop")["rows"]}
    assert {
        name: rows["day"][name]
        for name in ("drop", "verified", "difference", "chips_bought", "boxes_counted")
    } == {
        "drop": "10.00",
        "verified": "9.90",
        "difference": "-0.10",
        "chips_bought": "10.00",
        "boxes_counted": 1,
    }
    assert (rows["swing"]["drop"], rows["swing"]["note"]) == (None, "pending: 1 box not counted")


def test_coverage_names_each_rule_that_a_table_cannot_be_judged_by(house):
    run("import_facts", *LIVE, CAPTURE)
    rows = {row["code"]: row for row in report("coverage")["rows"]}
    assert rows["not-shuffled"] | {"rule": ""} == {
        "table": "aurora/228000",
        "game": "andar_bahar",
        "code": "not-shuffled",
        "missing": "shuffled",
        "days": 1,
        "first": "2023-03-27",
        "last": "2023-03-27",
        "rule": "",
    }
    assert "wrong-deal-order" not in rows
    assert {code: rows[code]["missing"] for code in ("dealer-missing", "table-left-open")} == {
        "dealer-missing": "dealer-seated",
        "table-left-open": "table-closed",
    }
    assert "closer-missing" not in rows, "a live-dealer table has no tray"


def test_coverage_names_the_checks_that_a_day_without_a_cage_lacks(house):
    alone_at, attached = at(table="aurora/T1"), at(table="aurora/T2")
    seat = {"dealer": "d-1", "supervisor": "s-1"}
    hand = ("round-opened", "round-closed")
    record(
        [
            alone_at(**OPENING),
            *(alone_at(kind, round="r-1") for kind in hand),
            attached(**OPENING),
            attached("dealer-seated", **seat),
            attached("opener-counted", chips={"100": 5}, amount=500, **BY),
            *(attached(kind, round="r-1") for kind in hand),
        ]
    )
    codes = ("opener-missing", "closer-missing", "count-missing", "pull-missing", "dealer-missing")
    rows = {
        (row["table"], row["code"]): row["missing"]
        for row in report("coverage")["rows"]
        if row["code"] in codes
    }
    assert rows == {
        ("aurora/T1", code): "dealer-seated" if code == "dealer-missing" else "opener, box or slip"
        for code in codes
    }


def test_a_spreadsheet_runs_no_cell_and_numbers_stay_numbers():
    columns = (Column("name", "name"), Column("win", "win", "money"), Column("rounds", "rounds", "count"))
    evil = ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "\r=1", 'Zoë, "the\n7"']
    sheet = Sheet("x", columns, [(text, "-1.00", -3) for text in evil])
    text = "".join(as_csv(sheet))
    assert not text.encode().startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(StringIO(text, newline="")))[1:]
    assert [row[0] for row in rows] == [f"'{bad}" for bad in evil[:-1]] + evil[-1:]
    assert {tuple(row[1:]) for row in rows} == {("-1.00", "-3")}
    assert [row["name"] for row in json.loads("".join(as_json(sheet)))["rows"]] == evil


def test_programs_get_null_instead_of_words():
    sheet = Sheet("x", (Column("win", "win", "money"),), [(Absent("pending"),)])
    assert json.loads("".join(as_json(sheet)))["rows"] == [{"win": None}]
    assert "".join(as_csv(sheet)) == "win\npending\n"


def test_sums_beyond_every_integer_of_the_database_are_exact(house):
    record(live(1000, 100))
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tally SET staked = 49999999950000000000, taken = 9999999990000000000 WHERE wager <> ''"
        )
    row = only("hold")
    assert (row["denominator"], row["win"], row["hold_percent"]) == (
        "499999999500000000.00",
        "99999999900000000.00",
        "20.0",
    )


def test_every_report_is_exported_as_it_is_shown(house, tmp_path):
    run("import_facts", *LIVE, CAPTURE)
    for name in catalog.names():
        file = tmp_path / f"{name}.csv"
        assert run("export", name, "--format", "csv", "--out", file).code == 0
        assert file.read_text() == run("report", name, "--format", "csv").out
    assert (
        {path.stem for path in tmp_path.glob("*.csv")}
        == set(catalog.names())
        >= {"coverage", "hold", "table-drop"}
    )


def of_file(finding: dict[str, Any], currency: str) -> dict[str, Any]:
    """Return a finding, as the command prints it, with its amounts in the form of an exported file: with
    decimals, and with their currency.
    """
    amounts = {
        key: None if finding[key] is None else f"{Decimal(finding[key]) / 100:.2f}"
        for key in ("owed", "moved")
    }
    return finding | amounts | {"currency": currency, "owed_exact": None, "moved_exact": None}


def test_exported_facts_are_the_recorded_bytes_and_can_be_imported(house, tmp_path):
    run("import_facts", *LIVE[:-1], "ezugi", CAPTURE)
    facts, findings_file = tmp_path / "facts.ndjson", tmp_path / "findings.ndjson"
    assert run("export", "facts", "--format", "ndjson", "--out", facts).code == 0
    assert run("import_facts", facts).last.startswith("recorded 0, already recorded 49, refused 0, ")
    assert run("export", "findings", "--format", "ndjson", "--out", findings_file).code == 0
    assert [json.loads(row) for row in findings_file.read_text().splitlines()] == [
        of_file(json.loads(row), "USD") for row in run("findings", "--format", "ndjson").out.splitlines()
    ]
    assert run("export", "facts", "--format", "csv", "--to", "2023-03-27", "--out", facts).code == 0
    assert len(facts.read_text().splitlines()) == 1


def test_an_export_that_cannot_be_written_is_reported_and_leaves_no_file(house, tmp_path):
    ran = run("export", "hold", "--out", Path(tmp_path) / "no" / "where.csv")
    assert (ran.code, "cannot be written" in ran.err) == (1, True)

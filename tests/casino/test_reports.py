"""Reports add up what was counted: win over drop, GGR over handle, each by itself; every format says the
same.
"""

from __future__ import annotations

import csv
import json
from decimal import ROUND_HALF_UP, Decimal
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from casino.exports.formats.text import as_csv, as_json
from casino.reference import projection
from casino.reports import catalog
from casino.reports.columns import Absent, Column, Sheet
from casino.reports.definitions.hold import percent
from games import GAMES
from tests.audit.floor import OPENING, fact, line
from tests.casino.feeding import CAPTURE, FEEDS, LIVE, run

ROWS = [
    row
    for row in csv.DictReader((FEEDS / "hold_rows.csv").read_text().splitlines())
    if row["kind"] == "direct"
]
BY = {"by": "d-1", "second": "s-1"}
SHIFTS = {"day": "2026-11-27T06:00:00-08:00", "swing": "2026-11-27T14:00:00-08:00"}
PEOPLE = dict(
    zip(("requested_by", "sent_by", "carried_by", "received_by"), ("a", "b", "c", "d"), strict=True)
)
_places = count(1)


def at(**envelope: Any) -> Any:
    """A maker of facts of one table's day."""
    return lambda kind, **fields: fact(next(_places), kind=kind, **envelope, **fields)


def felt(
    drop: int, win: int, table: str = "aurora/T1", day: str = "2026-11-27", **opening: Any
) -> list[dict[str, Any]]:
    """A felt table's day: it opened with enough chips to win, or lose, that much over this drop."""
    make = at(table=table, day=day)
    opener = max(drop - win, 0) + 100
    return [
        make(**(OPENING | opening)),
        make("opener-counted", chips={}, amount=opener, **BY),
        make("box-pulled", box="b-1", shift="day", **BY),
        make("closer-counted", chips={}, amount=opener + win - drop, **BY),
        make(
            "drop-counted",
            box="b-1",
            shift="day",
            notes={"100": drop // 100},
            amount=drop,
            team=["c-1", "c-2"],
        ),
    ]


SETTINGS = {
    "game": "andar_bahar",
    "edition": "ezugi",
    "decks": 1,
    "spots": 0,
    "limits": {},
    "chip": 1,
    "readings": {},
}
SETTINGS |= {"pay_tables": dict.fromkeys(GAMES["andar_bahar"].pay_tables, "ezugi")}


def live(handle: int, win: int, table: str = "aurora/L1", currency: str = "USD") -> list[dict[str, Any]]:
    """A live-dealer table that saw nothing but stakes and settlements: this much staked, this much kept."""
    make = at(table=table)
    moved = {
        "paid": [["p-1", "bahar", -win]] if win < 0 else [],
        "taken": [["p-1", "bahar", win]] if win > 0 else [],
    }
    return [
        make(
            "table-opened",
            **SETTINGS,
            currency=currency,
            sees=["round-opened", "bets", "settled", "round-closed"],
        ),
        make("round-opened", round="1"),
        make("bets", round="1", bets=[["p-1", "bahar", handle]]),
        make("settled", round="1", **moved),
        make("round-closed", round="1"),
    ]


def record(*days: list[dict[str, Any]]) -> None:
    intake.post([line(each) for day in days for each in day], Sender("test"))
    findings.examine()


def report(*args: str) -> dict[str, Any]:
    """A report as programs are given it."""
    ran = run("report", *args, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


def only(*args: str) -> dict[str, Any]:
    rows = report(*args)["rows"]
    assert len(rows) == 1
    return dict(rows[0])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['place']} {row['line']}")
def test_printed_hold_is_reproduced_from_win_and_denominator(house, row):
    win, over = int(row["win"]) * 100, int(row["denominator"]) * 100
    record(felt(over, win) if row["denominator_kind"] == "drop" else live(over, win))
    found = only("hold")
    assert (found["hold_percent"], found["win"], found["denominator"]) == (
        row["printed_pct"],
        f"{row['win']}.00",
        f"{row['denominator']}.00",
    )
    assert found["basis"] == ("win / drop" if row["denominator_kind"] == "drop" else "GGR / handle")


def test_the_printed_subtotal_is_a_ratio_of_sums(house):
    games = [row for row in ROWS if row["place"].startswith("Atlantic") and row["denominator_kind"] == "drop"]
    record(
        *(
            felt(int(row["denominator"]), int(row["win"]), table=f"aurora/T{place}")
            for place, row in enumerate(games[:-1])
        )
    )
    assert (
        [total["hold_percent"] for total in report("hold")["totals"]]
        == [games[-1]["printed_pct"]]
        == ["11.7"]
    )


def test_nothing_over_nothing_is_not_applicable(house):
    record(felt(0, 0))
    assert only("hold") | {"note": ""} == {
        "table": "aurora/T1",
        "basis": "win / drop",
        "currency": "USD",
        "rounds": 0,
        "win": "0.00",
        "denominator": "0.00",
        "hold_percent": None,
        "note": "",
    }
    assert (
        run("report", "hold", "--format", "csv").out.splitlines()[1]
        == "aurora/T1,win / drop,USD,0,0.00,0.00,n/a,drop is 0"
    )


@pytest.mark.parametrize(
    ("win", "over", "printed"),
    [
        (25, 10_000, "0.3"),
        (2499, 1_000_000, "0.2"),
        (-25, 10_000, "-0.3"),
        (-4, 10_000, "0.0"),
        (1, 3, "33.3"),
        (2, 3, "66.7"),
        (3, 2, "150.0"),
    ],
)
def test_a_half_is_rounded_up_at_exactly_the_half(win, over, printed):
    assert percent(win, over) == printed
    exact = (Decimal(win) * 100 / Decimal(over)).quantize(Decimal("0.1"), ROUND_HALF_UP)
    assert Decimal(percent(win, over)) == exact


def test_a_table_that_lost_shows_it(house):
    record(felt(10_000, -12_345))
    found = only("hold")
    assert (found["win"], found["hold_percent"]) == ("-123.45", "-123.5")


def test_neither_two_bases_nor_two_currencies_are_added(house):
    record(
        felt(1000, 100),
        felt(500, 100, "aurora/T2"),
        felt(9000, 900, "aurora/T3", currency="JPY"),
        live(2000, 50),
        live(800, 8, "aurora/L2", "EUR"),
    )
    found = report("hold", "--by", "property")["rows"]
    assert [(row["basis"], row["currency"], row["win"], row["denominator"]) for row in found] == [
        ("GGR / handle", "EUR", "0.08", "8.00"),
        ("GGR / handle", "USD", "0.50", "20.00"),
        ("win / drop", "JPY", "900", "9000"),
        ("win / drop", "USD", "2.00", "15.00"),
    ]
    assert len(report("hold")["totals"]) == 4


def test_a_day_without_its_count_or_its_closer_is_pending_and_in_no_sum(house):
    complete, uncounted, unclosed = (felt(1000, 100, day=f"2026-11-2{day}") for day in (5, 6, 7))
    record(complete, uncounted[:-1], [unclosed[0], *unclosed[1:3], unclosed[4]])
    days = {row["day"]: row for row in report("hold", "--by", "day")["rows"]}
    assert [(row["win"], row["hold_percent"]) for row in days.values()] == [
        ("1.00", "10.0"),
        (None, None),
        (None, None),
    ]
    assert days["2026-11-26"]["note"] == "pending aurora/T1/2026-11-26: 1 box not counted"
    assert days["2026-11-27"]["note"] == "pending aurora/T1/2026-11-27: no closer"
    table = only("hold")
    assert (table["win"], table["denominator"]) == ("1.00", "10.00")
    assert table["note"].startswith("pending aurora/T1/2026-11-26: 1 box not counted; ")
    lines = run("report", "hold", "--by", "day", "--format", "csv").out.splitlines()
    assert lines[2].startswith("2026-11-26,win / drop,USD,0,pending,pending,pending,")


def test_fills_and_credits_move_the_win_and_voided_slips_do_not(house):
    day, make = felt(10_000, 1000), at(table="aurora/T1")
    slips = [
        make("fill-sent", slip="F-1", chips={}, amount=300, **PEOPLE),
        make("credit-sent", slip="C-1", chips={}, amount=70, **PEOPLE),
        make("fill-sent", slip="F-2", chips={}, amount=5000, **PEOPLE),
        make("slip-voided", slip="F-2", reason="wrong table", **BY),
    ]
    record([*day[:2], *slips, *day[2:]])
    assert only("hold")["win"] == "7.70"


def test_a_felt_table_without_a_cage_shows_what_its_wagers_won_and_no_hold(house):
    make = at(table="aurora/T1")
    moved = [
        make("round-opened", round="1"),
        make("bet", round="1", spot="1", wager="over", amount=1000),
        make("take", round="1", spot="1", wager="over", amount=1000),
        make("round-closed", round="1"),
    ]
    record([felt(0, 0)[0], *moved])
    found = only("hold")
    assert (found["basis"], found["win"], found["denominator"], found["hold_percent"]) == (
        "win from wagers, no count",
        "10.00",
        None,
        None,
    )


def test_a_void_round_leaves_the_handle_and_a_push_stays_in_it(house):
    day, make = live(1000, 100), at(table="aurora/L1")
    void = [
        make("round-opened", round="2"),
        make("bet", round="2", spot="p-1", wager="andar", amount=700),
        make("void", round="2", reason="wrong card", **BY),
        make("return", round="2", spot="p-1", wager="andar", amount=700),
        make("round-closed", round="2"),
    ]
    push = [
        make("round-opened", round="3"),
        make("bet", round="3", spot="p-1", wager="andar", amount=1000),
        make("round-closed", round="3"),
        make("corrected", round="1", spot="p-1", wager="bahar", amount=40, reason="late", **BY),
    ]
    record(day + void + push)
    found = only("hold")
    assert (found["rounds"], found["win"], found["denominator"], found["hold_percent"]) == (
        3,
        "0.60",
        "20.00",
        "3.0",
    )


def test_a_span_of_days_takes_the_first_and_leaves_the_last(house):
    record(*(felt(1000, 100, day=f"2026-11-2{day}") for day in (5, 6, 7)))
    assert only("hold", "--from", "2026-11-25", "--to", "2026-11-27")["denominator"] == "20.00"
    assert [row["day"] for row in report("hold", "--by", "day", "--from", "2026-11-26")["rows"]] == [
        "2026-11-26",
        "2026-11-27",
    ]
    assert report("hold", "--to", "2026-11-25")["rows"] == []


def test_hold_goes_by_pit_as_the_register_has_it_on_that_day(house):
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


def test_a_day_stands_beside_its_month_and_its_year_to_date(house):
    days = [
        felt(1000, 100, day="2026-01-05"),
        felt(1000, 200, day="2026-11-01"),
        felt(1000, 700, day="2026-11-27"),
    ]
    record(*days, felt(9, 9, day="2025-12-31"), felt(9, 9, day="2026-11-28"))
    for _ in range(2):  # counted, and from the sums that were kept
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
    ("args", "why"),
    [
        (("hold", "--from", "2026-11-27", "--to", "2026-11-27"), "--to is later"),
        (("hold", "--from", "yesterday"), "'yesterday' is no day"),
        (("hold", "--by", "colour"), "available groupings: property, table"),
        (("coverage", "--by", "table"), "it has no --by"),
        (
            ("hold", "--property", "nope"),
            "--property 'nope' has no ledger in this house: there is no property with one",
        ),
        (("base-level", "--from", "0001-01-01"), "'0001-01-01' is no day"),
        (("statistics", "--to", "0001-01-01"), "'0001-01-01' is no day"),
        (("luck",), f"there is {', '.join(catalog.names())}"),
    ],
)
def test_what_no_report_can_show_is_misuse(house, args, why):
    for command in ("report", "export"):
        ran = run(command, *args)
        assert ran.code == 2
        assert why in ran.err or command == "export"


def test_a_property_without_a_ledger_is_said_to_have_none_and_those_that_have_one_are_named(house):
    record(felt(1000, 100))
    for command, name in (("report", "hold"), ("export", "facts"), ("export", "hold")):
        ran = run(command, name, "--property", "nope")
        assert (ran.code, ran.out, ran.err) == (
            2,
            "",
            "--property 'nope' has no ledger in this house: there is aurora",
        )
    asked = run("reexamine", "--as", "edition=ezugi-bahar-first", "--from", "0001-01-01")
    assert (asked.code, "is no day" in asked.err) == (2, True)


def test_the_closed_books_of_a_report_that_knows_none_are_misuse(house):
    ran = run("report", "statistics", "--books", "closed")
    assert (ran.code, ran.out) == (2, "")
    assert "these know them: hold, hold-to-date, master-game-report, new-jersey, table-drop." in ran.err


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


def test_coverage_names_what_a_day_without_a_cage_system_is_not_asked_for(house):
    alone, attached = at(table="aurora/T1"), at(table="aurora/T2")
    seat = {"dealer": "d-1", "supervisor": "s-1"}
    hand = ("round-opened", "round-closed")
    record(
        [
            alone(**OPENING),
            *(alone(kind, round="r-1") for kind in hand),
            attached(**OPENING),
            attached("dealer-seated", **seat),
            attached("opener-counted", chips={"100": 5}, amount=500, **BY),
            *(attached(kind, round="r-1") for kind in hand),
        ]
    )
    asked = ("opener-missing", "closer-missing", "count-missing", "pull-missing", "dealer-missing")
    rows = {
        (row["table"], row["code"]): row["missing"]
        for row in report("coverage")["rows"]
        if row["code"] in asked
    }
    assert rows == {
        ("aurora/T1", code): "dealer-seated" if code == "dealer-missing" else "opener, box or slip"
        for code in asked
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


def test_programs_are_given_null_where_people_read_a_word():
    sheet = Sheet("x", (Column("win", "win", "money"),), [(Absent("pending"),)])
    assert json.loads("".join(as_json(sheet)))["rows"] == [{"win": None}]
    assert "".join(as_csv(sheet)) == "win\npending\n"


def test_sums_beyond_every_integer_of_the_database_are_exact(house):
    record(live(1000, 100))
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tally SET staked = 49999999950000000000, taken = 9999999990000000000 WHERE wager <> ''"
        )
    found = only("hold")
    assert (found["denominator"], found["win"], found["hold_percent"]) == (
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


def of_file(found: dict[str, Any], currency: str) -> dict[str, Any]:
    """Return a finding with whole minor units, as the command prints it, as it is written to a file: decimals
    of a named currency.
    """
    amounts = {
        key: None if found[key] is None else f"{Decimal(found[key]) / 100:.2f}" for key in ("owed", "moved")
    }
    return found | amounts | {"currency": currency, "owed_exact": None, "moved_exact": None}


def test_exported_facts_are_the_recorded_bytes_and_go_in_again(house, tmp_path):
    run("import_facts", *LIVE[:-1], "ezugi", CAPTURE)
    facts, found = tmp_path / "facts.ndjson", tmp_path / "findings.ndjson"
    assert run("export", "facts", "--format", "ndjson", "--out", facts).code == 0
    assert run("import_facts", facts).last.startswith("recorded 0, already recorded 49, refused 0, ")
    assert run("export", "findings", "--format", "ndjson", "--out", found).code == 0
    assert [json.loads(row) for row in found.read_text().splitlines()] == [
        of_file(json.loads(row), "USD") for row in run("findings", "--format", "ndjson").out.splitlines()
    ]
    assert run("export", "facts", "--format", "csv", "--to", "2023-03-27", "--out", facts).code == 0
    assert len(facts.read_text().splitlines()) == 1


def test_a_file_that_cannot_be_written_is_said_and_leaves_nothing(house, tmp_path):
    ran = run("export", "hold", "--out", Path(tmp_path) / "no" / "where.csv")
    assert (ran.code, "cannot be written" in ran.err) == (1, True)

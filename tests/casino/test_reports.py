"""Reports add up counted amounts. They divide win by drop, and GGR by handle, and never add a win to a GGR.
All formats of a report have the same figures.
"""

from __future__ import annotations

import csv
import json
import os
from decimal import ROUND_HALF_UP, Decimal
from itertools import count
from typing import Any

import pytest

from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from casino.reports.definitions.hold import percent
from games import GAMES
from tests.audit.floor import OPENING, fact, line
from tests.casino.feeding import FEEDS, run

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
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_places = count(1 + _WORKER * 1_000_000)
"""Numbers for the uids of facts. Each process of a run has its own range, because a test may get a database
that another process filled.
"""


def at(**envelope: Any) -> Any:
    """Return a function that makes a fact of a given kind. All its facts have the same table and day."""
    return lambda kind, **fields: fact(next(_places), kind=kind, **envelope, **fields)


def felt(
    drop: int, win: int, table: str = "aurora/T1", day: str = "2026-11-27", **opening: Any
) -> list[dict[str, Any]]:
    """Return the facts of a table's day with a drop box. The day has this drop and this win. A negative `win`
    is a loss.
    """
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
    """Return the facts of a live-dealer table with one round. The stakes add up to `handle`, and the casino
    won `win`.
    """
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
    intake.post([line(fact) for day in days for fact in day], Sender("test"))
    findings.examine()


def report(*args: str) -> dict[str, Any]:
    """Run `manage.py report` with these arguments and return its JSON."""
    ran = run("report", *args, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    result: dict[str, Any] = json.loads(ran.out)
    return result


def only(*args: str) -> dict[str, Any]:
    rows = report(*args)["rows"]
    assert len(rows) == 1
    return dict(rows[0])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['place']} {row['line']}")
def test_printed_hold_is_reproduced_from_win_and_denominator(house, row):
    win, over = int(row["win"]) * 100, int(row["denominator"]) * 100
    record(felt(over, win) if row["denominator_kind"] == "drop" else live(over, win))
    hold_row = only("hold")
    assert (hold_row["hold_percent"], hold_row["win"], hold_row["denominator"]) == (
        row["printed_pct"],
        f"{row['win']}.00",
        f"{row['denominator']}.00",
    )
    assert hold_row["basis"] == ("win / drop" if row["denominator_kind"] == "drop" else "GGR / handle")


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


def test_zero_over_zero_is_not_applicable(house):
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
        "status": "n/a",
    }
    assert (
        run("report", "hold", "--format", "csv").out.splitlines()[1]
        == "aurora/T1,win / drop,USD,0,0.00,0.00,,drop is 0,n/a"
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


def test_a_table_that_lost_has_a_negative_win(house):
    record(felt(10_000, -12_345))
    hold_row = only("hold")
    assert (hold_row["win"], hold_row["hold_percent"]) == ("-123.45", "-123.5")


def test_neither_two_bases_nor_two_currencies_are_added(house):
    record(
        felt(1000, 100),
        felt(500, 100, "aurora/T2"),
        felt(9000, 900, "aurora/T3", currency="JPY"),
        live(2000, 50),
        live(800, 8, "aurora/L2", "EUR"),
    )
    result_rows = report("hold", "--by", "property")["rows"]
    assert [(row["basis"], row["currency"], row["win"], row["denominator"]) for row in result_rows] == [
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
    assert lines[2].startswith("2026-11-26,win / drop,USD,0,,,,")


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


def test_a_table_without_a_cage_shows_the_win_of_its_wagers_and_no_hold(house):
    make = at(table="aurora/T1")
    moved = [
        make("round-opened", round="1"),
        make("bet", round="1", spot="1", wager="over", amount=1000),
        make("take", round="1", spot="1", wager="over", amount=1000),
        make("round-closed", round="1"),
    ]
    record([felt(0, 0)[0], *moved])
    hold_row = only("hold")
    assert (hold_row["basis"], hold_row["win"], hold_row["denominator"], hold_row["hold_percent"]) == (
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
    hold_row = only("hold")
    assert (hold_row["rounds"], hold_row["win"], hold_row["denominator"], hold_row["hold_percent"]) == (
        3,
        "0.60",
        "20.00",
        "3.0",
    )


def test_a_range_of_days_includes_its_first_and_excludes_its_end(house):
    record(*(felt(1000, 100, day=f"2026-11-2{day}") for day in (5, 6, 7)))
    assert only("hold", "--from", "2026-11-25", "--to", "2026-11-27")["denominator"] == "20.00"
    assert [row["day"] for row in report("hold", "--by", "day", "--from", "2026-11-26")["rows"]] == [
        "2026-11-26",
        "2026-11-27",
    ]
    assert report("hold", "--to", "2026-11-25")["rows"] == []

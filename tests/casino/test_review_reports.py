"""Reports about expected win and about hold compared with earlier periods, and those that accounting needs at
the end of a day and of a month.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from audit.queries.span import Span
from casino.reference import projection
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports.columns import RowChance, Sheet
from casino.reports.definitions import base_level
from casino.reports.expected_win import price, root
from casino.reports.grouping import rounded
from tests.casino.test_cage_reports import SEES, hands, rows, some
from tests.casino.test_reports import BY, PEOPLE, SHIFTS, at, felt, only, record, report
from tests.casino.test_restated import adjust


def over() -> tuple[Fraction, Fraction]:
    """Return the edge and the variance of the wager `over`, computed from all rolls and cards. A tie with
    doubles is a push. Any other tie loses half.
    """
    nets = []
    for first, two, card in product(range(1, 7), range(1, 7), range(1, 14)):
        tie = Fraction(0) if first == two else Fraction(-1, 2)
        nets.append(Fraction(1) if card > first + two else Fraction(-1) if card < first + two else tie)
    mean = sum(nets, Fraction(0)) / len(nets)
    return -mean, sum(((net - mean) ** 2 for net in nets), Fraction(0)) / len(nets)


def test_z_is_weighted_by_stake_and_the_row_has_its_exact_inputs(house):
    stakes = [1000, 1000, 5000]
    record([felt(0, 0, **SEES)[0], *hands("aurora/T1", *(("d-1", stake, "pay", stake) for stake in stakes))])
    edge, variance = over()
    expected, squared = sum(stakes) * edge, sum(stake**2 for stake in stakes) * variance
    z = (Decimal(-7000) - Decimal(expected.numerator) / expected.denominator) / (
        Decimal(squared.numerator) / squared.denominator
    ).sqrt()
    for _ in range(2):  # the second time from the cache
        row = only("statistics")
        assert some(row, "wagers", "handle", "win", "z", "expected_exact", "variance_exact") == (
            3,
            "70.00",
            "-70.00",
            str(z.quantize(Decimal("0.001"))),
            str(expected),
            str(squared),
        )
        assert some(row, "win_percent", "base_percent", "points") == (
            "-100.00",
            rounded(100 * edge, 2),
            rounded(-100 - 100 * edge, 2),
        )
        low, high = Fraction(row["low_percent"]), Fraction(row["high_percent"])
        assert abs((low + high) / 2 - 100 * edge) < Fraction(1, 100), (
            "the interval lies around the base level"
        )
        assert row["verdict"] == ""
    assert some(only("statistics", "--by", "dealer,wager"), "dealer", "wager", "z") == (
        "d-1",
        "over",
        row["z"],
    )


def test_a_dealer_who_always_pays_is_beyond_chance_and_void_stakes_do_not_count(house):
    make, wager = at(table="aurora/T1"), {"round": "v", "spot": "1", "wager": "over", "amount": 900_000}
    void = [
        make("round-opened", round="v"),
        make("bet", **wager),
        make("void", round="v", reason="card exposed", **BY),
        make("return", **wager),
        make("round-closed", round="v"),
    ]
    bets = [("d-1", 1000, "pay", 1000)] * 12
    record(
        [
            felt(0, 0, **SEES)[0],
            *hands("aurora/T1", *bets),
            *hands("aurora/T1", ("d-2", 1000, "pay", 1000), round="x"),
            *void,
        ]
    )
    rows_by_dealer = {row["dealer"]: row for row in rows("statistics", "--by", "dealer")}
    assert some(rows_by_dealer["d-1"], "wagers", "handle", "verdict") == (12, "120.00", "beyond chance")
    assert some(rows_by_dealer["d-2"], "handle", "verdict") == ("10.00", "")


def test_a_table_full_of_players_on_one_side_of_one_roll_is_not_beyond_chance(house):
    """Test that twelve bets on one roll count as one bet with twelve times the stake. If they counted as
    twelve bets, the report would accuse a dealer without cause.
    """
    make, spots = at(table="aurora/T1"), [f"{place}" for place in range(1, 13)]
    facts = [make("round-opened", round="1")]
    for kind in ("bet", "pay"):
        facts += [make(kind, round="1", spot=spot, wager="over", amount=1000) for spot in spots]
    record([felt(0, 0, **SEES)[0], *facts, make("round-closed", round="1")])
    edge, variance = over()
    distance, variance_sum = 12_000 * (1 + edge), 12 * 1000**2 * variance
    row = only("statistics")
    assert some(row, "variance_exact", "z", "z_least") == (
        str(variance_sum),
        rounded(-root(distance**2 / variance_sum, 3), 3),
        rounded(-root(distance**2 / (12 * variance_sum), 3), 3),
    )
    assert (abs(Fraction(row["z"])) > 3, abs(Fraction(row["z_least"])) < 2, row["verdict"]) == (
        True,
        True,
        "outside 95 %",
    )


def test_the_odds_are_those_of_the_opening_that_a_wager_was_bet_under(house):
    def bet(place: int) -> list[dict[str, Any]]:
        make = at(table="aurora/T1")
        wager = {"round": f"s-{place}", "spot": "1", "wager": "spread", "amount": 1000}
        return [
            make("round-opened", round=f"s-{place}"),
            make("bet", **wager),
            make("take", **wager),
            make("round-closed", round=f"s-{place}"),
        ]

    day = felt(0, 0, pay_tables={"spread": "A"})
    reopened = felt(0, 0, pay_tables={"spread": "B"})[0]
    record([day[0], *bet(1), reopened, *bet(2)])
    odds = [price("easy_over_under", "2010-02-05", "spread", table, "6", "{}", "") for table in "AB"]
    assert odds[0] != odds[1]
    assert only("statistics")["expected_exact"] == str(
        sum(1000 * odds.edge for odds in odds if odds is not None)
    )


def test_wagers_without_a_certificate_have_no_theoretical_win() -> None:
    assert price("no_such_game", "", "over", "", "6", "{}", "") is None
    assert price("easy_over_under", "2010-02-05", "no-such-wager", "", "6", "{}", "") is None


@pytest.mark.parametrize(
    ("of", "digits", "is_"),
    [
        (Fraction(2), 6, "1.414214"),
        (Fraction(1, 4), 3, "0.5"),
        (Fraction(0), 3, "0"),
        (Fraction(10**40 + 1), 2, str(10**20)),
    ],
)
def test_a_root_is_rounded_half_up_once(of: Fraction, digits: int, is_: str) -> None:
    assert root(of, digits) == Fraction(is_)


def test_hold_is_compared_with_the_year_before_and_its_months(house):
    record(
        felt(1000, 100, day="2025-03-01"),
        felt(1000, 200, day="2025-04-01"),
        felt(1000, 250, day="2026-01-10"),
        felt(1000, 160, "aurora/T2", "2026-01-10"),
        felt(1000, 150, "aurora/T2", "2025-05-01"),
    )
    names = (
        "hold_percent",
        "base_percent",
        "points",
        "months",
        "deviation",
        "low_percent",
        "high_percent",
        "verdict",
        "base",
    )
    assert [some(row, *names) for row in rows("base-level", "--from", "2026-01-01")] == [
        ("25.00", "15.00", "10.00", 2, "7.07", "1.14", "28.86", "base of 2 days", "2025"),
        ("16.00", "15.00", "1.00", 1, None, None, None, "base of 1 day", "2025"),
    ]
    assert only("base-level", "--from", "2025-05-01", "--to", "2025-06-01")["verdict"] == "no base level"
    assert some(only("base-level", "--from", "2025-04-01", "--to", "2025-05-01"), "points", "base") == (
        "10.00",
        "2025-03",
    )


def test_a_base_of_few_days_marks_nothing_and_one_of_fourteen_does(house):
    days = [felt(1000, 100, day=f"2025-03-{day:02}") for day in range(1, 14)]
    record(
        *days,
        *(felt(1000, 100, "aurora/T2", day=f"2025-03-{day:02}") for day in range(1, 14)),
        felt(1000, 250, day="2026-01-10"),
    )
    arguments = ("base-level", "--from", "2026-01-01", "--by", "property")
    assert some(only(*arguments), "points", "days", "verdict") == (
        "15.00",
        13,
        "base of 13 days",
    ), "two tables of one day are one day"
    year = Span(date(2026, 1, 1), None, "aurora")
    assert compared(base_level.sheet(year, ("property",))) == [RowChance(reason="base of 13 days")]
    record(felt(1000, 100, day="2025-03-14"))
    assert some(only(*arguments), "points", "days", "verdict") == ("15.00", 14, "more than 3 points")
    (row,) = compared(base_level.sheet(year, ("property",)))
    assert (row.expected, row.bounds, row.is_outside) == (0, (-3, 3), True), "one month has no deviation"


def compared(sheet: Sheet) -> list[RowChance]:
    """Return how the figure of each row that the chart of a report draws compares with its bounds."""
    assert sheet.chances is not None
    return [sheet.chances().judge(row) for row in sheet.rows]


def test_the_band_around_a_base_level_is_the_narrower_of_the_points_and_the_interval_of_its_months(house):
    days = [(month, day) for month in ("03", "04") for day in range(1, 8)]
    record(*(felt(1000, 100 if month == "03" else 102, day=f"2025-{month}-{day:02}") for month, day in days))
    record(felt(1000, 130, day="2026-01-10"))
    (row,) = compared(base_level.sheet(Span(date(2026, 1, 1), None, "aurora"), ("property",)))
    # The holds of the months are 10.0 % and 10.2 %, so their standard deviation is the root of 0.02.
    assert row.bounds is not None
    assert abs(float(row.bounds[1]) - 1.96 * 0.02**0.5) < 1e-5
    assert (row.bounds[0], row.is_outside) == (-row.bounds[1], True)


def test_the_master_game_report_adds_up_without_pending_days(house):
    make = at(table="aurora/T1")
    fill = make("fill-sent", slip="F-1", chips={}, amount=300, **PEOPLE)
    day = felt(10_000, 1000)
    record([*day[:2], fill, *day[2:]], felt(500, 50, "aurora/T2"), felt(700, 10, "aurora/T3")[:-1])
    result = report("master-game-report")
    names = ("table", "days", "opener", "fills", "credits", "closer", "drop", "win", "hold_percent", "note")
    assert [some(row, *names) for row in result["rows"]] == [
        ("aurora/T1", 1, "91.00", "3.00", "0.00", "1.00", "100.00", "7.00", "7.0", ""),
        ("aurora/T2", 1, "5.50", "0.00", "0.00", "1.00", "5.00", "0.50", "10.0", ""),
        ("aurora/T3", 0, None, None, None, None, None, None, None, "1 pending"),
    ]
    assert [some(row, "game", "drop", "win", "note") for row in result["totals"]] == [
        ("easy_over_under", "105.00", "7.50", "1 pending"),
        ("total", "105.00", "7.50", "1 pending"),
    ]


def test_the_stiff_sheet_has_a_line_for_each_shift_and_room_for_signatures(house):
    make = at(table="aurora/T1")
    record(
        [
            *felt(1000, 100, shifts=SHIFTS),
            make("count-verified", box="b-1", amount=1000, by="c-3"),
            make("box-pulled", box="b-2", shift="swing", **BY),
        ]
    )
    result = report("stiff-sheet")
    names = ("shift", "boxes", "counted", "opener", "drop", "verified", "win", "counted_by")
    assert [some(row, *names) for row in result["rows"]] == [
        ("day", 1, 1, "10.00", "10.00", "10.00", "1.00", ""),
        ("swing", 1, 0, None, None, None, None, ""),
    ]
    assert [some(row, "table", "drop", "win") for row in result["totals"]] == [
        ("total without pending wins", "10.00", "1.00")
    ]
    record(felt(1000, 250, "aurora/T2", "2026-11-26", shifts=SHIFTS))
    assert [some(row, "table", "win") for row in report("stiff-sheet", "--to", "2026-11-27")["totals"]] == [
        ("total", "2.50")
    ]


def test_the_stiff_sheet_has_later_shifts_and_facts_too(house):
    make = at(table="aurora/T1")
    shifts = SHIFTS | {"grave": "2026-11-27T22:00:00-08:00", "all-night": "2026-11-28T02:00:00-08:00"}
    pulled = [
        make("box-pulled", box=f"b-{number}", shift=shift, **BY)
        for number, shift in enumerate(("all-night", "grave", "swing"), 2)
    ]
    record([*felt(1000, 100, shifts=shifts), *pulled], felt(500, 50, "aurora/T2", shifts=SHIFTS))
    expected = [
        ("aurora/T1", "day"),
        ("aurora/T1", "swing"),
        ("aurora/T1", "grave"),
        ("aurora/T1", "all-night"),
        ("aurora/T2", "day"),
    ]
    assert [some(row, "table", "shift") for row in rows("stiff-sheet")] == expected
    named = {"stiff-sheet": "verified", "table-drop": "verified", "drop-variance": "counted"}
    for name, column in named.items():
        assert len([row for row in rows(name) if row["table"] == "aurora/T2" and row[column]]) == (
            name == "drop-variance"
        ), name
    record([at(table="aurora/T2")("count-verified", box="b-1", amount=500, by="c-3")])
    for name, column in named.items():
        assert len([row for row in rows(name) if row["table"] == "aurora/T2" and row[column]]) == (
            name != "drop-variance"
        ), name


def test_a_table_that_stayed_closed_is_listed_with_its_last_closer(house):
    record(
        felt(1000, 100, day="2026-11-19"),
        felt(1000, 100, "aurora/T2", "2026-11-19"),
        felt(1000, 100, "aurora/T2", "2026-11-20"),
        felt(1000, 100, "aurora/T2", "2026-11-26"),
        felt(1000, 100, "borealis/T2", "2026-11-23"),
    )
    assert [
        some(row, "table", "day", "last_open", "days", "last_closer", "note")
        for row in rows("unopened-tables")
    ] == [
        ("aurora/T1", "2026-11-20", "2026-11-19", 1, "1.00", ""),
        ("aurora/T1", "2026-11-26", "2026-11-19", 7, "1.00", "two people recount, and write a new slip"),
    ]


def test_adjustments_are_listed_beyond_the_threshold_of_their_day(house):
    make = at(table="aurora/house", day="2026-11-30")

    def adjusted(amount: int, day: str = "2026-11-27") -> dict[str, Any]:
        return make(
            "adjusted", of_table="aurora/T1", of_day=day, what="drop", amount=amount, reason="recount", **BY
        )

    facts = [adjusted(200_000), adjusted(200_001), adjusted(-500_000), adjusted(90_000)]
    record(felt(1000, 100), facts)
    assert [some(row, "day", "of_day", "amount", "second") for row in rows("adjustments")] == [
        ("2026-11-30", "2026-11-27", "2000.01", "s-1"),
        ("2026-11-30", "2026-11-27", "-5000.00", "s-1"),
    ]
    assert [row["amount"] for row in report("adjustments")["totals"]] == ["-2999.99"]
    entry = {
        "register": "thresholds",
        "key": "adjustment",
        "value": {"amount": 80_000},
        "from": None,
        "to": None,
        "by": "m-1",
        "second": "m-2",
    }
    record([make("register-set", **entry)])
    projection.sync_registers()
    assert len(rows("adjustments")) == 4
    assert rows("adjustments", "--to", "2026-11-30") == []


@pytest.mark.parametrize(
    ("currency", "within", "outside"),
    [("JPY", 2000, 2001), ("KWD", 2_000_000, 2_000_001), ("EUR", 200_000, 200_001)],
)
@pytest.mark.parametrize("entered", [False, True])
def test_a_threshold_has_the_same_number_of_units_in_another_currency(
    house, currency, within, outside, entered
):
    if entered:
        set_registers(
            "aurora", [Entry("thresholds", "adjustment", {"amount": 200_000})], by="m-101", second="m-102"
        )
    adjustments = [adjust("drop", amount)[0] for amount in (within, outside)]
    record(felt(1000, 100, currency=currency), adjustments)
    assert [row["uid"] for row in rows("adjustments")] == [adjustments[1]["uid"]]

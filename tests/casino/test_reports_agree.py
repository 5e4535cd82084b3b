"""Two reports about the same facts have the same figures, even if they group them differently."""

from __future__ import annotations

from typing import Any

import pytest

from audit.queries.span import Span
from casino.exports import datasets
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports.expected_win import bounds_of
from tests.casino.lists import all_rows
from tests.casino.test_cage_reports import rows, some
from tests.casino.test_reports import BY, SETTINGS, SHIFTS, at, felt, only, record, report
from tests.casino.test_where_the_hold_went import COU, SHOULD_BE, assert_adds_up, hand, three_hands

SWING = "2026-11-27T15:00:00-08:00"


def of_two_shifts(table: str = "aurora/T1", *, counted: bool) -> list[dict[str, Any]]:
    """Return the facts of a day of two shifts. In the first, the win is 4.00 and the drop is 5.00. In the
    second, a box with 3.00 is pulled, and it is counted if `counted` is true.
    """
    make, swing = at(table=table), at(table=table, at=SWING)
    drop = {"notes": {"100": 5}, "team": ["c-1", "c-2"]}
    return [
        make(**COU, shifts=SHIFTS),
        make("opener-counted", chips={}, amount=1_000, **BY),
        make("box-pulled", box="b-1", shift="day", **BY),
        make("closer-counted", chips={}, amount=900, **BY),
        make("drop-counted", box="b-1", shift="day", amount=500, **drop),
        swing("opener-counted", chips={}, amount=900, **BY),
        swing("box-pulled", box="b-2", shift="swing", **BY),
        swing("closer-counted", chips={}, amount=800, **BY),
        *(
            [swing("drop-counted", box="b-2", shift="swing", amount=300, **drop | {"notes": {"100": 3}})]
            if counted
            else []
        ),
    ]


@pytest.mark.parametrize(
    ("name", "win"),
    [
        ("hold", "win"),
        ("master-game-report", "win"),
        ("where-the-hold-went", "counted"),
        ("hold-to-date", "year_win"),
    ],
)
@pytest.mark.parametrize("counted", [True, False])
def test_the_total_by_shift_equals_the_total_by_table(house, name, win, counted):
    record(of_two_shifts(counted=counted), felt(10_000, 700, "aurora/T2"))
    totals = [
        [row[win] for row in report(name, "--by", by)["totals"]] for by in ("table", "shift", "table,shift")
    ]
    total_win = "13.00" if counted else "7.00"
    assert [total[-1] for total in totals] == [total_win] * 3


def test_a_known_shift_is_in_its_row_though_its_day_is_pending(house):
    record(of_two_shifts(counted=False))
    result = report("hold", "--by", "shift")
    assert [some(row, "shift", "win", "note") for row in result["rows"]] == [
        ("day", "4.00", ""),
        ("swing", None, "pending aurora/T1/2026-11-27 swing: 1 box not counted"),
    ]
    assert [some(row, "win", "note") for row in result["totals"]] == [
        (None, "pending aurora/T1/2026-11-27: 1 box not counted")
    ]


def studio(*rounds: list[dict[str, Any]], sees: list[str]) -> list[dict[str, Any]]:
    return [
        at(table="aurora/L1")(**SETTINGS | {"kind": "table-opened", "currency": "USD", "sees": sees}),
        *(f for of in rounds for f in of),
    ]


def void_round(returned: int, corrected: int = 0) -> list[dict[str, Any]]:
    """Return the facts of a void round with a stake of 10.00. The player gets back `returned` before the
    round closes, and `corrected` by a later correction.
    """
    make, line = at(table="aurora/L1"), {"round": "v", "spot": "p-1", "wager": "bahar"}
    return [
        make("round-opened", round="v"),
        make("bets", round="v", bets=[["p-1", "bahar", 1_000]]),
        make("void", round="v", reason="a card fell", by="s-1", second="s-2"),
        *([make("return", **line, amount=returned)] if returned else []),
        make("round-closed", round="v"),
        *(
            [make("corrected", **line, amount=corrected, reason="given back", by="s-1", second="s-2")]
            if corrected
            else []
        ),
    ]


SEES = ["round-opened", "bets", "settled", "void", "return", "round-closed"]


@pytest.mark.parametrize(
    ("returned", "corrected", "ggr", "unaccounted"),
    [
        (1_000, 0, "0.00", "0.00"),
        (700, 0, "3.00", "3.00"),
        (0, 0, "10.00", "10.00"),
        (700, 300, "0.00", "3.00"),
    ],
)
def test_an_unreturned_stake_of_a_void_round_is_win_in_every_report(
    house, returned, corrected, ggr, unaccounted
):
    record(studio(void_round(returned, corrected), sees=SEES))
    assert {only(name, "--by", by)[win] for name, win in GGR.items() for by in ("table", "shift")} == {ggr}
    assert some(only("live-dealer"), "unseen", "corrected") == (unaccounted, f"{corrected // 100}.00")
    assert {
        only(name, "--by", "dealer")[win]
        for name, win in (GGR | {"statistics": "win", "where-the-hold-went": "dealt"}).items()
    } == {unaccounted}


GGR = {"hold": "win", "live-dealer": "ggr", "where-the-hold-went": "counted"}


def test_unreported_movements_count_as_owed_in_every_report(house):
    make = at(table="aurora/L1")
    hand = [
        make("round-opened", round="1"),
        make("bets", round="1", bets=[["p-1", "andar", 1_005], ["p-2", "bahar", 700]]),
        make("deal", round="1", to="joker", card="8d"),
        make("deal", round="1", to="andar", card="8c"),
        make("round-closed", round="1"),
    ]
    record(studio(hand, sees=["round-opened", "bets", "deal", "round-closed"]))
    assert {only(name, "--by", by)[win] for name, win in GGR.items() for by in ("table", "shift")} == {WON}
    assert {
        only(name, "--by", "dealer")[win]
        for name, win in (GGR | {"statistics": "win"}).items()
        if win != "counted"
    } == {WON}


WON = "-2.05"


def test_a_table_that_changes_its_game_is_counted_once_under_one_game(house):
    make = at(table="aurora/T1")
    evening = COU | {"game": "high_side", "edition": "2013-03", "pay_tables": {"bonus": "1"}, "decks": 1}
    bet = {"round": "h1", "spot": "1", "wager": "dice-1", "amount": 5_000}
    record(
        [
            make(**COU),
            make("opener-counted", chips={}, amount=100_000, **BY),
            *hand(make, "r1", "under", "take", 10_000),
            make(**evening),
            make("round-opened", round="h1"),
            make("bet", **bet),
            make("take", **bet),
            make("round-closed", round="h1"),
            make("box-pulled", box="b-1", shift="day", **BY),
            make("closer-counted", chips={}, amount=124_300, **BY),
            make("drop-counted", box="b-1", shift="day", notes={}, amount=0, team=["c-1", "c-2"]),
        ]
    )
    assert_adds_up(only("where-the-hold-went", "--by", "game"))
    for by in ("game", "game,hour"):
        assert some(only("where-the-hold-went", "--by", by), "game", "dealt") == ("high_side", "250.00")
    assert some(only("hold", "--by", "game"), "game", "win") == ("high_side", "243.00")
    assert some(only("hold", "--by", "game,hour"), "game", "win") == ("high_side", "250.00")
    assert [row["game"] for row in rows("statistics", "--by", "game")] == ["casino_over_under", "high_side"]


def two_boxes(shifts: tuple[str, str], *counts: tuple[int, int]) -> list[dict[str, Any]]:
    """Return the facts of a table's day with two boxes. Each box was counted and recounted."""
    make = at(table="aurora/T1")
    facts = [make(**COU, shifts=SHIFTS), make("opener-counted", chips={}, amount=100, **BY)]
    facts += [make("box-pulled", box=f"b-{place}", shift=shift, **BY) for place, shift in enumerate(shifts)]
    for place, (shift, (first, second)) in enumerate(zip(shifts, counts, strict=True)):
        count = {
            "box": f"b-{place}",
            "shift": shift,
            "notes": {"1": first},
            "amount": first,
            "team": ["c-1", "c-2"],
        }
        facts += [
            make("drop-counted", **count),
            make("count-verified", box=f"b-{place}", amount=second, by="c-9"),
        ]
    return facts


VARIANCE = ("shift", "counted", "verified", "variance", "findings")


def test_two_boxes_with_opposite_differences_do_not_balance(house):
    record(two_boxes(("day", "day"), (10_000, 20_000), (20_000, 10_000)))
    assert some(only("drop-variance"), *VARIANCE) == ("day", "300.00", "300.00", "0.00", 2)


def test_a_shift_has_the_findings_of_its_own_boxes(house):
    record(two_boxes(("day", "swing"), (10_000, 9_000), (20_000, 20_500)))
    assert [some(row, *VARIANCE) for row in rows("drop-variance")] == [
        ("day", "100.00", "90.00", "-10.00", 1),
        ("swing", "200.00", "205.00", "5.00", 1),
    ]


@pytest.mark.parametrize(("win", "percentage"), [(0, "0.0"), (-500, None), (500, None)])
def test_the_form_prints_zero_for_zero_over_zero(house, win, percentage):
    record(felt(0, win))
    assert only("new-jersey")["percentage"] == percentage


def test_a_tray_without_reported_movements_is_not_judged_and_coverage_says_so(house):
    blind = three_hands(
        closer=SHOULD_BE - 7_500, sees=["round-opened", "bet", "choose", "deal", "round-closed"]
    )
    record(blind)
    assert "inventory-does-not-balance" not in [row["code"] for row in all_rows(datasets.get("findings"))]
    assert [row["missing"] for row in rows("coverage") if row["code"] == "inventory-does-not-balance"] == [
        "pay take"
    ]
    assert only("where-the-hold-went")["unexplained"] != "0.00", "what is missing is missing all the same"


def test_a_partly_reported_tray_is_judged_from_its_next_opener(house):
    seen_facts, blind = three_hands(closer=SHOULD_BE), COU | {"sees": ["round-opened", "round-closed"]}
    make = at(table="aurora/C1")
    second = [
        make("opener-counted", chips={}, amount=500, **BY),
        make("closer-counted", chips={}, amount=400, **BY),
    ]
    tray = next(place for place, fact in enumerate(seen_facts) if fact["kind"] == "closer-counted")
    record(
        [
            *seen_facts[: tray - 1],
            make(**blind),
            make(**COU),
            *seen_facts[tray - 1 : tray],
            make("closer-counted", chips={}, amount=1, **BY),
            *second,
        ]
    )
    rows_found = [
        row["says"]
        for row in all_rows(datasets.get("findings"))
        if row["code"] == "inventory-does-not-balance"
    ]
    assert rows_found == [
        "The closer counts 4.00 USD; opener, slips, chips bought and play give 5.00 USD: 1.00 USD short."
    ]


def test_an_unbalanced_tray_has_no_row_by_dealer_or_hour(house):
    record(felt(10_000, 700, sees=COU["sees"]))
    assert "inventory-does-not-balance" in [row["code"] for row in all_rows(datasets.get("findings"))]
    for by in ("dealer", "hour", "shift,dealer"):
        assert (
            rows("hold", "--by", by)
            == rows("where-the-hold-went", "--by", by)
            == rows("live-dealer", "--by", by)
            == []
        )


def test_bounds_of_a_review_are_those_registered_even_for_all_properties(house):
    set_registers(
        "aurora",
        [Entry("thresholds", "statistics", {"points": 9, "confidence": 99}, "2020-01-01")],
        by="m-101",
        second="m-102",
    )
    record(felt(10_000, 700, day="2026-10-27"), felt(10_000, 1_700))
    for name in ("statistics", "base-level"):
        headings = [
            {column["heading"] for column in report(name, *named)["columns"]}
            for named in ((), ("--property", "aurora"))
        ]
        assert [
            ("99 % interval from" in heading, "95 % interval from" in heading) for heading in headings
        ] == [(True, False)] * 2, name
    record(felt(10_000, 700, "borealis/T1"))
    assert bounds_of(Span()) == (3, 95), "two properties that differ"
    assert bounds_of(Span(property="aurora")) == (9, 99)

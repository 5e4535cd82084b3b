"""What two reports say of the same thing is the same, however their rows go."""

from __future__ import annotations

from typing import Any

import pytest

from tests.casino.test_cage_reports import some
from tests.casino.test_reports import BY, SETTINGS, SHIFTS, at, felt, only, record, report
from tests.casino.test_where_the_hold_went import COU

SWING = "2026-11-27T15:00:00-08:00"


def of_two_shifts(table: str = "aurora/T1", *, counted: bool) -> list[dict[str, Any]]:
    """The first shift is whole and won 4.00 over 5.00; the second opens, closes, and pulls a box that is counted, 3.00, or not."""
    make, swing = at(table=table), at(table=table, at=SWING)
    drop = {"notes": {"100": 5}, "team": ["c-1", "c-2"]}
    return [
        make(**COU, shifts=SHIFTS), make("opener-counted", chips={}, amount=1_000, **BY), make("box-pulled", box="b-1", shift="day", **BY),
        make("closer-counted", chips={}, amount=900, **BY), make("drop-counted", box="b-1", shift="day", amount=500, **drop),
        swing("opener-counted", chips={}, amount=900, **BY), swing("box-pulled", box="b-2", shift="swing", **BY),
        swing("closer-counted", chips={}, amount=800, **BY),
        *([swing("drop-counted", box="b-2", shift="swing", amount=300, **drop | {"notes": {"100": 3}})] if counted else []),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "win"), [("hold", "win"), ("master-game-report", "win"), ("where-the-hold-went", "counted"), ("hold-to-date", "year_win")]
)
@pytest.mark.parametrize("counted", [True, False])
def test_the_total_by_shift_is_that_by_table(house, name, win, counted):
    record(of_two_shifts(counted=counted), felt(10_000, 700, "aurora/T2"))
    totals = [[row[win] for row in report(name, "--by", by)["totals"]] for by in ("table", "shift", "table,shift")]
    whole = "13.00" if counted else "7.00"
    assert [total[-1] for total in totals] == [whole] * 3


def test_a_shift_that_is_known_stands_in_its_row_though_its_day_is_pending(house):
    record(of_two_shifts(counted=False))
    found = report("hold", "--by", "shift")
    assert [some(row, "shift", "win", "note") for row in found["rows"]] == [
        ("day", "4.00", ""), ("swing", None, "pending aurora/T1/2026-11-27 swing: 1 box not counted"),
    ]  # fmt: skip
    assert [some(row, "win", "note") for row in found["totals"]] == [(None, "pending aurora/T1/2026-11-27: 1 box not counted")]


def studio(*rounds: list[dict[str, Any]], sees: list[str]) -> list[dict[str, Any]]:
    return [
        at(table="aurora/L1")(**SETTINGS | {"kind": "table-opened", "currency": "USD", "sees": sees}),
        *(f for of in rounds for f in of),
    ]


def void_round(returned: int, corrected: int = 0) -> list[dict[str, Any]]:
    """10.00 staked in a round that is void; what did not go back was kept, and perhaps corrected later."""
    make, line = at(table="aurora/L1"), {"round": "v", "spot": "p-1", "wager": "bahar"}
    return [
        make("round-opened", round="v"), make("bets", round="v", bets=[["p-1", "bahar", 1_000]]),
        make("void", round="v", reason="a card fell", by="s-1", second="s-2"),
        *([make("return", **line, amount=returned)] if returned else []), make("round-closed", round="v"),
        *([make("corrected", **line, amount=corrected, reason="given back", by="s-1", second="s-2")] if corrected else []),
    ]  # fmt: skip


SEES = ["round-opened", "bets", "settled", "void", "return", "round-closed"]


@pytest.mark.parametrize(
    ("returned", "corrected", "ggr", "kept"),
    [(1_000, 0, "0.00", "0.00"), (700, 0, "3.00", "3.00"), (0, 0, "10.00", "10.00"), (700, 300, "0.00", "3.00")],
)
def test_what_a_void_round_kept_of_a_stake_is_the_houses_in_every_report(house, returned, corrected, ggr, kept):
    record(studio(void_round(returned, corrected), sees=SEES))
    assert {only(name, "--by", by)[win] for name, win in GGR.items() for by in ("table", "shift")} == {ggr}
    assert some(only("live-dealer"), "unseen", "corrected") == (kept, f"{corrected // 100}.00")
    assert {only(name, "--by", "dealer")[win] for name, win in (GGR | {"statistics": "win", "where-the-hold-went": "dealt"}).items()} == {
        kept
    }


GGR = {"hold": "win", "live-dealer": "ggr", "where-the-hold-went": "counted"}


def test_where_nobody_sees_chips_move_they_have_moved_as_they_were_owed_in_every_report(house):
    make = at(table="aurora/L1")
    hand = [
        make("round-opened", round="1"), make("bets", round="1", bets=[["p-1", "andar", 1_005], ["p-2", "bahar", 700]]),
        make("deal", round="1", to="joker", card="8d"), make("deal", round="1", to="andar", card="8c"), make("round-closed", round="1"),
    ]  # fmt: skip
    record(studio(hand, sees=["round-opened", "bets", "deal", "round-closed"]))
    assert {only(name, "--by", by)[win] for name, win in GGR.items() for by in ("table", "shift")} == {WON}
    assert {only(name, "--by", "dealer")[win] for name, win in (GGR | {"statistics": "win"}).items() if win != "counted"} == {WON}


WON = "-2.05"

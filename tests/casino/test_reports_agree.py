"""What two reports say of the same thing is the same, however their rows go."""

from __future__ import annotations

from typing import Any

import pytest

from tests.casino.test_cage_reports import some
from tests.casino.test_reports import BY, SHIFTS, at, felt, record, report
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

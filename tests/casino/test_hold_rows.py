"""The hold percentages that real casinos published are computed again from their published amounts. Rows
whose figures contradict each other are listed as exceptions.
"""

from __future__ import annotations

import csv
from fractions import Fraction

import pytest

from casino.reports.grouping import rounded
from tests.casino.feeding import FEEDS
from tests.casino.test_reports import felt, only, record

ROWS = list(csv.DictReader((FEEDS / "hold_rows.csv").read_text().splitlines()))
KINDS = {
    kind: [row for row in ROWS if row["kind"].split(":")[0] == kind]
    for kind in {row["kind"].split(":")[0] for row in ROWS}
}
Row = dict[str, str]


def amounts(row: Row) -> tuple[Fraction, Fraction]:
    return Fraction(row["win"]), Fraction(row["denominator"])


def ours(row: Row) -> str:
    win, over = amounts(row)
    return rounded(100 * win / over, int(row["decimals"]))


def rounding_bounds(amount: Fraction) -> tuple[Fraction, Fraction]:
    """Return the lowest and highest amount that is rounded to this amount, which was published in tenths of a
    million.
    """
    half = Fraction(50_000)
    return amount - half, amount + half


def is_possible(row: Row) -> bool:
    """Return True if the printed percentage can follow from the printed amounts, which are rounded."""
    (least_win, most_win), (least_over, most_over) = map(rounding_bounds, amounts(row))
    half = Fraction(1, 2 * 10 ** int(row["decimals"]))
    return (
        least_win / most_over * 100 - half
        <= Fraction(row["printed_pct"])
        <= most_win / least_over * 100 + half
    )


def test_every_printed_row_has_a_test_of_its_kind() -> None:
    assert {kind: len(rows) for kind, rows in KINDS.items()} == {
        "direct": 20,
        "zero": 1,
        "reverse": 6,
        "press, rounded inputs": 2,
        "contradiction": 1,
        "trap": 1,
    }


@pytest.mark.parametrize("row", KINDS["direct"], ids=lambda row: row["line"])
def test_win_over_its_denominator_is_the_printed_figure(row: Row) -> None:
    assert ours(row) == row["printed_pct"]


@pytest.mark.parametrize("row", KINDS["reverse"], ids=lambda row: f"{row['period']} {row['line']}")
def test_only_drops_within_the_rounding_give_the_printed_hold(
    row: Row,
) -> None:
    win, printed, digits = int(row["win"]), Fraction(row["printed_pct"]), int(row["decimals"])
    half = Fraction(1, 2 * 10**digits)
    highest, lowest = 100 * win / (printed - half), 100 * win / (printed + half)

    def hold(drop: Fraction | int) -> bool:
        return rounded(Fraction(100 * win, int(drop)), digits) == rounded(printed, digits)

    assert hold(100 * win / printed)
    assert hold(highest)
    assert hold(lowest + 1)
    assert not hold(highest + 1)
    assert not hold(lowest)


@pytest.mark.parametrize("row", KINDS["press, rounded inputs"], ids=lambda row: row["line"])
def test_a_published_hold_agrees_within_the_rounding_of_its_amounts(row: Row) -> None:
    assert ours(row) != row["printed_pct"]
    assert is_possible(row)


def test_a_printed_hold_that_contradicts_its_own_amounts_is_named() -> None:
    (row,) = KINDS["contradiction"]
    assert ours(row | {"decimals": "2"}) == row["kind"].split()[-1] == "6.74"
    assert not is_possible(row)


def test_a_hold_over_another_denominator_is_not_compared_with_hold_over_drop() -> None:
    (row,) = KINDS["trap"]
    win, funds_in = amounts(row)
    assert ours(row | {"decimals": "2"}) == "14.94"
    assert ours(row) != row["printed_pct"]
    assert 100 * win / Fraction(row["printed_pct"]) > funds_in, (
        "coin-in counts what was won and wagered again"
    )


def test_zero_over_zero_is_not_applicable_except_in_the_new_jersey_form(house) -> None:
    (row,) = KINDS["zero"]
    assert (row["win"], row["denominator"]) == ("0", "0")
    record(felt(0, 0))
    assert only("new-jersey") | {"note": ""} == {
        "month": "2026-11",
        "game": "easy_over_under",
        "currency": "USD",
        "units": 1,
        "win": "0.00",
        "drop": "0.00",
        "percentage": row["printed_pct"],
        "note": "",
        "status": "",
    }
    assert only("hold")["hold_percent"] is None

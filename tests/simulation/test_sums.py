"""The parts of every report add up to its whole: the rows to the totals in every grouping, the totals to the
tally, and the rows of a file to its manifest. A total that is not the sum of its rows says by how much.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from audit.queries.table_days import table_days
from casino.exports import verify_export
from casino.reports import catalog
from casino.reports.columns import Absent, Sheet
from casino.reports.grouping import TOTAL_LESS_ROWS
from tests.casino.test_export_formats import CHECKED
from tests.casino.test_export_manifests import SUFFIX, exported
from tests.counts import LONG
from tests.simulation.test_month import MONTH, month

__all__ = ["month"]

APART = ("basis", "currency", "kind")
"""Columns whose values are never added together."""
NO_TOTALS = {"base-level", "coverage", "unopened-tables", "deposits", "investigations"}
"""Reports without totals, and those without rows in this month."""
OTHER_TOTALS = {
    "new-jersey": "the form has the last month and the year to date",
    "journal": "debits and credits are columns of lines, whose kind is no part of the total",
}
NOT_ADDED = {
    ("dealer-errors", "rounds"): "a round has several wagers",
    ("voids", "rounds"): "rows are only those with voids, and the total counts all rounds",
    ("master-game-report", "days"): "a day has several shifts",
    ("where-the-hold-went", "counted"): "not_counted of a row says what its counted win lacks",
    ("where-the-hold-went", "not_counted"): "the same",
    ("marker-ageing", "days"): "an age is not a number that is added",
    **dict.fromkeys(
        (("opener-closer", column) for column in ("last_closer", "opener")),
        "what a tray holds is counted each day",
    ),
}
ROUNDED = {
    ("statistics", "expected"),
    *(("where-the-hold-went", part) for part in ("theoretical", "choices", "luck", "undivided")),
}
"""Figures that are fractions of a minor unit: each row is rounded for itself."""
PERIODS = {"day": "day: ", "month": "month to date: ", "year": "year to date: "}
"""How the part of a note begins that is about the columns of a period of `hold-to-date`."""


def groupings(name: str) -> list[tuple[str, ...]]:
    """Return every single grouping of a report; with the large counts, every pair too."""
    by = catalog.report(name).BY
    return [*((value,) for value in by), *(combinations(by, 2) if LONG else ())] or [()]


NAMES = [name for name in catalog.names() if name not in NO_TOTALS | OTHER_TOTALS.keys()]


def number(cell: Any) -> Fraction:
    return Fraction(0) if isinstance(cell, Absent) or cell in ("", None) else Fraction(str(cell))


def sums(sheet: Sheet) -> dict[tuple[Any, ...], dict[str, Fraction]]:
    """Return the sums of the counts and amounts of the rows, by the values that are never added together."""
    added: dict[tuple[Any, ...], dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for row in sheet.rows:
        for column, cell in zip(sheet.columns, row, strict=True):
            if column.type in ("money", "count"):
                added[_apart(sheet, row)][column.key] += number(cell)
    return added


def _apart(sheet: Sheet, row: Any) -> tuple[Any, ...]:
    return tuple(row[at] for at, column in enumerate(sheet.columns) if column.key in APART)


def said(note: str, key: str) -> Fraction:
    """Return the amount by which a total differs from its rows in a column, as the note on the total says."""
    period, _, key_in_period = key.partition("_")
    if period in PERIODS:
        note, key = (
            note.partition(f"{PERIODS[period]}{TOTAL_LESS_ROWS}")[2].partition(" to date: ")[0],
            key_in_period,
        )
    else:
        note = note.partition(TOTAL_LESS_ROWS)[2]
    part = key.rpartition("_")[2]
    name = {"denominator": "drop", "opener": "openers", "closer": "closers"}.get(part, part)
    amount = re.search(rf"(-?[\d.]+) of {name}\b", note)
    return Fraction(amount[1]) if amount else Fraction(0)


def differences(name: str, sheet: Sheet) -> list[str]:
    """Return a sentence for each total that neither equals the sum of its rows nor says by how much it
    differs.
    """
    added, wrong = sums(sheet), []
    keys = [column.key for column in sheet.columns]
    for total in sheet.totals:
        if total[0] not in ("total", "USD") and total[0] not in ("felt", "live dealer"):
            continue  # a subtotal
        note = str(total[keys.index("note")]) if "note" in keys else ""
        rows = added[_apart(sheet, total)]
        for column, cell in zip(sheet.columns, total, strict=True):
            if column.type not in ("money", "count") or (name, column.key) in NOT_ADDED:
                continue
            if cell in ("", None):
                if rows[column.key]:
                    wrong.append(
                        f"{column.key}: the rows add up to {rows[column.key]}, and the total is empty"
                    )
                continue
            difference = number(cell) - rows[column.key]
            noted = said(note, column.key)
            tolerance = Fraction(len(sheet.rows), 100) if (name, column.key) in ROUNDED else 0
            if abs(difference - noted) > tolerance:
                wrong.append(
                    f"{column.key}: {cell} is {difference} more than its rows, and the note says {noted}"
                )
    return wrong


@pytest.mark.parametrize("name", NAMES)
def test_rows_add_up_to_their_total_or_the_total_says_by_how_much_it_differs(month: None, name: str) -> None:
    for by in groupings(name):
        sheet = catalog.report(name).sheet(MONTH, by)
        assert sheet.totals, "a report without totals is on the list"
        assert differences(name, sheet) == [], by


def test_the_dealt_win_of_the_reports_is_that_of_the_tally(month: None) -> None:
    tally = sum(
        day.taken - day.paid + day.unseen - day.corrected for day in table_days(MONTH, by_shift=False)
    )
    for by in groupings("where-the-hold-went"):
        sheet = catalog.report("where-the-hold-went").sheet(MONTH, by)
        dealt, counted, not_counted = (
            [column.key for column in sheet.columns].index(key) for key in ("dealt", "counted", "not_counted")
        )
        assert 100 * sum(number(total[dealt]) for total in sheet.totals) == tally, by
        rows, totals = (
            sum(number(row[counted]) + number(row[not_counted]) for row in part)
            for part in (sheet.rows, sheet.totals)
        )
        assert rows == totals, by


@pytest.mark.parametrize("format", CHECKED if LONG else CHECKED[:1])
@pytest.mark.parametrize("name", catalog.names())
def test_rows_of_each_file_add_up_to_its_manifest(
    month: None, tmp_path: Path, name: str, format: str
) -> None:
    out = exported(tmp_path, name, format)
    manifest = json.loads(out.with_name(f"{out.name}{SUFFIX}").read_text())
    assert list(verify_export.differences(out, manifest)) == []

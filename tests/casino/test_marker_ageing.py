"""The report of marker ageing. Each unpaid marker is in the column of its age, even if it was issued before
the first day of the report. The columns add up to the amount that is still unpaid.
"""

from __future__ import annotations

from typing import Any

import pytest

from casino.reports.definitions.marker_ageing import AGES
from tests.casino.books import marked
from tests.casino.test_reports import BY, at, felt, record, report

AGE_KEYS = [column.key for column in AGES]
LAST = "2026-11-28"
"""The day after the last day of the report."""


def ageing(*args: str) -> dict[str, Any]:
    return report("marker-ageing", "--property", "aurora", *args)


def issue(day: str, slip: str, amount: int, paid: int = 0) -> None:
    record([*felt(1000, 100, day=day)[:1], *marked(day=day, issued=amount, paid=paid, slip=slip)])


@pytest.mark.parametrize(
    ("issued_on", "days", "age"),
    [
        ("2026-11-27", 0, "to_7_days"),
        ("2026-11-20", 7, "to_7_days"),
        ("2026-11-19", 8, "to_30_days"),
        ("2026-10-28", 30, "to_30_days"),
        ("2026-10-27", 31, "to_60_days"),
        ("2026-09-28", 60, "to_60_days"),
        ("2026-08-29", 90, "to_90_days"),
        ("2026-08-28", 91, "over_90_days"),
    ],
)
def test_a_marker_is_in_the_column_of_its_age(house, issued_on: str, days: int, age: str) -> None:
    issue(issued_on, "M-1", 500, 120)
    for begins in ([], ["--from", "2026-11-27"]):
        (row,) = ageing(*begins, "--to", LAST)["rows"]
        assert (row["slip"], row["issued_on"], row["days"], row["open"]) == ("M-1", issued_on, days, "3.80")
        assert {key: row[key] for key in AGE_KEYS if row[key] is not None} == {age: "3.80"}


def test_paid_and_voided_markers_are_left_out_and_ages_add_up(house) -> None:
    issue("2026-08-01", "M-1", 500)
    issue("2026-11-20", "M-2", 300, 300)
    issue("2026-11-26", "M-3", 700)
    issue("2026-11-27", "M-4", 100, 150)
    make = at(table="aurora/T1", day="2026-11-26")
    record([make("slip-voided", slip="M-3", reason="torn", **BY)])
    record([at(table="aurora/T1")("marker-paid", slip="M-9", amount=40, player="p-1", by="c-1")])
    sheet = ageing("--to", LAST)
    names = ("slip", "days", "open", "note")
    assert [tuple(row[name] for name in names) for row in sheet["rows"]] == [
        ("M-1", 118, "5.00", ""),
        ("M-4", 0, "-0.50", "more paid than issued"),
        ("M-9", None, "-0.40", "paid and never issued here"),
    ]
    (total,) = sheet["totals"]
    assert (total["open"], total["over_90_days"], total["to_7_days"]) == ("4.10", "5.00", "-0.50")


def test_without_an_end_the_age_is_counted_to_the_last_day_of_a_marker(house) -> None:
    issue("2026-11-01", "M-1", 500)
    issue("2026-11-11", "M-2", 500)
    assert [(row["slip"], row["days"]) for row in ageing()["rows"]] == [("M-1", 10), ("M-2", 0)]
    assert ageing("--to", "2026-11-01")["rows"] == []

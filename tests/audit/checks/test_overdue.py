"""A day that is never closed is reported, with everything that it lacks. Its age is measured by the times in
the ledger.
"""

from __future__ import annotations

import pytest

from tests.audit.checks.ledgers import COUNTED, DAY, PULLED, TWO, Book

LATER = "2026-12-05"
"""The first day on which a day without a close is more than a week old."""


def unfinished_day(*kinds: str, later: str = LATER) -> Book:
    book = Book()
    book.open()
    fields = {
        "opener-counted": {"chips": {}, "amount": 0, **TWO},
        "closer-counted": {"chips": {}, "amount": 0, **TWO},
        "table-closed": {},
        "box-pulled": PULLED | {"box": "b-1"},
        "drop-counted": COUNTED | {"box": "b-1"},
        "day-closed": {"by": "a-1"},
        "count-verified": {"box": "b-1", "amount": 10000, "by": "c-1"},
    }
    for kind in kinds:
        book.add(kind, **fields[kind])
    book.open("HS-01", later)
    return book


WHOLE = ("opener-counted", "closer-counted", "box-pulled", "drop-counted", "count-verified")


def test_a_closed_day_is_not_overdue() -> None:
    assert unfinished_day(*WHOLE, "day-closed").codes() == []


def test_a_day_that_is_a_week_old_may_still_be_closed() -> None:
    assert unfinished_day("opener-counted", later="2026-12-04").codes() == []


@pytest.mark.parametrize(
    ("without", "codes"),
    [
        ((), ["close-missing"]),
        (("count-verified",), ["close-missing", "recount-missing"]),
        (("drop-counted", "count-verified"), ["close-missing", "drop-missing"]),
        (("box-pulled", "drop-counted", "count-verified"), ["close-missing", "pull-missing"]),
        (("closer-counted",), ["close-missing", "closer-missing"]),
        (("opener-counted",), ["close-missing", "opener-missing"]),
    ],
)
def test_missing_facts_of_a_day_never_closed_are_found_at_its_last_fact(
    without: tuple[str, ...], codes: list[str]
) -> None:
    kinds = [kind for kind in WHOLE if kind not in without]
    book = unfinished_day(*kinds)
    findings = book.findings()
    assert sorted(finding.code for finding in findings) == sorted(codes)
    assert {finding.uid for finding in findings} == {book.rows[len(kinds)][3].uid}


def test_the_sentence_names_table_day_and_today() -> None:
    (finding,) = [
        finding
        for finding in unfinished_day("opener-counted", "closer-counted", "box-pulled").findings()
        if finding.code == "drop-missing"
    ]
    assert finding.says == f"aurora/EOU-01, gaming day {DAY}: by {LATER} no count had come for box b-1."


def test_the_register_may_set_the_days_until_a_day_is_overdue() -> None:
    book = Book()
    book.open()
    book.add("opener-counted", chips={}, amount=0, **TWO)
    book.enter("thresholds", "day-closes", {"days": 1})
    book.add(
        "flagged", "house", "2026-11-29", of_table="aurora/EOU-01", of_day=DAY, round="r", why="x", by="v-1"
    )
    assert "close-missing" in book.codes()


def test_an_overdue_day_is_found_once_even_after_a_late_fact() -> None:
    book = unfinished_day("opener-counted")
    book.add("closer-counted", chips={}, amount=0, **TWO)
    book.open("HS-01", "2026-12-20")
    assert sorted(book.codes()) == ["close-missing", "closer-missing", "pull-missing"]


def test_a_table_without_cage_is_overdue_only_if_it_was_closed_before() -> None:
    assert unfinished_day().codes() == []
    book = Book()
    book.open(day="2026-11-26")
    book.add("day-closed", day="2026-11-26", by="a-1")
    book.open()
    book.open("HS-01", LATER)
    assert "close-missing" in book.codes()

"""Days are closed in order, and an adjustment names a closed day of its own property and is recorded once."""

from __future__ import annotations

import pytest

from tests.audit.checks.ledgers import COUNTED, DAY, NEXT, PULLED, Book

ADJUSTED = {
    "of_table": "aurora/EOU-01",
    "of_day": DAY,
    "what": "drop",
    "amount": 500,
    "reason": "found",
    "by": "a-1",
    "second": "a-2",
}


def closed(*days: str) -> Book:
    book = Book()
    for day in (DAY, NEXT):
        book.open(day=day)
    for day in days:
        book.add("day-closed", day=day, by="a-1")
    return book


def test_days_closed_in_order_cause_no_finding() -> None:
    assert closed(DAY, NEXT).codes() == []


@pytest.mark.parametrize(
    ("reason", "end"),
    [
        (None, "No reason was given."),
        ("the count of the 27th comes tomorrow", "The reason given: the count of the 27th comes tomorrow"),
    ],
)
def test_a_later_day_that_is_closed_first_is_a_notice_with_the_reason_given(
    reason: str | None, end: str
) -> None:
    book = closed()
    book.add("day-closed", day=NEXT, by="a-1", **({"reason": reason} if reason else {}))
    finding = book.only_finding("closed-out-of-order")
    assert finding.grade == "notice"
    assert (
        finding.says == f"a-1 closed the gaming day {NEXT} of aurora/EOU-01, while {DAY} is still open. {end}"
    )


def test_a_closed_day_is_adjusted() -> None:
    book = closed(DAY)
    book.add("adjusted", "house", **ADJUSTED)
    book.add("adjusted", "house", **ADJUSTED | {"amount": 700})
    book.add("adjusted", "house", **ADJUSTED | {"of": "00000000-0000-7000-8000-000000000001"})
    assert book.codes() == []


@pytest.mark.parametrize("fields", [{}, {"of": "00000000-0000-7000-8000-000000000001"}])
def test_a_second_adjustment_of_the_same_fact_is_found(fields: dict[str, str]) -> None:
    book = closed(DAY)
    first = book.add("adjusted", "house", **ADJUSTED | fields)
    second = book.add("adjusted", "house", NEXT, **ADJUSTED | fields)
    finding = book.only_finding("adjusted-twice")
    assert finding.uid == second.uid
    assert f"The adjustment {first.uid} of {DAY}" in finding.says


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"of_table": "borealis/EOU-01"}, "borealis/EOU-01 is not a table of aurora."),
        ({"of_table": "aurora/EOU-09"}, f"aurora/EOU-09 was not open on {DAY}."),
        ({"of_day": "2026-01-01"}, "aurora/EOU-01 was not open on 2026-01-01."),
    ],
)
def test_an_adjustment_of_a_day_without_facts_is_found(fields: dict[str, str], reason: str) -> None:
    book = closed(DAY)
    book.add("adjusted", "house", **ADJUSTED | fields)
    assert book.only_finding("adjusted-elsewhere").says.endswith(reason)


def test_at_a_live_dealer_table_only_the_settlement_may_be_adjusted() -> None:
    book = Book()
    book.open(
        "L7-01",
        game="lucky_7",
        edition="ezugi",
        pay_tables=dict.fromkeys(("7-up", "7", "7-down", "red", "black", "odd", "even"), "ezugi"),
    )
    book.add("day-closed", "L7-01", by="a-1")
    book.add("adjusted", "house", **ADJUSTED | {"of_table": "aurora/L7-01", "what": "settlement"})
    assert book.codes() == []
    book.add("adjusted", "house", **ADJUSTED | {"of_table": "aurora/L7-01"})
    assert book.only_finding("adjusted-elsewhere").says.endswith(
        "is a live-dealer table, which has no tray and no drop box."
    )


def test_an_open_day_is_adjusted_only_if_two_counts_of_a_box_differ() -> None:
    book = closed()
    book.add("adjusted", "house", **ADJUSTED)
    assert book.only_finding("adjusted-open-day").says.endswith(
        "The day is still open. Only a closed day is adjusted."
    )
    differ = closed()
    differ.add("box-pulled", box="b-1", **PULLED)
    count = differ.add("drop-counted", box="b-1", **COUNTED)
    differ.add("adjusted", "house", **ADJUSTED | {"of": count.uid})
    assert differ.codes() == ["adjusted-open-day"]
    variance = closed()
    variance.add("box-pulled", box="b-1", **PULLED)
    count = variance.add("drop-counted", box="b-1", **COUNTED)
    variance.add("count-verified", box="b-1", amount=9000, by="c-1")
    variance.add("adjusted", "house", **ADJUSTED | {"of": count.uid})
    assert variance.codes() == []
    variance.add("adjusted", "house", **ADJUSTED | {"of": count.uid, "what": "opener"})
    assert "adjusted-open-day" in variance.codes()

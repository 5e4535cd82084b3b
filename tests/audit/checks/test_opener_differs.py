"""An opener is compared with the last closer before it in the same currency, from the previous shift or day.
If a tray was counted again, its last count is compared.
"""

from __future__ import annotations

import pytest

from tests.audit.checks.ledgers import DAY, NEXT, TWO, Book

SHIFTS = {"shifts": {"day": f"{DAY}T11:00:00-08:00", "swing": f"{DAY}T13:00:00-08:00"}}


def tray(book: Book, kind: str, amount: int, day: str = DAY, table: str = "EOU-01", **fields) -> None:
    book.add(f"{kind}-counted", table, day, chips={"100": amount // 100}, amount=amount, **TWO | fields)


def two_days(*closers: int) -> Book:
    book = Book()
    book.open()
    tray(book, "opener", 10000)
    for amount in closers:
        tray(book, "closer", amount)
    book.add("table-closed")
    book.open(day=NEXT)
    return book


def test_an_opener_that_is_the_last_closer_is_right() -> None:
    book = two_days(8000)
    tray(book, "opener", 8000, NEXT)
    book.add("table-closed", day=NEXT)
    assert book.codes() == []


def test_an_opener_that_differs_is_found_with_both_counts_and_who_signed_them() -> None:
    book = two_days(8000)
    tray(book, "opener", 7500, NEXT, by="d-2", second="s-2")
    assert book.codes() == [], "it may still be counted again"
    book.add("table-closed", day=NEXT)
    finding = book.only_finding("opener-differs")
    assert (finding.stream, finding.number) == (f"aurora/EOU-01/{NEXT}", 2)
    assert finding.says == (
        "The opener of aurora/EOU-01 is 75.00 USD, counted by d-2 and s-2;"
        " the closer before it, of 2026-11-27, is 80.00 USD, counted by d-1 and s-1: 5.00 USD short."
    )
    assert finding.cite == "Control OC-05, N.J.A.C. 13:69D-1.21"


def test_if_a_tray_was_counted_again_its_last_count_is_compared() -> None:
    right = two_days(9000, 8000)
    tray(right, "opener", 9000, NEXT)
    tray(right, "opener", 8000, NEXT)
    right.add("table-closed", day=NEXT)
    assert right.codes() == []
    wrong = two_days(8000, 9000)
    tray(wrong, "opener", 9000, NEXT)
    tray(wrong, "opener", 8000, NEXT)
    wrong.add("table-closed", day=NEXT)
    assert [(finding.code, finding.number) for finding in wrong.findings()] == [("opener-differs", 3)]


def test_a_shift_takes_over_the_tray_that_the_shift_before_left() -> None:
    for amount, codes in ((8000, []), (7000, ["opener-differs"])):
        book = Book()
        book.open(**SHIFTS)
        tray(book, "opener", 10000)
        tray(book, "closer", 8000)
        tray(book, "opener", amount, at=65)
        tray(book, "closer", 5000, at=70)
        assert book.codes() == codes


def test_two_currencies_are_never_compared() -> None:
    book = two_days(8000)
    book.open(day=NEXT, currency="EUR")
    tray(book, "opener", 1000, NEXT)
    book.add("table-closed", day=NEXT)
    assert book.codes() == []


def test_an_opener_after_a_day_without_a_closer_is_not_compared() -> None:
    book = two_days()
    tray(book, "opener", 1000, NEXT)
    book.add("table-closed", day=NEXT)
    assert book.codes() == []


def test_an_opener_recorded_late_is_compared_with_the_closer_before_it() -> None:
    late = "2026-11-26"
    book = two_days(8000)
    tray(book, "opener", 8000, NEXT)
    tray(book, "closer", 6000, NEXT)
    book.open(day="2026-11-25")
    tray(book, "closer", 12000, "2026-11-25")
    book.open(day=late)
    tray(book, "opener", 12000, late)
    tray(book, "closer", 10000, late)
    book.add("table-closed", day=late)
    assert book.codes() == []


@pytest.mark.parametrize("table", ["EOU-01", "HS-01"])
def test_an_opener_may_be_recounted_until_any_table_opens_its_next_day(table: str) -> None:
    book = two_days(8000)
    tray(book, "opener", 7500, NEXT)
    book.open(table, "2026-11-29")
    assert book.codes() == ["opener-differs"]

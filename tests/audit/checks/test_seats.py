"""A person may not be at two tables at once or supervise their own table. A rotation, and one supervisor for
several tables, are allowed.
"""

from __future__ import annotations

import pytest

from tests.audit.checks.ledgers import NEXT, Book


def seated(*seats: tuple[str, str, str], **settings) -> Book:
    book = Book()
    for table in ("A-1", "A-2", "A-3"):
        book.open(table)
    for table, dealer, supervisor in seats:
        book.add("dealer-seated", table, dealer=dealer, supervisor=supervisor)
    return book


def bought(book: Book, table: str) -> None:
    book.add("chips-bought", table, spot="1", amount=500, tender="cash")


def test_a_dealer_who_is_seated_at_a_second_table_is_found_when_something_is_recorded_there() -> None:
    book = seated(("A-1", "d-1", "s-1"), ("A-2", "d-1", "s-2"))
    assert book.codes() == [], "a relief may follow"
    bought(book, "A-3")
    assert book.codes() == []
    bought(book, "A-2")
    finding = book.only_finding("person-at-two-tables")
    assert finding.says == "d-1 was seated at aurora/A-2 as dealer while seated at aurora/A-1 as dealer."
    assert (finding.grade, finding.stream, finding.number) == ("procedure", "aurora/A-2/2026-11-27", 2)


def test_a_dealer_who_opens_a_round_at_the_table_before_is_found() -> None:
    book = seated(("A-1", "d-1", "s-1"), ("A-2", "d-1", "s-2"))
    book.add("round-opened", "A-2", round="r-1")
    assert book.codes() == [], "the relief at A-1 may be recorded a little later"
    book.add("round-opened", "A-1", round="r-1")
    finding = book.only_finding("person-at-two-tables")
    assert finding.says == "d-1 was seated at aurora/A-2 as dealer while seated at aurora/A-1 as dealer."


def test_two_dealers_who_change_places_are_right() -> None:
    book = seated(("A-1", "d-1", "s-1"), ("A-2", "d-2", "s-2"), ("A-2", "d-1", "s-2"), ("A-1", "d-2", "s-1"))
    for table in ("A-1", "A-2"):
        bought(book, table)
    assert book.codes() == []


def test_a_late_relief_does_not_withdraw_the_finding() -> None:
    book = seated(("A-1", "d-1", "s-1"), ("A-2", "d-1", "s-2"))
    book.add("dealer-seated", "A-1", dealer="d-3", supervisor="s-1", at=50)
    assert book.codes() == ["person-at-two-tables"]


def test_a_missing_relief_is_found_when_the_next_day_begins() -> None:
    book = seated(("A-1", "d-1", "s-1"), ("A-2", "d-1", "s-2"))
    book.open("A-3", NEXT)
    assert book.codes() == ["person-at-two-tables"]


@pytest.mark.parametrize("left", ["table-closed", "day-closed"])
def test_nobody_is_seated_at_a_closed_table(left: str) -> None:
    book = seated(("A-1", "d-1", "s-1"))
    book.add(left, "A-1", **({"by": "a-1"} if left == "day-closed" else {}))
    book.add("dealer-seated", "A-2", dealer="d-1", supervisor="s-1")
    bought(book, "A-2")
    assert book.codes() == []


def test_seats_of_another_gaming_day_are_not_compared() -> None:
    book = seated(("A-1", "d-1", "s-1"))
    book.open("A-2", NEXT)
    book.add("dealer-seated", "A-2", NEXT, dealer="d-1", supervisor="s-1")
    bought(book, "A-1")
    assert book.codes() == []


def test_a_supervisor_has_as_many_tables_as_the_registers_say() -> None:
    seats = (("A-1", "d-1", "s-1"), ("A-2", "d-2", "s-1"), ("A-3", "d-3", "s-1"))
    book = seated(*seats)
    bought(book, "A-3")
    assert book.codes() == ["person-at-two-tables"]
    for entry in (
        ("people", "s-1", {"role": "supervisor", "tables": 3}),
        ("thresholds", "tables-per-supervisor", {"tables": 3}),
    ):
        book = seated(*seats)
        book.enter(*entry)
        for table in ("A-1", "A-2", "A-3"):
            bought(book, table)
        assert book.codes() == []
    book.enter("thresholds", "tables-per-supervisor", {"tables": 2})
    assert book.codes() == ["person-at-two-tables"]


def test_a_dealer_may_supervise_no_other_table_whatever_is_registered() -> None:
    book = seated(("A-1", "s-1", "s-2"), ("A-2", "d-2", "s-1"))
    book.enter("thresholds", "tables-per-supervisor", {"tables": 4})
    bought(book, "A-2")
    assert book.codes() == ["person-at-two-tables"]


def test_nobody_supervises_himself() -> None:
    finding = seated(("A-1", "d-1", "d-1")).only_finding("supervises-himself")
    assert (
        finding.says == "d-1 was seated at aurora/A-1 as dealer and as supervisor: nobody supervises himself."
    )
    assert finding.cite == "Control MI-08, 11VAC5-90-180B2"

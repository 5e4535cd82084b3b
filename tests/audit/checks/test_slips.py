"""The serial of a slip must belong to its table's series. The slip's chips must be chips that the property
has. Table limits must not be raised tenfold while the table is open.
"""

from __future__ import annotations

import pytest

from tests.audit.checks.ledgers import SENT, TWO, Book


def at_tables(*slips: tuple[str, str]) -> Book:
    book = Book()
    for table in ("EOU-01", "EOU-02", "T1", "T10"):
        book.open(table)
    for table, slip in slips:
        book.add("fill-sent", table, slip=slip, **SENT)
    return book


def test_each_table_with_series_of_its_own_is_right() -> None:
    slips = [
        ("EOU-01", "F-EOU01-2026-000001"),
        ("EOU-02", "F-EOU02-2026-000001"),
        ("EOU-01", "F-EOU01-2027-000001"),
    ]
    assert at_tables(*slips, ("T1", "F-T1-1"), ("T10", "F-T10-1"), ("T10", "F-T10-2")).codes() == []


@pytest.mark.parametrize(
    ("slips", "reason"),
    [
        ([("EOU-01", "F-EOU02-000001")], "The series F-EOU02 belongs to aurora/EOU-02."),
        ([("EOU-01", "F-EOU-02-2026-000001")], "The series F-EOU-02-2026 belongs to aurora/EOU-02."),
        ([("T1", "F-T10-000001")], "The series F-T10 belongs to aurora/T10."),
        ([("EOU-01", "F-7-000001"), ("EOU-02", "F-7-000002")], "The series F-7 belongs to aurora/EOU-01."),
        (
            [("EOU-01", "F-EOU01-000001"), ("EOU-01", "F-HS09-000001")],
            "The series F-HS09 does not name EOU-01, as the table's own series do.",
        ),
    ],
)
def test_a_slip_of_another_tables_series_is_found(slips: list[tuple[str, str]], reason: str) -> None:
    finding = at_tables(*slips).only_finding("slip-wrong-series")
    assert finding.says == f"Slip {slips[-1][1]} was written at aurora/{slips[-1][0]}. {reason}"
    assert finding.cite == "Control SL-02, LAC 42:III.2717"


@pytest.mark.parametrize("slip", ["NOSERIAL", "F-EOU01-", "F-EOU01-12a"])
def test_a_slip_without_a_number_is_found(slip: str) -> None:
    assert (
        at_tables(("EOU-01", slip)).only_finding("slip-wrong-series").says
        == f"Slip {slip} of aurora/EOU-01 has no serial: a series, `-` and a number."
    )


def test_a_serial_used_at_two_tables_is_found_only_as_a_duplicate() -> None:
    assert at_tables(("EOU-01", "F-EOU01-000001"), ("EOU-02", "F-EOU01-000001")).codes() == [
        "slip-serial-twice"
    ]


@pytest.mark.parametrize("kind", ["fill-sent", "credit-sent", "opener-counted", "closer-counted"])
def test_an_unknown_chip_is_found_if_a_chip_set_is_registered(
    kind: str,
) -> None:
    fields = SENT | {"slip": "F-EOU01-1"} if kind.endswith("sent") else {"amount": 50000, **TWO}
    book = Book()
    book.open()
    book.add(kind, **fields | {"chips": {"777": 1, "500": 2, "25": 0}})
    assert book.codes() == []
    book.enter("chip-sets", "EUR", {"chips": [100], "notes": []})
    assert book.codes() == []
    book.enter("chip-sets", "USD", {"chips": [10000, 500], "notes": []})
    finding = book.only_finding("unknown-chip")
    assert "has chips of 7.77 USD, which the property does not have on 2026-11-27." in finding.says


@pytest.mark.parametrize(
    ("limits", "codes"),
    [
        ({"*": [1000, 100000]}, []),
        ({"*": [1000, 500000]}, ["limits-jumped"]),
        ({"*": [10000, 50000]}, ["limits-jumped"]),
        ({"*": [1000, 50000], "spread": [1000, 5000000]}, ["limits-jumped"]),
        ({"*": [100, 5000]}, []),
    ],
)
def test_limits_that_are_raised_tenfold_while_the_table_stays_open_are_found(
    limits: dict[str, list[int]], codes: list[str]
) -> None:
    book = Book()
    book.open()
    book.open(limits=limits, continues=True)
    assert book.codes() == codes
    closed = Book()
    closed.open()
    closed.add("table-closed")
    closed.open(limits=limits)
    assert closed.codes() == []


def test_the_sentence_about_limits_names_wager_and_amounts() -> None:
    book = Book()
    book.open()
    book.open(limits={"*": [1000, 50000], "spread": [100000, 5000000]})
    assert book.only_finding("limits-jumped").says == (
        "The limits of aurora/EOU-01 were raised between two rounds while the table stayed open:"
        " spread from 10.00 USD to 500.00 USD, to 1000.00 USD to 50000.00 USD."
    )

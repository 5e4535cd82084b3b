"""A marker is paid once, by its player, up to the amount owed, and to a cashier who did not issue it."""

from __future__ import annotations

import pytest

from tests.audit.checks.ledgers import NEXT, Book

ISSUED = {"slip": "M-EOU01-000001", "player": "p-1", "amount": 50000, "by": "s-1"}
PAID = ISSUED | {"by": "c-1"}


def issued(**fields) -> Book:
    book = Book()
    book.open()
    book.add("marker-issued", **ISSUED | fields)
    return book


def test_a_marker_that_is_paid_in_parts_at_two_tables_on_two_days_is_right() -> None:
    book = issued()
    book.add("marker-paid", **PAID | {"amount": 20000})
    book.open("HS-01", NEXT)
    book.add("marker-paid", "HS-01", NEXT, **PAID | {"amount": 30000})
    assert book.codes() == []


@pytest.mark.parametrize("slip", ["M-EOU01-000001", "odd"])
def test_a_marker_that_was_paid_in_full_is_not_paid_again_at_another_table_on_another_day(slip: str) -> None:
    book = issued(slip=slip)
    book.add("marker-paid", **PAID | {"slip": slip})
    book.open("HS-01", NEXT)
    second = book.add("marker-paid", "HS-01", NEXT, **PAID | {"slip": slip})
    (finding,) = [finding for finding in book.findings() if finding.code != "slip-wrong-series"]
    assert (finding.code, finding.uid, finding.grade, finding.owed, finding.moved) == (
        "marker-overpaid",
        second.uid,
        "money",
        0,
        -50000,
    )
    assert (
        finding.says
        == f"c-1 took 500.00 USD for marker {slip}, on which nothing is owed: it was paid in full or voided"
        " before."
    )


def test_a_payment_above_the_amount_owed_is_found_with_the_difference() -> None:
    book = issued()
    book.add("marker-paid", **PAID | {"amount": 20000})
    book.add("marker-paid", **PAID | {"amount": 40000})
    finding = book.only_finding("marker-overpaid")
    assert (finding.owed, finding.moved) == (-30000, -40000)
    assert (
        finding.says
        == "c-1 took 400.00 USD for marker M-EOU01-000001, on which 300.00 USD was owed: 100.00 USD too much."
    )
    assert finding.cite == "Control MA-08"


def test_a_marker_that_was_never_issued_is_unknown() -> None:
    book = issued()
    book.add("marker-paid", **PAID | {"slip": "M-EOU01-000002"})
    assert (
        book.only_finding("marker-unknown").says
        == "c-1 took 500.00 USD for marker M-EOU01-000002, which was never issued."
    )


def test_a_marker_is_owed_in_its_own_currency() -> None:
    book = issued()
    book.open("HS-01", currency="EUR")
    book.add("marker-paid", "HS-01", **PAID)
    assert (
        book.only_finding("marker-unknown").says
        == "c-1 took 500.00 EUR for marker M-EOU01-000001, which is owed in USD."
    )


def test_a_marker_is_paid_by_the_player_who_signed_it() -> None:
    book = issued()
    book.add("marker-paid", **PAID | {"player": "p-2"})
    assert book.only_finding("marker-unknown").says.endswith("from p-2. It was issued to p-1.")


def test_a_cashier_who_issued_a_marker_may_not_take_its_payment() -> None:
    book = issued()
    book.add("marker-paid", **PAID | {"by": "s-1"})
    assert book.only_finding("signer-not-entitled").cite == "Control MA-09"


def test_a_partly_paid_marker_is_not_voided_and_a_voided_marker_is_not_paid() -> None:
    book = issued()
    book.add("marker-paid", **PAID | {"amount": 100})
    book.add("slip-voided", slip=ISSUED["slip"], reason="torn", by="c-1", second="s-2")
    assert (
        book.only_finding("marker-overpaid").says
        == "Marker M-EOU01-000001 was voided when 1.00 USD of it had been paid."
    )
    void = issued()
    void.add("slip-voided", slip=ISSUED["slip"], reason="torn", by="c-1", second="s-2")
    assert void.codes() == []
    void.add("marker-paid", **PAID)
    assert void.codes() == ["marker-overpaid"]

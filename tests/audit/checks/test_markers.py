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


WRITTEN_OFF = {
    "slip": ISSUED["slip"],
    "player": "p-1",
    "currency": "USD",
    "amount": 50000,
    "reason": "the player is bankrupt",
    "by": "a-1",
    "second": "a-2",
}
RECOVERED = {"slip": ISSUED["slip"], "player": "p-1", "currency": "USD", "amount": 50000, "by": "c-1"}


def written_off(**fields) -> Book:
    book = issued()
    book.add("marker-written-off", "house", NEXT, **WRITTEN_OFF | fields)
    return book


def test_the_rest_of_a_marker_is_written_off_and_recovered_later() -> None:
    book = issued()
    book.add("marker-paid", **PAID | {"amount": 20000})
    book.add("marker-written-off", "house", NEXT, **WRITTEN_OFF | {"amount": 30000})
    book.add("marker-recovered", "house", NEXT, **RECOVERED | {"amount": 10000})
    book.add("marker-recovered", "house", NEXT, **RECOVERED | {"amount": 20000})
    assert book.codes() == []


def test_the_part_that_was_not_written_off_is_still_paid_as_usual() -> None:
    book = written_off(amount=30000)
    book.add("marker-paid", **PAID | {"amount": 20000})
    book.add("marker-recovered", "house", NEXT, **RECOVERED | {"amount": 30000})
    assert book.codes() == []


def test_a_write_off_of_more_than_the_rest_is_found_with_the_difference() -> None:
    book = issued()
    book.add("marker-paid", **PAID | {"amount": 20000})
    book.add("marker-written-off", "house", NEXT, **WRITTEN_OFF)
    finding = book.only_finding("write-off-exceeds-marker")
    assert (finding.grade, finding.owed, finding.moved) == ("money", 30000, 50000)
    assert (
        finding.says
        == "a-1 wrote off 500.00 USD of marker M-EOU01-000001, on which 300.00 USD was owed: 200.00 USD too"
        " much."
    )
    assert finding.cite == "Control MA-11, WAC 230-15-730(4)(a)"


def test_a_paid_a_voided_and_a_written_off_marker_cannot_be_written_off() -> None:
    paid = issued()
    paid.add("marker-paid", **PAID)
    void = issued()
    void.add("slip-voided", slip=ISSUED["slip"], reason="torn", by="c-1", second="s-2")
    for book in (paid, void, written_off()):
        book.add("marker-written-off", "house", NEXT, **WRITTEN_OFF)
        finding = book.only_finding("write-off-exceeds-marker")
        assert (finding.owed, finding.moved) == (0, 50000)
        assert finding.says.endswith(
            "on which nothing is owed: it was paid in full, written off or voided before."
        )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"slip": "M-EOU01-000002"}, "which was never issued."),
        ({"currency": "EUR"}, "which is owed in USD."),
        ({"player": "p-2"}, "for p-2. It was issued to p-1."),
    ],
)
def test_a_write_off_names_a_marker_of_its_player_in_its_currency(fields: dict[str, str], words: str) -> None:
    assert written_off(**fields).only_finding("marker-unknown").says.endswith(words)


@pytest.mark.parametrize("signer", ["by", "second"])
def test_who_issued_a_marker_does_not_sign_its_write_off(signer: str) -> None:
    finding = written_off(**{signer: "s-1"}).only_finding("signer-not-entitled")
    assert "s-1 issued the marker and signed its write-off" in finding.says
    assert finding.cite == "Control MA-11, WAC 230-15-730(4)(a)"


@pytest.mark.parametrize("second", ["a-1", ""])
def test_a_write_off_that_one_person_signed_is_found(second: str) -> None:
    assert (
        written_off(second=second).only_finding("signed-once").cite == "Control MA-11, WAC 230-15-730(4)(a)"
    )


def test_a_write_off_without_a_reason_is_found() -> None:
    assert written_off(reason=" ").codes() == ["without-reason"]


def test_a_payment_of_a_written_off_marker_is_recorded_as_a_recovery() -> None:
    book = written_off()
    book.add("marker-paid", **PAID | {"amount": 100})
    finding = book.only_finding("marker-overpaid")
    assert finding.says.endswith("it was written off. Such a payment is recorded as `marker-recovered`.")
    assert (finding.owed, finding.moved) == (0, -100)


def test_a_recovery_is_at_most_what_was_written_off() -> None:
    book = written_off(amount=30000)
    book.add("marker-recovered", "house", NEXT, **RECOVERED)
    finding = book.only_finding("marker-overpaid")
    assert (finding.owed, finding.moved) == (-30000, -50000)
    assert finding.says.endswith(
        "of which 300.00 USD was written off and not recovered: 200.00 USD too much."
    )


def test_a_recovery_needs_a_write_off_and_a_known_marker() -> None:
    book = issued()
    book.add("marker-recovered", "house", **RECOVERED)
    assert book.only_finding("marker-overpaid").says.endswith("M-EOU01-000001, which was not written off.")
    book = issued()
    book.add("marker-recovered", "house", **RECOVERED | {"slip": "M-EOU01-000002"})
    assert book.only_finding("marker-unknown").says.endswith("which was never issued.")


def test_who_issued_a_marker_does_not_take_its_recovery_from_another_player() -> None:
    book = written_off()
    book.add("marker-recovered", "house", **RECOVERED | {"by": "s-1", "player": "p-2"})
    assert sorted(book.codes()) == ["marker-unknown", "signer-not-entitled"]


def test_a_written_off_marker_is_not_voided() -> None:
    book = written_off()
    book.add("slip-voided", slip=ISSUED["slip"], reason="torn", by="c-1", second="s-2")
    finding = book.only_finding("write-off-exceeds-marker")
    assert finding.says == "Marker M-EOU01-000001 was voided when 500.00 USD of it had been written off."

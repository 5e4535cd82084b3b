"""The cage receives what was counted, each bag has its own number, and the bank confirms what was sent."""

from __future__ import annotations

from typing import Any

import pytest

from tests.audit.checks.ledgers import COUNTED, DAY, NEXT, PULLED, Book

RECEIVED = {"of_day": DAY, "currency": "USD", "amount": 10000, "by": "c-1", "second": "n-1"}
SENT = {
    "deposit": "004711",
    "currency": "USD",
    "amount": 8000,
    "carrier": "transport",
    "by": "c-1",
    "second": "g-1",
}
CONFIRMED = {"deposit": "004711", "currency": "USD", "amount": 8000, "by": "a-1"}


def counted(**count: Any) -> Book:
    """Return a ledger with a box of 100.00 USD that was counted twice."""
    book = Book()
    book.open()
    book.add("box-pulled", box="b-1", **PULLED)
    book.add("drop-counted", box="b-1", **COUNTED | count)
    book.add("count-verified", box="b-1", amount=10000, by="c-2")
    return book


def deposit_codes(book: Book) -> list[str]:
    """Return the codes of a ledger's findings about money after the count and about signatures."""
    return [code for code in book.codes() if code.startswith(("drop-received", "deposit", "signed"))]


def test_the_way_of_cash_from_the_count_to_the_bank_is_right() -> None:
    book = counted()
    book.add("drop-received", "house", NEXT, **RECEIVED)
    book.add("deposit-sent", "house", NEXT, **SENT)
    book.add("deposit-confirmed", "house", NEXT, **CONFIRMED)
    assert deposit_codes(book) == []


def test_the_cage_receives_another_amount_than_was_counted() -> None:
    book = counted()
    book.add("drop-received", "house", NEXT, **RECEIVED | {"amount": 9000})
    finding = next(finding for finding in book.findings() if finding.code == "drop-received-differs")
    assert (finding.grade, finding.owed, finding.moved) == ("money", 10000, 9000)
    assert (
        finding.says
        == f"The cage received 90.00 USD of the drop of {DAY}. 100.00 USD was counted and not received"
        " before."
    )
    assert finding.cite.startswith("Control CO-09, WAC 230-15-620")


def test_a_drop_is_received_in_parts_as_its_boxes_are_counted() -> None:
    book = counted()
    book.add("drop-received", "house", NEXT, **RECEIVED)
    book.add("box-pulled", box="b-2", **PULLED)
    book.add("drop-counted", box="b-2", **COUNTED | {"amount": 500, "notes": {"500": 1}})
    book.add("drop-received", "house", NEXT, **RECEIVED | {"amount": 500})
    assert deposit_codes(book) == []
    book.add("drop-received", "house", NEXT, **RECEIVED | {"amount": 500})
    assert deposit_codes(book) == ["drop-received-differs"]


def test_papers_are_no_cash_and_a_recount_replaces_the_count() -> None:
    book = counted(papers={"marker": 4000}, notes={"1000": 6})
    book.add("drop-received", "house", NEXT, **RECEIVED | {"amount": 6000})
    assert deposit_codes(book) == []
    recounted = counted(amount=9000, notes={"1000": 9})
    recounted.add("drop-received", "house", NEXT, **RECEIVED)
    assert deposit_codes(recounted) == []


def test_cash_of_a_late_count_is_an_adjustment_and_a_settled_count_is_not() -> None:
    adjusted = {"of_table": "aurora/EOU-01", "of_day": DAY, "what": "drop", "reason": "x"}
    signed = {"by": "a-1", "second": "a-2"}
    book = counted()
    pulled = book.add("box-pulled", box="b-2", **PULLED)
    book.add("adjusted", "house", NEXT, **adjusted | signed, amount=700, of=pulled.uid)
    book.add("drop-received", "house", NEXT, **RECEIVED | {"amount": 10700})
    assert deposit_codes(book) == []
    settled = counted(amount=9000, notes={"1000": 9})
    count = settled.rows[2][3]
    settled.add("adjusted", "house", NEXT, **adjusted | signed, amount=1000, of=count.uid)
    settled.add("drop-received", "house", NEXT, **RECEIVED)
    assert deposit_codes(settled) == []


def test_the_bank_counts_another_amount() -> None:
    book = Book()
    book.add("deposit-sent", "house", **SENT)
    book.add("deposit-confirmed", "house", NEXT, **CONFIRMED | {"amount": 7000})
    finding = book.only_finding("deposit-differs")
    assert (finding.grade, finding.owed, finding.moved) == ("money", 8000, 7000)
    assert finding.says == "The bank confirmed 70.00 USD for deposit 004711. 80.00 USD was sent."
    assert finding.cite == "Control CG-07"


@pytest.mark.parametrize(
    ("confirmed", "words"),
    [
        ([CONFIRMED | {"deposit": "9"}], "which was never sent."),
        ([CONFIRMED | {"currency": "EUR"}], "which was sent in USD."),
        ([CONFIRMED, CONFIRMED], "which it had confirmed before."),
    ],
)
def test_the_bank_confirms_no_deposit_that_waits(confirmed: list[dict[str, Any]], words: str) -> None:
    book = Book()
    book.add("deposit-sent", "house", **SENT)
    for fields in confirmed:
        book.add("deposit-confirmed", "house", NEXT, **fields)
    assert book.only_finding("deposit-unknown").says.endswith(words)


def test_two_deposits_have_different_numbers() -> None:
    book = Book()
    book.add("deposit-sent", "house", **SENT)
    book.add("deposit-sent", "house", **SENT | {"amount": 5})
    finding = book.only_finding("deposit-twice")
    assert (finding.grade, finding.cite) == ("integrity", "Control CG-06")
    assert finding.says == "Deposit 004711 of 0.05 USD has the number of an earlier deposit of 80.00 USD."


def deposit_waiting(*confirmed: tuple[str, dict[str, Any]], later: str, days: int | None = None) -> Book:
    """Return a ledger with a deposit, its confirmations (gaming day, fields), and a later gaming day."""
    book = Book()
    if days is not None:
        book.enter("thresholds", "deposit-confirmed", {"days": days})
    book.add("deposit-sent", "house", **SENT)
    for day, fields in confirmed:
        book.add("deposit-confirmed", "house", day, **CONFIRMED | fields)
    book.open("HS-01", later)
    return book


@pytest.mark.parametrize(
    ("book", "is_late"),
    [
        (deposit_waiting(later="2026-12-02"), False),
        (deposit_waiting(later="2026-12-03"), True),
        (deposit_waiting(("2026-12-02", {}), later="2026-12-03"), False),
        (deposit_waiting(("2026-12-03", {}), later="2026-12-03"), True),
        (deposit_waiting((NEXT, {"amount": 1}), later="2026-12-03"), False),
        (deposit_waiting((NEXT, {"deposit": "9"}), later="2026-12-03"), True),
        (deposit_waiting((NEXT, {"currency": "EUR"}), later="2026-12-03"), True),
        (deposit_waiting(later="2026-11-29", days=1), True),
        (deposit_waiting(later="2026-12-27", days=30), False),
    ],
)
def test_a_deposit_that_the_bank_does_not_confirm_in_time(book: Book, is_late: bool) -> None:
    late = [finding for finding in book.findings() if finding.code == "deposit-unconfirmed"]
    assert len(late) == is_late
    for finding in late:
        assert (finding.grade, finding.owed, finding.moved) == ("money", 8000, 0)
        assert finding.cite == "Control CG-08"
        assert finding.says.endswith(
            f"the bank had not confirmed deposit 004711 of 80.00 USD, sent on {DAY}."
        )


def test_a_late_deposit_is_found_once_and_a_repeated_number_is_another_finding() -> None:
    book = Book()
    for _ in range(2):
        book.add("deposit-sent", "house", **SENT)
    for day in ("2026-12-03", "2026-12-04", "2026-12-20"):
        book.open("HS-01", day)
    assert sorted(deposit_codes(book)) == ["deposit-twice", "deposit-unconfirmed"]


@pytest.mark.parametrize(("kind", "fields"), [("drop-received", RECEIVED), ("deposit-sent", SENT)])
def test_two_people_sign(kind: str, fields: dict[str, Any]) -> None:
    book = counted()
    book.add(kind, "house", NEXT, **fields | {"second": "c-1"})
    assert deposit_codes(book) == ["signed-once"]

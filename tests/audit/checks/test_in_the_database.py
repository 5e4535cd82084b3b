"""Checks that compare several casino tables report the same findings in two ways: when the facts are examined
one by one in the database, and when the whole ledger is replayed at once.
"""

from __future__ import annotations

from typing import Any

from msgspec import json

from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from audit.queries.exported_rows import finding_rows
from audit.queries.span import Span
from tests.audit.checks.ledgers import COUNTED, NEXT, PULLED, TWO, Book


def wrong() -> Book:
    """Return the facts of a property with many kinds of faults. For some of these faults, the ledger fold has
    to find facts of play, which it reads only through an index.
    """
    book = Book()
    book.staff()
    for table in ("EOU-01", "HS-01"):
        book.open(table)
    book.add("opener-counted", chips={"500": 100}, amount=50000, **TWO)
    book.add("paused", by="x-9", reason="card")
    book.add("alarm-answered", alarm="x", by="x-9")
    book.add(
        "corrected", round="r-1", spot="1", wager="over", amount=5, reason="video", by="c-1", second="s-1"
    )
    book.add("closer-counted", chips={"500": 90}, amount=45000, **TWO)
    book.add("box-pulled", box="b-1", **PULLED)
    book.add("drop-counted", "HS-01", box="b-1", **COUNTED)
    book.add("marker-paid", slip="M-EOU01-1", player="p-1", amount=500, by="c-1")
    book.open(day=NEXT)
    book.add("opener-counted", day=NEXT, chips={"500": 100}, amount=50000, **TWO)
    book.add("day-closed", day=NEXT, by="d-1")
    return book


def test_findings_are_the_same_fact_by_fact_and_from_the_whole_ledger(house: Any) -> None:
    book = wrong()
    expected = sorted(finding.id for finding in book.findings())
    assert {id.split(":")[1] for id in expected} == {
        "person-unknown",
        "signer-not-entitled",
        "box-elsewhere",
        "marker-unknown",
        "opener-differs",
        "closed-out-of-order",
    }
    codes = {id.split(":")[1] for id in expected}

    def stored_findings() -> list[str]:
        return sorted(row[0] for row in finding_rows(Span(property="aurora")) if row[5] in codes)

    for *_, fact in book.rows:
        intake.post([json.encode(fact)], Sender("gateway"))
        findings.examine()
    assert stored_findings() == expected
    findings.reexamine()
    assert stored_findings() == expected

"""A table that is opened must be in the register of tables on that day, if the register names any table."""

from __future__ import annotations

from typing import Any

import pytest

from tests.audit.checks.ledgers import NEXT, Book
from tests.audit.floor import DAY

CODE = "table-unknown"
OTHER, OWN, DELETED = ("EOU-02", {"pit": "pit-1"}), ("EOU-01", {"pit": "pit-1"}), ("EOU-01", None)
Entry = tuple[tuple[str, Any], dict[str, str]]
CASES: dict[str, tuple[list[Entry], bool]] = {
    "no register": ([], False),
    "it is registered": ([(OTHER, {}), (OWN, {})], False),
    "only another table is registered": ([(OTHER, {})], True),
    "the other table is registered from the next day on": ([(OTHER, {"from": NEXT})], False),
    "it is registered from the next day on": ([(OTHER, {}), (OWN, {"from": NEXT})], True),
    "it was registered until today": ([(OTHER, {}), (OWN, {"to": DAY})], True),
    "its entry was deleted": ([(OTHER, {}), (OWN, {}), (DELETED, {})], True),
    "the only entry was deleted": ([(OWN, {}), (DELETED, {})], False),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("is_late", [False, True])
def test_an_opened_table_that_is_not_registered_is_found(name: str, is_late: bool) -> None:
    """Read the register as of the day, also if its entries were recorded after the opening."""
    entries, is_found = CASES[name]
    book = Book()
    if is_late:
        book.open()
    for (table, value), fields in entries:
        book.enter("tables", table, value, **fields)
    if not is_late:
        book.open()
    findings = [finding for finding in book.findings() if finding.code == CODE]
    assert len(findings) == is_found
    for finding in findings:
        assert finding.says == f"aurora/EOU-01 was opened and is not in the register of tables on {DAY}."
        assert finding.grade == "integrity"
        assert finding.cite.startswith("Control MI-11")


def test_a_table_of_a_registered_pit_is_known() -> None:
    book = Book()
    book.enter("tables", *OTHER)
    book.enter("pits", "pit-1", {"title": "Main pit", "tables": ["EOU-01"]})
    book.open()
    assert CODE not in book.codes()


def test_each_opening_of_a_day_is_judged() -> None:
    book = Book()
    book.enter("tables", *OTHER)
    book.open()
    book.add("table-closed")
    book.open()
    book.open("EOU-02")
    assert book.codes().count(CODE) == 2

"""A month of the sample property in the journal. The sums of all exports equal the ledger's tally, and the
sums of the journal equal the reports.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from msgspec import json

from audit.queries.cage_lists import trays
from audit.queries.span import CLOSED, RESTATED, Span
from audit.queries.table_days import table_days
from casino.cage.services.waiting_cash import older_cash
from casino.count_room.queries import DAYS as RECENT
from casino.exports import datasets
from casino.exports.datasets import Selection
from casino.exports.formats.registry import writer_of
from casino.journals.books import DAY as DAYS
from casino.journals.books import ENTRY, Journal, journal
from casino.journals.books import SHIFT as SHIFTS
from casino.journals.cache.lines import Lines, lines_of
from casino.journals.control import control_totals
from casino.reports import catalog
from casino.sample.month.days import FIRST
from casino.sample.month.sample_property import DAY
from games import GAMES
from tests.casino.books import sums
from tests.simulation.test_month import month_in

MONTH = Span(FIRST, DAY, "aurora")
EVER = Span(FIRST, DAY + timedelta(days=30), "aurora")


@pytest.fixture
def booked(template: Any, django_db_blocker: Any) -> Iterator[None]:
    """Provide the month with the chart of accounts of its registers. Tests only read it."""
    with django_db_blocker.unblock(), month_in(template):
        yield


def of_the_month() -> Journal:
    """Return the journal of all documents for the days of the month, even if they were booked later."""
    return Journal([document for document in journal(EVER).documents if document.day < str(DAY)], [])


def exported(name: str) -> list[dict[str, str]]:
    """Return the rows of an export, read from its CSV file."""
    text = b"".join(writer_of("csv")(datasets.sheet(name, Selection(MONTH)))).decode()
    return list(csv.DictReader(StringIO(text)))


def cents(amount: str) -> int:
    return int(amount.replace(".", ""))


def total(report: str, books: str, basis: str) -> int:
    """Return the total win of a report on this basis, in minor units."""
    sheet = catalog.report(report).sheet(MONTH._replace(books=books), ("table",))
    keys = [column.key for column in sheet.columns]
    rows = [dict(zip(keys, row, strict=True)) for row in sheet.totals]
    return sum(cents(row["win"]) for row in rows if row["basis"] == basis)


def from_facts() -> Counter[str]:
    """Add up the amounts of a day from the export of facts alone, without the tally. Return the sums by the
    names that the tally uses. Recounts of trays are not included.
    """
    amounts: Counter[str] = Counter()
    live: set[str] = set()
    sent: dict[str, tuple[str, int]] = {}
    for row in exported("facts"):
        fact = json.decode(row["body"].encode())
        kind, stream = fact["kind"], f"{fact['table']}/{fact['day']}"
        if kind == "table-opened" and GAMES[fact["game"]].live_dealer:
            live.add(stream)
        moved = {"take": "taken", "pay": "paid", "corrected": "corrected"}.get(kind)
        if moved:
            amounts[moved] += fact["amount"]
        if kind == "settled":
            for name in ("taken", "paid"):
                amounts[name] += sum(amount for *_, amount in fact[name])
        if kind in ("fill-sent", "credit-sent"):
            sent[fact["slip"]] = ("fills" if kind == "fill-sent" else "credits", fact["amount"])
        if kind == "slip-voided":
            sent.pop(fact["slip"], None)
        if kind in (
            "marker-issued",
            "marker-paid",
            "drop-counted",
            "count-verified",
            "opener-counted",
            "closer-counted",
            "chips-bought",
        ):
            amounts[kind] += fact["amount"]
    for name, amount in sent.values():
        amounts[name] += amount
    return amounts


def test_all_exports_add_up_to_the_tally_of_the_ledger(booked: None) -> None:
    days = list(table_days(MONTH))
    tally = {
        name: sum(getattr(day, name) for day in days)
        for name in ("taken", "paid", "returned", "staked", "fills", "credits", "drop")
    }
    rows = exported("tally")
    assert {
        name: sum(cents(row[name]) for row in rows) for name in ("taken", "paid", "returned", "staked")
    } == {name: tally[name] for name in ("taken", "paid", "returned", "staked")}
    slips = {
        name: sum(cents(row["amount"]) for row in exported(name) if row["state"] == "sent")
        for name in ("fills", "credits")
    }
    assert slips == {name: tally[name] for name in slips}
    counts: Counter[str] = Counter()
    for row in exported("counts"):
        counts[row["kind"]] += cents(row["amount"]) if row["state"] == "stands" else 0
    assert counts["drop-counted"] == tally["drop"]
    assert counts["opener-counted"] == sum(day.opener for day in days)
    assert counts["closer-counted"] == sum(day.closer for day in days)
    facts = from_facts()
    assert {name: facts[name] for name in ("fills", "credits")} == slips
    assert {kind: facts[kind] for kind in counts} == counts, "no tray of the month was counted again"
    assert facts["corrected"] == sum(day.corrected for day in days)


@pytest.mark.parametrize("by", [DAYS, SHIFTS])
def test_cached_documents_of_the_month_equal_computed_ones(booked: None, by: str) -> None:
    lines = list(lines_of(journal(EVER, by).documents))
    assert len(lines) > 1000
    for _ in range(2):
        assert list(Lines(EVER, by)) == lines


def test_the_journal_of_the_month_equals_the_reports_of_closed_days(booked: None) -> None:
    of_month = journal(MONTH)
    assert all(sum(posting.amount for posting in document.postings) == 0 for document in of_month.documents)
    closed = sums(Journal([document for document in of_month.documents if document.kind == ENTRY], []))
    won = {basis: total("hold", CLOSED, basis) for basis in ("win / drop", "GGR / handle")}
    assert -closed["win"] == sum(won.values())
    assert -closed["wagers"] == -won["GGR / handle"]
    restated = sums(of_the_month())
    assert -restated["win"] == sum(total("hold", RESTATED, basis) for basis in won) != -closed["win"]
    days = [day for day in table_days(MONTH._replace(books=CLOSED)) if not day.live_dealer]
    assert closed["fills"] == -sum(day.fills for day in days)
    assert closed["credits"] == sum(day.credits for day in days)
    assert closed["vouchers"] > 0
    assert closed["drop"] + closed["vouchers"] == sum(
        day.verified_drop if day.verified == day.counted else day.drop for day in days
    )
    assert of_month.held == [], "every day of the month is closed and counted"


def test_the_page_of_deposits_has_the_cash_that_the_journal_leaves_in_the_count_room(booked: None) -> None:
    (total,) = control_totals(of_the_month().documents)
    waiting = older_cash("aurora", DAY + timedelta(days=RECENT))
    assert sum(row.left for row in waiting if row.day < DAY) == total.cash.counted - total.cash.received > 0


def test_the_trays_of_the_journal_are_booked_as_counted_last(booked: None) -> None:
    """Test that each tray is booked from its table's first opener to its last closer. A difference between an
    opener and the closer before it is booked as over and short.
    """
    counted = sorted(trays(MONTH._replace(books=CLOSED)), key=lambda tray: (tray.table, tray.day, tray.place))
    first, last = (
        {tray.table: tray.amount for tray in reversed(counted)},
        {tray.table: tray.amount for tray in counted},
    )
    by_table: Counter[str] = Counter()
    moved: Counter[str] = Counter()
    for document in of_the_month().documents:
        chips = sum(posting.amount for posting in document.postings if posting.posted == "chips")
        by_table[f"aurora/{document.table}"] += chips
        moved[f"aurora/{document.table}"] += abs(chips)
    assert {table: by_table[table] for table in first} == {
        table: last[table] - first[table] for table in first
    }
    assert all(moved[table] for table in first)


def test_journals_by_day_shift_and_month_have_the_same_sums(booked: None) -> None:
    november = Span(FIRST.replace(month=11, day=1), DAY.replace(month=12, day=1), "aurora")
    by_day, by_shift = (journal(november, by) for by in ("day", "shift"))
    held = {(held_back.table, held_back.day) for held_back in by_shift.held if held_back.about == "shift"}
    same_documents = Journal(
        [document for document in by_day.documents if (document.table, document.day) not in held], []
    )
    assert sums(by_shift) == sums(same_documents)
    assert len(by_shift.documents) > len(same_documents.documents) > len(by_day.documents) / 2
    (held_back,) = [held_back for held_back in journal(november, "month").held if held_back.about == "month"]
    assert "is not over" in held_back.says or "not booked yet" in held_back.says

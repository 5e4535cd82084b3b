"""Ledgers for the tests of journals: closed days, markers, boxes with two differing counts, and a chart of
accounts.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from audit.findings import examine as findings
from audit.queries.span import Span
from casino.journals.books import Journal, journal
from casino.reference import profiles
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.casino.test_reports import BY, at, felt
from tests.casino.test_restated import close

Made = dict[str, Any]
PLAYER = {"player": "p-1", "by": "c-1"}


def map_accounts(begins: str | None = None) -> None:
    """Enter the shipped chart of accounts in the register. It is in force from the day `begins`, or from
    2020-01-01 if no day is given.
    """
    profile = profiles.get_profile("chart-of-accounts")
    assert profile is not None
    entries = profiles.entries(profile, "USD", begins or "2020-01-01")
    set_registers("aurora", entries, by="m-101", second="a-101")
    findings.examine()


def counted(drop: int, win: int, second: int | None = None, **options: Any) -> list[Made]:
    """Return the facts of a table's day. Its drop box was counted and recounted."""
    facts = felt(drop, win, **options)
    make = at(table=facts[0]["table"], day=facts[0]["day"])
    return [*facts, make("count-verified", box="b-1", amount=drop if second is None else second, by="c-9")]


def marked(
    table: str = "aurora/T1", day: str = "2026-11-27", *, issued: int = 0, paid: int = 0, slip: str = "M-1"
) -> list[Made]:
    """Return the facts of a marker: one that issues it for `issued`, and one that pays `paid`. There is no
    fact for an amount of 0.
    """
    make = at(table=table, day=day)
    issued_facts = [make("marker-issued", slip=slip, amount=issued, **PLAYER)] if issued else []
    return [*issued_facts, *([make("marker-paid", slip=slip, amount=paid, **PLAYER)] if paid else [])]


def sums(booked: Journal, by: str = "posted") -> dict[str, int]:
    """Return the sums of the postings, grouped by the field `by` of a posting."""
    total: dict[str, int] = {}
    for document in booked.documents:
        for posting in document.postings:
            key = str(getattr(posting, by))
            total[key] = total.get(key, 0) + posting.amount
    return {key: amount for key, amount in sorted(total.items()) if amount}


def sample_journal(
    by: str = "day", begins: str | None = None, ends: str | None = None, **filters: Any
) -> Journal:
    """Return the journal of the sample property in a range of days, or of all days if no bounds are given."""
    first, last = (None if day is None else date.fromisoformat(day) for day in (begins, ends))
    return journal(Span(first, last, "aurora", **filters), by)


__all__ = ["BY", "Entry", "close", "counted", "map_accounts", "marked", "sample_journal", "sums"]

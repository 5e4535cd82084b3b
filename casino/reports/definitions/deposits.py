"""Deposits to the bank: what was sent, what the bank confirmed, and the difference. A deposit without a
confirmation at the end of the days is on the way.

The report has the deposits that were sent or confirmed on these days, and older ones that are on the way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date

from audit.queries.closed_books import properties
from audit.queries.deposits import Deposit, deposits, difference, is_on_the_way
from audit.queries.span import Span
from casino.reports.columns import Absent, Column, Row, Sheet
from casino.reports.limits import NO_LIMITS, Limits, chosen, day_or_month
from games.kit.amounts import decimal

TITLE = "Deposits"
DEPARTMENT = "Cage and count room"
NEEDED = "Each day, to compare what was sent to the bank with what it confirmed."
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "sent"
LIMITED_BY = ("day", "month")
"""The day and the month on which a deposit was sent, or confirmed if it was never sent here."""
EMPTY = Absent("")
COLUMNS = (
    Column("property", "property"),
    Column("deposit", "deposit"),
    Column("currency", "currency"),
    Column("sent_on", "sent on", "day"),
    Column("sent", "sent", "money"),
    Column("carrier", "carrier"),
    Column("by", "signed by"),
    Column("second", "second signature"),
    Column("confirmed_on", "confirmed on", "day"),
    Column("confirmed", "confirmed", "money"),
    Column("on_the_way", "on the way", "money"),
    Column("difference", "difference", "money"),
    Column("reference", "bank reference"),
    Column("note", "note"),
)

LEADS = (
    "property",
    "deposit",
    "sent",
    "confirmed",
    "on_the_way",
    "difference",
    "note",
    "sent_on",
    "confirmed_on",
)
"""The columns that the page shows first: what is wrong with a deposit is in view without scrolling."""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each deposit, in the order of commit, and a total for each currency."""
    return limited(span, NO_LIMITS)


def limited(span: Span, limits: Limits) -> Sheet:
    """Return the report limited to the deposits that were sent on one day or in one month."""
    every = [
        deposit
        for property in (properties() if span.property is None else [span.property])
        for deposit in deposits(property, span.ends, span.until)
        if span.begins is None or is_on_the_way(deposit) or _last(deposit) >= span.begins
    ]
    of_limits = chosen(
        every, limits, lambda deposit, name: day_or_month(deposit.sent_on or deposit.confirmed_on, name)
    )
    rows = [_row(deposit) for deposit in of_limits]
    return Sheet(TITLE, COLUMNS, rows, tuple(_totals(of_limits)), has_absent=True, leads=LEADS)


def _last(deposit: Deposit) -> date:
    """Return the last gaming day on which the deposit was sent or confirmed."""
    return max(day for day in (deposit.sent_on, deposit.confirmed_on) if day is not None)


def _row(deposit: Deposit) -> Row:
    currency = deposit.currency
    on_the_way = deposit.amount if is_on_the_way(deposit) else 0
    return (
        deposit.property,
        deposit.deposit,
        currency,
        EMPTY if deposit.sent_on is None else deposit.sent_on.isoformat(),
        EMPTY if deposit.amount is None else decimal(deposit.amount, currency),
        deposit.carrier,
        deposit.by,
        deposit.second,
        EMPTY if deposit.confirmed_on is None else deposit.confirmed_on.isoformat(),
        EMPTY if deposit.confirmed is None else decimal(deposit.confirmed, currency),
        decimal(on_the_way or 0, currency),
        decimal(difference(deposit), currency),
        deposit.reference,
        _note(deposit),
    )


def _note(deposit: Deposit) -> str:
    if deposit.amount is None:
        return "confirmed and never sent here"
    if deposit.confirmations > 1:
        return "confirmed more than once"
    if deposit.confirmed is None:
        return "on the way"
    return "the bank counted another amount" if difference(deposit) else ""


def _totals(every: Sequence[Deposit]) -> Iterable[Row]:
    sums: dict[str, list[int]] = defaultdict(lambda: [0] * 4)
    for deposit in every:
        open_amount = deposit.amount if is_on_the_way(deposit) else 0
        amounts = (deposit.amount or 0, deposit.confirmed or 0, open_amount or 0, difference(deposit))
        sums[deposit.currency] = [
            total + amount for total, amount in zip(sums[deposit.currency], amounts, strict=True)
        ]
    for currency, totals in sorted(sums.items()):
        sent, confirmed, on_the_way, differing = (decimal(total, currency) for total in totals)
        yield (
            *("total", "", currency, EMPTY, sent, "", "", "", EMPTY),
            *(confirmed, on_the_way, differing, "", ""),
        )

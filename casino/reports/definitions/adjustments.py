"""Adjustments over the threshold, for the end of the month: what was changed after a day was closed, why, by
whom, and who signed.

The threshold is that of the register `thresholds`, key `adjustment`, value `{"amount": minor units}`; without
one it is 2,000 of the currency (N.J.A.C. 13:69D-1.34). An adjustment stands on the gaming day on which it was
made, beside the day that it adjusts.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from fractions import Fraction

from audit.queries.cache.aggregates import Aggregate, merge
from audit.queries.tallies import Adjustment, Span, adjustments
from casino.reference.registers import threshold_amounts
from casino.reports.columns import Column, Row, Sheet
from games.kit.amounts import EXPONENT, decimal

TITLE = "Adjustments over the threshold"
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "amount"
Amounts = Callable[[date, str], Fraction | None]
LEAST = 2000
"""In whole units of the currency."""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """One row for each adjustment beyond the threshold, in the order of commit; a total for each currency."""
    columns = (
        Column("day", "made on", "day"),
        Column("table", "table"),
        Column("of_day", "adjusts", "day"),
        Column("what", "what"),
        Column("currency", "currency"),
        Column("amount", "to the win", "money"),
        Column("reason", "reason"),
        Column("by", "by"),
        Column("second", "second"),
        Column("uid", "fact"),
    )
    least: dict[str, Amounts] = {}
    found = [one for one in adjustments(span) if abs(one.amount) > _least(one, least)]
    sums = merge(Aggregate((one.currency,), (one.amount,)) for one in found)
    totals = [
        ("total", "", "", "", currency, decimal(int(amount), currency), "", "", "", "")
        for (currency,), (amount,), _ in sums
    ]
    return Sheet(TITLE, columns, [_row(one) for one in found], tuple(totals))


def _least(one: Adjustment, known: dict[str, Amounts]) -> Fraction | int:
    """What an adjustment must be beyond, as it held on the day on which it was made."""
    if one.property not in known:
        known[one.property] = threshold_amounts(one.property, "adjustment")
    entered = known[one.property](one.day, one.currency)
    return LEAST * 10 ** EXPONENT.get(one.currency, 2) if entered is None else entered


def _row(one: Adjustment) -> Row:
    return (
        one.day.isoformat(),
        one.table,
        one.of_day.isoformat(),
        one.what,
        one.currency,
        decimal(one.amount, one.currency),
        one.reason,
        one.by,
        one.second,
        one.uid,
    )

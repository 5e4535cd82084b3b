"""Adjustments over the threshold, for the end of the month: what was changed after a day was closed, why, by
whom, and who signed it.

The threshold is in the register `thresholds` under the key `adjustment`, with the value `{"amount": minor
units}`. If there is no entry, it is 2,000 units of the currency (N.J.A.C. 13:69D-1.34). An adjustment is
listed on the gaming day on which it was made, with the day that it adjusts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date
from fractions import Fraction

from audit.queries.adjustments import Adjustment, adjustments
from audit.queries.span import Span
from casino.reference.registers import threshold_amounts
from casino.reports.columns import Column, Row, Sheet
from casino.reports.limits import NO_LIMITS, Limits, chosen
from games.kit.amounts import EXPONENT, decimal

TITLE = "Adjustments over the threshold"
DEPARTMENT = "Accounting"
NEEDED = "At the end of a month, to review what was changed after days were closed."
BY: tuple[str, ...] = ()
DEFAULT_BY: tuple[str, ...] = ()
CHART = "amount"
LIMITED_BY = ("table",)
Amounts = Callable[[date, str], Fraction | None]
LEAST = 2000
"""The threshold in whole units of the currency. It applies if the property's register has no entry for this
threshold.
"""


def sheet(span: Span, by: tuple[str, ...]) -> Sheet:
    """Return one row for each adjustment over the threshold, in the order of commit, and a total for each
    currency.
    """
    return limited(span, NO_LIMITS)


def limited(span: Span, limits: Limits) -> Sheet:
    """Return the report limited to the adjustments of one table."""
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
    thresholds: dict[str, Amounts] = {}
    rows = [
        adjustment
        for adjustment in chosen(adjustments(span), limits, getattr)
        if abs(adjustment.amount) > _threshold(adjustment, thresholds)
    ]
    sums: Counter[str] = Counter()
    for adjustment in rows:
        sums[adjustment.currency] += adjustment.amount
    totals = [
        ("total", "", "", "", currency, decimal(amount, currency), "", "", "", "")
        for currency, amount in sorted(sums.items())
    ]
    return Sheet(TITLE, columns, list(map(_row, rows)), tuple(totals))


def _threshold(adjustment: Adjustment, known: dict[str, Amounts]) -> Fraction | int:
    """Return the threshold of an adjustment in minor units, as it was on the day on which the adjustment was
    made.
    """
    if adjustment.property not in known:
        known[adjustment.property] = threshold_amounts(adjustment.property, "adjustment")
    entered = known[adjustment.property](adjustment.day, adjustment.currency)
    return LEAST * 10 ** EXPONENT.get(adjustment.currency, 2) if entered is None else entered


def _row(adjustment: Adjustment) -> Row:
    return (
        adjustment.day.isoformat(),
        adjustment.table,
        adjustment.of_day.isoformat(),
        adjustment.what,
        adjustment.currency,
        decimal(adjustment.amount, adjustment.currency),
        adjustment.reason,
        adjustment.by,
        adjustment.second,
        adjustment.uid,
    )

"""Adjustments of closed days, one by one in the order of commit: what was changed, why, by whom, and who
signed it.

`day` is the gaming day on which the adjustment was made, `of_day` the day that it adjusts. The report
`adjustments` lists the adjustments over the threshold.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.queries import facts
from audit.queries.list_filters import Selection
from casino.exports.datasets import columns, timestamp
from casino.reports.columns import Row
from games.kit.amounts import decimal

TITLE = "Adjustments"
EXAMPLE = {
    "property": "aurora",
    "position": 92000,
    "day": "2026-11-30",
    "table": "aurora/EOU-01",
    "of_day": "2026-11-27",
    "what": "drop",
    "currency": "USD",
    "amount": "20.00",
    "reason": "a note found in the box",
    "by": "a-101",
    "second": "a-102",
    "of": None,
    "at": "2026-11-30T17:00:00.000000Z",
    "recorded_at": "2026-11-30T17:00:00.300000Z",
    "uid": "5b3d7c52-0000-4000-8000-000000000004",
}
COLUMNS = columns(
    EXAMPLE,
    count=("position",),
    day=("day", "of_day"),
    instant=("at", "recorded_at"),
    money=("amount",),
)
KEY = ("property", "position")
FILTERS = ("from", "to", "property", "table")
ACT = "see-hold"
MADE_OF = "ledger"


def rows(selection: Selection) -> Iterator[Row]:
    """Yield one row for each adjustment. The column `amount` is the amount by which the adjustment changes
    the win of the gaming day in `of_day`. The column `of` is the uid of the corrected fact, if there is one.
    """
    table, left = selection.table, selection.limit
    for recorded, opened in facts.adjusted(selection._replace(table=None, limit=None)):
        fact = recorded.fact
        if table is not None and fact.of_table != table:
            continue
        currency = opened.currency if opened is not None else ""
        yield (
            recorded.property,
            recorded.position,
            fact.day.isoformat(),
            fact.of_table,
            fact.of_day.isoformat(),
            fact.what,
            currency,
            decimal(fact.amount, currency),
            fact.reason,
            fact.by,
            fact.second,
            fact.of,
            timestamp(fact.at),
            timestamp(recorded.recorded_at),
            recorded.uid,
        )
        if left is not None:
            left -= 1
            if not left:
                return

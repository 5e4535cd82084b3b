"""The rows of the tally, from which every report calculates its sums, with amounts as decimals of their
currency.
"""

from __future__ import annotations

from audit.queries import findings
from audit.queries.exported_rows import TALLY
from audit.queries.list_filters import Query, Selection
from casino.exports.datasets import columns

TITLE = "Tally"
COLUMNS = columns(TALLY, count=("rounds", "bets", "opening", "voided"), money=findings.MONEY, day=("day",))
KEY = findings.KEY
FILTERS = ("from", "to", "property", "table", "game")
ACT = "see-hold"
MADE_OF = "fold"
EXAMPLE = {
    "property": "aurora",
    "stream": "aurora/EOU-01/2026-11-27",
    "day": "2026-11-27",
    "currency": "USD",
    "shift": "swing",
    "hour": "2026-11-27T16-08:00",
    "dealer": "d-101",
    "wager": "over",
    "pay_table": "",
    "price_class": "",
    "opening": 1,
    "rounds": 41,
    "bets": 88,
    "staked": "12500.00",
    "paid": "5200.00",
    "taken": "6100.00",
    "returned": "0.00",
    "squared": "187500000",
    "voided": 0,
    "found": "{}",
}


def query(selection: Selection) -> Query:
    """Return a query that selects the rows of the tally. Each table's gaming day has one row for each dealer,
    hour, wager, pay table, opening, and price class (a condition on which the odds of a wager depend and
    which is known when it is bet).
    """
    return findings.tally(selection)

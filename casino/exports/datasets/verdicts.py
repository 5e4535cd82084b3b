"""All verdicts in the order of commit: gaming day, finding and hand, who gave the verdict, and how much it
saved or cost.
"""

from __future__ import annotations

from audit.queries import findings
from audit.queries.list_filters import Query, Selection
from casino.exports.datasets import columns

TITLE = "Verdicts"
_TYPES = {"count": ("position", "number"), "day": ("day", "of_day"), "instant": ("at",)}
_MONEY = ("savings", "losses", "recovered")
COLUMNS = columns(findings.VERDICT, **_TYPES, money=_MONEY)
FILE_COLUMNS = columns(findings.EXPORTED_VERDICT, **_TYPES, money=(*_MONEY, "owed", "moved"))
KEY = ("property", "position")
FILTERS = ("from", "to", "property", "table", "game", "code")
ACT = "see-findings"
MADE_OF = "verdicts"
EXAMPLE = {
    "property": "aurora",
    "position": 91007,
    "day": "2026-11-28",
    "at": "2026-11-28T09:12:00.000000Z",
    "table": "aurora/EOU-01",
    "of_day": "2026-11-27",
    "stream": "aurora/EOU-01/2026-11-27",
    "number": 412,
    "round": "r-0038",
    "finding": "5b3d7c52-0000-4000-8000-000000000001:wrong-settlement:1:over",
    "code": "wrong-settlement",
    "says": "Spot 1, over: owed 25.00 USD, moved 50.00 USD.",
    "currency": "USD",
    "owed": "2500",
    "moved": "5000",
    "verdict": "confirmed",
    "disposition": "",
    "savings": "0.00",
    "losses": "25.00",
    "recovered": "0.00",
    "by": "v-101",
    "second": None,
    "lacks_second": "",
    "note_sha256": None,
    "uid": "5b3d7c52-0000-4000-8000-000000000002",
}


def query(selection: Selection) -> Query:
    """Return a query that selects one row for each verdict. `owed` and `moved` are in exact minor units, as
    the officer saw them.
    """
    return findings.verdicts(selection)


def file_query(selection: Selection) -> Query:
    """Return a query that selects one row for each verdict with the columns of a file. `owed` and `moved` are
    decimals of the table's currency.
    """
    return findings.exported_verdicts(selection)

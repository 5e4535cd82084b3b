"""Credits, one by one in the order of commit: which chips came back from which table, who signed, and whether
the slip was voided.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.queries.list_filters import Asked
from casino.exports.datasets import slips as listed
from casino.reports.columns import Row

TITLE = "Credits"
COLUMNS = listed.COLUMNS
KEY = listed.KEY
FILTERS = listed.FILTERS
ACT = "see-hold"
MADE_OF = "ledger"
EXAMPLE = listed.EXAMPLE | {"slip": "C-EOU01-2026-3"}


def rows(asked: Asked) -> Iterator[Row]:
    """One row for each credit that was sent."""
    return listed.rows(asked, "credit-sent")

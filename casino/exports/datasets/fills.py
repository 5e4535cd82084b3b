"""Fills, one by one in the order of commit: which chips were sent to a table, who signed, and if the slip was
voided.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.queries.list_filters import Selection
from casino.exports import slip_rows
from casino.reports.columns import Row

TITLE = "Fills"
COLUMNS = slip_rows.COLUMNS
KEY = slip_rows.KEY
FILTERS = slip_rows.FILTERS
ACT = "see-hold"
MADE_OF = "ledger"
EXAMPLE = slip_rows.EXAMPLE | {"slip": "F-EOU01-2026-17"}


def rows(selection: Selection) -> Iterator[Row]:
    """Yield one row for each fill that was sent."""
    return slip_rows.rows(selection, "fill-sent")

"""Every recorded fact, its body as it was recorded, in the order of commit."""

from __future__ import annotations

from audit.queries import recorded
from audit.queries.asked import Asked, Query
from casino.sources import columns

TITLE = "Facts"
COLUMNS = columns(recorded.FACT, count=("position", "number"), instant=("recorded_at",))
KEY = ("property", "position")
FILTERS = ("from", "to", "property", "table", "game", "kind")
ACT = "see-facts"
RECORDED = "body"


def query(asked: Asked) -> Query:
    """One row for each fact."""
    return recorded.facts(asked)

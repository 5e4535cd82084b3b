"""Every recorded fact, with its body as it was recorded, in the order of commit."""

from __future__ import annotations

from audit.queries import facts as recorded
from audit.queries.list_filters import Query, Selection
from casino.exports.datasets import columns

TITLE = "Facts"
COLUMNS = columns(recorded.FACT, count=("position", "number"), instant=("recorded_at",))
KEY = ("property", "position")
FILTERS = ("from", "to", "property", "table", "game", "kind")
ACT = "see-facts"
RECORDED = "body"
MADE_OF = "ledger"
EXAMPLE = {
    "property": "aurora",
    "position": 90211,
    "stream": "aurora/EOU-01/2026-11-27",
    "number": 412,
    "kind": "round-opened",
    "uid": "5b3d7c52-0000-4000-8000-000000000001",
    "round": "r-0038",
    "recorded_at": "2026-11-27T20:00:00.500000Z",
    "body": '{"at":"2026-11-27T12:00:00-08:00","day":"2026-11-27","kind":"round-opened"}',
}


def query(selection: Selection) -> Query:
    """Return a query that selects one row for each fact."""
    return recorded.facts(selection)

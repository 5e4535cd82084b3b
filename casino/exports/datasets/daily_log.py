"""The daily log of surveillance in the order of its numbers. The words of an entry are missing if they were
erased; their SHA-256 stays.
"""

from __future__ import annotations

from audit.queries import daily_log
from audit.queries.list_filters import Query, Selection
from casino.exports.datasets import columns

TITLE = "Log entries"
COLUMNS = columns(
    daily_log.ENTRY,
    count=("position", "number", "corrects", "closes"),
    day=("day", "of_day"),
    instant=("at", "happened_at"),
)
KEY = ("property", "position")
FILTERS = ("from", "to", "property", "table")
ACT = "see-log"
MADE_OF = "verdicts"
EXAMPLE = {
    "property": "aurora",
    "position": 91007,
    "number": 412,
    "day": "2026-11-28",
    "at": "2026-11-28T09:12:00.000000Z",
    "happened_at": "2026-11-28T09:10:00.000000Z",
    "type": "fill",
    "about": "EOU-01, fill F-EOU01-000417, gaming day 28 Nov 2026",
    "words": "Watched from the cage to the tray.",
    "place": None,
    "table": "aurora/EOU-01",
    "of_day": "2026-11-28",
    "round": None,
    "of": "5b3d7c52-0000-4000-8000-000000000001",
    "camera": "cam-11",
    "video": "cam-11 2026-11-28T09:08:00Z to 2026-11-28T09:11:00Z",
    "disposition": "in order",
    "pending": "",
    "corrects": None,
    "closes": None,
    "by": "v-101",
    "words_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "uid": "5b3d7c52-0000-4000-8000-000000000002",
}


def query(selection: Selection) -> Query:
    """Return a query that selects one row for each entry."""
    return daily_log.entries(selection)

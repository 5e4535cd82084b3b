"""Every verdict that was given, in the order of commit: on which day, on what finding of which hand, by whom, and what it saved or cost."""

from __future__ import annotations

from audit.queries import judged
from audit.queries.asked import Asked, Query
from casino.sources import columns

TITLE = "Verdicts"
COLUMNS = columns(
    judged.VERDICT, count=("position", "number"), day=("day", "of_day"), instant=("at",), money=("savings", "losses", "recovered")
)
KEY = ("property", "position")
FILTERS = ("from", "to", "property", "table", "game", "code")
ACT = "see-findings"


def query(asked: Asked) -> Query:
    """One row for each verdict; `owed` and `moved` are exact minor units as the officer saw them."""
    return judged.verdicts(asked)

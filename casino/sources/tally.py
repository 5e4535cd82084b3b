"""The tally's rows, which every report adds up: amounts as decimals of their currency."""

from __future__ import annotations

from audit.queries import TALLY, judged
from audit.queries.asked import Asked, Query
from casino.sources import columns

TITLE = "Tally"
COLUMNS = columns(TALLY, count=("rounds", "bets", "opening", "voided"), money=judged.MONEY, day=("day",))
KEY = judged.KEY
FILTERS = ("from", "to", "property", "table", "game")
ACT = "see-hold"


def query(asked: Asked) -> Query:
    """One row for each dealer, hour, wager and price of a table's day."""
    return judged.tally(asked)

"""Every round that has ended, in the order of play: who dealt it under which rules, and what was wagered and
moved in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.queries import rounds
from audit.queries.list_filters import Selection
from casino.exports.datasets import columns, timestamp
from casino.reports.columns import Row
from games.kit.amounts import decimal

TITLE = "Rounds"
_MONEY = ("staked", "paid", "taken", "returned")
COLUMNS = columns(
    rounds.FinishedRound._fields,
    count=("number", "bets"),
    day=("day",),
    instant=("opened_at", "ended_at"),
    money=_MONEY,
)
KEY = ("property", "stream", "number")
FILTERS = ("from", "to", "property", "table", "game")
ACT = "see-facts"
MADE_OF = "ledger"
EXAMPLE = {
    "property": "aurora",
    "stream": "aurora/EOU-01/2026-11-27",
    "number": 401,
    "table": "aurora/EOU-01",
    "day": "2026-11-27",
    "round": "r-0038",
    "game": "easy_over_under",
    "edition": "2010-02-05",
    "shift": "swing",
    "dealer": "d-101",
    "opened_at": "2026-11-28T00:10:00.000000Z",
    "ended_at": "2026-11-28T00:10:48.000000Z",
    "voided": "",
    "currency": "USD",
    "bets": 3,
    "staked": "125.00",
    "paid": "25.00",
    "taken": "75.00",
    "returned": "0.00",
}


def rows(selection: Selection) -> Iterator[Row]:
    """Yield one row for each round. Rounds are read from replay, not with SQL."""
    for round in rounds.rounds(selection):
        money = {name: decimal(getattr(round, name), round.currency) for name in _MONEY}
        texts = {"day": round.day.isoformat(), "voided": "yes" if round.voided else ""}
        texts |= {"opened_at": timestamp(round.opened_at), "ended_at": timestamp(round.ended_at)}
        yield tuple((round._asdict() | texts | money).values())

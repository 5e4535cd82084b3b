"""Rows of the datasets `fills` and `credits`: one for each slip, read from the facts, with its table's
currency and its current state.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import json

from audit.queries import facts
from audit.queries.list_filters import Selection
from audit.replay.tally import shift_of
from casino.exports.datasets import columns, timestamp
from casino.reports.columns import Row
from games.kit.amounts import decimal

EXAMPLE = {
    "property": "aurora",
    "position": 90300,
    "table": "aurora/EOU-01",
    "day": "2026-11-27",
    "shift": "swing",
    "slip": "",
    "state": "sent",
    "currency": "USD",
    "amount": "5000.00",
    "chips": '{"10000":40,"2500":40}',
    "requested_by": "s-201",
    "sent_by": "c-101",
    "carried_by": "g-101",
    "received_by": "d-101",
    "verified_by": "s-202",
    "at": "2026-11-28T01:02:03.000000Z",
    "recorded_at": "2026-11-28T01:02:03.400000Z",
    "stream": "aurora/EOU-01/2026-11-27",
    "number": 640,
    "uid": "5b3d7c52-0000-4000-8000-000000000005",
}
COLUMNS = columns(
    EXAMPLE,
    count=("position", "number"),
    day=("day",),
    instant=("at", "recorded_at"),
    money=("amount",),
)
KEY = ("property", "position")
FILTERS = ("from", "to", "property", "table", "game", "slip")


def rows(selection: Selection, kind: str) -> Iterator[Row]:
    """Yield one row for each slip of this kind. `state` is `voided` if the slip was voided later, and
    otherwise `sent`.

    `chips` is JSON: an object of denominations and numbers of chips.
    """
    for recorded, other_facts in facts.of_kinds(selection, (kind,), (kind, "slip-voided")):
        slip, opened = recorded.fact, other_facts.opened(recorded.number)
        currency = opened.currency if opened is not None else ""
        state = "voided" if facts.voided(recorded.number, slip, other_facts) else "sent"
        yield (
            recorded.property,
            recorded.position,
            slip.table,
            slip.day.isoformat(),
            shift_of(opened, slip.at),
            slip.slip,
            state,
            currency,
            decimal(slip.amount, currency),
            json.encode(slip.chips).decode(),
            slip.requested_by,
            slip.sent_by,
            slip.carried_by,
            slip.received_by,
            slip.verified_by,
            timestamp(slip.at),
            timestamp(recorded.recorded_at),
            recorded.stream,
            recorded.number,
            recorded.uid,
        )

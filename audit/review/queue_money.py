"""The amounts of the hands in the queue, by kind: to players, to the casino, and chips that are missing or
surplus.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from audit.review.projections import CHIP_CODES

_OF_CHIPS = f"coalesce(q.codes[1] = ANY ('{{{','.join(CHIP_CODES)}}}'), false)"
MONEY = {
    "any": "(q.to_player > 0 OR q.to_house > 0)",
    "to-players": f"q.to_player > 0 AND NOT {_OF_CHIPS}",
    "to-the-casino": f"q.to_house > 0 AND NOT {_OF_CHIPS}",
    "chips-missing": f"q.to_player > 0 AND {_OF_CHIPS}",
    "chips-surplus": f"q.to_house > 0 AND {_OF_CHIPS}",
}
"""SQL conditions of the filter for money: hands with an amount of any kind, or with an amount of one kind."""
AMOUNTS = {
    "to-players": "to_player",
    "to-the-casino": "to_house",
    "chips-missing": "to_player",
    "chips-surplus": "to_house",
}
"""For each kind of amount in MONEY: its column."""


class MoneyTotal(NamedTuple):
    """The amounts of hands in one currency, in minor units."""

    currency: str
    to_players: Decimal
    to_the_casino: Decimal
    chips_missing: Decimal
    chips_surplus: Decimal

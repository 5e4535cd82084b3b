"""Count the hands in the queue. Hands that need a verdict are counted by state, grade and code. Hands with
findings are counted by gaming day. The queries read the rows of the queue through its indexes.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

from audit import database
from audit.queries.tray_equation import CHIP_CODES
from audit.review.projections import GRADES
from audit.review.queue import AWAKE, NOTICE_RANK, WAITS


class Count(NamedTuple):
    """The number of hands that need a verdict and have the same state, grade, codes and currency. Amounts are
    in minor units.

    Attributes:
        codes: the codes of the findings of each of these hands.
        snoozed: how many of these hands are snoozed.
        wakes: the time at which the first snoozed hand is shown again.
        oldest: the time of the earliest hand.
    """

    state: str
    grade: str
    codes: list[str]
    currency: str
    hands: int
    snoozed: int
    wakes: datetime | None
    to_player: Decimal
    to_house: Decimal
    oldest: datetime

    @property
    def is_of_chips(self) -> bool:
        """Return True if the amounts are missing and surplus chips, not a player's win or loss."""
        return bool(self.codes) and self.codes[0] in CHIP_CODES


_WAITING = f"""SELECT q.state, q.rank, coalesce(q.codes, '{{}}'), q.currency, count(*),
        count(*) FILTER (WHERE NOT {AWAKE}), min(q.until) FILTER (WHERE NOT {AWAKE}),
        sum(q.to_player), sum(q.to_house), min(q.at)
    FROM queued q WHERE q.property = %s AND {WAITS} GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 4, 1"""


def waiting(property: str) -> list[Count]:
    """Return the numbers of hands of a property that need a verdict, on all gaming days. The gravest grade
    comes first.
    """
    return [
        Count(state, GRADES[rank - 1], *values)
        for state, rank, *values in database.rows(_WAITING, [property])
    ]


def number(counts: Iterable[Count]) -> int:
    """Return the number of hands in these counts."""
    return sum(count.hands for count in counts)


def by_day(property: str, begins: date, ends: date) -> dict[date, dict[str, int]]:
    """Return {gaming day: {grade: hands with findings}} for the days from `begins` up to but not including
    `ends`. Hands that have only notices are not counted.
    """
    query = """SELECT q.day, q.rank, count(*) FROM queued q
        WHERE q.property = %s AND q.day >= %s AND q.day < %s AND q.rank < %s GROUP BY 1, 2 ORDER BY 1, 2"""
    days: dict[date, dict[str, int]] = {}
    for day, rank, hands in database.rows(query, [property, begins, ends, NOTICE_RANK]):
        days.setdefault(day, {})[GRADES[rank - 1]] = hands
    return days

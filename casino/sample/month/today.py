"""A gaming day that has begun and is not over: tables are open, a drop box is not counted yet, and markers
are not paid yet.

The day can be any day after the present day of the sample property. Its openers count the amounts that the
closers of the present day left. Slip serials continue from the present day.
"""

from __future__ import annotations

from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from casino.sample.month.cage import DayEnd, Irregularities, SlipPlan
from casino.sample.month.days import month_table
from casino.sample.month.sample_property import DAY, FLOOR, PROPERTY, ZONE, table_of
from casino.sample.month.table_day import MonthDay
from casino.sample.tables.staff import FLOOR_STAFF

OPEN = {"EOU-01": 5, "EOU-03": 8, "COU-01": 6, "HS-01": 4, "AB-01": 7, "BTP-01": 5}
"""The tables that are open, and the number of rounds that each has played since the day began."""
PULLED = "EOU-03"
"""The table whose first drop box has been pulled and not counted yet."""


def sample_today(day: date, seed: int = 1) -> list[dict[str, Any]]:
    """Return the facts of this gaming day, table by table. No round is open. Raises ValueError if the day is
    not after the present day of the sample.
    """
    if day <= DAY:
        raise ValueError(f"{day} is not after {DAY}")
    return [
        fact
        for place, (code, *_) in enumerate(FLOOR)
        if code in OPEN
        for fact in table_so_far(place, day, seed)
    ]


def table_so_far(place: int, day: date, seed: int) -> list[dict[str, Any]]:
    """Return the facts of one table's day so far."""
    code, game, pit, *_ = FLOOR[place]
    of, cage = month_table(place, seed), table_of(place, seed).played().cage
    month_day = MonthDay(
        game,
        f"today/{code}/{day}/{seed}",
        staff=FLOOR_STAFF[pit],
        serials=cage.serials if cage else {},
        leaves=0,
        property=PROPERTY,
        table=code,
        day=day,
        pit=pit,
        zone=ZoneInfo(ZONE),
        **of.settings,
    )
    month_day.begin(DayEnd(of.closer), of.tray, SlipPlan(), Irregularities())
    month_day.begun(OPEN[code], pulled=code == PULLED)
    return month_day.facts()

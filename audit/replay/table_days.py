"""The gaming days of a property's tables that the ledger fold has read so far. They show which days are open,
and in which currency a table plays.

Pure. It is part of the fold's state. Only the last `IN_FULL` days of each table that are not closed are
stored with details. All other days are stored as ranges of dates.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from msgspec import Struct, field

from audit import facts as f
from games import GAMES
from games.kit import events as e
from games.kit.events import Event

IN_FULL = 31
"""The number of open days that are stored with details for each table. For older open days only the date is
stored.
"""
Range = tuple[int, int]
"""The first and the last of consecutive days, as date ordinals."""


class TableDay(Struct):
    """A gaming day of a table that has not been closed, with the settings of the last `table-opened`."""

    table: str
    day: date
    game: str
    currency: str
    limits: dict[str, tuple[int, int]]
    shifts: dict[str, datetime]
    is_open: bool = True
    """False after a `table-closed`."""

    @property
    def is_live_dealer(self) -> bool:
        """Return True if the table's game is dealt to remote players. Such a table has no tray and no box."""
        return self.game in GAMES and GAMES[self.game].live_dealer


class TableDays(Struct):
    """All gaming days that have been read so far."""

    open: dict[str, TableDay] = field(default_factory=dict)
    """The day of each stream that is not closed and is stored with details."""
    left: dict[str, list[Range]] = field(default_factory=dict)
    """For each table: its older days that are not closed."""
    closed: dict[str, list[Range]] = field(default_factory=dict)
    """For each table: its closed days."""
    live: dict[str, bool] = field(default_factory=dict)
    """For each table: True if it was last opened as a live-dealer table."""

    def take(self, stream: str, event: Event) -> None:
        """Read a fact, after the checks have seen it."""
        if isinstance(event, e.TableOpened):
            self.open_table(stream, event)
        elif isinstance(event, e.TableClosed):
            if stream in self.open:
                self.open[stream].is_open = False
        elif isinstance(event, f.DayClosed):
            self.open.pop(stream, None)
            remove(self.left.get(event.table, []), event.day.toordinal())
            add(self.closed.setdefault(event.table, []), event.day.toordinal())

    def open_table(self, stream: str, event: e.TableOpened) -> None:
        """Store the settings of a table that is opened. If the table has more than IN_FULL open days, store
        only the date of the oldest one.
        """
        shifts = dict(self.open[stream].shifts) if stream in self.open else {}
        day = TableDay(
            event.table,
            event.day,
            event.game,
            event.currency,
            dict(event.limits),
            shifts | (event.shifts or {}),
        )
        self.open[stream] = day
        self.live[event.table] = day.is_live_dealer
        open_days = sorted(
            (open_day.day, name) for name, open_day in self.open.items() if open_day.table == event.table
        )
        for old, name in open_days[:-IN_FULL]:
            del self.open[name]
            add(self.left.setdefault(event.table, []), old.toordinal())

    def currency(self, stream: str) -> str:
        """Return the currency in which the table plays on that day, or an empty text if it is not known."""
        return self.open[stream].currency if stream in self.open else ""

    def is_closed(self, table: str, day: date) -> bool:
        """Return True if this gaming day of the table has been closed."""
        return within(self.closed.get(table, []), day.toordinal())

    def is_known(self, table: str, day: date) -> bool:
        """Return True if the table was opened on this gaming day."""
        return (
            f"{table}/{day.isoformat()}" in self.open
            or self.is_closed(table, day)
            or within(self.left.get(table, []), day.toordinal())
        )

    def open_before(self, table: str, day: date) -> Iterator[date]:
        """Yield the earlier gaming days of the table that are not closed, in their order."""
        for first, last in self.left.get(table, []):
            for ordinal in range(first, min(last, day.toordinal() - 1) + 1):
                yield date.fromordinal(ordinal)
        yield from sorted(
            open_day.day for open_day in self.open.values() if open_day.table == table and open_day.day < day
        )


def keep_latest(of_streams: dict[str, Any], stream: str, limit: int = IN_FULL) -> None:
    """Delete the data of the oldest days of a stream's table, so that at most `limit` days remain. The
    data then stay small even if a property never closes its days.
    """
    table = stream.rpartition("/")[0]
    streams = sorted(stream for stream in of_streams if stream.rpartition("/")[0] == table)
    for old in streams[:-limit]:
        del of_streams[old]


def within(ranges: list[Range], ordinal: int) -> bool:
    """Return True if one of the ranges includes the day."""
    place = bisect_right(ranges, (ordinal, date.max.toordinal())) - 1
    return place >= 0 and ranges[place][0] <= ordinal <= ranges[place][1]


def add(ranges: list[Range], ordinal: int) -> None:
    """Add a day to sorted ranges, joining adjacent ones."""
    if within(ranges, ordinal):
        return
    place = bisect_right(ranges, (ordinal, ordinal))
    first = last = ordinal
    if place < len(ranges) and ranges[place][0] == ordinal + 1:
        last = ranges.pop(place)[1]
    if place > 0 and ranges[place - 1][1] == ordinal - 1:
        place -= 1
        first = ranges.pop(place)[0]
    ranges.insert(place, (first, last))


def remove(ranges: list[Range], ordinal: int) -> None:
    """Remove a day from sorted ranges, if one of them includes it."""
    for place, (first, last) in enumerate(ranges):
        if first <= ordinal <= last:
            ranges[place : place + 1] = [
                part for part in ((first, ordinal - 1), (ordinal + 1, last)) if part[0] <= part[1]
            ]
            return

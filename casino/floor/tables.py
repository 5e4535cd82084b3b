"""The present state of a property's tables, by pit. The floor's board, the page of a table and the live wall
show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from django.utils import timezone

from audit.queries import floor as queries
from audit.queries.floor import Now
from audit.review.projections import GRADES
from casino.accounts.names import names_of
from casino.reference import calendar
from casino.reference.registers import values_on
from casino.reports.grouping import Pits
from games.kit.events import DealerSeated, Event, kind_of

LATE, SILENT = timedelta(minutes=10), timedelta(minutes=30)
"""Two limits of the time since the last fact of an open table. After the first, the board shows the table as
late. After the second, it shows the table as silent.
"""


@dataclass(frozen=True)
class Row:
    """One table on the board. Its state is computed once, because a page needs it several times.

    Attributes:
        now: its current state, or None if it was never opened.
    """

    code: str
    pit: str
    now: Now | None
    today: date
    registered_game: str

    @cached_property
    def state(self) -> str:
        """Return `open`, `behind` (open on an earlier gaming day), `closed` or `day-closed`."""
        if self.now is None:
            return "closed"
        if self.now.is_open:
            return "open" if self.of_today else "behind"
        return "day-closed" if self.now.sealed and self.of_today else "closed"

    @property
    def of_today(self) -> bool:
        """Return True if the table's last gaming day is the property's current gaming day or a later one. It
        is later if the clock of a feed is ahead.
        """
        return self.now is not None and self.now.day >= self.today

    @cached_property
    def is_open(self) -> bool:
        """Return True if the table is open, on any gaming day."""
        return self.state in ("open", "behind")

    @property
    def game(self) -> str:
        """Return the game that is open at the table. If the table is not open, return the game with which it
        would be opened now.
        """
        return (
            self.now.opened.game
            if self.now is not None and self.is_open
            else self.registered_game or self.last_game
        )

    @property
    def last_game(self) -> str:
        """Return the game of the table when it was last opened. Return empty text if it was never opened."""
        return self.now.opened.game if self.now is not None else ""

    @property
    def grade(self) -> str:
        """Return the gravest grade among the hands of the table that are in the queue. Return empty text if
        no hand of the table is in the queue.
        """
        return GRADES[self.now.rank - 1] if self.now is not None and self.now.rank else ""

    @property
    def last(self) -> Event | None:
        """Return the last fact that the table reported, or None if it was never opened."""
        return self.now.last_report if self.now is not None else None

    @cached_property
    def age(self) -> timedelta:
        """Return the time since the last fact of the table, or 0 if the clock of the fact's sender is
        ahead.
        """
        return max(timezone.now() - self.last.at, timedelta()) if self.last is not None else timedelta()

    @cached_property
    def lateness(self) -> str:
        """Return `late` or `silent` if the equipment of an open table has not reported for some time.
        Otherwise, return empty text.
        """
        if self.now is None or not self.is_open or not self.now.opened.sees:
            return ""
        return "silent" if self.age >= SILENT else "late" if self.age >= LATE else ""

    @property
    def last_kind(self) -> str:
        """Return the kind of the table's last fact, or empty text if the table was never opened."""
        return kind_of(type(self.last)) if self.last is not None else ""


class Pit(NamedTuple):
    """A pit with its tables."""

    name: str
    title: str
    rows: list[Row]


def rows_of(property: str, today: date, *, with_slips: bool = True) -> list[Row]:
    """Return every table that is in the register, is open or was open today, sorted by name.

    Args:
        property: the casino.
        today: its gaming day.
        with_slips: False to leave out the fills and credits of the tables.
    """
    states = queries.board(property, today, with_slips=with_slips)
    known = {state.table.partition("/")[2]: state for state in states}
    registered = values_on(property, "tables", today)
    pits = Pits()
    codes = registered.keys() | {
        code for code, state in known.items() if not registered or state.is_open or state.day >= today
    }
    return [
        Row(
            code,
            pits.pit(f"{property}/{code}", today),
            known.get(code),
            today,
            registered_game_of(registered.get(code)),
        )
        for code in sorted(codes)
    ]


def registered_game_of(value: Any) -> str:
    game = value.get("game") if isinstance(value, dict) else None
    return game if isinstance(game, str) else ""


def pits_of(property: str, today: date, rows: list[Row]) -> Iterable[Pit]:
    """Yield the pits of these tables, each with its tables. Tables that belong to no pit come last, as a
    group of their own.
    """
    registered = values_on(property, "pits", today) if any(row.pit for row in rows) else {}
    for name, inside in groupby(
        sorted(rows, key=lambda row: (row.pit == "", row.pit, row.code)), key=lambda row: row.pit
    ):
        yield Pit(name, _title(registered, name) if name else "No pit", list(inside))


def title_of(property: str, today: date, pit: str) -> str:
    """Return the title of a pit from the register `pits`. If there is no title, return the name of the
    pit.
    """
    return _title(values_on(property, "pits", today), pit)


def _title(registered: Mapping[str, Any], pit: str) -> str:
    entry = registered.get(pit)
    title = entry.get("title") if isinstance(entry, dict) else None
    return str(title or pit)


def shift_now(property: str, today: date) -> str:
    """Return the current shift; empty if the day has no shifts."""
    started = [name for name, begins in calendar.shifts(property, today).items() if begins <= timezone.now()]
    return started[-1] if started else ""


def names_at(seats: Iterable[DealerSeated | None]) -> dict[str, str]:
    """Return {staff ID: name} for the dealers and supervisors of these seats."""
    return names_of(id for seat in seats if seat is not None for id in (seat.dealer, seat.supervisor) if id)

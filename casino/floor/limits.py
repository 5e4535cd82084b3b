"""The limits of open tables: those in force now, and those of the register that will replace them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from casino.floor.tables import Row
from casino.presentation.formatting import wager_label
from casino.reference.registers import values_on

Range = tuple[int, int]
"""The minimum and the maximum of a wager, in minor units."""
EVERY = "*"
"""The name of limits that apply to every wager of a table."""


class TableLimit(NamedTuple):
    """The limits of one wager at an open table.

    Attributes:
        now: the limits in force now.
        due: the limits of the register, or None if they are the limits in force now.
        due_on: the gaming day from which the register has these limits. They apply when the table is opened
            for the first time on this day or later.
    """

    row: Row
    wager: str
    currency: str
    now: Range
    due: Range | None
    due_on: date | None

    @property
    def label(self) -> str:
        """Return the name of the wager."""
        return "Every wager" if self.wager == EVERY else wager_label(self.wager)


def table_limits(property: str, today: date, rows: Sequence[Row]) -> list[TableLimit]:
    """Return the limits of the wagers at the open tables, in the order of the tables. The register is read
    for today and for tomorrow.
    """
    days = [(day, values_on(property, "tables", day)) for day in (today, today + timedelta(days=1))]
    return [limit for row in rows if row.is_open for limit in _of_table(row, days)]


def with_change(limits: Sequence[TableLimit]) -> list[TableLimit]:
    """Return the limits that will change."""
    return [limit for limit in limits if limit.due is not None]


def _of_table(row: Row, days: Sequence[tuple[date, Mapping[str, Any]]]) -> Iterator[TableLimit]:
    """Yield the limits of the wagers at one open table.

    Args:
        days: each day with the register of tables on it.
    """
    assert row.now is not None
    opened = row.now.opened
    for wager, (low, high) in opened.limits.items():
        due = None
        for day, register in days:
            entered = _entered(register.get(row.code), opened.game, wager)
            if due is None and entered is not None and entered != (low, high):
                due = (entered, day)
        yield TableLimit(row, wager, opened.currency, (low, high), *(due or (None, None)))


def _entered(entry: Any, game: str, wager: str) -> Range | None:
    """Return the limits of a wager in an entry of the register `tables`. Return None if the entry names
    another game or no limits of the wager.
    """
    limits = entry.get("limits") if isinstance(entry, dict) and entry.get("game") == game else None
    bounds = limits.get(wager) if isinstance(limits, dict) else None
    return (bounds[0], bounds[1]) if isinstance(bounds, list | tuple) and len(bounds) == 2 else None

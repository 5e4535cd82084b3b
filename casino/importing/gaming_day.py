"""The gaming day that an instant belongs to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

from audit import facts as f
from audit import store
from audit.registers import Registers

DayOf = Callable[[datetime], date]


def gaming_days(property: str) -> DayOf:
    """Instant to gaming day, as the property's register `day-begins` has it; without an entry the date by the instant's own clock."""
    rows = (f.decode(body) for _, _, _, body in store.read_kinds(property, {"register-set"}))
    registers = Registers(entry for entry in rows if isinstance(entry, f.RegisterSet))

    def day_of(at: datetime) -> date:
        shown = at.date()
        for days in (0, -1, 1):
            day = shown + timedelta(days=days)
            bounds = registers.day(day)
            if bounds is not None and bounds[0] <= at < bounds[1]:
                return day
        return shown

    return day_of

"""Compute gaming days from the register entries in a property's ledger."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

from audit import facts as f
from audit.ledger import store
from audit.replay.registers import Registers

DayOf = Callable[[datetime], date]


def entries_of(property: str) -> list[tuple[f.RegisterSet, bytes]]:
    """Return every register entry of a property in the order of commit, with the bytes of its fact."""
    rows = [(f.decode(body), body) for _, _, _, body in store.read_kinds(property, {"register-set"})]
    return [(entry, body) for entry, body in rows if isinstance(entry, f.RegisterSet)]


def gaming_days(property: str) -> DayOf:
    """Return a function that computes the gaming day of an instant according to the register `day-begins`.

    Without an entry, the function returns the date of the instant in the instant's own UTC offset.
    """
    registers = Registers(entry for entry, _ in entries_of(property))
    return lambda at: registers.day_of(at) or at.date()

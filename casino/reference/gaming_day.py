"""Compute gaming days from the register entries in a property's ledger."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

from audit import facts as f
from audit.ledger import store
from audit.replay.registers import Registers

DayOf = Callable[[datetime], date]


def entries_of(property: str) -> list[tuple[f.RegisterSet, bytes]]:
    """Return every register entry of a property with the bytes of its fact, in order of commit."""
    rows = [(f.decode(body), body) for _, _, _, body in store.read_kinds(property, {"register-set"})]
    return [(entry, body) for entry, body in rows if isinstance(entry, f.RegisterSet)]


def gaming_days(property: str) -> DayOf:
    """Return a function that returns the gaming day of an instant, by the register `day-begins`. Without an
    entry it returns the date by the instant's own offset.
    """
    registers = Registers(entry for entry, _ in entries_of(property))
    return lambda at: registers.day_of(at) or at.date()

"""An entry of a register can be read: it says what its register holds, it holds on some day, and no other entry says the opposite.

An entry that cannot be read has no effect. So a gaming day would begin by no clock, or a letter would cover nothing, without a word. The
shapes are those of the event reference (`audit/facts/registers.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, time
from typing import Any

from msgspec import ValidationError, convert

from audit import approvals, clock
from audit import facts as f
from audit.checks import Ledger, LedgerCheck, Nothing
from audit.controls import cite
from audit.facts import is_a_table
from audit.facts.registers import VALUES
from audit.outcome import Finding
from audit.registers import Registers
from games.kit.events import Event

ONE_ENTRY = ("property", "day-begins", "profile")
"""Registers of which one key holds at a time."""


class EntriesRead(LedgerCheck):
    name = "entries-read"
    codes = ("entry-not-understood",)
    cite = cite("EX-01")
    kinds = (f.RegisterSet,)
    Kept = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        assert isinstance(event, f.RegisterSet)
        if event.value is not None and (why := next(wrong(event, ledger.registers), "")):
            says = f"The entry {event.key} of the register {event.register}, by {event.by} and {event.second}: {why}."
            yield self.finding("entry-not-understood", ledger.place, says)


def wrong(entry: f.RegisterSet, registers: Registers) -> Iterator[str]:
    """Yield why an entry cannot be read, or what it contradicts."""
    if entry.from_ is not None and entry.to is not None and entry.to <= entry.from_:
        yield f"it ends on {entry.to}, before it begins on {entry.from_}"
    shape = VALUES.get(entry.register)
    if shape is None:
        return
    try:
        convert(entry.value, shape)
    except ValidationError as error:
        yield f"its value is not understood ({str(error).replace('`', '')})"
        return
    yield from UNREAD.get(entry.register, nothing)(entry)
    yield from contradicted(entry, registers)


def nothing(entry: f.RegisterSet) -> Iterator[str]:
    """Yield nothing: the shape of the register says all that is read of it."""
    yield from ()


def day_begins(entry: f.RegisterSet) -> Iterator[str]:
    """Yield that a time or a zone is none."""
    if clock.day_clock(entry.value) is None:
        yield f"{entry.value['time']} in {entry.value['zone']} is no time of a zone"


def shift(entry: f.RegisterSet) -> Iterator[str]:
    """Yield that a time is none."""
    if clock.shift_begins(entry.value, date(2000, 1, 1), time(), clock.zone_named("UTC")) is None:
        yield f"{entry.value['begins']} is no local time"


def approval(entry: f.RegisterSet) -> Iterator[str]:
    """Yield that a letter names nothing that a game has, or has no name."""
    try:
        unknown = approvals.unknown(approvals.read(entry.value))
    except ValueError as error:
        unknown = str(error)
    if unknown:
        yield unknown
    elif not str(entry.value.get("letter") or "").strip():
        yield "the letter has no name"


def table(entry: f.RegisterSet) -> Iterator[str]:
    """Yield that the key is no table's code."""
    if not is_a_table(entry.key):
        yield "this is no code of a table"


UNREAD = {"day-begins": day_begins, "shifts": shift, "approvals": approval, "tables": table}
"""Register to what its shape does not say."""


def contradicted(entry: f.RegisterSet, registers: Registers) -> Iterator[str]:
    """Yield the other entry of the same days that says the opposite."""
    day = entry.from_ or entry.day
    others = [(key, value) for key, value in registers.on(entry.register, day) if key != entry.key]
    if entry.register in ONE_ENTRY and others:
        yield f"{others[0][0]} holds on {day} too, and this register has one entry"
    for key, value in others:
        if entry.register == "shifts" and begins(value) == begins(entry.value):
            yield f"the shift {key} begins at {begins(value)} too"
        elif entry.register == "accounts" and is_other_account(value, entry.value):
            yield f"the account of {key} has the same number or name, and is another account"


def begins(value: Any) -> Any:
    """Return when a shift begins, as its entry says it."""
    return value.get("begins") if isinstance(value, dict) else None


def is_other_account(one: Any, other: Any) -> bool:
    """Return True if two accounts share a number or a name and are not the same in all."""
    if not isinstance(one, dict):
        return False
    if one.get("number") == other["number"]:
        return (one.get("name"), one.get("type")) != (other["name"], other["type"])
    return bool(one.get("name") == other["name"])


CHECK = EntriesRead

"""Check that a register entry can be read: its value is valid for the register, it is in force on at least
one day, and it does not contradict another entry.

An entry that cannot be read has no effect. Without this check, a gaming day would have no start, or a letter
would cover nothing, and nobody would notice. Validity is checked by the same function as in forms and files
of reference data (`audit/replay/register_values.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, tzinfo

from audit import facts as f
from audit.controls import cite
from audit.facts import clock
from audit.replay import register_values
from audit.replay.checks import Ledger, LedgerCheck, Nothing
from audit.replay.duties import role_conflict
from audit.replay.entry_rules import contradiction
from audit.replay.register_values import Place
from audit.replay.registers import Registers, roles_of
from audit.replay.results import Finding
from games.kit.events import Event


class EntriesRead(LedgerCheck):
    name = "entries-read"
    codes = ("entry-not-understood",)
    cite = cite("EX-01")
    kinds = (f.RegisterSet,)
    StateType = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        assert isinstance(event, f.RegisterSet)
        if event.value is not None and (
            reason := unread(event, ledger.registers) or contradicted(event, ledger.registers)
        ):
            says = (
                f"The entry {event.key} of the register {event.register}, by {event.by} and {event.second}:"
                f" {reason}."
            )
            yield self.finding("entry-not-understood", ledger.place, says)


def unread(entry: f.RegisterSet, registers: Registers) -> str:
    """Return why an entry cannot be read, or an empty text if it can be read. Incompatible roles are not
    reported here, but as `roles-not-apart`.
    """
    if entry.from_ is not None and entry.to is not None and entry.to <= entry.from_:
        return f"it ends on {entry.to}, before it begins on {entry.from_}"
    if entry.register == "people" and role_conflict(roles_of(entry.value) or ()):
        return ""
    zone = zone_on(registers, entry.from_ or entry.day)
    try:
        register_values.check(
            entry.register, entry.value, Place(entry.key, entry.from_, entry.to, zone, entry.day)
        )
    except ValueError as error:
        return str(error)
    return ""


def zone_on(registers: Registers, day: date) -> tzinfo | None:
    """Return the property's time zone on a gaming day, or None if the register `day-begins` has no valid
    entry.
    """
    read = (clock.day_clock(value) for _, value in registers.on("day-begins", day))
    return next((known[1] for known in read if known is not None), None)


def contradicted(entry: f.RegisterSet, registers: Registers) -> str:
    """Return why an entry contradicts another one on its first day, or an empty text if there is no
    contradiction.
    """
    day = entry.from_ or entry.day
    problem = contradiction(entry.register, entry.key, entry.value, day, registers.on(entry.register, day))
    return "" if problem is None else problem.why


CHECK = EntriesRead

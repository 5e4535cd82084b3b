"""Check that a table that is opened is in the register of tables on that day. A device that is registered for
every table (`*`) can open a table that nobody has registered.

Nothing is checked on a day on which the register names no table. The report `coverage` says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Nothing
from audit.replay.registers import Registers
from audit.replay.results import Finding
from games.kit import events as e
from games.kit.events import Event

REGISTER = "tables"


class TablesKnown(LedgerCheck):
    name = "tables-known"
    codes = ("table-unknown",)
    cite = cite("MI-11")
    kinds = (e.TableOpened,)
    rests_on = REGISTER
    StateType = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        table = event.table.partition("/")[2]
        if names_tables(ledger.registers, event.day) and not is_known(ledger.registers, table, event.day):
            says = (
                f"{event.table} was opened and is not in the register of tables on {event.day.isoformat()}."
            )
            yield self.finding("table-unknown", ledger.place, says)


def names_tables(registers: Registers, day: date) -> bool:
    """Return True if the register names any table on this day. Otherwise it cannot be used to judge."""
    return next(registers.on(REGISTER, day), None) is not None


def is_known(registers: Registers, table: str, day: date) -> bool:
    """Return True if the register of tables has an entry of this table on this day, or if an entry of the
    register of pits names it.
    """
    pits = (value for _, value in registers.on("pits", day) if isinstance(value, dict))
    return registers.value(REGISTER, table, day) is not None or any(
        isinstance(tables := pit.get("tables"), list) and table in tables for pit in pits
    )


CHECK = TablesKnown

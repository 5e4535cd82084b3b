"""Check that a device sent to the property's own stream only facts that its entry in the register `devices`
allows. The REST API rejects facts by the same rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Nothing
from audit.replay.devices import device_problem
from audit.replay.registers import Registers
from audit.replay.results import Finding
from games.kit.events import Event


class DeviceFacts(LedgerCheck):
    name = "device-facts"
    codes = ("signer-not-entitled", "adjusted-elsewhere")
    cite = cite("AC-08")
    kinds = f.OF_THE_HOUSE
    rests_on = "devices"
    StateType = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        entry = registration(ledger.registers, event.source, event.day)
        if entry is not None and (problem := device_problem(event.source, entry, event, earlier=True)):
            yield self.finding(problem.code, ledger.place, problem.why)


def registration(registers: Registers, device: str, day: date) -> Any:
    """Return the value of a device's entry on a gaming day, or None if it has no entry. Entries that were
    sent by a device do not count.
    """
    devices = registers.entries["devices"]
    for entry in reversed(devices.get(device, ())):
        if entry.source not in devices and (
            (entry.from_ is None or entry.from_ <= day) and (entry.to is None or day < entry.to)
        ):
            return entry.value
    return None


CHECK = DeviceFacts

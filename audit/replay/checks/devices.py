"""Check that a device sent to the property's own stream only what its entry in the register `devices` allows:
the same rules as those by which the REST API refuses a fact.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Nothing
from audit.replay.devices import device_problem
from audit.replay.results import Finding
from games.kit.events import Event


class DeviceFacts(LedgerCheck):
    name = "device-facts"
    codes = ("signer-not-entitled", "adjusted-elsewhere")
    cite = cite("AC-08")
    kinds = f.OF_THE_HOUSE
    rests_on = "devices"
    Kept = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        entry = ledger.registers.value("devices", event.source, event.day)
        if entry is not None and (problem := device_problem(event.source, entry, event, earlier=True)):
            yield self.finding(problem.code, ledger.place, problem.why)


CHECK = DeviceFacts

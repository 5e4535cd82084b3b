"""A builder for ledgers of a property `aurora`. Tests write a ledger as a list of facts and replay it."""

from __future__ import annotations

from typing import Any

from audit.replay.ledger_fold import LedgerFold, LedgerState, replay_ledger
from audit.replay.registers import Registers
from audit.replay.results import Finding
from games.kit.events import Event
from tests.audit.floor import DAY, OPENING, event

NEXT = "2026-11-28"
PULLED = {"shift": "day", "by": "g-1", "second": "s-1"}
COUNTED = {"shift": "day", "notes": {"1000": 10}, "amount": 10000, "team": ["n-1", "n-2"]}
TWO = {"by": "d-1", "second": "s-1"}
SENT = {
    "chips": {"500": 100},
    "amount": 50000,
    "requested_by": "s-1",
    "sent_by": "c-1",
    "carried_by": "g-1",
    "received_by": "d-1",
}
STAFF = {
    "d-1": "dealer",
    "d-2": "dealer",
    "s-1": "supervisor",
    "s-2": "supervisor",
    "c-1": "cage",
    "c-2": "cage",
    "g-1": "security",
}
STAFF |= {
    "n-1": "count",
    "n-2": "count",
    "a-1": "accounting",
    "a-2": "accounting",
    "v-1": "surveillance",
    "v-2": "surveillance",
}
STAFF |= {"m-1": "administrator", "m-2": "administrator"}


class Book:
    """Builds a ledger fact by fact. `at` is the time of a fact in minutes after noon, by default one minute
    after the previous fact.
    """

    def __init__(self) -> None:
        self.rows: list[tuple[int, str, int, Event]] = []
        self.numbers: dict[str, int] = {}

    def add(
        self, kind: str, table: str = "EOU-01", day: str = DAY, at: int | None = None, **fields: Any
    ) -> Event:
        """Add one fact and return it."""
        place = len(self.rows) + 1
        minute = place if at is None else at
        clock = f"{day}T{12 + minute // 60:02}:{minute % 60:02}:00-08:00"
        fact = event(place, kind, table=f"aurora/{table}", day=day, **{"at": clock} | fields)
        stream = f"aurora/{table}/{day}"
        self.numbers[stream] = self.numbers.get(stream, 0) + 1
        self.rows.append((place, stream, self.numbers[stream], fact))
        return fact

    def open(self, table: str = "EOU-01", day: str = DAY, **fields: Any) -> Event:
        """Add the opening of a table's day and return it."""
        settings = {name: value for name, value in OPENING.items() if name != "kind"}
        return self.add("table-opened", table, day, **settings | fields)

    def enter(self, register: str, key: str, value: Any, **fields: Any) -> Event:
        """Add a fact that sets a register entry, and return it. The entry is in force always, or from the day
        `from` if that is given.
        """
        entry = {"register": register, "key": key, "value": value, "from": None, "by": "m-1", "second": "m-2"}
        return self.add("register-set", "house", **entry | fields)

    def staff(self, roles: dict[str, str] = STAFF) -> None:
        """Add facts that enter the staff and their roles in the register of people."""
        for person, role in roles.items():
            signed = {"by": "i-1", "second": "i-2"}  # the two installers sign, because nobody has a role yet
            self.enter("people", person, {"role": role}, **signed, at=0)

    def findings(self) -> list[Finding]:
        """Return the findings of the whole ledger. Assert that reading it fact by fact, with the state saved
        in between, gives the same findings.
        """
        findings = replay_ledger(self.rows)
        entries = [event for _, _, _, event in self.rows if LedgerFold.is_entry(event)]
        state, singly = (
            LedgerFold(Registers(entries), LedgerState(entries=entries)).keep(),
            dict[str, Finding](),
        )
        for row in self.rows:
            fold = LedgerFold(Registers(entries), LedgerState.read(state))
            fold.take(*row)
            singly |= fold.findings
            state = fold.keep()
        assert sorted(singly) == sorted(event.id for event in findings)
        return findings

    def codes(self) -> list[str]:
        """Return the codes of the findings of the whole ledger, in their order."""
        return [finding.code for finding in self.findings()]

    def only_finding(self, code: str) -> Finding:
        """Return the only finding of the whole ledger. Assert that it has this code."""
        (finding,) = self.findings()
        assert finding.code == code
        return finding

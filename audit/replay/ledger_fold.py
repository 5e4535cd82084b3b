"""The ledger fold judges a property across all of its tables. It reads facts of the cage, the count room and
the property itself in the order of commit.

Pure: no database, no clock. It runs the ledger checks (`audit/replay/checks/`), which make all judgments.
Registers are used as of the fact's gaming day, even if they were recorded later. After a change to a
register, the property is therefore read again from its start.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from msgspec import Raw, Struct, field, json, msgpack, structs

from audit import facts as f
from audit.replay.checks import LEDGER_CHECKS, Ledger, LedgerCheck, Place
from audit.replay.checks.slip_serials import SlipSerials
from audit.replay.checks.slip_serials import State as SerialsState
from audit.replay.registers import Registers
from audit.replay.results import Finding
from audit.replay.serials import Series
from audit.replay.table_days import TableDays
from games.kit.events import Event, TableClosed, TableOpened, kind_of

_ALWAYS: tuple[type[Event], ...] = (f.RegisterSet, TableOpened, TableClosed, f.DayClosed)
ALWAYS = frozenset(map(kind_of, _ALWAYS))
"""The kinds of fact that the ledger fold itself reads, apart from its checks: register entries, and kinds
that show which days are open.
"""


def kinds_to_read(entries: Iterable[f.RegisterSet]) -> frozenset[str]:
    """Return the kinds of fact that the ledger fold must read. A check that depends on a register is not run
    if the register has no entries. Its kinds are then read only if another check needs them.
    """
    known = {"", *(entry.register for entry in entries)}
    kinds = {kind_of(kind) for check in LEDGER_CHECKS if check.rests_on in known for kind in check.kinds}
    return frozenset(kinds | ALWAYS)


class LedgerState(Struct):
    """The state of the ledger fold between two facts. It is a cache and can be deleted."""

    position: int = 0
    entries: list[f.RegisterSet] = field(default_factory=list)
    """The register entries by which all facts so far were judged."""
    days: TableDays = field(default_factory=TableDays)
    checks: dict[str, Raw] = field(default_factory=dict)
    """The stored state of each check, by name."""
    series: dict[str, Series] = field(default_factory=dict)
    """The numbers of each series in states of an early version. In newer states they are in the state of a
    check.
    """

    @staticmethod
    def read(saved: bytes) -> LedgerState:
        """Decode a state that `LedgerFold.keep` encoded. States of an older version are msgpack."""
        return (
            json.decode(saved, type=LedgerState)
            if saved.startswith(b"{")
            else msgpack.decode(saved, type=LedgerState)
        )

    @property
    def serials(self) -> dict[str, Series]:
        """Return the recorded serial numbers, by series."""
        return _serials(self.checks, self.series)


class _ChecksState(Struct):
    """The fields of a stored ledger state that contain the serial numbers. The other fields are much larger
    and are not decoded.
    """

    checks: dict[str, Raw] = field(default_factory=dict)
    series: dict[str, Series] = field(default_factory=dict)


def parse_serials(serials: str) -> dict[str, Series]:
    """Return the recorded serial numbers in a text that `LedgerFold.serials` returned, by series."""
    return json.decode(serials, type=SerialsState).series


def read_serials(saved: bytes) -> dict[str, Series]:
    """Return the recorded serial numbers in a state that `LedgerFold.keep` encoded, by series."""
    if not saved.startswith(b"{"):
        return LedgerState.read(saved).serials
    state = json.decode(saved, type=_ChecksState)
    return _serials(state.checks, state.series)


def _serials(checks: dict[str, Raw], before: dict[str, Series]) -> dict[str, Series]:
    check = checks.get(SlipSerials.name)
    return json.decode(check, type=SerialsState).series if check is not None else before


class LedgerFold:
    """The ledger fold of one property. `findings` is its result."""

    def __init__(self, registers: Registers, state: LedgerState) -> None:
        """Continue from a stored state. `registers` must be built from the entries in `state`."""
        self.registers, self.state = registers, state
        self.findings: dict[str, Finding] = {}
        states = {name: bytes(raw) for name, raw in state.checks.items()}
        self.checks = [check(states.get(check.name)) for check in LEDGER_CHECKS]
        self.checks_of: dict[type[Event], list[LedgerCheck]] = {}
        for check in self.checks:
            for kind in check.kinds if not check.rests_on or check.rests_on in registers.entries else ():
                self.checks_of.setdefault(kind, []).append(check)

    def keep(self) -> bytes:
        """Return the state, from which a later reading continues.

        It is JSON, because a register's value may have an integer that is too large for msgpack.
        """
        self.state.checks = {check.name: Raw(check.keep()) for check in self.checks}
        return json.encode(self.state)

    def serials(self) -> str:
        """Return the part of the state with the recorded serial numbers, as JSON."""
        return next(check.keep() for check in self.checks if check.name == SlipSerials.name).decode()

    @staticmethod
    def is_entry(event: Event) -> TypeGuard[f.RegisterSet]:
        """Return True if the fact sets a register entry, after which everything is judged again."""
        return isinstance(event, f.RegisterSet)

    def take(self, position: int, stream: str, number: int, event: Event) -> None:
        """Read the next fact of the ledger."""
        self.state.position = position
        checks = self.checks_of.get(type(event))
        if checks:
            ledger = Ledger(
                self.registers, position, Place(stream, number, event.uid, event.round), self.state.days
            )
            for check in checks:
                for finding in check.see(event, ledger):
                    self.keep_finding(finding)
        self.state.days.take(stream, event)

    def keep_finding(self, finding: Finding) -> None:
        """Add a finding to the result. The sentences of two findings with the same id are joined."""
        known = self.findings.get(finding.id)
        if known is not None and finding.says not in known.says:
            finding = structs.replace(known, says=f"{known.says} {finding.says}")
        self.findings[finding.id] = finding


def replay_ledger(rows: Iterable[tuple[int, str, int, Event]]) -> list[Finding]:
    """Fold a property's facts in the order of commit, and return the findings. Each of `rows` is (position,
    stream, number, fact). Kinds that are not read are ignored.
    """
    facts = list(rows)
    entries = [event for _, _, _, event in facts if LedgerFold.is_entry(event)]
    fold = LedgerFold(Registers(entries), LedgerState(entries=entries))
    for position, stream, number, event in facts:
        fold.take(position, stream, number, event)
    return sorted(
        fold.findings.values(),
        key=lambda finding: (finding.stream, finding.number, finding.code, finding.wager or ""),
    )

"""The ledger fold: what spans tables. It reads a property's cage, count and house kinds in the order of commit.

Pure: no database, no clock. Serials are judged in that order; registers as of the fact's gaming day, whenever they
were recorded, so a register that changes has the property read again from its start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeGuard

from msgspec import Struct, field, json, msgpack

from audit import facts as f
from audit.approvals import uncovered
from audit.outcome import Finding, finding
from audit.registers import Registers
from audit.serials import Series
from audit.voiding import came_late
from audit.written import whole
from games import GAMES
from games.kit import events as e
from games.kit.breach import Breach
from games.kit.codes import GRADE
from games.kit.events import Event, kind_of
from games.kit.game import sight

CITE = {
    "slip-serial-gap": "Facts Kinds at the cage and in the count room, serials",
    "slip-serial-twice": "Facts Kinds at the cage and in the count room, serials",
    "sees-less": "Facts Kinds at the table, table-opened sees",
    "dealer-unknown": "Facts Findings, register people",
    "pay-table-not-approved": "Facts Findings, register approvals",
    "wrong-day": "Facts Envelope round, register day-begins",
}

SERIALS: tuple[type[Event], ...] = (f.FillSent, f.CreditSent, f.MarkerIssued, f.SlipVoided)
_READ: list[type[Event]] = [*SERIALS, e.TableOpened, e.DealerSeated]
READS = frozenset({*map(kind_of, _READ), kind_of(f.RegisterSet)})


def reads(entries: Iterable[f.RegisterSet]) -> frozenset[str]:
    """The kinds to read: `round-opened` only where the property has registered when its day begins."""
    return READS | {kind_of(e.RoundOpened)} if any(entry.register == "day-begins" for entry in entries) else READS


class LedgerState(Struct):
    """What the fold carries from one fact to the next; a cache."""

    position: int = 0
    entries: list[f.RegisterSet] = field(default_factory=list)
    """The register entries by which everything so far was judged."""
    series: dict[str, Series] = field(default_factory=dict)
    sees: dict[str, list[str]] = field(default_factory=dict)
    """Table to what its equipment saw when it was last opened."""

    @staticmethod
    def read(kept: bytes) -> LedgerState:
        """The state that `LedgerFold.keep` gave; what an older version gave was msgpack."""
        return json.decode(kept, type=LedgerState) if kept.startswith(b"{") else msgpack.decode(kept, type=LedgerState)


class LedgerFold:
    """A property's ledger being read. `findings` is its answer."""

    def __init__(self, registers: Registers, state: LedgerState) -> None:
        """`registers` are those of the entries of `state`."""
        self.registers, self.state = registers, state
        self.findings: dict[str, Finding] = {}

    def keep(self) -> bytes:
        """The state now: a later reading goes on from it. A register's value may hold any whole number, for which msgpack has no room."""
        return json.encode(self.state)

    @staticmethod
    def is_entry(event: Event) -> TypeGuard[f.RegisterSet]:
        """Whether the fact sets a register: everything is then judged by it anew."""
        return isinstance(event, f.RegisterSet)

    def take(self, position: int, stream: str, number: int, event: Event) -> None:
        """The next fact of the ledger."""
        self.state.position = position
        for breach in self.judge(event):
            found = finding(stream, number, breach)
            self.findings[found.id] = found

    def judge(self, event: Event) -> Iterator[Breach]:
        """What this fact breaks across tables, or against a register."""
        if isinstance(event, f.FillSent | f.CreditSent | f.MarkerIssued | f.SlipVoided):
            yield from self.serial(event)
        elif isinstance(event, e.TableOpened):
            yield from self.sight(event)
            yield from self.approved(event)
        elif isinstance(event, e.DealerSeated):
            dealers = self.registers.dealers(event.day)
            if dealers and event.dealer not in dealers:
                yield self.breach("dealer-unknown", event, f"{event.dealer} is no dealer of this house on {event.day.isoformat()}.")
        elif isinstance(event, e.RoundOpened):
            day = self.registers.day(event.day)
            if day is not None and not day[0] <= event.at < day[1]:
                says = f"The round was opened at {event.at.isoformat()}; its day runs from {day[0].isoformat()} to {day[1].isoformat()}."
                yield self.breach("wrong-day", event, says)

    def breach(self, code: str, event: Event, says: str, wager: str = "") -> Breach:
        return Breach(code=code, event=event, says=says, cite=CITE[code], grade=GRADE[code], round=event.round, wager=wager)

    def serial(self, event: f.FillSent | f.CreditSent | f.MarkerIssued | f.SlipVoided) -> Iterator[Breach]:
        """Each series counts up by one; a voided slip fills its number (rounds.md 22, 25)."""
        name, _, digits = event.slip.rpartition("-")
        number = whole(digits)
        if number is None:
            return
        series, stream = self.state.series.setdefault(name, Series()), f"{event.table}/{event.day.isoformat()}"
        if isinstance(event, f.SlipVoided):
            if not series.has(number):
                series.voided[number] = (stream, event.at)
        elif number in series.voided and series.voided[number][0] == stream and came_late(event.at, series.voided[number][1]):
            del series.voided[number]
            return
        series.write(digits)
        code, says = series.enter(number, voids=isinstance(event, f.SlipVoided))
        if code:
            yield self.breach(code, event, f"Slip {event.slip}: {says}")

    def sight(self, event: e.TableOpened) -> Iterator[Breach]:
        """A table that sees less than when it was last opened has lost a witness."""
        before, now = self.state.sees.get(event.table), sight(event.sees)
        self.state.sees[event.table] = sorted(now)
        gone = sorted(set(before or ()) - now)
        if gone:
            yield self.breach("sees-less", event, f"The table no longer reports {', '.join(gone)}.")

    def approved(self, event: e.TableOpened) -> Iterator[Breach]:
        """A pay table, an edition or an answer without an approval on that day, where the property registers approvals."""
        game = GAMES.get(event.game)
        if game is not None and self.registers.knows_approvals:
            for wager, says in uncovered(game, event, self.registers.approvals(event.day), self.registers.letters):
                yield self.breach("pay-table-not-approved", event, says, wager)


def replay_ledger(rows: Iterable[tuple[int, str, int, Event]]) -> list[Finding]:
    """Fold a property's (position, stream, number, fact) in the order of commit; kinds that are not read are passed over."""
    facts = list(rows)
    entries = [event for _, _, _, event in facts if LedgerFold.is_entry(event)]
    fold = LedgerFold(Registers(entries), LedgerState(entries=entries))
    for position, stream, number, event in facts:
        fold.take(position, stream, number, event)
    return sorted(fold.findings.values(), key=lambda found: (found.stream, found.number, found.code, found.wager or ""))

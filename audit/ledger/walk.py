"""Verify one ledger fact by fact. Each fault names the position and the value that was changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from audit import facts
from audit.facts import HOUSE
from audit.facts.chain import FIRST, leaf_of, link
from audit.ledger.page_checks import INFINITE
from audit.ledger.pages import LedgerPart
from audit.ledger.stored import PAGE, Stored


class Fault(NamedTuple):
    """A difference between the stored ledger and the facts as they were recorded.

    Kinds: body, leaf, chain, number, order, column, missing, doubled, sealed, unopened, time, head, stream.

    Attributes:
        position: the position at fault, or None if no single position is at fault.
    """

    property: str
    position: int | None
    kind: str
    says: str


class ColumnFields(msgspec.Struct, gc=False):
    """Those fields of a fact's body that are also columns of the table `fact`."""

    uid: str
    table: str
    day: str
    kind: str
    round: str | None = None
    uid_bytes: bytes = b""


@dataclass(slots=True)
class Seen:
    """The state of a stream up to the current row, computed from its facts."""

    number: int = 0
    sealed: bool = False


@dataclass(slots=True)
class Walk:
    """The verification of one ledger, from its first position to its last."""

    property: str
    streams: dict[str, Seen] = field(default_factory=dict)
    facts: int = 0
    last: int = 0
    chain: bytes = FIRST
    """The chain as stored in the last row."""
    made: bytes = FIRST
    """The chain as computed for the last row. It differs from `chain` only directly after a fault."""
    known: bool = True
    """False if the previous fact is missing. In that case its chain is not known either."""
    lost: int = 0
    """The number of missing facts that have not been assigned to a stream yet."""
    doubted: int | None = None
    """A position with a wrong chain, or None. The next row shows whether the fact or its chain was
    changed.
    """
    time: int = -(2**63)

    @classmethod
    def after(cls, part: LedgerPart) -> Walk:
        """Return the verification of a ledger after its first part, which was verified by pages."""
        streams = {name.decode(): Seen(state.number, state.sealed) for name, state in part.streams.items()}
        walk = cls(part.property, streams, part.last, part.last, part.chain, part.chain)
        if part.first_time is not None:
            walk.time = part.time
        return walk

    def take(self, row: Stored) -> Iterator[Fault]:
        """Compare the next row with the rows before it, and yield the faults of the row."""
        self.facts += 1
        if row.position == self.last:
            yield self._fault(row.position, "doubled", "is stored twice")
            return
        if row.position > self.last + 1:
            yield from self.miss(row.position - 1)
            self.known = False
        fact = column_fields(row.body)
        leaf = leaf_of(row.body)
        if fact is None:
            yield self._fault(row.position, "body", "the bytes are not a fact")
            state = self.streams.setdefault(row.stream, Seen())
        else:
            if leaf == row.leaf:
                yield from self._columns(row, fact)
            state = self.streams.setdefault(f"{fact.table}/{fact.day}", Seen())
        yield from self._place(row, leaf, state)
        yield from self._append_faults(row, fact.kind if fact else row.kind, state)
        self.last, self.chain, self.known = row.position, row.chain, True

    def miss(self, until: int) -> Iterator[Fault]:
        """Yield faults for the missing positions after the last row, up to and including `until`."""
        first, count = self.last + 1, until - self.last
        self.lost += count
        if count <= PAGE:
            for position in range(first, until + 1):
                yield self._fault(position, "missing", "is gone")
        else:
            yield self._fault(first, "missing", f"is missing, with all positions up to {until}")

    def settle(self, follows: bytes) -> Iterator[Fault]:
        """Yield the fault of the last row if its chain was wrong.

        The next row shows which fault it is. If its chain continues the computed chain, only the stored chain
        was changed. Otherwise the fact does not belong here. Until then, `doubted` has the position.

        Args:
            follows: the chain that the chain of the next row continues.
        """
        if self.doubted is not None:
            if follows == self.made:
                yield self._fault(
                    self.doubted, "chain", "its chain is not the chain that the next fact continues"
                )
            else:
                yield self._fault(self.doubted, "order", "does not continue the chain of the fact before it")
            self.doubted = None

    def _place(self, row: Stored, leaf: bytes, state: Seen) -> Iterator[Fault]:
        """Compare the leaf, chain and number of a row with the computed values. Yield a fault that names the
        value that was changed.
        """
        expected = state.number + 1
        if (
            self.known
            and leaf == row.leaf
            and row.number == expected
            and self.made == self.chain
            and self.doubted is None
        ):
            chain = link(self.made, row.position, expected, leaf)
            if chain == row.chain:  # nearly always: no fault to locate
                state.number, self.made = expected, chain
                return
        jump = row.number - expected
        if 0 < jump <= self.lost:
            self.lost -= jump
            expected = row.number
        fits = None
        for before in (self.made, self.chain) if self.known else ():
            for number in dict.fromkeys((expected, row.number)):
                for print_ in dict.fromkeys((leaf, row.leaf)):
                    if fits is None and link(before, row.position, number, print_) == row.chain:
                        fits = before, number, print_
        yield from self.settle(fits[0] if fits else b"")
        number, print_ = fits[1:] if fits else (row.number, row.leaf)
        if leaf != row.leaf:
            kind = "leaf" if fits and print_ == leaf else "body"
            yield self._fault(
                row.position, kind, f"the SHA-256 of its bytes is {leaf.hex()}, not {row.leaf.hex()}"
            )
        if row.number != number or number != expected:
            kind = "number" if fits else "order"
            yield self._fault(
                row.position,
                kind,
                f"has number {row.number}, but the next number of its stream is {expected}",
            )
        if fits is None and self.known:
            self.doubted = row.position
        self.made = (
            link(fits[0] if fits else self.made, row.position, number, print_) if self.known else row.chain
        )
        state.number = expected

    def _columns(self, row: Stored, fact: ColumnFields) -> Iterator[Fault]:
        """Yield a fault for each column of a row that differs from the same field of its body."""
        if not fact.table.startswith(self.property + "/"):
            yield self._fault(
                row.position, "column", f"property is {self.property}, but the fact names {fact.table}"
            )
        stream = f"{fact.table}/{fact.day}"
        uid = fact.uid_bytes
        if (row.stream, row.kind, row.round, row.uid) != (stream, fact.kind, fact.round, uid):
            pairs = {
                "stream": (row.stream, stream),
                "kind": (row.kind, fact.kind),
                "round": (row.round, fact.round),
                "uid": (row.uid.hex(), uid.hex()),
            }
            for name, (stored, says) in pairs.items():
                if stored != says:
                    yield self._fault(row.position, "column", f"{name} is {stored}, but the fact says {says}")

    def _append_faults(self, row: Stored, kind: str, state: Seen) -> Iterator[Fault]:
        """Yield a fault for each reason for which the append function cannot have written this row here: the
        day was closed before, the table was not opened, or the row was recorded before the previous one.
        """
        if state.sealed:
            yield self._fault(row.position, "sealed", f"is in {row.stream} after its day-closed")
        if (
            state.number == 1
            and kind != "table-opened"
            and not row.stream.startswith(f"{self.property}/{HOUSE}/")
        ):
            yield self._fault(row.position, "unopened", f"{kind} is the first fact of {row.stream}")
        state.sealed = state.sealed or kind == "day-closed"
        if row.recorded_at in INFINITE:
            yield self._fault(row.position, "time", "its time is infinite")
        elif row.recorded_at < self.time:
            yield self._fault(row.position, "time", "was recorded at an earlier time than the fact before it")
        self.time = row.recorded_at

    def _fault(self, position: int | None, kind: str, says: str) -> Fault:
        return Fault(self.property, position, kind, says)


def column_fields(body: bytes) -> ColumnFields | None:
    """Return those fields of a fact's body that are also columns of the table `fact`. Return None if the body
    is not a fact of a known kind.
    """
    try:
        fact = _place(body)
        uid = bytes.fromhex(fact.uid.replace("-", ""))
        facts.decode(body)
    except Exception:  # The decoder may raise any error if the bytes were changed in the database.
        return None
    if len(uid) != 16:
        return None
    fact.uid_bytes = uid
    return fact


_place = msgspec.json.Decoder(ColumnFields).decode

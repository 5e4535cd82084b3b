"""Prove the ledger: facts, heads and streams, computed again from the bytes of the facts."""

from __future__ import annotations

from collections.abc import Iterator

from audit.ledger import verify
from audit.proofs.registry import Fault, RowCount

TABLE_OF = {"head": "head", "stream": "stream"}
"""The table at fault by the kind of fault; all other kinds are about a fact."""


def prove(count: RowCount) -> Iterator[Fault]:
    """Yield every fault of every property's ledger."""
    for done in verify.ledgers(lambda facts: None):
        count.add("fact", done.facts)
        count.add("stream", done.streams)
        count.add("head")
        for fault in done.faults:
            place = (
                fault.property if fault.position is None else f"{fault.property} position {fault.position}"
            )
            yield Fault(TABLE_OF.get(fault.kind, "fact"), place, fault.kind, fault.says)

"""Run the provers, each in a snapshot of its own. A prover that raises an error has found a fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import NamedTuple

from django.db import connection

from audit import database
from audit.proofs.escape import escape
from audit.proofs.registry import Fault, Proof, Prove, RowCount, provers

MOST = 5000
"""Faults of one table that are listed; the rest are only counted."""
SAFE_SETTINGS = ("SET LOCAL search_path = pg_catalog, public, pg_temp", "SET LOCAL row_security = off")
"""A schema in front of `public`, or a policy that hides rows, must not hide a fault from a prover."""


class Result(NamedTuple):
    """The faults of all tables, in the order of the provers, and the number of rows compared."""

    faults: list[Fault]
    counted: Counter[str]
    """Faults by table, including those that are not listed."""
    rows: Counter[str]
    notes: dict[str, str]
    """What the provers state about a table without a fault."""


def run(
    lines: Iterable[Proof],
    progress: Callable[[int], None] = lambda rows: None,
    snapshot: Callable[[], AbstractContextManager[None]] = database.snapshot,
) -> Result:
    """Run the provers of these lines and return what they found. An error of a prover is a fault.

    `snapshot` begins the transaction of each prover.
    """
    faults: list[Fault] = []
    counted: Counter[str] = Counter()
    count = RowCount(progress)
    for prove, tables in provers(lines):
        for fault in _faults(prove, tables, count, snapshot):
            counted[fault.table] += 1
            if counted[fault.table] <= MOST:
                faults.append(fault)
    for table, many in counted.items():
        if many > MOST:
            faults.append(Fault(table, "", "more", f"{many - MOST:,} more faults are not listed"))
    return Result(faults, counted, count.by_table, count.notes)


def in_words(fault: Fault) -> str:
    """Return a fault as one line without control characters."""
    place = " ".join(part for part in (fault.table, fault.place, fault.kind) if part)
    return f"{escape(place)}: {escape(fault.says)}"


def _faults(
    prove: Prove, tables: list[str], count: RowCount, snapshot: Callable[[], AbstractContextManager[None]]
) -> Iterator[Fault]:
    try:
        with snapshot():
            for statement in SAFE_SETTINGS:
                database.execute(statement)
            yield from prove(count)
    except Exception as error:  # the other provers must run, and the reader must learn of this one
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()
        first = str(error).strip().splitlines()[:1]
        says = f"could not be read to its end: {type(error).__name__}{': ' if first else ''}{''.join(first)}"
        for table in tables:
            yield Fault(table, "", "error", says)

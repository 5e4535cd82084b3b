"""Run the provers, each in its own snapshot. If a prover raises an error, the error is reported as
a fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from itertools import chain
from typing import NamedTuple

from django.db import connection

from audit import database
from audit.proofs import nulls
from audit.proofs.any_time import read_any_time
from audit.proofs.escape import escape
from audit.proofs.registry import NO_OPTIONS, Fault, Options, Proof, Prove, RowCount, provers

MOST = 5000
"""Maximum number of faults of one table that are listed. Further faults are only counted."""
SAFE_SETTINGS = ("SET LOCAL search_path = pg_catalog, public, pg_temp", "SET LOCAL row_security = off")
"""Settings that prevent faults from being hidden: no other schema comes before `public`, and no policy hides
rows.
"""


class Result(NamedTuple):
    """The faults of all tables in the order of the provers, and the number of compared rows."""

    faults: list[Fault]
    counted: Counter[str]
    """For each table: the number of faults, including faults that are not listed."""
    rows: Counter[str]
    notes: dict[str, str]
    """For each table without faults: the remarks of its provers."""


def run(
    lines: Iterable[Proof],
    progress: Callable[[int], None] = lambda rows: None,
    snapshot: Callable[[], AbstractContextManager[None]] = database.snapshot,
    options: Options = NO_OPTIONS,
) -> Result:
    """Run the provers of these lines and return the result. If a prover raises an error, the error is a
    fault.

    Args:
        lines: the lines of the list of tables.
        progress: called with the number of rows that were read so far.
        snapshot: the context manager that begins the transaction of each prover.
        options: the options of the command.
    """
    faults: list[Fault] = []
    counted: Counter[str] = Counter()
    count = RowCount(progress, options)
    lines = list(lines)
    checked = nulls.checked(lines)
    for prove, tables in provers(lines):
        for fault in chain(
            _faults(partial(nulls.prove, sorted(checked.intersection(tables))), tables, count, snapshot),
            _faults(prove, tables, count, snapshot),
        ):
            counted[fault.table] += 1
            if counted[fault.table] <= MOST:
                faults.append(fault)
    for table, number in counted.items():
        if number > MOST:
            faults.append(Fault(table, "", "more", f"{number - MOST:,} more faults are not listed"))
    return Result(faults, counted, count.by_table, count.notes)


def in_words(fault: Fault) -> str:
    """Return a fault as a single line without control characters."""
    place = " ".join(part for part in (fault.table, fault.place, fault.kind) if part)
    return f"{escape(place)}: {escape(fault.says)}"


def _faults(
    prove: Prove, tables: list[str], count: RowCount, snapshot: Callable[[], AbstractContextManager[None]]
) -> Iterator[Fault]:
    try:
        with snapshot(), read_any_time():
            for statement in SAFE_SETTINGS:
                database.execute(statement)
            yield from prove(count)
    except Exception as error:  # The other provers must still run, and this error must be reported.
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()
        first = str(error).strip().splitlines()[:1]
        says = f"could not be read to its end: {type(error).__name__}{': ' if first else ''}{''.join(first)}"
        for table in tables:
            yield Fault(table, "", "error", says)

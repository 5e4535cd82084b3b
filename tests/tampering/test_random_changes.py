"""Random changes by a superuser: columns, rows, order, tail, old backups, rewritten ledgers, results of
replay, tiles, checkpoints and keys.

`verify` names each change by its table and position, or it says that no checkpoint covers the change. `make
long` tries 10,000 changes, in parts that processes of the run share. At the end of the run, a table of all
parts is printed (`random_table.py`). After each change, everything is verified that the change can touch.
After each tenth change, ledger, keys and results are verified as a whole.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import pytest

from audit.findings import examine
from audit.ledger.intake import post
from audit.proofs.registry import LEDGER, Fault, Options, RowCount, selected
from audit.proofs.run import run
from audit.tree import checkpoints, outside
from casino.sample import honest_day
from tests.conftest import Template
from tests.counts import LONG
from tests.tampering.random_acts import ACTS, COVERED, DERIVED, Expected, attempt
from tests.tampering.random_table import IMPOSSIBLE, MISSED, NAMED, NOT_COVERED, PROPERTY, Part, as_text
from tests.tampering.superuser import Superuser
from tests.tampering.test_checkpoints import KEYS, SENDER, Ledger, attacked, new_ledger
from tests.tampering.test_tampering import LOOSE

assert attacked  # a fixture
PARTS, CHANGES = (16, 625) if LONG else (1, 27)
"""The number of parts, and the number of changes in each part."""
WHOLE = 10 if LONG else 9
"""After this many changes, all provers run once."""
LEDGER_TABLES = {line.table for line in selected([LEDGER])}
EVERY = [LEDGER, "checkpoint_key", "event", *DERIVED]


@pytest.fixture
def ledger(template: Template, django_db_blocker: Any, tmp_path: Path) -> Iterator[Ledger]:
    """Yield a ledger for one part of the changes."""
    with django_db_blocker.unblock(), new_ledger(template, tmp_path) as ledger:
        yield ledger


class Report:
    """The faults and the note about checkpoints that `verify` reports."""

    def __init__(self, user: Superuser, expected: Expected, options: Options, is_whole: bool) -> None:
        self.faults: list[Fault] = []
        with user.undone():
            if is_whole:
                result = run(selected(EVERY), snapshot=user.as_application, options=options)
                self.faults, self.note = result.faults, result.notes.get("checkpoint", "")
                return
            rows = RowCount(options=options)
            for prove in expected.proofs:
                with user.as_application():
                    self.faults += prove(rows)
            self.note = rows.notes.get("checkpoint", "")


def outcome(expected: Expected, report: Report, last: checkpoints.Stored) -> str:
    """Return how `verify` reported a change: NAMED, NOT_COVERED or MISSED.

    A change is NOT_COVERED if no checkpoint covers it. Then the ledger and its tree have no fault, and a note
    says how far the last checkpoint reaches and when it was made. The results of replay may have faults, but
    a superuser could change them too.
    """
    if expected.is_named is not None:
        return NAMED if expected.is_named(report.faults) else MISSED
    covered = f"covered up to position {COVERED} by the checkpoint of {str(last.made_at)[:16]} UTC"
    of_ledger = [fault for fault in report.faults if fault.table in LEDGER_TABLES]
    is_listed = covered in report.note or f"all {COVERED} facts of aurora are covered" in report.note
    return NOT_COVERED if is_listed and not of_ledger else MISSED


def add_findings() -> None:
    """Record a table's day with wrong payments after the last checkpoint, and examine all facts."""
    day = honest_day("easy_over_under", seed=18, table="T-9", rounds=3)
    for fact in day:
        if fact["kind"] == "take":
            fact["amount"] += 100
    post([json.dumps(fact).encode() for fact in day], SENDER)
    examine.examine()


@pytest.mark.parametrize("part", range(PARTS))
def test_random_changes_are_named(
    ledger: Ledger, part: int, record_property: Callable[[str, object], None]
) -> None:
    random, user, missed, start = Random(18 + part), ledger.user, [], perf_counter()
    add_findings()
    for table in DERIVED:
        assert user.rows(f'SELECT FROM "{table}" LIMIT 1'), table
    user.execute(LOOSE.format("fact"))
    last = checkpoints.latest("aurora")
    assert last is not None
    assert last.size == COVERED
    keys = [key.verifier() for key in KEYS]
    options = Options((outside.read(ledger.copy / "checkpoint", keys, ["aurora"]),))
    assert Report(user, Expected((), None), options, is_whole=True).faults == []
    tried = {kind: Counter[str]() for kind in ACTS}
    kinds, turns = list(ACTS), {kind: count(part) for kind in ACTS}
    for number in range(part * CHANGES, (part + 1) * CHANGES):
        kind = kinds[number % len(kinds)]
        act = ACTS[kind][next(turns[kind]) % len(ACTS[kind])]
        with user.undone():
            expected = attempt(user, act, random)
            result = IMPOSSIBLE
            if expected is not None:
                report = Report(user, expected, options, number % WHOLE == 0)
                result = outcome(expected, report, last)
                if result == MISSED:
                    missed.append((number, act.__name__, expected.says, report.faults[:3], report.note))
        tried[kind][result] += 1
    seconds = perf_counter() - start
    record_property(PROPERTY, as_text(Part(tried, COVERED, str(last.made_at)[:16], seconds)))
    assert missed == []
    assert sum(outcomes.total() for outcomes in tried.values()) == CHANGES

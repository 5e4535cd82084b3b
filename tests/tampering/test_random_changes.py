"""Random changes by a superuser: columns, rows, order, tail, old backups, rewritten ledgers, results of
replay, tiles, checkpoints and keys.

`verify` names each change by its table and position, or it says that no checkpoint covers the change. `make
long` tries 10,000 changes and prints a table. After each change, everything is verified that the change can
touch. After each fiftieth change, ledger, keys and results are verified as a whole.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import count
from random import Random

from audit.findings import examine
from audit.ledger.intake import post
from audit.proofs.registry import LEDGER, Fault, Options, RowCount, selected
from audit.proofs.run import run
from audit.tree import checkpoints, outside
from casino.sample import honest_day
from tests.counts import LONG
from tests.tampering.random_acts import ACTS, COVERED, DERIVED, Expected, attempt
from tests.tampering.superuser import Superuser
from tests.tampering.test_checkpoints import KEYS, SENDER, Ledger, attacked, ledger
from tests.tampering.test_tampering import LOOSE

assert ledger
assert attacked  # fixtures
CHANGES = 10_000 if LONG else 27
WHOLE = 50 if LONG else 9
"""After this many changes, all provers run once."""
NAMED, NOT_COVERED, IMPOSSIBLE, WRONG = "named rightly", "no checkpoint", "impossible", "wrong"
EVERY = [LEDGER, "checkpoint_key", "event", *DERIVED]


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
    """Return how `verify` reported a change: NAMED, NOT_COVERED or WRONG.

    A change is NOT_COVERED if no checkpoint covers it. Then there is no fault, and a note says how far the
    last checkpoint reaches and when it was made.
    """
    if expected.is_named is not None:
        return NAMED if expected.is_named(report.faults) else WRONG
    covered = f"covered up to position {COVERED} by the checkpoint of {str(last.made_at)[:16]} UTC"
    facts = [fault for fault in report.faults if fault.table not in DERIVED]
    is_listed = covered in report.note or f"all {COVERED} facts of aurora are covered" in report.note
    return NOT_COVERED if is_listed and not facts else WRONG


def print_table(tried: dict[str, Counter[str]], last: checkpoints.Stored) -> None:
    """Print how many changes of each kind had each outcome."""
    columns = (NAMED, NOT_COVERED, IMPOSSIBLE, WRONG)
    print(f"\n{'kind of change':18}{'tried':>8}" + "".join(f"{name:>16}" for name in columns))
    rows = [*tried.items(), ("all", sum(tried.values(), Counter[str]()))]
    for kind, outcomes in rows:
        print(f"{kind:18}{outcomes.total():>8}" + "".join(f"{outcomes[name]:>16}" for name in columns))
    print(
        f"no checkpoint: facts after position {COVERED}; the last checkpoint was made at"
        f" {str(last.made_at)[:16]} UTC"
    )


def add_findings() -> None:
    """Record a table's day with wrong payments after the last checkpoint, and examine all facts."""
    day = honest_day("easy_over_under", seed=18, table="T-9", rounds=3)
    for fact in day:
        if fact["kind"] == "take":
            fact["amount"] += 100
    post([json.dumps(fact).encode() for fact in day], SENDER)
    examine.examine()


def test_random_changes_are_named(ledger: Ledger) -> None:
    random, user, wrong = Random(18), ledger.user, []
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
    kinds, turns = list(ACTS), {kind: count() for kind in ACTS}
    for number in range(CHANGES):
        kind = kinds[number % len(kinds)]
        act = ACTS[kind][next(turns[kind]) % len(ACTS[kind])]
        with user.undone():
            expected = attempt(user, act, random)
            result = IMPOSSIBLE
            if expected is not None:
                report = Report(user, expected, options, number % WHOLE == 0)
                result = outcome(expected, report, last)
                if result == WRONG:
                    wrong.append((number, act.__name__, expected.says, report.faults[:3], report.note))
        tried[kind][result] += 1
    print_table(tried, last)
    assert wrong == []
    assert sum(outcomes.total() for outcomes in tried.values()) == CHANGES

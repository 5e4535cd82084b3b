"""A superuser writes an absurd value into the database. `verify` runs to its end, and names this value and
every other change.
"""

from __future__ import annotations

import pytest

from audit.proofs.registry import proofs
from tests.tampering.superuser import Superuser
from tests.tampering.test_tampering import ALSO, LOOSE, attacker, furnished

assert furnished
assert attacker  # fixtures
LAST = "(tableoid, ctid) = (SELECT tableoid, ctid FROM {0} ORDER BY 1 DESC, 2 DESC LIMIT 1)"


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("tile", "index = 9223372036854775807"),
        ("checkpoint", "made_at = 'infinity'"),
        ("casino_entry", "begins = '-infinity'"),
        ("casino_standing", "ends = '20000-01-01'"),
        ("casino_token", "made_at = 'infinity'"),
        ("slip_series", "last = 9223372036854775807"),
        ("finding", "owed = 'NaN'"),
        ("event", "number = -9223372036854775808"),
    ],
)
def test_a_value_that_python_cannot_represent_is_named(attacker: Superuser, table: str, change: str) -> None:
    lines = [line for line in proofs() if line.table in (table, ALSO.get(table))]
    with attacker.undone():
        attacker.execute(LOOSE.format(table))
        attacker.execute(f"UPDATE {table} SET {change} WHERE {LAST.format(table)}")
        faults = attacker.faults(lines)
    assert faults
    assert "error" not in {fault.kind for fault in faults}


@pytest.mark.parametrize("kind", ["register-set", "verdict-given", "anchored"])
def test_an_unreadable_fact_hides_no_other_change(attacker: Superuser, kind: str) -> None:
    lines = [line for line in proofs() if line.table in ("fact", "casino_standing", "verdict", "anchor")]
    with attacker.undone():
        attacker.execute(
            f"UPDATE fact SET body = '{{}}' WHERE position = (SELECT max(position) FROM fact WHERE"
            f" kind = '{kind}' AND property = 'aurora') AND property = 'aurora'"
        )
        attacker.execute(f"UPDATE casino_standing SET by = 'x' WHERE {LAST.format('casino_standing')}")
        attacker.execute(f"UPDATE verdict SET by = 'x' WHERE {LAST.format('verdict')}")
        faults = attacker.faults(lines)
    assert {"fact", "casino_standing", "verdict"} <= {fault.table for fault in faults}
    assert "error" not in {fault.kind for fault in faults}

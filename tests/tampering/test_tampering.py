"""The attack as a suite: each single change by a superuser is named by `verify`, or a list says why not.

`make long` tries all changes and prints how many were tried and named, `make test` a fixed sample.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import Error

from audit.proofs.registry import NOT_PROVED, PENDING, STRUCTURE, Proof, proofs
from tests.conftest import House, Template
from tests.tampering.attacks import Attack, on_rows
from tests.tampering.installation import furnish
from tests.tampering.schema_attacks import on_schema
from tests.tampering.superuser import Superuser, superuser

SAMPLE = 40
REVIEWED: dict[str, str] = tomllib.loads(
    (Path(__file__).parent / "reviewed.toml").read_text(encoding="utf-8")
)["changes"]
OF_LEDGER = ("fact", "head", "stream")
LOOSE = """DO $$ DECLARE r record; BEGIN
    FOR r IN SELECT conname FROM pg_constraint WHERE conrelid = '"{0}"'::regclass
        AND contype IN ('p', 'u', 'c')
    LOOP EXECUTE format('ALTER TABLE "{0}" DROP CONSTRAINT %I CASCADE', r.conname); END LOOP;
    FOR r IN SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = indexrelid
        WHERE indrelid = '"{0}"'::regclass AND indisunique AND NOT relispartition
    LOOP EXECUTE format('DROP INDEX %I', r.relname); END LOOP; END $$"""
"""Drops the constraints of a table, for rows that they refuse."""


class Outcome:
    """What became of the changes: the names of those that were named, are explained, or were silent."""

    def __init__(self) -> None:
        self.named: list[str] = []
        self.explained: dict[str, str] = {}
        self.pending: list[str] = []
        self.silent: list[str] = []
        self.impossible: list[str] = []

    def summary(self) -> str:
        """Return the figures and the reasons in lines."""
        tried = len(self.named) + len(self.explained) + len(self.pending) + len(self.silent)
        reasons = Counter(self.explained.values())
        return "\n".join(
            [
                (
                    f"tampering: {tried} tried, {len(self.named)} named, {len(self.explained)} on the list,"
                    f" {len(self.pending)} of tables not proved yet, {len(self.silent)} silent"
                ),
                *(f"  {many:4} {reason}" for reason, many in reasons.most_common()),
                *(f"  silent: {name}" for name in self.silent),
                *(f"  impossible: {name}" for name in self.impossible),
            ]
        )


def attempt(user: Superuser, attack: Attack) -> None:
    """Change the database; if its constraints refuse, without them."""
    try:
        with user.kept():
            user.execute(attack.statement)
    except Error:
        if attack.table == STRUCTURE:
            raise
        user.execute(LOOSE.format(attack.table))
        if attack.table == "fact":
            user.execute("CREATE TABLE elsewhere PARTITION OF fact DEFAULT")
        user.execute(attack.statement)


def is_named(user: Superuser, attack: Attack, lines: list[Proof]) -> bool:
    """Return True if a fault names the table of the change, or a constraint that had to be dropped for it."""
    tables = OF_LEDGER if attack.table in OF_LEDGER else (attack.table,)
    if any(fault.table in tables for fault in user.faults(lines)):
        return True
    if attack.table == STRUCTURE:
        return False
    schema = [line for line in proofs() if line.table == STRUCTURE]
    return any(f"public.{attack.table} " in fault.place for fault in user.faults(schema))


def judge(user: Superuser, attacks: list[Attack]) -> Outcome:
    """Try every change, undo it, and return what became of it."""
    outcome, listed = Outcome(), {line.table: line for line in proofs()}
    for attack in attacks:
        line = listed[attack.table]
        if line.how == PENDING:
            outcome.pending.append(attack.name)
        elif line.how == NOT_PROVED:
            outcome.explained[attack.name] = f"{line.table}: {line.why}"
        else:
            try:
                with user.undone():
                    attempt(user, attack)
                    named = is_named(user, attack, [line])
            except Error as error:
                outcome.impossible.append(f"{attack.name}: {error}")
                continue
            if named:
                outcome.named.append(attack.name)
            elif attack.name in REVIEWED:
                outcome.explained[attack.name] = REVIEWED[attack.name]
            else:
                outcome.silent.append(attack.name)
    return outcome


@pytest.fixture(scope="module")
def furnished(template: Template, django_db_blocker: Any) -> Iterator[House]:
    """Yield the installation with two properties."""
    with django_db_blocker.unblock(), template.copied() as name:
        furnish()
        house = House(name)
        yield house
        house.close()


@pytest.fixture
def attacker(furnished: House) -> Iterator[Superuser]:
    """Yield a superuser of that installation."""
    with superuser() as user:
        yield user


def every(user: Superuser) -> list[Attack]:
    """Return all changes in a fixed order."""
    return [*on_rows(user), *on_schema(user)]


def test_a_sample_of_changes_is_named(attacker: Superuser) -> None:
    assert attacker.faults(proofs()) == [], "before anything is changed"
    attacks = every(attacker)
    of_rows = [one for one in attacks if one.table != STRUCTURE]
    of_schema = [one for one in attacks if one.table == STRUCTURE]
    tried = [one for part in (of_rows, of_schema) for one in part[:: len(part) // (SAMPLE // 2)]]
    outcome = judge(attacker, tried)
    print(outcome.summary())
    assert outcome.silent == outcome.impossible == []
    assert len(tried) >= SAMPLE


def test_the_command_names_changes_of_every_kind_in_one_run(furnished: House) -> None:
    out = StringIO()
    with furnished.owner as owner:
        owner.execute("ALTER TABLE head DISABLE TRIGGER ALL; ALTER TABLE fact DISABLE TRIGGER never_changed")
        owner.execute("UPDATE fact SET kind = 'pay' WHERE position = 5")
        owner.execute("UPDATE tally SET paid = paid + 1000000")
        owner.execute("GRANT UPDATE ON fact TO PUBLIC")
    try:
        with pytest.raises(CommandError):
            call_command("verify", stdout=out)
    finally:
        with furnished.owner as owner:
            owner.execute("REVOKE UPDATE ON fact FROM PUBLIC; ALTER TABLE fact ENABLE TRIGGER never_changed")
    printed = out.getvalue()
    for words in (
        "fact aurora position 5 column: kind is pay",
        "tally ",
        "never_changed changed",
        "PUBLIC UPDATE",
    ):
        assert words in printed, words


@pytest.mark.long
def test_every_change_is_named_or_on_the_list(attacker: Superuser) -> None:
    outcome = judge(attacker, every(attacker))
    print(outcome.summary())
    assert outcome.silent == outcome.impossible == []
    assert set(REVIEWED) <= set(outcome.explained), "a change on the list is named by now: remove it"
    assert len(outcome.named) + len(outcome.explained) + len(outcome.pending) >= 600


def test_no_table_is_on_the_list_without_a_proof_or_a_reason() -> None:
    assert [line.table for line in proofs() if line.how == PENDING] == []

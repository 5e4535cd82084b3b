"""The list of database tables is complete. `verify` reaches its end even if a prover (the function that
checks a database table) raises an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connections
from django.test import override_settings

from audit.proofs import registry
from audit.proofs.escape import escape
from audit.proofs.registry import ANCHOR, NOT_PROVED, Fault, Proof, RowCount
from tests.conftest import House, Template
from tests.manage import Manage

APP = settings.DATABASES["default"]["USER"]
TABLES = """SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relkind IN ('r', 'p', 'm', 'f') AND NOT relispartition AND nspname !~ '^pg_'
        AND nspname <> 'information_schema'"""


def broken(count: RowCount) -> Iterator[Fault]:
    """Yield one fault with control characters, and then raise an error whose message has two lines. This is a
    prover that fails.
    """
    count.add("first")
    yield Fault("first", "id \n1", "changed", "is \x00\x1b[31m")
    raise ValueError("not\nreadable")


def sound(count: RowCount) -> Iterator[Fault]:
    """Count two rows and report no fault. This is a prover that finds no difference in its table."""
    count.add("second", 2)
    yield from ()


def forgetful(count: RowCount) -> Iterator[Fault]:
    """Read a database table that does not exist. This is a prover that fails in the database."""
    connections["default"].cursor().execute("SELECT * FROM nowhere")
    yield from ()


LINES = (
    Proof("first", ANCHOR, "a test", broken),
    Proof("second", ANCHOR, "a test", sound),
    Proof("third", ANCHOR, "a test", forgetful),
    Proof("fourth", NOT_PROVED, "a test"),
)
WITHOUT_REASON = (Proof("first", NOT_PROVED, ""),)
WITHOUT_PROVER = (Proof("first", ANCHOR, "a test"),)
LIST = f"{__name__}.LINES"


def test_every_table_of_the_database_is_on_the_list_once(house: House) -> None:
    listed = {line.table for line in registry.proofs()} - {registry.STRUCTURE}
    assert listed == {name for (name,) in house.owner.execute(TABLES)}


@override_settings(CATWALK_PROOFS=[LIST])
def test_a_prover_that_raises_is_one_fault_and_the_others_run(house: House) -> None:
    out = StringIO()
    with pytest.raises(CommandError, match="1 changed, 2 error; the first is first id"):
        call_command("verify", stdout=out)
    lines = out.getvalue().splitlines()
    assert "first id \\n1 changed: is \\x00\\x1b[31m" in lines
    assert "first error: could not be read to its end: ValueError: not" in lines
    assert [line.split()[:5] for line in lines if line.startswith("second")] == [
        ["second", "anchor", "2", "0", "a"]
    ]
    assert 'third error: could not be read to its end: ProgrammingError: relation "nowhere"' in out.getvalue()
    assert any(line.startswith("fourth  not proved") for line in lines)


@override_settings(CATWALK_PROOFS=[LIST])
def test_only_the_selected_proofs_run(house: House) -> None:
    out = StringIO()
    call_command("verify", "--only", "second,fourth", stdout=out)
    assert [line.split()[0] for line in out.getvalue().splitlines()] == ["table", "fourth", "second"]
    with pytest.raises(CommandError, match="Unknown proof fifth") as caught:
        call_command("verify", "--only", "fifth", stdout=out)
    assert caught.value.returncode == 2


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ([LIST, LIST], "has 2 lines"),
        ([f"{__name__}.WITHOUT_REASON"], "must say how"),
        ([f"{__name__}.WITHOUT_PROVER"], "give its line a function"),
    ],
)
def test_a_list_with_a_contradiction_is_refused(lists: list[str], message: str) -> None:
    with override_settings(CATWALK_PROOFS=lists), pytest.raises(ValueError, match=message):
        registry.proofs()


@pytest.mark.long
def test_a_restore_that_was_killed_is_named_and_not_a_traceback(template: Template, manage: Manage) -> None:
    """Test `verify` after a restore that was killed. If it was killed before its commit, there are no tables.
    If it was killed after its commit, the application's role has no rights on the tables yet.
    """
    with template.copied("template0") as name:
        empty = manage("verify", env=House(name).env)
    with template.copied() as name:
        house = House(name)
        for (table,) in house.owner.execute(TABLES).fetchall():
            house.owner.execute(f'REVOKE ALL ON "{table}" FROM "{APP}"')
        house.close()
        bare = manage("verify", env=house.env)
    for ran, words in (
        (empty, ("(schema) table public.fact missing", "fact error: could not be read to its end")),
        (bare, ("(schema) table public.fact changed", "fact error: could not be read to its end")),
    ):
        assert ran.returncode == 1
        assert "Traceback" not in ran.stderr + ran.stdout
        assert len(ran.stderr.splitlines()) == 1
        assert all(word in ran.stdout for word in words), ran.stdout


def test_stored_values_are_printed_on_one_line() -> None:
    assert escape(b"\xff\x00a") == "\\xff\\x00a"
    assert escape("a\u2028\ud800é") == "a\\u2028\\ud800é"
    assert escape("x" * 500).endswith("… (500 characters)")

"""With any value in any column of the ledger, `verify` reaches its end and prints one line for each fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as options
from hypothesis import strategies as st

from audit.facts.chain import leaf_of
from audit.ledger.intake import Sender, post
from audit.proofs.registry import LEDGER, selected
from audit.proofs.run import in_words
from tests.audit.floor import fact, line, opened
from tests.conftest import House, Template
from tests.counts import LONG
from tests.tampering.superuser import Superuser, superuser

EXAMPLES = 600 if LONG else 24
COLUMNS = {
    "fact": {
        "position": "bigint",
        "stream": "text",
        "number": "bigint",
        "kind": "text",
        "uid": "uuid",
        "round": "text",
        "body": "bytea",
        "leaf": "bytea",
        "chain": "bytea",
        "recorded_at": "timestamptz",
    },
    "head": {"property": "text", "position": "bigint", "chain": "bytea", "recorded_at": "timestamptz"},
    "stream": {"property": "text", "name": "text", "number": "bigint", "sealed": "boolean"},
}
PLAIN = '{"uid":"%s","table":"aurora/T-1","day":"%s","kind":"%s"}'
BODIES = (
    b"",
    b"\0",
    b"\xff\xfe",
    b"[]",
    b"null",
    b"{}",
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b'{"uid":"zz","table":"aurora/T-1","day":"2026-11-27","kind":"take"}',
    (PLAIN % ("0" * 32, "2026-02-31", "take")).encode(),
    (PLAIN % ("01a217ba-1206-7000-8000-000000000006", "2026-11-27", "no-such-kind")).encode(),
    b'{"uid":1e999,"table":"\\ud800","day":null,"kind":{}}',
    b"9" * 100_000,
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "bigint": st.none() | st.integers(-(2**63), 2**63 - 1) | st.sampled_from([0, -1, 2**63 - 1, -(2**63)]),
    "text": st.none()
    | st.text(st.characters(codec="utf-8", exclude_characters="\0"))
    | st.sampled_from(["", "aurora", "borealis", "aurora/T-1/no day", "\u202e\x1b[2J\n", "x" * 2000]),
    "uuid": st.none() | st.uuids().map(str),
    "bytea": st.none() | st.binary(max_size=80) | st.sampled_from(BODIES),
    "timestamptz": st.none()
    | st.sampled_from(["infinity", "-infinity", "4713-01-01 BC", "294276-12-31", "2026-11-27", "1999-12-31"]),
    "boolean": st.none() | st.booleans(),
}
CAST = "CREATE CAST (bytea AS text) WITHOUT FUNCTION"
"""SQL that lets a column of text accept bytes that are not UTF-8."""
FREE = """DO $$ DECLARE r record; BEGIN
    FOR r IN SELECT conrelid::regclass AS t, conname FROM pg_constraint
        WHERE conrelid IN ('fact'::regclass, 'head'::regclass, 'stream'::regclass) AND contype IN ('p', 'u')
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', r.t, r.conname); END LOOP;
    FOR r IN SELECT attrelid::regclass AS t, attname FROM pg_attribute
        WHERE attrelid IN ('fact'::regclass, 'head'::regclass, 'stream'::regclass) AND attnotnull
        AND attnum > 0
    LOOP EXECUTE format('ALTER TABLE %s ALTER %I DROP NOT NULL', r.t, r.attname); END LOOP; END $$"""


@st.composite
def changes(draw: Any) -> tuple[str, str, Any]:
    """Return a database table, a column and a value of the column's type."""
    table = draw(st.sampled_from(sorted(COLUMNS)))
    column = draw(st.sampled_from(sorted(COLUMNS[table])))
    return table, column, draw(VALUES[COLUMNS[table][column]])


@pytest.fixture(scope="module")
def attacker(template: Template, django_db_blocker: Any) -> Iterator[Superuser]:
    """Yield a superuser of a ledger whose tables have lost their constraints."""
    with django_db_blocker.unblock(), template.copied() as name:
        house = House(name)
        post([line(opened(1))] + [line(fact(place)) for place in range(2, 8)], Sender("ada"))
        with superuser() as user:
            user.execute(FREE)
            yield user
        house.close()


def lines(user: Superuser) -> list[str]:
    """Return what `verify` prints about the ledger, one line for each fault."""
    printed = [in_words(fault) for fault in user.faults(selected([LEDGER]))]
    assert all(text.isprintable() for text in printed)
    return printed


@options(
    max_examples=EXAMPLES,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)
@given(change=changes())
def test_any_value_in_any_column_is_named_in_one_line(
    attacker: Superuser, change: tuple[str, str, Any]
) -> None:
    table, column, value = change
    row = {"fact": "position = 4", "head": "true", "stream": "true"}[table]
    with attacker.undone():
        (before,) = attacker.rows(f"SELECT {column} FROM {table} WHERE {row}")[0]
        attacker.execute(
            f"UPDATE {table} SET {column} = CAST(%s AS {COLUMNS[table][column]}) WHERE {row}",
            [str(value) if isinstance(value, int) else value],
        )
        after = attacker.rows(
            f"SELECT count(*) FROM {table} WHERE {row} AND {column} IS NOT DISTINCT FROM %s", [before]
        )
        printed = lines(attacker)
        assert printed or after == [(1,)]
        assert not [text for text in printed if " error: " in text]


@pytest.mark.parametrize("body", BODIES)
def test_a_body_that_is_no_fact_is_named_even_if_its_leaf_and_chain_are_right(
    attacker: Superuser, body: bytes
) -> None:
    with attacker.undone():
        attacker.execute("DELETE FROM fact WHERE position > 4")
        ((before,),) = attacker.rows("SELECT chain FROM fact WHERE position = 3")
        attacker.execute(
            "UPDATE fact SET body = %s, leaf = %s, chain = sha256('\\x02'::bytea || %s || int8send(4) ||"
            " int8send(4) || %s) WHERE position = 4",
            [body, leaf_of(body), before, leaf_of(body)],
        )
        attacker.execute(
            "UPDATE head SET (position, chain, recorded_at) ="
            " (SELECT position, chain, recorded_at FROM fact WHERE position = 4)"
        )
        attacker.execute("UPDATE stream SET number = 4")
        assert lines(attacker) == ["fact aurora position 4 body: the bytes are not a fact"]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (
            "DROP VIEW fact_json, bi.fact; ALTER TABLE fact ALTER position TYPE numeric USING position*1e30",
            "fact aurora column: position is",
        ),
        ("DROP VIEW fact_json, bi.fact; ALTER TABLE fact ALTER round TYPE json USING '[1]'", "round is"),
        ("ALTER TABLE head ALTER chain DROP NOT NULL; UPDATE head SET chain = NULL", "head: is incomplete"),
        ("UPDATE fact SET position = NULL WHERE position = 4", "position is NULL"),
        (
            "UPDATE fact SET position = -4 WHERE position = 4",
            "fact aurora position -4 column: has no position",
        ),
        ("INSERT INTO head SELECT * FROM head", "head aurora head: exists 2 times"),
        ("INSERT INTO stream SELECT * FROM stream", "exists twice"),
        ("DELETE FROM fact; UPDATE head SET position = 0; DELETE FROM stream", "head aurora head: is at 0"),
        ("INSERT INTO stream VALUES ('borealis', 'borealis/T-1/2026-11-27', 3, false)", "head borealis head"),
        ("DELETE FROM fact; DELETE FROM head; DELETE FROM stream", "head aurora head: is gone"),
        ("INSERT INTO head SELECT NULL, 1, chain, recorded_at FROM head", "whose name is not text"),
        ("INSERT INTO slip_series VALUES ('borealis', 'F', 3)", "slip_series borealis unknown"),
        ("ALTER TABLE fact RENAME body TO flesh", "could not be read to its end"),
        ("ALTER TABLE fact RENAME TO history", 'UndefinedTable: relation "public.fact" does not exist'),
        ("DROP TABLE head", 'relation "public.head" does not exist'),
        (f"REVOKE SELECT ON fact FROM {settings.DATABASES['default']['USER']}", "permission denied"),
        (
            f"{CAST}; UPDATE fact SET kind = '\\xff00'::bytea::text WHERE position = 4",
            "fact aurora position 4 column: kind is \\xff\\x00",
        ),
        (
            f"{CAST}; UPDATE stream SET property = '\\xff'::bytea::text",
            "whose name is not text",
        ),
    ],
)
def test_what_only_a_superuser_can_do_to_the_ledger_is_named(
    attacker: Superuser, change: str, named: str
) -> None:
    with attacker.undone():
        attacker.execute(change)
        printed = lines(attacker)
        assert [text for text in printed if named in text], printed

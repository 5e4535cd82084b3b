"""A ledger may be verified in pages, by several processes, or from a checkpoint on. Each way reports the same
faults as a verification fact by fact.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from audit.ledger import stored, verify
from audit.ledger.intake import Sender, post
from audit.ledger.verify import Fault
from audit.proofs.registry import LEDGER, Options, selected
from audit.proofs.run import run
from audit.tree.evidence import Outside
from casino.checkpoints import make
from tests.audit.floor import fact, line, opened
from tests.conftest import House
from tests.furnished import furnishing

TAKE = {"spot": "1", "wager": "over", "amount": 500}
TABLES = ("aurora/EOU-01", "aurora/T-2", "aurora/T-3")
LAST = 603
CHANGES = [
    "UPDATE fact SET body = set_byte(body, 10, get_byte(body, 10) # 1) WHERE position = {at}",
    "UPDATE fact SET leaf = sha256(leaf) WHERE position = {at}",
    "UPDATE fact SET chain = sha256(chain) WHERE position = {at}",
    "UPDATE fact SET number = number + 1000 WHERE position = {at}",
    "UPDATE fact SET kind = 'pay' WHERE position = {at}",
    "UPDATE fact SET round = 'q' WHERE position = {at}",
    "UPDATE fact SET stream = stream || 'x' WHERE position = {at}",
    "UPDATE fact SET uid = '00000000-0000-4000-8000-00000000beef' WHERE position = {at}",
    "UPDATE fact SET recorded_at = '-infinity' WHERE position = {at}",
    "UPDATE fact SET recorded_at = recorded_at - interval '1 day' WHERE position = {at}",
    "DELETE FROM fact WHERE position = {at}",
    "DELETE FROM fact WHERE position > {at}",
    "UPDATE fact SET position = -position WHERE position = {at}",
    "UPDATE fact SET body = o.body, leaf = o.leaf FROM fact o WHERE o.position = 7 AND fact.position = {at}",
    "UPDATE fact SET round = '' WHERE position = {at}",
    "UPDATE fact SET round = NULL WHERE position = {at}",
    "UPDATE fact SET round = E'r\\n=r' WHERE position = {at}",
    "UPDATE fact SET kind = E'take\\ntake' WHERE position = {at}",
    "UPDATE fact SET stream = stream || E'\\n' WHERE position = {at}",
    "UPDATE fact SET body = body || '\\x0a' WHERE position = {at}",
    "UPDATE fact SET leaf = leaf || '\\x02', chain = substr(chain, 2) WHERE position = {at}",
    "UPDATE fact SET leaf = substr(leaf, 1, 31), chain = substr(leaf, 32) || chain WHERE position = {at}",
    "DROP SCHEMA bi CASCADE; DROP VIEW fact_json CASCADE; ALTER TABLE fact ALTER recorded_at TYPE text",
    "UPDATE fact SET position = 1152921504606846976 WHERE position = {at}",
    "UPDATE head SET position = position + 1",
    "UPDATE stream SET number = number - 1",
    "SELECT {at}",
]


@furnishing
def ledger() -> None:
    """Record facts of three tables in turn, with a checkpoint at position 303."""
    post([line(opened(place, table)) for place, table in enumerate(TABLES, 1)], Sender("ada"))
    record(4, 304)
    make.make("aurora")
    record(304, LAST + 1)
    post([line(fact(LAST + 1, "day-closed", table=TABLES[2], by="a-101"))], Sender("ada"))


def record(first: int, ends: int) -> None:
    lines = [line(fact(place, table=TABLES[place % 3], round="r") | TAKE) for place in range(first, ends)]
    for at in range(0, len(lines), 40):
        post(lines[at : at + 40], Sender("ada"))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Let `verify` read pages of 40 or 50 facts, and divide the ledger into ranges of 100."""
    monkeypatch.setattr(stored, "COLUMNS_PAGE", 40)
    monkeypatch.setattr(stored, "PAGE", 50)
    monkeypatch.setattr(verify, "RANGE", 100)
    return monkeypatch


def faults(processes: int = 1) -> list[Fault]:
    return [fault for ledger in verify.verify(processes=processes) for fault in ledger.faults]


@pytest.mark.parametrize("change", CHANGES)
def test_pages_and_processes_find_what_is_found_fact_by_fact(
    ledger: None, house: House, small: pytest.MonkeyPatch, change: str
) -> None:
    with house.owner as owner:
        for table in ("fact", *stored_partitions(owner)):
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        owner.execute(change.format(at=351))
    by_pages, by_processes = faults(), faults(2)
    small.setattr(verify, "add_page", lambda part, page: False)
    assert by_pages == by_processes == faults()
    assert bool(by_pages) == (not change.startswith("SELECT"))


def stored_partitions(owner: object) -> list[str]:
    query = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'fact'::regclass"
    return [name for (name,) in owner.execute(query).fetchall()]  # type: ignore[attr-defined]


def test_two_processes_prove_as_much_as_one(ledger: None, small: pytest.MonkeyPatch) -> None:
    single, double = (run(selected([LEDGER]), options=Options(processes=processes)) for processes in (1, 2))
    assert single == double
    assert single.rows["fact"] == LAST + 1
    assert single.faults == []


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ("SELECT 1", set()),
        ("UPDATE fact SET body = set_byte(body, 10, 0) WHERE position = 7", set()),
        ("UPDATE fact SET body = set_byte(body, 10, 0) WHERE position = 400", {("fact", "body")}),
        ("UPDATE fact SET number = number + 1000 WHERE position = 304", {("fact", "number")}),
        ("DELETE FROM fact WHERE position = 310", {("fact", "missing")}),
        (
            "UPDATE tile SET hashes = sha256(hashes) WHERE level = 1",
            {("tile", "changed")},
        ),
    ],
)
def test_since_a_checkpoint_only_new_facts_are_read(
    ledger: None, house: House, small: pytest.MonkeyPatch, change: str, kinds: set[tuple[str, str]]
) -> None:
    stored_checkpoint = make.checkpoints.at("aurora", 303)
    assert stored_checkpoint is not None
    make.make("aurora")
    with house.owner as owner:
        for table in ("fact", *stored_partitions(owner)):
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        owner.execute(change)
    since = Outside("aurora", 303, stored_checkpoint.root, "the first checkpoint")
    for processes in (1, 2):
        result = run(selected([LEDGER]), options=Options(processes=processes, since=(since,)))
        assert {(fault.table, fault.kind) for fault in result.faults} == kinds
        assert result.rows["fact"] in (LAST + 1 - 303, LAST - 303)

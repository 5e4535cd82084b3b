"""The database itself refuses changes of facts by the application, and `verify` reports what the owner of the
schema changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from audit.ledger.intake import Sender, post
from audit.ledger.verify import Fault, verify
from tests.audit.floor import fact, line, opened, uid
from tests.conftest import House, Template
from tests.manage import Manage

LAST = 12
MIDDLE = 6
TAKE = {"spot": "1", "wager": "over", "amount": 500}
LEDGER = ("head", "stream", "fact")
PARTITIONS = "select inhrelid::regclass::text from pg_inherits where inhparent = 'fact'::regclass order by 1"


def fill(house: House) -> House:
    """Record twelve facts of two tables in three posts."""
    facts = [opened(1), opened(2, "aurora/T-2")]
    facts += [
        fact(place, table=("aurora/EOU-01", "aurora/T-2")[place % 2], round="r") | TAKE
        for place in range(3, LAST + 1)
    ]
    for place in range(0, LAST, 4):
        post([line(fact_sent) for fact_sent in facts[place : place + 4]], Sender("ada"))
    return house


@pytest.fixture
def own_house(house: House) -> House:
    """Return a database with facts that one test may change in any way."""
    return fill(house)


@pytest.fixture(scope="module")
def shared(template: Template, django_db_blocker: Any) -> Iterator[House]:
    """Fill one database for all tests that change only rows, because to fill a database for each test would
    take most of the time.
    """
    with django_db_blocker.unblock(), template.copied() as name:
        house = fill(House(name))
        by_owner(house, *(f"create table kept_{table} as select * from {table}" for table in LEDGER))
        yield house
        house.close()


@pytest.fixture
def filled(shared: House) -> Iterator[House]:
    """Yield the shared database and restore its rows afterwards."""
    yield shared
    guards(shared, "disable")
    by_owner(
        shared, *(f"delete from {table}; insert into {table} select * from kept_{table}" for table in LEDGER)
    )
    guards(shared, "enable")


def faults() -> list[Fault]:
    return [fault for ledger in verify() for fault in ledger.faults]


def fault_positions() -> set[tuple[int | None, str]]:
    return {(fault.position, fault.kind) for fault in faults()}


def by_owner(house: House, *acts: str) -> None:
    """Execute statements as the owner of the schema, on a connection that is closed afterwards."""
    with house.owner as owner:
        for act in acts:
            owner.execute(act)


def tables_of_facts(house: House) -> list[str]:
    """Return the names of the table of all facts and of its partitions by property."""
    with house.owner as owner:
        return ["fact", *(name for (name,) in owner.execute(PARTITIONS).fetchall())]


def guards(house: House, way: str) -> None:
    """Disable or enable the triggers that protect facts, as the owner of the schema. `way` is `disable` or
    `enable`.
    """
    by_owner(house, *(f"alter table {table} {way} trigger user" for table in tables_of_facts(house)))


def tamper(house: House, *acts: str) -> None:
    """Execute statements as the owner of the schema, with the triggers that protect facts disabled."""
    guards(house, "disable")
    by_owner(house, *acts)


@pytest.mark.parametrize(
    "act",
    [
        "update fact set body = body",
        "delete from fact",
        "truncate fact",
        "truncate fact cascade",
        "insert into fact select * from fact",
        "update head set position = 0",
        "delete from head",
        "insert into head select 'x', position, chain, recorded_at from head",
        "update stream set sealed = false",
        "delete from stream",
        "drop trigger never_changed on fact",
        "alter table fact disable trigger all",
        "alter table fact drop column round",
        "alter table fact owner to current_user",
        "drop table fact",
        "drop table head",
        "drop view fact_json",
        "drop function append_facts",
        "alter function append_facts security invoker",
        (
            "create or replace function refuse_change() returns trigger language plpgsql as $$ begin return"
            " null; end $$"
        ),
        "select open_ledger('borealis')",
        "create table x ()",
        "set session_replication_role = replica",
        "set role {owner}",
        "update fact_json set kind = kind",
        "select * from fact for update",
    ],
)
def test_the_database_itself_refuses_the_application(filled: House, act: str) -> None:
    for table in tables_of_facts(filled) if "fact_json" not in act else ["fact"]:
        statement = act.replace("{owner}", settings.DATABASES["owner"]["USER"]).replace(" fact", f" {table}")
        with filled.app as app, pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute(statement)
    assert fault_positions() == set()


@pytest.mark.parametrize("act", ["update {} set round = round", "delete from {}", "truncate {}"])
def test_even_the_owner_is_refused_while_the_triggers_are_enabled(filled: House, act: str) -> None:
    for table in tables_of_facts(filled):
        with pytest.raises(psycopg.errors.RaiseException, match="never changed or removed"):
            by_owner(filled, act.format(table))


def test_verify_reports_an_intact_ledger_and_its_position(filled: House) -> None:
    output, problems = StringIO(), StringIO()
    call_command("verify", "--only", "ledger", stdout=output, stderr=problems)
    assert output.getvalue().startswith("verified 12 facts in 2 streams of 1 property")
    assert "checkpoint" in output.getvalue()
    assert problems.getvalue() == ""


def test_verify_names_position_and_kind_and_fails_in_one_line(filled: House) -> None:
    tamper(filled, "update fact set body = set_byte(body, 10, get_byte(body, 10) # 1) where position = 6")
    output = StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("verify", stdout=output)
    assert "aurora position 6 body:" in output.getvalue()
    assert "verified 12 facts" in output.getvalue()
    assert "1 body" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("position", [1, MIDDLE, LAST])
@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ("body = set_byte(body, 10, get_byte(body, 10) # 1)", "body"),
        ("body = '\\xff00'", "body"),
        ("leaf = set_byte(leaf, 31, get_byte(leaf, 31) # 1)", "leaf"),
        ("chain = set_byte(chain, 0, get_byte(chain, 0) # 1)", "chain"),
        ("number = number + 100", "number"),
        ("number = -number", "number"),
        ("kind = 'pay'", "column"),
        ("round = 'q'", "column"),
        ("round = null", "column"),
        (f"uid = '{uid(99)}'", "column"),
        ("stream = stream || 'x'", "column"),
    ],
)
def test_one_changed_column_of_one_fact_is_the_only_fault(
    filled: House, position: int, change: str, kind: str
) -> None:
    tamper(filled, f"update fact set {change} where position = {position}")
    expected = {(position, kind)}
    if "round = null" in change and position == 1:
        expected = set()  # table-opened has no round
    assert fault_positions() - {(None, "head")} == expected
    if position != LAST:
        assert fault_positions() == expected


def test_a_recomputed_leaf_of_a_changed_body_breaks_the_chain(filled: House) -> None:
    body = "convert_to(replace(convert_from(body, 'UTF8'), '500', '501'), 'UTF8')"
    tamper(
        filled, f"update fact set body = {body}, leaf = sha256('\\x00'::bytea || {body}) where position = 6"
    )
    assert fault_positions() == {(6, "order")}


def test_a_changed_time_is_named_where_it_breaks_the_order(filled: House) -> None:
    tamper(filled, "update fact set recorded_at = recorded_at - interval '1 day' where position = 6")
    assert fault_positions() == {(6, "time")}


def test_a_later_time_is_named_at_the_fact_behind_it(filled: House) -> None:
    tamper(filled, "update fact set recorded_at = recorded_at + interval '1 day' where position = 6")
    assert fault_positions() == {(7, "time")}


def test_a_fact_moved_to_another_property_is_missing_here_and_named_there(own_house: House) -> None:
    post([line(opened(1, "borealis/T-1"))], Sender("ada"))
    tamper(own_house, "update fact set property = 'borealis' where property = 'aurora' and position = 6")
    found_faults = {(fault.property, fault.position, fault.kind) for fault in faults()}
    assert ("aurora", 6, "missing") in found_faults
    assert ("borealis", 6, "column") in found_faults


@pytest.mark.parametrize(("first", "second"), [(3, 9), (5, 6), (1, 2), (11, 12), (1, 12)])
@pytest.mark.parametrize("names", ["position", "body, leaf", "position, number", "body, leaf, uid, chain"])
def test_two_rows_that_changed_places_are_both_named(
    own_house: House, first: int, second: int, names: str
) -> None:
    columns = names.split(", ")
    sets = ", ".join(f"{column} = other.{column}" for column in columns)
    tamper(
        own_house,
        "alter table fact drop constraint fact_pkey cascade",
        "alter table fact drop constraint fact_property_stream_number_key cascade",
        "alter table fact drop constraint fact_property_uid_key cascade",
        f"update fact set {sets} from (select * from fact where position in ({first}, {second})) other "
        f"where fact.position in ({first}, {second}) and other.position = {first} + {second} - fact.position",
    )
    assert {first, second} <= {position for position, _ in fault_positions()}


@pytest.mark.parametrize("deleted", [[1], [2], [MIDDLE], [5, 6], [4, 8], [LAST - 1], [1, 2, 3]])
def test_deleted_facts_are_the_only_faults_and_named_as_missing(filled: House, deleted: list[int]) -> None:
    tamper(filled, f"delete from fact where position = any (array{deleted})")
    assert fault_positions() == {(position, "missing") for position in deleted}


@pytest.mark.parametrize("last", [LAST - 1, MIDDLE, 0])
def test_a_cut_tail_is_missing_up_to_the_position_of_the_head(filled: House, last: int) -> None:
    tamper(filled, f"delete from fact where position > {last}")
    assert {(position, "missing") for position in range(last + 1, LAST + 1)} <= fault_positions()
    assert {kind for _, kind in fault_positions()} <= {"missing", "stream"}


def test_a_removed_tail_is_found_by_the_streams_even_if_the_head_fits(filled: House) -> None:
    tamper(
        filled,
        "delete from fact where position > 10",
        "update head set position = 10,"
        " (chain, recorded_at) = (select chain, recorded_at from fact where position = 10)",
    )
    assert {kind for _, kind in fault_positions()} == {"stream"}


@pytest.mark.parametrize(
    "change",
    [
        "update head set position = position + 1",
        "update head set position = position - 1",
        "update head set chain = set_byte(chain, 5, get_byte(chain, 5) # 1)",
        "update head set recorded_at = recorded_at + interval '1 second'",
        "delete from head",
        "update head set property = 'borealis'",
    ],
)
def test_a_changed_head_is_named(filled: House, change: str) -> None:
    tamper(filled, change)
    assert fault_positions()
    assert {kind for _, kind in fault_positions()} <= {"head", "missing"}


@pytest.mark.parametrize(
    "change",
    [
        "update stream set number = number + 1",
        "update stream set sealed = true",
        "delete from stream where name like '%T-2%'",
        "update stream set name = name || 'x'",
        "insert into stream values ('aurora', 'aurora/T-9/2026-11-27', 4, false)",
    ],
)
def test_a_changed_stream_is_named(filled: House, change: str) -> None:
    tamper(filled, change)
    assert {kind for _, kind in fault_positions()} == {"stream"}


@pytest.mark.parametrize("position", [1, MIDDLE, LAST])
def test_a_duplicate_row_is_named(own_house: House, position: int) -> None:
    keys = ("fact_pkey", "fact_property_stream_number_key", "fact_property_uid_key")
    tamper(
        own_house,
        *(f"alter table fact drop constraint {key} cascade" for key in keys),
        f"insert into fact select * from fact where position = {position}",
    )
    assert fault_positions() == {(position, "doubled")}


def test_a_row_that_was_copied_to_the_end_is_named(own_house: House) -> None:
    tamper(
        own_house,
        "alter table fact drop constraint fact_property_uid_key cascade",
        "insert into fact select property, 13, stream, number + 50, kind, uid, round, body, leaf, chain,"
        " recorded_at from fact where position = 12",
    )
    assert (13, "doubled") in fault_positions()


def test_facts_after_the_close_of_a_day_are_named(own_house: House) -> None:
    post([line(fact(20, kind="day-closed", by="boris"))], Sender("ada"))
    tamper(own_house, "update stream set sealed = false")
    post([line(fact(21))], Sender("ada"))
    assert (14, "sealed") in fault_positions()


def test_the_command_fails_with_one_line_for_each_change(own_house: House, manage: Manage) -> None:
    intact = manage("verify", env=own_house.env)
    assert (intact.returncode, intact.stderr) == (0, "")
    tamper(own_house, "delete from fact where position = 6")
    broken = manage("verify", env=own_house.env)
    assert broken.returncode == 1
    assert len(broken.stderr.splitlines()) == 1
    assert "aurora position 6 missing" in broken.stdout
    assert manage("verify", "--sideways", env=own_house.env).returncode == 2

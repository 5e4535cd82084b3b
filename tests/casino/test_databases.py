"""Tests use copies of a database (tests/databases.py). A test gets the copy of the previous test again only
if that test did not change it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection, connections, transaction

from tests.databases import Template


def execute(statement: str, alias: str = "default") -> None:
    with connections[alias].cursor() as cursor:
        cursor.execute(statement)


def value(statement: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def log_in() -> None:
    SessionStore().create()


def log_in_and_roll_back() -> None:
    with transaction.atomic():
        log_in()
        transaction.set_rollback(True)


def log_in_again() -> None:
    session = SessionStore()
    session.create()
    session["page"] = 2
    session.save()


def write_as_owner() -> None:
    execute("insert into django_content_type (app_label, model) values ('a', 'b')", "owner")


def change_the_schema() -> None:
    execute("create table extra (a int)", "owner")


def change_a_setting() -> None:
    execute(f"alter database {connections['owner'].settings_dict['NAME']} set work_mem to '5MB'", "owner")


def change_a_right() -> None:
    execute(f"revoke temporary on database {connections['owner'].settings_dict['NAME']} from public", "owner")
    execute(f"grant connect on database {connections['owner'].settings_dict['NAME']} to public", "owner")


def lose_the_connection() -> None:
    connections["owner"].ensure_connection()
    connections["owner"].connection.close()


def open_a_transaction() -> None:
    transaction.set_autocommit(False)


def is_lent_again(template: Template, act: Callable[[], object]) -> bool:
    """Let `act` use a database copy. Return True if the next test would get the same copy."""
    with template.lent(template.name) as name:
        act()
    with template.lent(template.name) as after:
        return name == after


def read() -> None:
    execute("select * from django_session")
    execute("select * from django_session", "owner")


@pytest.mark.parametrize("act", [lambda: None, read, log_in])
def test_a_copy_without_changes_is_lent_again(
    template: Template, django_db_blocker: Any, act: Callable[[], object]
) -> None:
    with django_db_blocker.unblock():
        assert is_lent_again(template, act)
        with template.lent(template.name):
            assert value("select count(*) from django_session") == 0


@pytest.mark.parametrize(
    "act",
    [
        log_in_and_roll_back,
        log_in_again,
        write_as_owner,
        change_the_schema,
        change_a_setting,
        change_a_right,
        open_a_transaction,
        lose_the_connection,
    ],
)
def test_a_changed_copy_is_not_lent_again(
    template: Template, django_db_blocker: Any, act: Callable[[], object]
) -> None:
    with django_db_blocker.unblock():
        assert not is_lent_again(template, act)


def test_a_copy_that_somebody_else_may_be_writing_to_is_not_lent_again(
    template: Template, django_db_blocker: Any
) -> None:
    with django_db_blocker.unblock():
        opened: list[psycopg.Connection[Any]] = []
        try:
            assert not is_lent_again(
                template,
                lambda: opened.append(psycopg.connect(**connection.get_connection_params())),
            )
        finally:
            for other in opened:
                other.close()


def test_a_copy_of_another_database_is_not_lent(template: Template, django_db_blocker: Any) -> None:
    with django_db_blocker.unblock(), template.filled("nothing", lambda: None) as other:
        with template.lent(template.name) as name:
            pass
        with template.lent(other) as after:
            assert name != after
        with template.lent(other) as database:
            assert database == after


def test_a_connection_that_is_lent_again_has_its_first_settings(
    template: Template, django_db_blocker: Any
) -> None:
    with django_db_blocker.unblock():
        with template.lent(template.name) as name:
            first = value("select pg_backend_pid()")
            execute("set timezone to 'Asia/Macau'; set statement_timeout to 1234")
            execute("select pg_advisory_lock(1)")
        with template.lent(template.name) as after:
            assert (after, value("select pg_backend_pid()")) == (name, first)
            assert (value("show timezone"), value("show statement_timeout")) == ("UTC", "0")
            condition = "locktype = 'advisory' and pid = pg_backend_pid()"
            assert value(f"select count(*) from pg_locks where {condition}") == 0

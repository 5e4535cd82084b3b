"""A group installation copies the databases of two properties. The tests use three real clusters. The group's
cluster is restarted in the middle.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import Error, connections
from msgspec import json

from audit import database
from audit.facts import check
from audit.findings import examine as findings
from audit.ledger import intake
from audit.ledger.intake import Sender
from casino.accounts.services import activate_user
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.runtime import group
from casino.runtime.outages import DATABASE_READ_ONLY, outage_of
from casino.sample import honest_day
from tests.casino.logins import logged_in
from tests.casino.nights import DAY, PASSWORD
from tests.casino.test_boards import two_tables
from tests.clusters import Cluster, Clusters, connected
from tests.conftest import Template

ROLE, SECRET = "catwalk_group", "five dice in a cup"
DAYS = "from=2026-11-27&to=2026-11-27"
AUDITOR = "i-900"


def entries(cluster: Cluster) -> dict[str, dict[str, Any]]:
    return {"default": cluster.entry(), "owner": cluster.entry("catwalk_owner")}


def run(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


class Group:
    """Two properties and the group installation that follows them, each with its own database cluster."""

    def __init__(self, clusters: Clusters, template: Template) -> None:
        night, _ = template.furnished(two_tables.furnish)
        self.properties = {name: clusters.primary(name) for name in ("aurora", "borealis")}
        self.properties["aurora"].fill(night)
        self.properties["borealis"].fill(template.name)
        self.cluster = clusters.primary("group")
        self.cluster.fill(template.name)
        with self.cluster.superuser() as connection:
            connection.execute("grant pg_create_subscription to catwalk_owner")
            connection.execute("grant create on database catwalk to catwalk_owner")
        for name, property in self.properties.items():
            property.require_password(ROLE, SECRET)
            with connected(**entries(property)):
                set_registers(
                    name, [Entry("people", AUDITOR, {"role": "internal-audit"})], by="m-1", second="m-2"
                )
                self.post(name, "EOU-21", 1)
                assert "may follow" in run("group", "publish", ROLE)

    def post(self, property: str, table: str, seed: int) -> None:
        """Record and examine a short day at a table of a property."""
        with connected(**entries(self.properties[property])):
            facts = honest_day(
                "easy_over_under", seed=seed, property=property, table=table, day=DAY, rounds=3
            )
            intake.post_prepared([check(json.encode(fact)) for fact in facts], Sender("gateway"))
            findings.examine()

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        """Return the rows of a database table at all properties, read from the properties' own databases."""
        every = []
        for property in self.properties.values():
            with property.superuser() as connection:
                every += connection.execute(f"select * from {table} t order by t::text").fetchall()  # type: ignore[call-overload]
        return sorted(every, key=repr)

    def differing(self) -> list[str]:
        """Return the database tables whose rows differ between the group and the properties, and those that
        are not wholly copied yet.
        """
        with self.cluster.superuser() as connection:
            copied = "select srrelid::regclass::text from pg_subscription_rel where srsubstate <> 'r'"
            tables = [name for (name,) in connection.execute(copied).fetchall()]
            for table in group.FOLLOWED:
                stored = connection.execute(f"select * from {table}").fetchall()  # type: ignore[call-overload]
                if sorted(stored, key=repr) != self.rows(table):
                    tables.append(table)
        return tables

    def until_arrived(self) -> None:
        deadline = time.monotonic() + 60
        while tables := self.differing():
            log = (self.cluster.folder / "log").read_text()
            assert time.monotonic() < deadline, f"{tables}\n{log[-2000:]}"
            time.sleep(0.1)


@pytest.fixture(scope="module")
def followed(template: Template, django_db_blocker: Any) -> Iterator[Group]:
    """Yield a group that follows both properties. Django's connections point at the group's database."""
    clusters = Clusters()
    try:
        with django_db_blocker.unblock():
            installation = Group(clusters, template)
            with connected(**entries(installation.cluster)):
                for name, property in installation.properties.items():
                    says = run("group", "follow", name, property.url(ROLE, SECRET))
                    assert says == f"{name} is followed: {name}.\n"
                yield installation
    finally:
        clusters.close()


def test_a_restarted_group_misses_nothing(followed: Group) -> None:
    followed.until_arrived()
    for alias in ("default", "owner"):
        connections[alias].close()
    followed.cluster.end(signal.SIGQUIT)
    followed.post("aurora", "EOU-22", 2)
    followed.cluster.start()
    followed.post("borealis", "EOU-23", 3)
    followed.until_arrived()
    assert len(followed.rows("fact")) > 100
    assert run("group", "state").count(f"runs, {len(group.FOLLOWED)} of {len(group.FOLLOWED)} tables") == 2


def test_the_group_shows_one_queue_and_rolls_up_reports(followed: Group) -> None:
    followed.until_arrived()
    assert "register entries copied" in run("group", "registers")
    activate_user(AUDITOR, "Ines", PASSWORD)
    browser = logged_in(AUDITOR)
    for name in followed.properties:
        shown = browser.get(f"/hands/?property={name}")
        assert (shown.status_code, f"/hand/{name}/" in shown.content.decode()) == (200, True)
    ((queued,),) = database.rows("SELECT count(DISTINCT property) FROM round_tally")
    assert (queued, browser.get("/queue/").status_code) == (2, 200)
    printed = run("report", "table-drop", "--by", "property", "--format", "csv", "--from", str(DAY))
    for name, property in followed.properties.items():
        with connected(**entries(property)):
            own = run("report", "table-drop", "--by", "property", "--format", "csv", "--from", str(DAY))
        assert [line for line in printed.splitlines() if line.startswith(name)] == own.splitlines()[1:2], name


def test_a_group_follows_a_table_that_the_properties_publish_later(followed: Group) -> None:
    followed.until_arrived()
    property = followed.properties["aurora"]
    with property.superuser() as connection:
        connection.execute("ALTER PUBLICATION catwalk_group DROP TABLE camera_outage")
    assert "aurora is followed with all tables of this release." in run("group", "refresh")
    with connected(**entries(property)):
        run("group", "publish", ROLE)
    before = run("group", "state")
    assert f"aurora: runs, {len(group.FOLLOWED) - 1} of" in before
    assert run("group", "refresh").count("is followed with all tables") == 2
    followed.until_arrived()
    assert run("group", "state").count(f"{len(group.FOLLOWED)} of {len(group.FOLLOWED)} tables") == 2


def test_the_group_records_nothing(followed: Group) -> None:
    followed.until_arrived()
    facts = honest_day("easy_over_under", seed=9, property="aurora", table="EOU-30", day=DAY, rounds=1)
    lines = [json.encode(fact) for fact in facts]
    with pytest.raises(psycopg.Error, match="follows properties and records nothing") as refused:
        intake.post(lines, Sender("gateway"))
    assert outage_of(refused.value) is DATABASE_READ_ONLY
    with pytest.raises(Error, match="follows properties and records nothing"):
        database.execute("DELETE FROM finding")
    assert followed.differing() == []


def test_what_cannot_be_followed_is_said(followed: Group) -> None:
    url = followed.properties["aurora"].url(ROLE, SECRET)
    with pytest.raises(CommandError, match=r"already has a ledger of aurora\.$"):
        run("group", "follow", "again", url)
    with pytest.raises(CommandError, match="is not a valid name"):
        run("group", "follow", "Aurora!", url)
    with pytest.raises(CommandError, match="does not answer"):
        run("group", "follow", "other", "postgres://nobody@/catwalk?host=/nowhere")
    with pytest.raises(CommandError, match="There is no subscription"):
        run("group", "unfollow", "other")
    with pytest.raises(CommandError, match="cannot replicate"):
        run("group", "publish", "nobody")

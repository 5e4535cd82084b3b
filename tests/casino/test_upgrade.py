"""An installation of the previous release is upgraded: its facts, findings, reports and archived exports do
not change, and its users can sign in.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from audit.queries import round_search
from audit.queries.round_search import Search
from casino.runtime import auto_migrate
from tests.audit import floor
from tests.casino.feeding import Ran, run
from tests.conftest import Template
from tests.manage import Manage
from tests.releases.making import SPAN

RELEASE = Path(__file__).parents[1] / "releases" / "9a0ea29"
TOLD: dict[str, Any] = json.loads(gzip.decompress((RELEASE / "told.json.gz").read_bytes()))
COUNTED = TOLD["verified"].partition(":")[0]
"""The numbers of facts, streams and properties that `verify` of the previous release printed."""
REORDERED = frozenset({"stiff-sheet", "table-drop"})
"""Reports whose rows are now in another order."""
OF_RULES = frozenset({"coverage"})
"""Reports that list the rules. They differ, because the present code has more rules than the previous
release.
"""
ADDED = {
    "statistics": ("z_least",),
    "live-dealer": ("unseen",),
    "voids": ("players_won", "players_lost"),
    "markers": ("written_off", "recovered"),
    "base-level": ("win", "expected"),
    "dealer-errors": ("low_per_1000", "high_per_1000", "verdict"),
}
"""For each report: the columns that were added since the previous release."""
SAYING_MORE = {"new-jersey": ("note",)}
"""For each report: the columns that now say more, such as which days of a month a row has."""
REASONS = frozenset({"n/a", "none", "pending"})
"""Words that say why a figure is missing."""


GAINED = {"person-at-two-tables", "person-unknown", "signer-not-entitled"}
"""Codes of findings that only the present rules report for the installation of the previous release. Its
registers lacked cashiers and guards, and did not say that a supervisor has several tables. Its administrators
entered their own roles.
"""


@pytest.fixture(scope="module")
def upgraded(template: Template, django_db_blocker: Any) -> Iterator[Ran]:
    """Yield the output of restoring an installation of the previous release, which upgrades it too. All tests
    of this module share it. They only read it or add facts.
    """
    with django_db_blocker.unblock(), template.copied("template0"):
        cache.clear()
        yield run("restore", RELEASE)


def exported(name: str) -> str:
    with NamedTemporaryFile() as file:
        assert run("export", name, *SPAN, "--format", "csv", "--out", file.name).code == 0
        return Path(file.name).read_text()


def rows(name: str, text: str) -> list[list[str]]:
    """Return the rows of a printed report without the columns that a later release added. They are sorted if
    their order has changed.

    Reasons for missing figures are now in the column `status`. Earlier they were in the cells of the figures.
    Here they are at the end of each row.
    """
    head, *lines = csv.reader(text.splitlines())
    added = {"status", *ADDED.get(name, ())} - set(next(csv.reader(TOLD["reports"][name].splitlines())))
    left_out = added | set(SAYING_MORE.get(name, ()))
    places = [place for place, column in enumerate(head) if column not in left_out]
    status = [place for place, column in enumerate(head) if column in added & {"status"}]
    rows = [[head[place] for place in places]]
    for line in lines:
        cells = ["" if line[place] in REASONS else line[place] for place in places]
        reasons = {part.partition(": ")[0] for place in status for part in line[place].split("; ")}
        reasons |= {line[place] for place in places if line[place] in REASONS}
        is_complete = all(cells)  # then only added columns miss a figure
        rows.append([*cells, *sorted(set() if is_complete else reasons - {""})])
    return sorted(rows) if name in REORDERED else rows


def present_rows() -> dict[str, list[list[str]]]:
    """Return the rows that this release prints for each report which the previous release had."""
    return {
        name: rows(name, run("report", name, *SPAN, "--format", "csv").out)
        for name in TOLD["reports"]
        if name not in OF_RULES
    }


def earlier_rows() -> dict[str, list[list[str]]]:
    """Return the rows of every report as the previous release printed it."""
    return {name: rows(name, text) for name, text in TOLD["reports"].items() if name not in OF_RULES}


def test_the_upgraded_installation_has_all_migrations_and_an_intact_ledger(upgraded: Ran) -> None:
    assert (upgraded.code, upgraded.err) == (0, "")
    assert COUNTED in upgraded.out
    assert "bytes, order, numbers and heads are correct" in upgraded.out
    assert auto_migrate.unapplied() == set()
    with connection.cursor() as cursor:
        cursor.execute("SELECT property, position, encode(chain, 'hex') FROM head ORDER BY property")
        assert [list(head) for head in cursor.fetchall()] == TOLD["heads"]


def test_the_findings_of_the_release_are_the_same(upgraded: Ran) -> None:
    assert run("findings", "--format", "ndjson").out == TOLD["findings"]
    lines = run("reexamine", "--dry-run").out.splitlines()
    assert lines[-1].endswith("lost 0"), "nothing that was found is taken back"
    gained = {line.split(":")[1] for line in lines if line.startswith("gained ")}
    assert gained == GAINED


def test_every_report_has_the_rows_of_the_release(upgraded: Ran) -> None:
    assert present_rows() == earlier_rows()


def test_hands_are_searchable_after_a_reexamination(upgraded: Ran) -> None:
    properties = [property for property, *_ in TOLD["heads"]]
    waiting = sum(map(round_search.not_summarized, properties))
    assert (waiting > 0, round_search.totals(Search(properties[0]))) == (True, [])
    run("reexamine")
    assert sum(map(round_search.not_summarized, properties)) == 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM round_tally")
        row = cursor.fetchone()
        cursor.execute("SELECT sum(rounds) FROM tally WHERE wager = ''")
        assert row == cursor.fetchone()


def test_tally_and_reports_are_the_same_with_rebuilt_caches(upgraded: Ran) -> None:
    assert exported("tally") == TOLD["tally"]
    run("reexamine")
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM summed")
    assert exported("tally") == TOLD["tally"]
    assert present_rows() == earlier_rows()


def test_an_archived_report_is_rebuilt_to_the_byte(upgraded: Ran) -> None:
    for number, digest in TOLD["kept"].items():
        second = run("report", "--kept", number, "--again", "--format", "csv")
        assert (second.code, "the same" in second.err) == (0, True), second.err
        with connection.cursor() as cursor:
            cursor.execute("SELECT sha256 FROM kept_report WHERE id = %s", [number])
            assert cursor.fetchall() == [(digest,)]


def test_users_sign_in_with_their_earlier_passwords(upgraded: Ran) -> None:
    dana, eve = (next(login for login in TOLD["logins"] if login[1] == name) for name in ("Dana", "Eve"))
    browser = Client()
    assert browser.post("/login/", {"username": dana[0], "password": dana[3]}).status_code == 302
    page = browser.get("/queue/")
    assert (page.status_code, "aurora" in page.content.decode()) == (200, True)
    assert Client().post("/login/", {"username": eve[0], "password": dana[3]}).status_code == 200, (
        "that is another's password"
    )


def test_tokens_keep_their_rights(upgraded: Ran) -> None:
    headers = {name: {"Authorization": f"Bearer {token}"} for name, token in TOLD["tokens"].items()}
    assert Client().get("/api/v1/reports", headers=headers["a-101"]).status_code == 200
    last = floor.line(floor.fact(1, table="aurora/EOU-01", day="2026-12-01", **floor.OPENING))
    posted = Client().post(
        "/api/v1/facts", last, content_type="application/x-ndjson", headers=headers["gateway-1"]
    )
    assert posted.status_code == 201, posted.content
    assert (
        Client().get("/api/v1/reports", headers={"Authorization": "Bearer cw_of_nobody"}).status_code == 401
    )


@pytest.mark.long
def test_the_first_command_upgrades_an_embedded_installation(manage: Manage) -> None:
    restored = manage("restore", str(RELEASE))
    assert (restored.returncode, restored.stderr) == (0, ""), restored.stderr
    assert COUNTED in restored.stdout
    assert manage("findings", "--format", "ndjson").stdout == TOLD["findings"]

"""The programs of the REST API guide, run against a web server as somebody who copies them would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from ast import literal_eval
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.database import rows
from casino.accounts import services as accounts
from casino.exports.archive import orders
from casino.exports.services import file_name
from tests.casino.books import close, counted, map_accounts
from tests.casino.conftest import Cast
from tests.casino.guide import program_below
from tests.casino.streaming import serving
from tests.casino.test_reports import record
from tests.furnished import furnishing


@furnishing
def closed() -> Cast:
    """Record a counted and closed day of a felt table."""
    cast = Cast()
    record(counted(700, -50), close())
    map_accounts()
    return cast


@pytest.fixture
def address(closed: Cast) -> Iterator[str]:
    with serving() as address:
        yield address


def run(heading: str, address: str, folder: Path) -> str:
    """Run the program as accounting. Return what it prints."""
    token = accounts.issue_token(made_by="m-101", person="a-101", scopes=["read:reports", "export"])
    environ = os.environ | {"CATWALK": address, "TOKEN": token, "BOOKS": str(folder)}
    ran = subprocess.run(
        [sys.executable, "-c", program_below(heading)], env=environ, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_books_are_pulled_once_also_if_the_program_was_killed(
    closed: Cast, address: str, tmp_path: Path
) -> None:
    pull = "Pull your books every night"
    run(pull, address, tmp_path)
    (journal,) = tmp_path.glob("*.beancount")
    first, position = journal.read_text(), (tmp_path / "position.txt").read_text()
    assert "7.00 USD" in first
    (tmp_path / "position.txt").unlink()
    assert position in run(pull, address, tmp_path)
    assert [path.read_text() for path in tmp_path.glob("*.beancount")] == [first], "killed before it noted"
    run(pull, address, tmp_path)
    assert len([*tmp_path.glob("*.beancount")]) == 1, "nothing new was booked"
    record(counted(300, 10, day="2026-11-29"), close("2026-11-29"))
    run(pull, address, tmp_path)
    (second,) = set(tmp_path.glob("*.beancount")) - {journal}
    assert second.name == f"journal-after-{position}.beancount"
    assert not re.search(r"2026-11-2[0-8] \*", second.read_text()), "only what is new"


def test_a_fetched_export_is_verified_and_a_changed_one_is_not(
    closed: Cast, address: str, tmp_path: Path
) -> None:
    run("Verify what you got", address, tmp_path)
    file = tmp_path / "hold.csv"
    check = [sys.executable, "verify_export.py", "hold.csv"]
    assert subprocess.run(check, cwd=tmp_path, capture_output=True).returncode == 0
    file.write_text(file.read_text().replace("7.00", "7.01"))
    assert subprocess.run(check, cwd=tmp_path, capture_output=True).returncode == 1


def test_the_program_for_lists_reads_every_page(closed: Cast, address: str, tmp_path: Path) -> None:
    run("Verify what you got", address, tmp_path)
    exports, counts = run("Lists", address, tmp_path).splitlines()
    assert literal_eval(exports) == [file_name(order) for order in orders.orders(["aurora"])] != []
    verified = rows("SELECT position FROM fact_json WHERE kind = 'count-verified' ORDER BY position")
    assert literal_eval(counts) == [position for (position,) in verified] != []

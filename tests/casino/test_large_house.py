"""Every report of a large property, as data and as a page. The tallies of one year are generated."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from casino.home.views import HOMES
from casino.reports import catalog
from tests.manage import PROJECT


@pytest.mark.long
def test_every_report_is_measured_in_two_databases_with_one_line_of_json() -> None:
    command = [
        sys.executable,
        "-m",
        "tests.benchmarks.reports",
        "--tables",
        "5",
        "--days",
        "3",
        "--times",
        "2",
        "--turns",
        "1",
    ]
    ran = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    result = json.loads(ran.stdout.splitlines()[-1])
    assert ran.returncode == (0 if result["holds"] else 1), ran.stderr
    assert (result["bench"], result["table_days"], result["tally_rows"]) == ("reports", [15, 30], [600, 1200])
    assert {name.split(" by ")[0].split(",")[0] for name in result["reports"]} == set(catalog.names())
    assert {"database_ms", "page_ms", "against", "ratio", "bar", "holds"} <= result.keys()


@pytest.mark.long
def test_every_home_page_and_the_map_are_measured_with_all_tables_open() -> None:
    small = ["--tables", "3", "--days", "3", "--asked", "2"]
    command = [sys.executable, "-m", "tests.benchmarks.homes", *small]
    ran = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    data = json.loads(ran.stdout.splitlines()[-1])
    assert ran.returncode == (0 if data["holds"] else 1), ran.stderr
    assert {f"home of {role}" for role in HOMES} | {"floor board", "floor map"} <= data["kinds"].keys()
    assert (data["bench"], data["table_days"]) == ("homes", 12)
    assert data["facts_today"] > 1_000

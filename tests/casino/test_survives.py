"""An import may be killed at any moment. Nothing is lost or counted twice, and the same command resumes the
import.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from datetime import date
from pathlib import Path
from random import Random

import pytest

from casino.sample import honest_day, plant
from tests.casino.inside import postmaster
from tests.counts import LONG
from tests.manage import Manage, after

YIELDED = """
from django.core.management import call_command
try:
    call_command("findings", "--format", "ndjson")
except SystemExit as end:  # something was found
    assert end.code == 1
print("---", flush=True)
call_command("export", "tally", "--format", "csv")
print("---", flush=True)
call_command("report", "hold", "--by", "table,shift", "--format", "csv")
"""
KILLS = 50 if LONG else 3


def write_days(file: Path, table: str, game: str = "easy_over_under", rounds: int = 150) -> int:
    """Write a file with the facts of two tables: one table's day without faults, and a day with one fault at
    the table with `X` added to its name. Return the number of lines.

    The tests record several files at the same time. So each file has its own dealers and supervisors, and
    nobody is at two tables at once.
    """
    staff = {"dealers": (f"d-{table}-1", f"d-{table}-2"), "supervisors": (f"s-{table}-1", f"s-{table}-2")}
    facts = [
        *honest_day(
            game, table, property="aurora", table=table, day=date(2026, 11, 27), rounds=rounds, **staff
        )
    ]
    faults, _ = plant("not-cleared" if game == "easy_over_under" else "duplicate-card", game, seed=7, **staff)
    lines = [
        json.dumps(fact, ensure_ascii=False)
        for fact in [*facts, *({**fact, "table": f"aurora/{table}X"} for fact in faults)]
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return len(lines)


def outputs(manage: Manage, data: Path) -> dict[str, str]:
    """Return the output of the commands findings, tally and hold for the installation in `data`. One process
    runs all three.
    """
    process = manage("shell", "-v0", "-c", YIELDED, data=data)
    assert process.returncode == 0, process.stderr
    yields = dict(zip(("findings", "tally", "hold"), process.stdout.split("---\n"), strict=True))
    assert all(yields.values())
    return yields


def from_nothing(data: Path) -> Path:
    """Create an installation without facts in the folder `data`, and return the folder."""
    after(Manage(data), "findings")
    return data


def assert_intact(manage: Manage, count: int) -> None:
    """Verify the ledger with Catwalk's own command, and assert that it has this number of facts."""
    proved = manage("verify")
    assert proved.returncode == 0, proved.stderr
    assert f"verified {count:,} facts" in proved.stdout


def kill_the_database(data: Path) -> None:
    """Kill the database server with SIGKILL."""
    try:
        os.kill(postmaster(data), signal.SIGKILL)
    except (OSError, ValueError, IndexError):
        return  # the server was not running at this moment


@pytest.mark.parametrize(
    "victim", [pytest.param(name, marks=pytest.mark.long) for name in ("importer", "database")]
)
def test_a_killed_import_is_resumed_with_the_same_results(
    installation: Manage, tmp_path: Path, victim: str
) -> None:
    file, rng = tmp_path / "night.ndjson", Random(victim)
    count = write_days(file, "EOU-01", rounds=500)
    for _ in range(KILLS):
        importing = installation.start("import_facts", str(file))
        time.sleep(rng.uniform(0.3, 1.6))
        if victim == "importer":
            importing.send_signal(signal.SIGKILL)
        else:
            kill_the_database(installation.data)
        importing.communicate(timeout=300)
    last = installation("import_facts", str(file))
    assert last.returncode == 1  # exits with 1 because of the planted fault
    assert "refused 0" in last.stdout
    assert_intact(installation, count)
    installation("import_facts", str(file), data=from_nothing(tmp_path / "from-nothing"))
    assert outputs(installation, installation.data) == outputs(installation, tmp_path / "from-nothing")


@pytest.mark.long
def test_two_processes_import_two_tables_at_once_completely(installation: Manage, tmp_path: Path) -> None:
    first, two = tmp_path / "one.ndjson", tmp_path / "two.ndjson"
    count = write_days(first, "EOU-01") + write_days(two, "AB-01", "andar_bahar")
    started = [installation.start("import_facts", str(file)) for file in (first, two)]
    for importing in started:
        out, err = importing.communicate(timeout=300)
        assert "refused 0" in out, err
    assert_intact(installation, count)
    for file in (first, two):
        second = installation("import_facts", str(file))
        assert "recorded 0," in second.stdout
    assert_intact(installation, count)
    installation("import_facts", str(two), str(first), data=from_nothing(tmp_path / "from-nothing"))
    assert outputs(installation, installation.data) == outputs(installation, tmp_path / "from-nothing")


def test_a_killed_import_from_a_pipe_keeps_recorded_facts(installation: Manage, tmp_path: Path) -> None:
    file = tmp_path / "night.ndjson"
    count = write_days(file, "EOU-01", rounds=20)
    importing = installation.start("import_facts", "-")
    try:
        importing.communicate(file.read_text(encoding="utf-8"), timeout=300)
    except subprocess.TimeoutExpired:
        importing.kill()
        raise
    assert_intact(installation, count)

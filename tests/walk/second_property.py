"""Give the demo a second property in another currency, with users who work at both, for
`rows.py`.

The property gets two days of the sample and the present day, under its own name. The facts are recorded by
`import_facts`, its staff by `load_register`, and a table-games manager of both properties by `let_in`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zoneinfo import ZoneInfo

from casino.sample.month.days import DAYS, sample_month
from casino.sample.month.sample_property import DAY, PROPERTY, ZONE
from casino.sample.month.today import sample_today
from tests.every_page import Place
from tests.screenshots import PROJECT
from tests.walk.office import Office, page

SECOND = "borealis"
SEED = 2
MANAGER = ("t-102", "Tess", "table-games")
STAFF = {"v-102": "surveillance", "a-102": "accounting", "s-202": "supervisor", "c-102": "cage"}
"""Users of the demo who also work at the second property, with their roles."""
BOTH = {"Dora": "v-102", "Alan": "a-102", "Fay": "s-202", "Cleo": "c-102"}
"""Users who work at both properties, with their staff IDs."""
DAY_BEGINS = timedelta(hours=6)


def today() -> date:
    """Return the present gaming day of the sample's clock."""
    return (datetime.now(UTC).astimezone(ZoneInfo(ZONE)) - DAY_BEGINS).date()


def is_open() -> bool:
    """Return True if the demo has opened tables on the present gaming day."""
    return today() > DAY


def command(data: Path, *arguments: str, answers: tuple[int, ...] = (0,)) -> str:
    """Run a command of the demo's installation, and return what it prints.

    Args:
        answers: the exit codes that are expected. Commands that examine facts exit with 1 if there are
            findings.
    """
    ran = subprocess.run(
        [sys.executable, str(PROJECT / "manage.py"), *arguments],
        env=os.environ | {"CATWALK_DATA": str(data)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode in answers, f"{arguments}: {ran.stdout[-500:]} {ran.stderr[-1500:]}"
    return ran.stdout + ran.stderr


def load_register(
    data: Path,
    document: dict[str, Any],
    property: str = PROPERTY,
    signers: tuple[str, str] = ("m-101", "m-102"),
) -> None:
    """Load reference data, signed by two administrators."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "registers.json"
        file.write_text(json.dumps(document))
        by, second = signers
        printed = command(
            data,
            "load_register",
            str(file),
            "--property",
            property,
            "--by",
            by,
            "--second",
            second,
            answers=(0, 1),
        )
    assert "recorded" in printed, printed


def make(office: Office) -> list[Place]:
    """Record the second property, and sign in the users who work at both. Return their pages."""
    administrators = {"people": _people(dict.fromkeys(("m-101", "m-102"), "administrator"))}
    load_register(office.data, administrators, SECOND, ("o-101", "o-102"))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "facts.ndjson"
        file.write_text(_facts())
        printed = command(office.data, "import_facts", str(file), answers=(0, 1))
    assert "refused 0" in printed, printed[-2000:]
    id, name, role = MANAGER
    office.passwords[id] = command(office.data, "let_in", id, "--name", name).split()[-1]
    load_register(office.data, {"people": _people({id: role})})
    load_register(office.data, {"people": _people({**STAFF, id: role})}, SECOND)
    for user, staff_id in {**BOTH, name: id}.items():
        if user not in office.contexts:
            office.sign_in(user, staff_id)
    office.wait_for(name, "/hold/?by=table", "</table>")
    paths = (
        ("Dora", "home", "/home/"),
        ("Dora", "queue", "/queue/"),
        ("Dora", "hands", "/hands/"),
        ("Dora", "wall", "/wall/"),
        ("Dora", "alerts", "/alerts/"),
        ("Dora", "log", "/log/"),
        ("Dora", "cases", "/cases/"),
        ("Tess", "home-manager", "/home/"),
        ("Tess", "hold", "/hold/?by=table"),
        ("Tess", "where", "/hold/where/?by=table"),
        ("Tess", "review", "/hold/review/"),
        ("Tess", "reports", "/reports/"),
        ("Tess", "report-hold", "/reports/hold/?by=table&from=2026-11-25&to=2026-11-30"),
        ("Tess", "report-statistics", "/reports/statistics/?by=table&from=2026-11-25&to=2026-11-30"),
        ("Alan", "home-accounting", "/home/"),
        ("Alan", "closing", "/closing/"),
        ("Alan", "exports", "/exports/"),
        ("Alan", "journal", "/journal/?from=2026-11-25&to=2026-11-26"),
        ("Fay", "home-floor", "/home/"),
        ("Fay", "floor", "/floor/"),
        ("Cleo", "cage", "/cage/"),
    )
    return [page(f"two-{subject}", user, path) for user, subject, path in paths]


def _people(roles: dict[str, str]) -> dict[str, Any]:
    return {id: {"role": role} for id, role in roles.items()}


def _facts() -> str:
    """Return the facts of the second property, one on each line."""
    facts = [fact for _, facts_of_day in sample_month(SEED, days=DAYS[-2:]) for fact in facts_of_day]
    facts += sample_today(today(), SEED) if is_open() else []
    text = "\n".join(json.dumps(fact) for fact in facts)
    names = {f'"{PROPERTY}/': f'"{SECOND}/', '"USD"': '"EUR"', "Aurora Casino": "Borealis Casino"}
    for name, other in names.items():
        text = text.replace(name, other)
    return text

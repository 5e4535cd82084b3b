"""Each `manage.py` line of the documents is run as it is written, over one small installation. Only a value
of the reader's installation, such as the uid of a fact, is replaced by a value of the test's installation.
"""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pytest
from django.db import transaction

from audit import database
from audit.tree import checkpoints
from casino.accounts import otp
from casino.accounts import services as accounts
from casino.accounts.services import activate_user
from casino.alerts import event_log, publish
from casino.alerts import services as alerts
from casino.checkpoints import copies
from casino.checkpoints.destination_urls import parse
from casino.models import Person
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.web.free_words import keep_words
from tests.audit.floor import OPENING
from tests.casino.conftest import Cast
from tests.casino.feeding import run
from tests.casino.nights import record, troubled_day
from tests.casino.test_bi import role
from tests.casino.test_kept import keep
from tests.casino.test_otp import code
from tests.casino.test_reports import BY, at, felt
from tests.casino.test_soft_count import AB, BT, FILE
from tests.furnished import furnishing
from tests.house.test_docs import PROJECT, commands

assert role  # a fixture

MAKE_KEY = "checkpoint_key make aurora --name casino.example/aurora"
NOT_RUN = {
    "reference": "it writes docs/: tests/audit/test_reference.py compares what it writes",
    "migrate": "the owner of the database runs it: each test database is a result of it",
    MAKE_KEY: "the fixture `documented` runs it, because a property has one active key",
    "restore /mnt/backup/2026-11-28": "it needs an empty database: tests/casino/test_backup.py restores one",
    **dict.fromkeys(
        (
            "group publish catwalk_group",
            "group follow aurora 'postgres://catwalk_group:...@db.aurora.example/catwalk'",
        ),
        "it needs two servers of Postgres: tests/casino/test_group.py starts them",
    ),
    "consume aurora/gateway-1": "it needs a broker: tests/casino/test_fact_queues.py starts one",
    **dict.fromkeys(
        (
            "reexamine --on-workers",
            "reexamine --as pay_tables=spread:B --on-workers",
            "verify --on-workers",
            "replay_archive /mnt/archive --on-workers",
        ),
        "it needs workers: tests/audit/test_work_units.py and test_fact_archive.py run it with one",
    ),
    **dict.fromkeys(
        ("replay_archive /mnt/archive", "replay_archive /mnt/archive --from-ledger"),
        "it needs an archived month: tests/casino/test_fact_archive.py archives one",
    ),
    "restore DIR": "it needs an empty database: tests/casino/test_backup.py restores one",
}
"""Lines that are not run here, with the test that runs them."""
FIRST_HAND = PROJECT / "docs" / "examples" / "first_hand.ndjson"
FINDINGS = {"findings", "import_facts", "load_register", "verify"}
"""Commands that may also exit with 1, for example because there are findings."""


class Values(NamedTuple):
    """Values of the installation for which the documents have examples."""

    uid: str
    token: str
    words: str
    export: int
    event: int
    job: int


@furnishing
def documented() -> Values:
    """Record days of four tables, an export, a note and two checkpoints. Create a webhook and a token."""
    mia = Cast().person("Mia")
    alerts.set_webhook(mia, "aurora", str(uuid4()), "soc", "https://192.0.2.1/catwalk", [])
    night = troubled_day(times=1)
    record(night)
    named = [
        Entry("tables", "EOU-02", {"pit": "pit-1"}, begins="2030-02-01"),
        Entry("shifts", "swing", {"begins": "14:00"}, begins="2030-02-01"),
    ]
    set_registers("aurora", named, by="m-101", second="m-102")
    for table, box, shift in ((AB, "000123", "GRAVE"), (BT, "000124", "DAY")):
        make = at(table=f"aurora/{table}", day="2030-01-05")
        record([make(**OPENING), make("box-pulled", box=box, shift=shift, **BY)])
    record([json.loads(line) for line in FIRST_HAND.read_text().splitlines()])
    activate_user("s-101", "Sam")
    sam = Person.objects.get(pk="s-101")
    otp.confirm_enrollment(sam, code(otp.begin_enrollment(sam)))
    for line in (MAKE_KEY, "checkpoint aurora"):
        assert run(*line.split()).code == 0
    record(felt(1000, 100))
    assert run("checkpoint", "aurora").code == 0
    words = keep_words("aurora", mia, "The video shows the payout.")
    token = accounts.issue_token(made_by="m-101", person="a-101")
    (job,) = database.rows("SELECT min(id) FROM job")[0]
    publish.publish("aurora")
    return Values(night[0]["uid"], token[:9], words, keep().id, event_log.last_number("aurora"), job)


@pytest.fixture
def replaced(documented: Values, tmp_path: Path, role: str) -> dict[str, str]:
    """Return {words of the documents: words of this installation}."""
    first, last = (stored.size for stored in checkpoints.page("aurora"))
    (key,) = checkpoints.keys_of("aurora")
    copy = tmp_path / "copies"
    with transaction.atomic():
        copies.copy("aurora", parse(f"file://{copy}"))()
    return {
        "01a217ba-1206-7000-8000-000000000006": documented.uid,
        "/mnt/copies/aurora": f"{copy}/aurora",
        "/mnt/regulator/aurora": f"{copy}/aurora",
        "VKEY": key.verifier().text,
        "3f2a91c0": key.verifier().id.hex(),
        "9f86d081884c7d65...": documented.words,
        "cw_1234": documented.token,
        "--kept 4": f"--kept {documented.export}",
        "--replay 40": f"--replay {documented.event}",
        "--again 17": f"--again {documented.job}",
        "bi_accounting": role,
        "tests/feeds/": f"{PROJECT}/tests/feeds/",
        "DIR": str(tmp_path / "backup"),
        **dict.fromkeys(("92000", "100000", "200000", "220000"), str(first)),
        "224000": str(last),
    }


def lines() -> Iterator[tuple[str, list[str]]]:
    """Yield each document with its `manage.py` lines, in the order of the text."""
    for document in dict.fromkeys(command.document for command in commands()):
        of_document = [command.line for command in commands() if command.document == document]
        own = [line.partition("manage.py ")[2] for line in dict.fromkeys(of_document) if "manage.py " in line]
        if own:
            yield document, own


LINES = dict(lines())


def write_files(folder: Path) -> None:
    """Write the files that a reader of the documents has."""
    people = {"m-101": {"role": "administrator"}, "m-102": {"role": "administrator"}}
    (folder / "first.json").write_text(json.dumps({"property": "carina", "people": people}))
    day_begins = {"time": "06:00", "zone": "UTC"}
    (folder / "registers.json").write_text(json.dumps({"property": "aurora", "day-begins": day_begins}))
    night = felt(1000, 100, table="aurora/T9")
    (folder / "night.ndjson").write_text("".join(f"{json.dumps(fact)}\n" for fact in night))
    for name in ("count.csv", "counts.csv"):
        shutil.copy(FILE, folder / name)


def test_every_line_that_is_not_run_is_in_a_document() -> None:
    assert set(NOT_RUN) <= {line for of_document in LINES.values() for line in of_document}
    assert sum(map(len, LINES.values())) > 60


@pytest.mark.parametrize("document", LINES)
def test_the_commands_of_a_document_succeed(
    document: str, replaced: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    wrong = []
    for line in LINES[document]:
        if line in NOT_RUN:
            continue
        for example, value in replaced.items():
            line = line.replace(example, value)
        name, *arguments = shlex.split(line, comments=True)
        ran = run(name, *arguments)
        if ran.code not in ((0, 1) if name in FINDINGS else (0,)) or (ran.code and not ran.out):
            wrong.append((line, ran.code, ran.err[-500:]))
    assert wrong == []

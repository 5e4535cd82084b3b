"""Delivery of scheduled exports to a folder, an SFTP server, an S3 server and by mail: small tests, and one
in which server and worker are killed while many files are delivered.

With CATWALK_COUNTS=long, the files contain 100,000 facts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from pathlib import Path

import pytest
from django.test import override_settings

from audit.database import rows
from audit.ledger.intake import Sender, post
from audit.models import Job
from casino.checkpoints.destination_urls import parse_store
from casino.exports import deliver
from casino.exports.archive import orders
from casino.exports.archive.orders import ExportSpec
from casino.exports.manifest import SUFFIX
from tests.audit import floor
from tests.benchmarks.append import night
from tests.casino.conftest import Cast
from tests.casino.file_servers import FileServer, Folder, MailServer, S3Server, SftpServer
from tests.casino.receiver import work
from tests.casino.waiting import HALF_AN_HOUR, until
from tests.conftest import House
from tests.counts import LONG
from tests.manage import PROJECT

FILES, FACTS = (100, 1000) if LONG else (10, 60)
"""The number of files, and the number of facts in each file."""
BEGINS, ENDS = date(2026, 11, 27), date(2026, 11, 28)


def order(table: str, schedule: str = "nightly") -> int:
    """Order an export of the facts of one table, as a schedule does."""
    spec = ExportSpec("aurora", "facts", BEGINS, ENDS, (), "ndjson", filters=(("table", table),))
    id = orders.order(spec, "a-101", schedule, f"{table} 2026-11-27")
    assert id is not None
    return id


def delivered(folder: Path) -> dict[str, bytes]:
    """Return the complete files. Incomplete files have temporary names, of Catwalk or of rclone, and are left
    out.
    """
    if not folder.exists():
        return {}
    files = (path for path in folder.iterdir() if not path.name.startswith((".part-", ".rclone_temp_put_")))
    return {path.name: path.read_bytes() for path in files}


def check_whole(files: dict[str, bytes]) -> None:
    """Assert that each delivered file has the same bytes as an archived export."""
    digests = {sha for (sha,) in rows("SELECT sha256 FROM kept_report")}
    for name, content in files.items():
        if not name.endswith(SUFFIX):
            assert sha256(content).hexdigest() in digests, f"{name} is incomplete"


@pytest.fixture
def server(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[FileServer]:
    started: FileServer = request.param(tmp_path / "server")
    for name, value in started.environment.items():
        monkeypatch.setenv(name, value)
    started.start()
    yield started
    started.kill()


@pytest.mark.parametrize("server", [SftpServer, S3Server], indirect=True)
def test_exports_of_schedules_are_delivered_with_their_manifests(
    cast: Cast, server: FileServer, tmp_path: Path
) -> None:
    post([floor.line(floor.opened(1)), floor.line(floor.fact(2))], Sender("gateway-1"))
    places = [server.url, f"aurora=file://{tmp_path}/folder", f"borealis=file://{tmp_path}/other"]
    with override_settings(EXPORT_COPIES=places):
        id = order("aurora/EOU-01")
        order("aurora/EOU-01", schedule="")
        work()
        page = cast.browser("Alma").get(f"/exports/{id}/").content.decode()
    files = delivered(server.files)
    (name,) = [name for name in files if not name.endswith(SUFFIX)]
    assert name.endswith(f"_kept-{id}.ndjson")
    assert files == delivered(tmp_path / "folder" / "aurora")
    assert json.loads(files[f"{name}{SUFFIX}"])["sha256"] == sha256(files[name]).hexdigest()
    assert not (tmp_path / "other").exists()
    assert page.count('<span class="badge good">delivered</span>') == 2
    assert "known_hosts" in page or "endpoint" in page


def test_a_server_with_another_key_gets_nothing(cast: Cast, tmp_path: Path) -> None:
    post([floor.line(floor.opened(1))], Sender("gateway-1"))
    true, false = SftpServer(tmp_path / "true"), SftpServer(tmp_path / "false")
    false.port = true.port
    false.start()
    try:
        with override_settings(EXPORT_COPIES=[true.url]):
            id = order("aurora/EOU-01")
            with pytest.raises(ConnectionError, match="BadHostKey"):
                work()
            (job,) = Job.objects.filter(kind=deliver.JOB)
            assert (job.state, "BadHostKey" in job.error) == ("due", True)
            assert [delivery.state for delivery in deliver.deliveries(_order(id))] == ["due"]
    finally:
        false.kill()
    assert not delivered(false.files)


def _order(id: int) -> orders.ExportOrder:
    stored = orders.get_order(id)
    assert stored is not None
    return stored


@pytest.mark.parametrize(
    "text",
    [
        "sftp://host/x?key=/k&known_hosts=/h",
        "sftp://u:p@host/x?key=/k&known_hosts=/h",
        "sftp://u@host/x?key=/k",
        "sftp://u@host?key=/k&known_hosts=/h",
        "https://witness.example/w#a+b+c=",
    ],
)
def test_an_invalid_place_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_store(text)


def check_repeated(messages: list[str]) -> None:
    """Assert that there is a message for each file, and that a message that came again says so."""
    states: dict[str, list[str]] = {}
    for line in messages:
        id, state = line.split()
        states.setdefault(id, []).append(state)
    assert len(states) == FILES
    assert all(set(of_message[1:]) <= {"repeated"} for of_message in states.values()), states
    print(f"{len(messages)} messages, {len(messages) - FILES} of them repeated and marked")


class Worker:
    """A process that builds and delivers exports. A test kills it and starts it again."""

    def __init__(self, house: House, place: str, attempts: Path) -> None:
        self.environment = os.environ | house.env | {"CATWALK_EXPORT_COPIES": place}
        self.attempts = attempts
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.casino.worker_process", str(self.attempts)]
        self.process = subprocess.Popen(
            [*command, "keep-report", deliver.JOB],
            env=self.environment | {"DJANGO_SETTINGS_MODULE": "casino.settings"},
            cwd=PROJECT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        with self.process.stdout:
            assert self.process.stdout.readline() == "ready\n"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.mark.long
@pytest.mark.parametrize("server", [SftpServer, S3Server, MailServer, Folder], indirect=True)
def test_no_file_is_lost_or_incomplete_while_server_and_worker_are_killed(
    cast: Cast, house: House, server: FileServer, tmp_path: Path
) -> None:
    tables = [f"aurora/Q-{number:03}" for number in range(FILES)]
    for table in tables:
        lines = night(table, FACTS)
        for place in range(0, FACTS, 500):
            post(lines[place : place + 500], Sender("gateway-1"))
    work(FILES * 2)  # the examinations of the facts
    began = time.monotonic()
    worker = Worker(house, server.url, tmp_path / "attempts")
    ids = [order(table) for table in tables]
    try:
        for share in (0.2, 0.4, 0.6):
            until(lambda share=share: len(delivered(server.files)) >= 2 * FILES * share, HALF_AN_HOUR)  # type: ignore[misc]
            if isinstance(server, Folder):
                worker.kill()
                worker.start()
                continue
            server.kill()
            if isinstance(server, SftpServer):
                check_whole(delivered(server.files))
            time.sleep(0.5)
            server.start()
        until(lambda: len(delivered(server.files)) >= 2 * FILES * 0.8, HALF_AN_HOUR)
        worker.kill()
        worker.start()
        completed = "SELECT count(*) FROM job WHERE kind = %s AND state = 'done'"
        until(lambda: rows(completed, [deliver.JOB]) == [(FILES,)], HALF_AN_HOUR)
    finally:
        worker.kill()
    seconds = time.monotonic() - began
    files = delivered(server.files)
    check_whole(files)
    assert len(files) == 2 * FILES, "each file has its manifest"
    positions = []
    for id in ids:
        (content,) = (files[name] for name in files if name.endswith(f"_kept-{id}.ndjson"))
        positions += [json.loads(line)["uid"] for line in content.splitlines()]
    assert len(positions) == len(set(positions)) == FILES * FACTS
    query = "SELECT uid::text FROM fact WHERE starts_with(stream, 'aurora/Q-') ORDER BY position"
    assert positions == [uid for (uid,) in rows(query)], "in the order of the ledger"
    if isinstance(server, MailServer):
        check_repeated(server.messages.read_text().splitlines())
    attempts = (tmp_path / "attempts").read_text().count(deliver.JOB)
    kills = "worker killed 4 times" if isinstance(server, Folder) else "server killed 3 times, worker once"
    print(f"{type(server).__name__}: {len(positions):,} facts in {FILES} files in {seconds:.0f} s; {kills};")
    print(f"lost 0, incomplete 0, {attempts - FILES} deliveries repeated under the same name")

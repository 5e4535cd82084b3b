"""Helpers that look at an installation with the embedded database from outside: at its processes and the
output of its commands.
"""

import os
import re
import subprocess
from pathlib import Path

from tests.manage import Manage

AS_ROOT = os.geteuid() == 0
COUNT = """
from django.db import connection
cursor = connection.cursor()
cursor.execute("select count(*) from pg_tables where schemaname = 'public'")
print("counted", cursor.fetchone()[0])
"""
WAIT = COUNT + "print('inside', flush=True); input()"
RECONNECT = WAIT + "\nconnection.close()\n" + COUNT


def processes_in(data: Path) -> list[int]:
    """Return the IDs of the processes of the database server in the folder `data`, except zombies."""
    pids = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if Path(os.readlink(entry / "cwd")) == data / "postgres" / "cluster":
                pids.append(int(entry.name))
        except OSError:
            continue
    return pids


def postmaster(data: Path) -> int:
    return int((data / "postgres" / "cluster" / "postmaster.pid").read_text().split()[0])


def gone(pid: int) -> bool:
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


def somebody_inside(manage: Manage, data: Path | None = None, script: str = WAIT) -> "subprocess.Popen[str]":
    """Start a command that uses the database and then waits for a line of input. Return its process."""
    command = manage.start("shell", "-v0", "-c", script, data=data)
    assert command.stdout is not None
    for line in command.stdout:
        if line == "inside\n":
            return command
    raise AssertionError(command.communicate())


def goes_home(command: "subprocess.Popen[str]") -> None:
    out, err = command.communicate("\n", timeout=300)
    assert (command.returncode, err) == (0, ""), out


def counts(manage: Manage, data: Path | None = None) -> None:
    """Run a command that counts database tables. Assert that it finds some and prints no error."""
    ran = manage("shell", "-v0", "-c", COUNT, data=data)
    assert re.search(r"^counted [1-9]", ran.stdout, re.M), ran.stderr
    assert (ran.returncode, ran.stderr) == (0, "")


def refusal(manage: Manage, data: Path | None = None) -> str:
    """Run a command that cannot use the database, and return its error message. Assert that the command exits
    with 1 and prints one line.
    """
    ran = manage("shell", "-v0", "-c", COUNT, data=data)
    assert (ran.returncode, ran.stdout) == (1, ""), ran.stdout
    assert ran.stderr.count("\n") == 1, ran.stderr
    return ran.stderr

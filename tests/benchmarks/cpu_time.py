"""CPU time of processes, read from /proc."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import psutil

TICKS = os.sysconf("SC_CLK_TCK")
"""Number of units of CPU time in a second."""


def seconds_of_group(group: int) -> float:
    """Return the CPU seconds of the running processes of a process group, with those of the ended children of
    its first process. Celery replaces a child after some tasks.
    """
    return sum(
        own + (ended if int(fields[0]) == group else 0.0)
        for own, ended, fields in _running()
        if int(fields[2]) == group
    )


def seconds_of_server(folder: Path) -> float:
    """Return the CPU seconds of the Postgres server in a data folder, with those of its ended processes."""
    (pid_file,) = folder.rglob("postmaster.pid")
    postmaster = pid_file.read_text().splitlines()[0]
    total = 0.0
    for own, ended, fields in _running():
        if fields[0] == postmaster:
            total += own + ended
        elif fields[1] == postmaster:
            total += own
    return total


def processor_seconds(pids: list[int]) -> float:
    """Return the CPU seconds that these processes and their children have used."""
    own = [psutil.Process(pid) for pid in pids]
    return sum(
        sum(process.cpu_times()[:2])
        for parent in own
        for process in (parent, *parent.children(recursive=True))
    )


def _running() -> Iterator[tuple[float, float, list[str]]]:
    """Yield three values for each running process: its CPU seconds, the CPU seconds of its ended children,
    and a list with its PID, the PID of its parent and its process group.
    """
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(") ")[2].split()
        except OSError:
            continue  # the process has just ended
        user, system, children_user, children_system = map(int, fields[11:15])
        own, ended = (user + system) / TICKS, (children_user + children_system) / TICKS
        yield own, ended, [path.parent.name, fields[1], fields[2]]

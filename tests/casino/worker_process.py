"""A worker that a test kills. `python -m tests.casino.worker_process FILE KIND...` does jobs of these kinds
until it is killed. Before it tries a job, it adds the kind and stream of the job to the file.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress

import django


def work(path: str, kinds: list[str]) -> None:
    """Do jobs of these kinds until this process is killed, as a worker does."""
    from audit import tasks
    from audit.database import rows
    from audit.jobs import leases
    from casino import tasks as of_the_office  # noqa: F401 - adds the jobs of this package

    leases.LEASE = 2  # so that a test need not wait long for the jobs of a killed worker
    due = "state = 'due' AND due_at <= clock_timestamp() OR lease_until < clock_timestamp()"
    with open(path, "a", encoding="utf-8", buffering=1) as attempts:
        print("ready", flush=True)
        while True:
            for id, kind, stream in rows(
                f"SELECT id, kind, stream FROM job WHERE kind = ANY(%s) AND ({due}) ORDER BY id LIMIT 20",
                [kinds],
            ):
                attempts.write(f"{kind} {stream}\n")
                with suppress(OSError):  # a worker logs it
                    tasks.examine(id)
            time.sleep(0.02)


if __name__ == "__main__":
    django.setup()
    work(sys.argv[1], sys.argv[2:])

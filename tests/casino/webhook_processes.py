"""Processes that tests kill: a receiver of webhooks, and a worker that delivers them. They are started as
`python -m tests.casino.webhook_processes receive PORT SECRET FILE` and `python -m
tests.casino.webhook_processes deliver`.
"""

from __future__ import annotations

import sys
import time

import django
from standardwebhooks import Webhook


def receive(port: int, secret: str, path: str) -> None:
    """Receive webhooks until this process is killed. The id and number of each message are added to a file
    before the message is answered.
    """
    from tests.casino.receiver import Receiver

    with open(path, "a", encoding="utf-8", buffering=1) as file:
        receiver = Receiver(port)

        def take(headers: dict[str, str], body: bytes) -> int:
            content = Webhook(secret).verify(body, headers)
            file.write(f"{headers['webhook-id']} {content['number']}\n")
            return 200

        receiver.take = take  # type: ignore[method-assign]
        print("ready", flush=True)
        receiver.thread.join()


def deliver() -> None:
    """Deliver webhooks until this process is killed, as a worker does."""
    from audit import tasks
    from audit.database import rows
    from audit.jobs import leases
    from casino import tasks as of_the_office  # noqa: F401 - adds the jobs of this package

    leases.LEASE = 2  # so that a test need not wait long for the jobs of a killed worker
    print("ready", flush=True)
    while True:
        free = "state = 'due' AND due_at <= clock_timestamp() OR lease_until < clock_timestamp()"
        for (id,) in rows(f"SELECT id FROM job WHERE kind = 'deliver-webhook' AND ({free})"):
            tasks.examine(id)
        time.sleep(0.05)


if __name__ == "__main__":
    django.setup()
    if sys.argv[1] == "deliver":
        deliver()
    receive(int(sys.argv[2]), sys.argv[3], sys.argv[4])

"""Processes that write to a ledger and that follow it, for `test_followers.py` and `test_group_kills.py`:

- `python -m tests.faults.ledger_processes write NUMBER FACTS FILE GO`
- `python -m tests.faults.ledger_processes threads FIRST FACTS FILE`
- `python -m tests.faults.ledger_processes list TOKEN FILE STOP`
- `python -m tests.faults.ledger_processes kinds FILE STOP`
- `python -m tests.faults.ledger_processes log FILE STOP`

When a process is ready, it makes the file FILE.ready. A writer begins when the file GO exists. A follower
reads until the file STOP exists and nothing new is left. At its end, each process writes one JSON object to
FILE. `threads` begins at once, and FILE has a line for each acknowledged fact.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import django

PROPERTY = "aurora"
NUMBERS = 200_000
"""How many numbers of facts each writer has for itself."""
THREADS = 8
"""How many threads of `threads` post at the same time."""
SHARE_OF_LOG = 0.1
"""The share of facts that are entries of the daily log. All writers write them to one stream."""
SHARE_OF_ROLLBACKS, SHARE_OF_PAUSES = 0.05, 0.02
"""The share of posts that are rolled back after their insert, and of posts that pause before the commit."""
SIZES = (1, 20)
"""A post has at least the first and at most the second number of facts."""


class ClientDied(Exception):
    """Ends a transaction after its insert, as if the client had died."""


def ready(path: Path) -> None:
    """Make the file that shows that the process is ready."""
    path.with_suffix(".ready").touch()


def write(number: int, facts: int, path: Path, go: Path) -> None:
    """Post facts of one table and entries of the daily log. Write the uids of all committed facts."""
    from django.db import connection, transaction

    from audit.ledger.intake import Sender, post
    from tests.audit.floor import fact, line, opened

    random, sender, table = Random(number), Sender("writer"), f"{PROPERTY}/W-{number}"
    place = number * NUMBERS
    committed: list[str] = []
    posts = rolled_back = 0
    sent: list[dict[str, Any]] = [opened(place, table)]
    connection.ensure_connection()
    ready(path)
    while not go.exists():
        time.sleep(0.01)
    while len(committed) < facts:
        try:
            with transaction.atomic():
                post([line(fields) for fields in sent], sender)
                if random.random() < SHARE_OF_PAUSES:
                    time.sleep(random.random() / 50)
                if committed and random.random() < SHARE_OF_ROLLBACKS:
                    raise ClientDied
            committed += [fields["uid"] for fields in sent]
            posts += 1
        except ClientDied:
            rolled_back += len(sent)
        sent = []
        for _ in range(min(random.randint(*SIZES), max(facts - len(committed), 1))):
            place += 1
            sent.append(
                fact(place, "log-written", f"{PROPERTY}/house", about="x", words_sha256="y", by="dana")
                if random.random() < SHARE_OF_LOG
                else fact(place, table=table)
            )
    path.write_text(json.dumps({"uids": committed, "posts": posts, "rolled_back": rolled_back}))


def write_in_threads(first: int, facts: int, path: Path) -> None:
    """Post single facts in several threads, each for its own table, and again after an error of the database.
    Append the uid of each acknowledged fact to the file as a line.
    """
    from concurrent.futures import ThreadPoolExecutor

    from django.db import DatabaseError, connection
    from psycopg import Error

    from audit.ledger.intake import Sender, post
    from tests.audit.floor import fact, line

    def write_table(thread: int) -> None:
        for place in range(first, first + facts):
            sent = fact(thread_uid(thread, place), table=f"{PROPERTY}/G-{thread}")
            while True:
                try:
                    post([line(sent)], Sender("writer"))
                    break
                except (DatabaseError, Error):
                    connection.close()
                    time.sleep(0.05)
            with path.open("a") as file:
                file.write(f"{sent['uid']}\n")

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(write_table, range(THREADS)))


def thread_uid(thread: int, place: int) -> int:
    """Return the place of a thread's fact among the facts of all threads. Place -1 is the opening."""
    return (thread + 1) * NUMBERS + place


def follow(read: Callable[[], list[str]], path: Path, stop: Path) -> None:
    """Call a function that returns the uids of new facts, until the file `stop` exists and nothing is new.
    Write all uids, and how many were read before the file existed.
    """
    uids: list[str] = []
    meanwhile = 0
    while True:
        is_last = stop.exists()
        news = read()
        uids += news
        ready(path)
        if not is_last:
            meanwhile = len(uids)
        elif not news:
            break
    path.write_text(json.dumps({"uids": uids, "meanwhile": meanwhile}))


def list_reader(token: str) -> Callable[[], list[str]]:
    """Return a function that reads the next page of facts from the REST API, with the cursor of the last
    page.
    """
    from tests.casino.conftest import Api

    api, since = Api(token), ""

    def read() -> list[str]:
        nonlocal since
        answer = api.get(f"/api/v1/facts?page_size=500{since and f'&cursor={since}'}")
        assert answer.status_code == 200, answer.content
        page = answer.json()
        since = page["since"]
        return [item["uid"] for item in page["items"]]

    return read


def kinds_reader() -> Callable[[], list[str]]:
    """Return a function that reads the next facts of the daily log by their kind."""
    from audit.facts import decode
    from audit.ledger import store

    last = 0

    def read() -> list[str]:
        nonlocal last
        rows = list(store.read_kinds(PROPERTY, {"log-written"}, last))
        last = rows[-1][0] if rows else last
        return [str(decode(bytes(body)).uid) for _, _, _, body in rows]

    return read


def log_reader() -> Callable[[], list[str]]:
    """Return a function that updates the tables of the daily log and returns their new entries."""
    from audit.database import rows
    from audit.review import log_projection

    last = 0

    def read() -> list[str]:
        nonlocal last
        if not log_projection.follow(PROPERTY):
            return []
        query = "SELECT position, uid FROM log_entry WHERE property = %s AND position > %s ORDER BY position"
        entries = rows(query, [PROPERTY, last])
        last = entries[-1][0] if entries else last
        return [str(uid) for _, uid in entries]

    return read


def main(way: str, *arguments: str) -> None:
    if way == "write":
        write(int(arguments[0]), int(arguments[1]), *map(Path, arguments[2:]))
        return
    if way == "threads":
        write_in_threads(int(arguments[0]), int(arguments[1]), Path(arguments[2]))
        return
    *token, path, stop = arguments
    readers = {"kinds": kinds_reader, "log": log_reader}
    follow(list_reader(*token) if way == "list" else readers[way](), Path(path), Path(stop))


if __name__ == "__main__":
    django.setup()
    main(*sys.argv[1:])

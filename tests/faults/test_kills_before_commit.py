"""kill -9 of client, web, worker, beat, broker and Postgres while a transaction has inserted rows and has not
committed. No fact is lost and none is recorded twice. The installation is real: `manage.py demo`.

A lock on the row of a job holds the transaction between its insert and its commit. With CATWALK_COUNTS=long,
200 processes are killed and a table of the figures is printed.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import date
from typing import Any

import psutil
import psycopg
import pytest

from casino.runtime import embedded
from casino.sample import honest_day
from tests.casino.inside import gone, postmaster, processes_in
from tests.counts import LONG
from tests.faults.test_kills import Demo, demo, until

assert demo  # a fixture
KILLS = 200 if LONG else 6
KINDS = ("client", "web", "worker", "beat", "broker", "postgres")
SHOWN = 50 if LONG else 6
"""After this many kills, the table of the figures is printed."""
FACTS = 3
"""Number of facts in each post."""
STREAM = "aurora/HELD-1/2026-11-27"
JOB = f"SELECT FROM job WHERE key = 'examine-stream aurora {STREAM}' FOR UPDATE"
EXAMINATION = f"SELECT FROM examination WHERE stream = '{STREAM}' FOR UPDATE"
WAITING = """SELECT FROM pg_stat_activity
    WHERE usename = 'catwalk_app' AND wait_event_type = 'Lock' AND starts_with(ltrim(query), '{}')"""
POST = "INSERT INTO job"
"""The first words of the statement that a post executes after it has inserted its facts."""
FINISH = "UPDATE job SET state = CASE asked"
"""The first words of the statement that a worker executes after it has inserted its findings."""
EXAMINE = "SELECT cursor, rules, game, state FROM examination"
CLIENT = """
import sys, time, urllib.error, urllib.request
address, token, body = sys.argv[1], sys.argv[2], sys.stdin.buffer.read()
headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/x-ndjson"}
while True:
    try:
        request = urllib.request.Request(address, body, headers)
        with urllib.request.urlopen(request, timeout=120) as answer:
            print(answer.read().decode())
            break
    except urllib.error.HTTPError as error:
        if error.code < 500:
            sys.exit(error.read().decode())
    except OSError:
        pass
    time.sleep(0.1)
"""
"""A device that repeats its post until the post is acknowledged, and then prints the receipts."""


class Device:
    """A device that posts the facts of one table. Each post is a process of its own."""

    def __init__(self, demo: Demo) -> None:
        logins = json.loads((demo.data / "demo_logins.json").read_text())
        self.token = next(login[4] for login in logins if login[4])
        self.address = f"http://127.0.0.1:{demo.port}/api/v1/facts"
        self.facts = iter(
            honest_day("easy_over_under", seed=1, table="HELD-1", day=date(2026, 11, 27), rounds=80)
        )
        self.sent: list[str] = []
        self.receipts: list[dict[str, Any]] = []

    def next_body(self) -> bytes:
        """Return the next facts as the body of a post. The amount of each take is wrong, so that there are
        findings.
        """
        facts = [next(self.facts) for _ in range(FACTS)]
        for fact in facts:
            if fact["kind"] == "take":
                fact["amount"] += 100
        self.sent += [fact["uid"] for fact in facts]
        return "\n".join(map(json.dumps, facts)).encode()

    def start(self, body: bytes) -> subprocess.Popen[bytes]:
        """Start a process that posts these facts."""
        pipe = subprocess.PIPE
        client = subprocess.Popen(
            [sys.executable, "-I", "-c", CLIENT, self.address, self.token],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
        )
        assert client.stdin is not None
        client.stdin.write(body)
        client.stdin.close()
        client.stdin = None
        return client

    def end(self, client: subprocess.Popen[bytes]) -> None:
        """Wait until the post is acknowledged, and keep its receipts."""
        out, err = client.communicate(timeout=300)
        assert client.returncode == 0, err
        self.receipts += json.loads(out)

    def post(self) -> None:
        """Post the next facts and wait until they are acknowledged."""
        self.end(self.start(self.next_body()))


def pids(demo: Demo, kind: str, place: int) -> list[int]:
    """Return the ids of the processes to kill, or an empty list if they are just starting. For web and
    worker, return the main process if `place` is even and its children if `place` is odd.
    """
    try:
        if kind == "broker":
            return [int((demo.data / "broker" / "valkey.pid").read_text())]
        if kind == "postgres":
            return [postmaster(demo.data)]
        main = demo.child({"web": "gunicorn"}.get(kind, kind), deep=False)
        children = [] if main is None else [child.pid for child in psutil.Process(main).children()]
    except (OSError, ValueError, IndexError, psutil.Error):
        return []
    if main is None or kind == "beat":
        return [] if main is None else [main]
    return children if place % 2 else [main] if children else []


@contextmanager
def row_lock(demo: Demo, query: str) -> Iterator[None]:
    """Execute a query that locks rows, and hold these locks until the end of the block."""
    address = embedded.address(demo.data)
    with closing(psycopg.connect(host=address, user="catwalk_app", dbname="catwalk")) as holder:
        holder.execute(query)
        yield


def is_waiting(demo: Demo, words: str) -> bool:
    """Return True if a statement that begins with these words waits for a lock."""
    with suppress(psycopg.Error):
        return demo.rows(WAITING.format(words)) != []
    return False


def kill(demo: Demo, kind: str, place: int) -> None:
    """Kill processes of this kind, and wait until they are gone."""
    killed: list[int] = []
    until(lambda: killed.extend(pids(demo, kind, place)) or killed, f"no process of {kind} runs")
    for pid in killed:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    until(lambda: all(map(gone, killed)), f"a process of {kind} was not killed")


def kill_in_post(demo: Demo, device: Device, kind: str, place: int) -> None:
    """Kill processes while a post has inserted its facts and has not committed."""
    body = device.next_body()
    with row_lock(demo, JOB):
        client = device.start(body)
        until(lambda: is_waiting(demo, POST), f"no post waited before the {kind} was killed")
        if kind == "client":
            client.kill()
            client.communicate()
        else:
            kill(demo, kind, place)
    device.end(device.start(body) if kind == "client" else client)


def kill_worker(demo: Demo, device: Device, place: int) -> None:
    """Kill the worker while an examination has inserted its findings and has not committed."""
    with ExitStack() as job:
        with row_lock(demo, EXAMINATION):
            device.post()
            until(lambda: is_waiting(demo, EXAMINE), "no worker examined the post")
            job.enter_context(row_lock(demo, JOB))
        until(lambda: is_waiting(demo, FINISH), "no worker waited before its commit")
        kill(demo, "worker", place)


def is_examined(demo: Demo) -> bool:
    """Return True if the stream was examined up to its last fact and its job is done."""
    with suppress(psycopg.Error):
        return demo.rows(
            f"""SELECT x.cursor = s.number AND j.state = 'done' FROM stream s
            JOIN examination x ON x.stream = s.name JOIN job j ON j.stream = s.name
            WHERE s.name = '{STREAM}'"""
        ) == [(True,)]
    return False


def lost_and_doubled(demo: Demo, device: Device) -> tuple[int, int]:
    """Return how many facts of the device are not in the ledger, and how many are recorded twice or under
    another number than their receipt says.
    """
    rows = demo.rows(f"SELECT uid::text, number, position FROM fact WHERE stream = '{STREAM}'")
    uids = Counter(uid for uid, _, _ in rows)
    receipts = {(receipt["uid"], receipt["number"], receipt["position"]) for receipt in device.receipts}
    lost = sum(1 for uid in device.sent if uid not in uids)
    return lost, uids.total() - len(uids) + len(receipts - set(rows))


def print_table(kills: Counter[str], lost: Counter[str], doubled: Counter[str]) -> None:
    """Print how many processes of each kind were killed, and how many facts were lost and doubled."""
    print(f"\n{'killed before commit':22}{'kills':>7}{'lost':>7}{'doubled':>9}")
    for kind in KINDS:
        print(f"{kind:22}{kills[kind]:>7}{lost[kind]:>7}{doubled[kind]:>9}")
    print(f"{'all':22}{kills.total():>7}{lost.total():>7}{doubled.total():>9}", flush=True)


@pytest.mark.long
def test_kills_between_insert_and_commit_lose_and_double_no_fact(demo: Demo) -> None:
    device, kills, lost, doubled = Device(demo), Counter[str](), Counter[str](), Counter[str]()
    device.post()
    until(lambda: is_examined(demo), "the first post was not examined")
    for number in range(KILLS):
        kind = KINDS[number % len(KINDS)]
        if kind == "worker":
            kill_worker(demo, device, number // len(KINDS))
            until(lambda: is_examined(demo), "the examination did not continue")
        else:
            kill_in_post(demo, device, kind, number // len(KINDS))
        before = lost.total(), doubled.total()
        after = lost_and_doubled(demo, device)
        kills[kind] += 1
        lost[kind] += after[0] - before[0]
        doubled[kind] += after[1] - before[1]
        if (number + 1) % SHOWN == 0:
            print_table(kills, lost, doubled)
    assert (lost.total(), doubled.total()) == (0, 0)
    assert len(device.sent) == FACTS * (KILLS + 1)
    until(lambda: is_examined(demo), "the examination did not continue")
    demo.stop()
    assert processes_in(demo.data) == []
    verified = demo.manage("verify")
    assert verified.returncode == 0, verified.stderr
    examined = demo.manage("reexamine", "--dry-run")
    assert examined.stdout.endswith("gained 0, lost 0\n"), examined.stdout

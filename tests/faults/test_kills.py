"""kill -9 of worker, web, broker and Postgres while facts are posted: no acknowledged fact is lost, none is
recorded twice, and the examination continues. The installation is real: `manage.py demo`, its API and its
child processes.

With CATWALK_COUNTS=long, ten times as many processes are killed.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psutil
import psycopg
import pytest

from casino.runtime import embedded
from casino.runtime.supervisor import BEAT
from casino.sample import honest_day
from tests.casino.inside import postmaster, processes_in
from tests.counts import LONG
from tests.manage import Manage, after, free_port

KILLS = 50 if LONG else 3
PATIENCE = 300.0


def until(true: Callable[[], Any], condition: str, patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while not true():
        assert time.monotonic() < deadline, condition
        time.sleep(0.05)


class Demo:
    """A running demo, whose output is read line by line."""

    def __init__(self, manage: Manage) -> None:
        self.manage, self.data, self.port = manage, manage.data, free_port()
        self.process = manage.start("demo", "--days", "1", "--port", str(self.port))
        assert self.process.stdout is not None
        for text in self.process.stdout:
            if text.startswith("Ctrl-C stops everything"):
                return
        raise AssertionError(self.process.communicate())

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(host=embedded.address(self.data), user="catwalk_app", dbname="catwalk") as app:
            return app.execute(query).fetchall()

    def child(self, word: str, *, deep: bool) -> int | None:
        """Return the id of the demo's child process that has this word in its command. With `deep`, return
        the first child of that process instead.
        """
        for child in psutil.Process(self.process.pid).children():
            # A broker or server that was killed stays a zombie, whose command cannot be read.
            if child.status() != psutil.STATUS_ZOMBIE and word in child.cmdline():
                below = child.children()
                return (below[0].pid if below else None) if deep else child.pid
        return None

    def kill(self, target: str) -> None:
        """Kill a process of the demo with SIGKILL."""
        find: dict[str, Callable[[], int | None]] = {
            "worker's child": lambda: self.child("worker", deep=True),
            "web's child": lambda: self.child("gunicorn", deep=True),
            "broker": lambda: int((self.data / "broker" / "valkey.pid").read_text()),
            "postgres": lambda: postmaster(self.data),
            "worker": lambda: self.child("worker", deep=False),
            "web": lambda: self.child("gunicorn", deep=False),
            "beat": lambda: self.child("beat", deep=False),
        }
        try:
            if pid := find[target]():
                os.kill(pid, signal.SIGKILL)
        except (OSError, ValueError, psutil.NoSuchProcess):
            pass  # the process is just starting

    def stop(self, number: int = signal.SIGINT) -> tuple[str, str]:
        self.process.send_signal(number)
        return self.process.communicate(timeout=300)


@pytest.fixture
def demo(manage: Manage) -> Iterator[Demo]:
    running = Demo(after(manage, "demo", "--once", "--days", "1"))
    yield running
    if running.process.poll() is None:
        running.stop(signal.SIGTERM)


class Ada:
    """A table that posts its facts to the API in several posts, and repeats each post until it is
    acknowledged.
    """

    def __init__(self, demo: Demo) -> None:
        self.token = next(
            login[4] for login in json.loads((demo.data / "demo_logins.json").read_text()) if login[4]
        )
        self.address = f"http://127.0.0.1:{demo.port}/api/v1/facts"
        self.acknowledged: dict[str, tuple[int, int]] = {}
        self.refused = ""
        self.over = Event()
        self.thread = Thread(target=self.post_days)

    def post_days(self) -> None:
        number = 0
        while not self.over.is_set():
            number += 1
            day = honest_day(
                "easy_over_under", seed=number, table=f"KILL-{number}", day=date(2026, 11, 27), rounds=60
            )
            for start in range(0, len(day), 40):
                chunk = day[start : start + 40]
                wrong = next((fact for fact in chunk if fact["kind"] == "take"), None)
                if wrong is not None:
                    wrong["amount"] += 100
                self.post("\n".join(json.dumps(fact) for fact in chunk).encode())
                if self.over.wait(0.02):
                    return

    def post(self, body: bytes) -> None:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/x-ndjson"}
        while not self.over.is_set():
            try:
                with urllib.request.urlopen(
                    urllib.request.Request(self.address, body, headers), timeout=120
                ) as answer:
                    receipts = json.loads(answer.read())
            except urllib.error.HTTPError as error:
                if error.code < 500:
                    self.refused = error.read().decode()
                    return
                time.sleep(0.1)
            except OSError:
                time.sleep(0.1)
            else:
                self.acknowledged |= {
                    receipt["uid"]: (receipt["number"], receipt["position"]) for receipt in receipts
                }
                return


TARGETS = ("worker's child", "web's child", "broker", "postgres", "worker", "web", "beat")


@pytest.mark.long
def test_kills_during_posting_lose_and_double_no_fact_and_examination_continues(
    demo: Demo,
) -> None:
    dice = random.Random(KILLS)
    ada = Ada(demo)
    ada.thread.start()
    try:
        for number in range(KILLS):
            before = len(ada.acknowledged)
            target = TARGETS[number % len(TARGETS)]
            until(
                lambda before=before: len(ada.acknowledged) > before + 40,
                f"nothing was acknowledged before kill {number}",
            )
            time.sleep(dice.random() / 4)
            demo.kill(target)
            before = len(ada.acknowledged)
            until(
                lambda before=before: len(ada.acknowledged) > before + 40,
                f"nothing was acknowledged after the {target} was killed",
            )
    finally:
        ada.over.set()
        ada.thread.join()
    assert ada.refused == ""
    until(
        lambda: demo.rows("SELECT count(*) FROM job WHERE state <> 'done'") == [(0,)],
        "examination did not go on",
    )
    stand = {
        str(uid): (number, position)
        for uid, number, position in demo.rows("SELECT uid, number, position FROM fact")
    }
    assert ada.acknowledged.items() <= stand.items()
    assert demo.rows(
        "SELECT count(*), count(DISTINCT uid), max(position) FROM fact WHERE property = 'aurora'"
    ) == [(len(stand),) * 3]
    assert demo.rows("SELECT count(*) > 0 FROM finding WHERE stream LIKE 'aurora/KILL-%'") == [(True,)]
    demo.stop()
    assert processes_in(demo.data) == []
    verified = demo.manage("verify")
    assert verified.returncode == 0, verified.stderr
    examined = demo.manage("reexamine", "--dry-run")
    assert examined.stdout.endswith("gained 0, lost 0\n"), examined.stdout


def nobody(data: Path) -> bool:
    """Return True if no process belongs to the installation in `data`."""
    processes = subprocess.run(["ps", "-eo", "pid,stat,args"], capture_output=True, text=True).stdout
    return processes_in(data) == [] and not re.search(
        rf"^\s*\d+ [^Z].*{re.escape(str(data))}", processes, re.M
    )


def holders(demo: Demo) -> list[tuple[Any, ...]]:
    """Return the processes of beat that hold the lock of beat. There may be no more than one."""
    return demo.rows(
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid = x'0CA7BEA7'::bigint"
        " AND granted"
    )


def of_two_beats_one_beats_and_the_other_goes_on_when_it_is_killed(demo: Demo) -> None:
    until(lambda: len(holders(demo)) == 1, "no beat holds the lock")
    env = os.environ | {"CATWALK_DATA": str(demo.data), "DJANGO_SETTINGS_MODULE": "casino.settings"}
    second = subprocess.Popen(
        [sys.executable, *BEAT], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        time.sleep(4)
        first = holders(demo)
        assert len(first) == 1
        demo.kill("beat")
        until(lambda: holders(demo) not in ([], first), "no beat took over")
        assert len(holders(demo)) == 1
    finally:
        second.terminate()
        second.wait(300)


def a_port_in_use_is_one_line(demo: Demo) -> None:
    busy = demo.manage("demo", "--port", str(demo.port))
    assert busy.returncode == 1
    assert re.fullmatch(
        rf"CommandError: Port {demo.port} cannot be used \(address already in use\)\. Choose another"
        r" with --port\.\n",
        busy.stderr,
    )


def one_signal_ends_it_and_all_its_children_also_a_stuck_one(demo: Demo, number: int) -> None:
    children = psutil.Process(demo.process.pid).children(recursive=True)
    stuck = demo.child("worker", deep=False)
    assert stuck is not None
    os.kill(stuck, signal.SIGSTOP)
    _, err = demo.stop(number)
    assert demo.process.returncode == (0 if number == signal.SIGINT else 128 + number), err
    assert [
        child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE
    ] == []
    assert nobody(demo.data)


def a_second_start_goes_on_with_the_same_house(demo: Demo, logins: str) -> None:
    started = demo.manage("demo", "--days", "1", "--once")
    assert started.returncode == 0
    assert ", 0 of them recorded now" in started.stdout
    assert (demo.data / "demo_logins.json").read_text() == logins


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(number, marks=pytest.mark.long)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    ],
)
def test_a_demo_has_its_port_alone_ends_all_children_and_continues_at_the_next_start(
    demo: Demo, number: int
) -> None:
    """Test several properties of one demo together, because each start needs ten seconds of CPU."""
    logins = (demo.data / "demo_logins.json").read_text()
    a_port_in_use_is_one_line(demo)
    of_two_beats_one_beats_and_the_other_goes_on_when_it_is_killed(demo)
    one_signal_ends_it_and_all_its_children_also_a_stuck_one(demo, number)
    a_second_start_goes_on_with_the_same_house(demo, logins)

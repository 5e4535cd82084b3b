"""Postgres killed, stopped and full under a web server of the Procfile: pages and API answer 503 at once,
with a page or a problem document that says when to come again, and recover by themselves.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from casino.runtime.database_watch import EVERY, PATIENCE
from casino.runtime.supervisor import GUNICORN
from casino.sample import honest_day
from tests.casino.feeding import written
from tests.casino.inside import postmaster
from tests.manage import Manage


class Web:
    """A web server of an installation with one device."""

    def __init__(self, made: Manage, folder: Path) -> None:
        devices = {"gateway-1": {"tables": ["*"], "people": True, "house": False}}
        file = written(folder / "register.json", {"property": "aurora", "devices": devices})
        assert made("load_register", str(file), "--second", "m-2").returncode == 0
        self.token = made("token", "--device", "aurora/gateway-1").stdout.strip()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.data, self.log = made.data, folder / "web.log"
        env = os.environ | {
            "DJANGO_SETTINGS_MODULE": "casino.settings",
            "CATWALK_DATA": str(made.data),
            "CATWALK_BIND": f"127.0.0.1:{self.port}",
            "TMPDIR": str(folder),
        }
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([sys.executable, *GUNICORN], env=env, stdout=log, stderr=log)
        self.until(lambda: self.ask("/login/")[0] == 200, "the web server did not start")
        self.facts = iter(honest_day("easy_over_under", seed=7, table="EOU-01", rounds=40))

    def ask(self, path: str, body: bytes | None = None) -> tuple[int, float, Any]:
        """Return status, seconds, and the answer with its headers."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/x-ndjson"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, headers)
        began = time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, time.monotonic() - began, answer
        except urllib.error.HTTPError as error:
            error.said = error.read()  # type: ignore[attr-defined]
            return error.code, time.monotonic() - began, error
        except OSError:
            return 0, time.monotonic() - began, None

    def post(self) -> tuple[int, float, Any]:
        return self.ask("/api/v1/facts", json.dumps(next(self.facts)).encode())

    def ready(self) -> dict[str, str]:
        code, _, answer = self.ask("/readyz")
        wants: dict[str, str] = json.loads(answer.said)["wants"] if code == 503 else {}
        return wants

    def until(self, true: Callable[[], Any], what: str) -> None:
        deadline = time.monotonic() + 60
        while not true():
            assert time.monotonic() < deadline, f"{what}\n{self.log.read_text()[-3000:]}"
            time.sleep(0.1)


@pytest.fixture
def web(made: Manage, tmp_path: Path) -> Iterator[Web]:
    running = Web(made, tmp_path)
    yield running
    running.process.terminate()
    try:
        running.process.wait(30)
    finally:
        running.process.kill()


def says_when_to_come_again(web: Web) -> None:
    """Ask pages and API while the database is away."""
    for path in ("/login/", "/admin/", "/queue/", "/nowhere/"):
        code, seconds, answer = web.ask(path)
        assert (code, answer.headers["Retry-After"]) == (503, "5"), path
        assert seconds < 1.0, f"{path}: {seconds:.2f} s"
        assert b"The database does not answer" in answer.said
        assert b"default-src" in answer.headers["Content-Security-Policy"].encode()
    code, seconds, answer = web.ask("/api/v1/facts", b'{"never": "recorded"}')
    assert (code, seconds < 1.0, answer.headers["Retry-After"]) == (503, True, "5")
    problem = json.loads(answer.said)
    assert (problem["code"], problem["retry_after"]) == ("no-ledger", 5)
    assert problem["detail"].endswith("Send the same again in 5 seconds.")
    code, seconds, answer = web.ask("/readyz")
    assert (code, seconds < 1.0) == (503, True)
    assert json.loads(answer.said)["wants"]["database"] == "does not answer"
    assert web.ask("/healthz")[0] == 200


def tree(web: Web) -> list[psutil.Process]:
    """Return the server's processes."""
    pid = postmaster(web.data)
    assert pid is not None
    main = psutil.Process(pid)
    return [main, *main.children(recursive=True)]


def test_pages_and_api_say_when_to_come_again_while_postgres_is_away_and_recover(web: Web) -> None:
    assert web.post()[0] == 201
    assert "database" not in web.ready()
    time.sleep(3 * EVERY)  # until both processes have asked the database
    stopped = tree(web)
    for process in stopped:
        os.kill(process.pid, signal.SIGSTOP)
    try:
        with ThreadPoolExecutor(20) as clients:  # more than there are threads
            first = list(clients.map(lambda _: web.ask("/api/v1/facts", b"{}")[:2], range(20)))
        print(f"hanging: first answers after {max(seconds for _, seconds in first):.1f} s")
        assert {code for code, _ in first} == {503}
        assert max(seconds for _, seconds in first) < PATIENCE + 3
        says_when_to_come_again(web)
    finally:
        for process in stopped:
            if process.is_running():
                os.kill(process.pid, signal.SIGCONT)
    web.until(lambda: web.ask("/login/")[0] == 200, "no recovery after SIGCONT")
    web.until(lambda: web.post()[0] == 201, "no post after SIGCONT")

    pid = postmaster(web.data)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    codes = {web.ask("/login/")[:2] for _ in range(30)}
    assert {code for code, _ in codes} <= {200, 503}
    assert max(seconds for _, seconds in codes) < 1.0
    web.until(lambda: web.post()[0] == 201, "no post after SIGKILL")
    web.until(lambda: "database" not in web.ready(), "not ready after SIGKILL")
    log = web.log.read_text()
    assert '"code":500' not in log, log[-3000:]

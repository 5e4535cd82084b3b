"""A web server of the Procfile for tests: an installation with one device, and the answers of its server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from casino.runtime.supervisor import GUNICORN
from casino.sample import honest_day
from tests.casino.feeding import write_lines
from tests.manage import Manage, free_port


def start(log: Path, data: Path, bind: str, **variables: str) -> subprocess.Popen[bytes]:
    """Start a web server of an installation with these environment variables. The server listens at
    `bind`.
    """
    env = os.environ | {
        "DJANGO_SETTINGS_MODULE": "casino.settings",
        "CATWALK_DATA": str(data),
        "CATWALK_BIND": bind,
        **variables,
    }
    with log.open("wb") as written_to:
        return subprocess.Popen([sys.executable, *GUNICORN], env=env, stdout=written_to, stderr=written_to)


class Web:
    """A web server of an installation with one device."""

    def __init__(self, installation: Manage, folder: Path) -> None:
        devices = {"gateway-1": {"tables": ["*"], "people": True, "house": False}}
        file = write_lines(folder / "register.json", {"property": "aurora", "devices": devices})
        assert installation("load_register", str(file), "--second", "m-2").returncode == 0
        self.token = installation("token", "--device", "aurora/gateway-1").stdout.strip()
        self.port = free_port()
        self.data, self.log = installation.data, folder / "web.log"
        self.process = start(self.log, installation.data, f"127.0.0.1:{self.port}", TMPDIR=str(folder))
        self.until(lambda: self.ask("/login/")[0] == 200, "the web server did not start")
        self.facts = iter(honest_day("easy_over_under", seed=7, table="EOU-01", rounds=40))

    def ask(self, path: str, body: bytes | None = None) -> tuple[int, float, Any]:
        """Request a path. Return the status, the seconds that the request took, and the answer with its
        headers.
        """
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/x-ndjson"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, headers)
        began = time.monotonic()
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
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

    def until(self, true: Callable[[], Any], condition: str) -> None:
        deadline = time.monotonic() + 300
        while not true():
            assert time.monotonic() < deadline, f"{condition}\n{self.log.read_text()[-3000:]}"
            time.sleep(0.1)


@contextmanager
def web_server(installation: Manage, folder: Path) -> Iterator[Web]:
    """Run a web server on this installation while this block runs, and yield it."""
    running = Web(installation, folder)
    try:
        yield running
    finally:
        running.process.terminate()
        try:
            running.process.wait(30)
        finally:
            running.process.kill()

"""A real Apache Superset for tests: the server, and a client of its REST API."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from tests.manage import free_port
from tests.tools import install

LOCK = "requirements-superset.txt"
PASSWORD = "only-for-this-test"
ADMIN = f"--username admin --firstname Test --lastname Admin --email admin@example.com --password {PASSWORD}"
SETUP = (["db", "upgrade"], ["fab", "create-admin", *ADMIN.split()], ["init"])
"""The commands of Superset's guide that create its own database and its administrator."""
PATIENCE = 300.0


class Superset:
    """A client of a running Superset, logged in as its administrator."""

    def __init__(self, address: str) -> None:
        self.address = f"{address}/api/v1/"
        self.headers = {"Content-Type": "application/json"}
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        login = {"username": "admin", "password": PASSWORD, "provider": "db", "refresh": True}
        self.headers["Authorization"] = f"Bearer {self.accepted('security/login', login)['access_token']}"
        self.headers["X-CSRFToken"] = self.accepted("security/csrf_token/")["result"]

    def ask(self, path: str, body: Any = None, method: str | None = None) -> tuple[int, Any]:
        """Send a request: GET, or POST if there is a body. Return the status and the answer."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, self.headers, method=method)
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def accepted(self, path: str, body: Any = None) -> Any:
        """Send a request that must succeed. Return the answer."""
        status, answer = self.ask(path, body)
        assert status in (200, 201), (path, status, answer)
        return answer

    def chart(self, dataset: int, **query: Any) -> list[dict[str, Any]]:
        """Return the rows of a chart."""
        source = {"datasource": {"id": dataset, "type": "table"}, "result_format": "json", "force": True}
        (result,) = self.accepted("chart/data", source | {"queries": [query]})["result"]
        rows: list[dict[str, Any]] = result["data"]
        return rows


@contextmanager
def running(folder: Path) -> Iterator[Superset]:
    """Run Superset with a database of its own while this block runs. Skip the test if Superset cannot be
    installed. The first run prepares the database; later runs copy it.
    """
    tools = install.python(LOCK).parents[1]
    database = folder / "superset.db"
    (folder / "superset_config.py").write_text(
        f"SECRET_KEY = {'x' * 42!r}\nSQLALCHEMY_DATABASE_URI = 'sqlite:///{database}'\n"
    )
    names = {"SUPERSET_HOME": folder, "SUPERSET_CONFIG_PATH": folder / "superset_config.py"}
    env = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO_", "PYTHON"))}
    env |= {name: str(path) for name, path in names.items()} | {"FLASK_APP": "superset.app:create_app()"}
    prepared = tools / "superset.db"
    if not prepared.exists():
        _set_up(env)
        copy = shutil.copy(database, prepared.with_suffix(f".{os.getpid()}"))
        copy.rename(prepared)
    shutil.copy(prepared, database)
    address, log = f"127.0.0.1:{free_port()}", folder / "superset.log"
    serve = [*install.script("gunicorn", LOCK), "--threads", "4", "--timeout", "300", "-b", address]
    with log.open("wb") as output:
        process = subprocess.Popen([*serve, env["FLASK_APP"]], env=env, stdout=output, stderr=output)
    try:
        _await_health(f"http://{address}/health", process, log)
        yield Superset(f"http://{address}")
    finally:
        process.terminate()
        process.wait(60)


def _set_up(env: dict[str, str]) -> None:
    for command in SETUP:
        program = [*install.script("superset", LOCK), *command]
        ran = subprocess.run(program, env=env, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr[-3000:]


def _await_health(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address, timeout=10):
                return
        except OSError:
            assert process.poll() is None, log.read_text()[-3000:]
            assert time.monotonic() < deadline, log.read_text()[-3000:]
            time.sleep(0.5)

"""The web, worker and beat processes of the Procfile, started and stopped (SIGTERM) as a process manager does
it. The systemd units have the same commands.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from casino.runtime import embedded
from casino.sample import honest_day
from tests.casino.feeding import write_lines
from tests.casino.inside import processes_in
from tests.manage import Manage, free_port

PROJECT = Path(__file__).parents[2]
HERE = PROJECT / "casino" / "runtime" / "operations"
COMMANDS = dict(line.split(": ", 1) for line in (HERE / "Procfile").read_text().splitlines())
UNITS = sorted((HERE / "systemd").glob("*.service"))
PATIENCE = 300.0


class Processes:
    """The processes of the Procfile, started by a shell, each with its own log."""

    def __init__(self, manage: Manage, folder: Path) -> None:
        self.address = f"http://127.0.0.1:{free_port()}"
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("DATABASE_", "CATWALK_", "PYTEST", "DJANGO_", "CELERY_"))
        }
        env = clean | {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "CATWALK_DATA": str(manage.data),
            "CATWALK_BIND": self.address.removeprefix("http://"),
        }
        self.logs = {name: folder / f"{name}.log" for name in COMMANDS}
        self.started: dict[str, subprocess.Popen[bytes]] = {}
        for name, command in COMMANDS.items():
            with self.logs[name].open("wb") as log:
                self.started[name] = subprocess.Popen(
                    ["sh", "-c", f"exec {command}"], cwd=PROJECT, env=env, stdout=log, stderr=log
                )

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(
                urllib.request.Request(self.address + path, headers=headers), timeout=120
            ) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def until(self, true: Any, condition: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < deadline, f"{condition}\n{self.last_log_lines()}"
            assert [name for name, process in self.started.items() if process.poll() is not None] == [], (
                self.last_log_lines()
            )
            time.sleep(0.05)

    def last_log_lines(self) -> str:
        return "\n".join(
            f"{name}: {log.read_text(errors='replace')[-2000:]}" for name, log in self.logs.items()
        )

    def end(self) -> dict[str, int]:
        """Send SIGTERM to all processes, as at a shutdown, and return their exit codes."""
        for process in self.started.values():
            process.send_signal(signal.SIGTERM)
        return {name: process.wait(300) for name, process in self.started.items()}


@pytest.fixture
def processes(installation: Manage, tmp_path: Path) -> Iterator[Processes]:
    running = Processes(installation, tmp_path)
    yield running
    for process in running.started.values():
        if process.poll() is None:
            process.kill()
            process.wait()


REQUEST_ID = "0af7651916cd43dd8448eb211c80319c"


def post(address: str, token: str, body: bytes) -> None:
    """Post facts with the request ID `REQUEST_ID`. Assert that the answer has the same ID."""
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/x-ndjson",
        "X-Request-ID": REQUEST_ID,
    }
    request = urllib.request.Request(f"{address}/api/v1/facts", body, headers)
    with urllib.request.urlopen(request, timeout=120) as answer:
        assert (answer.status, answer.headers["X-Request-ID"]) == (201, REQUEST_ID)


def logged(processes: Processes) -> list[dict[str, Any]]:
    """Return the log lines of all processes, read as JSON. The worker's last line, which is not JSON, is not
    returned.
    """
    lines = [line for name in COMMANDS for line in processes.logs[name].read_text().splitlines()]
    return [json.loads(line) for line in lines if line not in ("", "worker: Warm shutdown (MainProcess)")]


def test_the_three_processes_record_examine_share_counters_and_end_by_signal(
    processes: Processes, installation: Manage, tmp_path: Path
) -> None:
    devices = write_lines(
        tmp_path / "register.json",
        {"property": "aurora", "devices": {"gateway-1": {"tables": ["*"], "people": True, "house": False}}},
    )
    assert installation("load_register", str(devices), "--second", "m-2").returncode == 0
    token = installation("token", "--device", "aurora/gateway-1").stdout.strip()
    processes.until(lambda: processes.get("/readyz")[0] == 200, "Catwalk was never ready")

    day = honest_day("easy_over_under", seed=1, table="EOU-01", rounds=6)
    next(fact for fact in day if fact["kind"] == "take")["amount"] += 100
    body = "\n".join(map(json.dumps, day)).encode()
    post(processes.address, token, body)
    with psycopg.connect(
        host=embedded.address(installation.data), user="catwalk_app", dbname="catwalk", autocommit=True
    ) as app:
        query = "SELECT count(*) FROM finding WHERE code = 'wrong-settlement'"
        processes.until(lambda: app.execute(query).fetchone() == (1,), "the worker found nothing")

    with ThreadPoolExecutor(8) as clients:
        assert set(clients.map(lambda _: processes.get("/login/")[0], range(60))) == {200}
    shown = [processes.get("/metrics")[1] for _ in range(8)]
    counted = {
        tuple(re.findall(r'^catwalk_answers_total\{.*route="login/".*\} (\d+)', figures, re.M))
        for figures in shown
    }
    assert counted == {("60",)}, f"every web process tells the sum of all: {shown[0]}"
    web = psutil.Process(processes.started["web"].pid).children()
    figures = {
        Path(mapping.path).parent
        for process in web
        for mapping in process.memory_maps()
        if "catwalk-figures-" in mapping.path
    }
    assert (len(web), len(figures)) == (2, 1)

    assert processes.end() == {"web": 0, "worker": 0, "beat": 0}, processes.last_log_lines()
    assert processes_in(installation.data) == []
    assert not figures.pop().exists()
    lines = logged(processes)
    posted = [line for line in lines if line.get("request_id") == REQUEST_ID]
    assert [(line["event"], line["route"], line["code"]) for line in posted] == [
        ("answered", "api/v1/facts", 201)
    ]
    assert {line["task"] for line in lines if line["from"] == "casino.task"} == {"audit.examine"}
    assert installation("verify").returncode == 0


def test_the_units_of_systemd_run_what_the_procfile_runs() -> None:
    commands = {}
    for unit in UNITS:
        lines = dict(
            line.split("=", 1)
            for line in unit.read_text().splitlines()
            if line.startswith(("ExecStart=", "Environment=CATWALK_TASKS"))
        )
        commands[unit.stem.removeprefix("catwalk-")] = lines["ExecStart"].removeprefix(
            "/srv/catwalk/.venv/bin/"
        )
    assert commands.pop("consumer@") == "python manage.py consume %I", "a unit for each queue of facts"
    assert commands == {name: command.replace(":-2", "") for name, command in COMMANDS.items()}
    target = (HERE / "systemd" / "catwalk.target").read_text()
    assert [name for name in commands if f"catwalk-{name}.service" not in target] == []


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_reads_the_units_without_a_complaint(tmp_path: Path) -> None:
    for unit in [*UNITS, HERE / "systemd" / "catwalk.target"]:
        unit_text = (
            unit.read_text()
            .replace("/srv/catwalk/.venv/bin", str(Path(sys.executable).parent))
            .replace("/srv/catwalk", str(PROJECT))
        )
        (tmp_path / unit.name).write_text(re.sub("^(User|Group)=catwalk", r"\1=root", unit_text, flags=re.M))
    units = [str(tmp_path / unit.name) for unit in [*UNITS, Path("catwalk.target")]]
    ran = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False
    )
    complaints = [line for line in ran.stderr.splitlines() if "catwalk" in line]
    assert (ran.returncode, complaints) == (0, []), ran.stderr

"""Postgres is killed, stopped, or out of disk space while a web server of the Procfile runs. Pages and API
answer 503 at once, with a page or a problem document that says when to try again. They recover by themselves.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from casino.runtime.database_watch import EVERY, PATIENCE
from casino.sample import honest_day
from tests.casino.inside import postmaster
from tests.faults.web import Web, web_server
from tests.manage import Manage


@pytest.fixture
def web(installation: Manage, tmp_path: Path) -> Iterator[Web]:
    with web_server(installation, tmp_path) as running:
        yield running


def says_when_to_come_again(web: Web) -> None:
    """Assert that pages and API, while the database is away, answer 503 and say when to try again."""
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
    assert problem["detail"].endswith("Send the request again in 5 seconds.")
    code, seconds, answer = web.ask("/readyz")
    assert (code, seconds < 1.0) == (503, True)
    assert json.loads(answer.said)["wants"]["database"] == "does not answer"
    assert web.ask("/healthz")[0] == 200


def database_processes(web: Web) -> list[psutil.Process]:
    """Return the processes of the database server."""
    pid = postmaster(web.data)
    assert pid is not None
    main = psutil.Process(pid)
    return [main, *main.children(recursive=True)]


@pytest.mark.long
def test_while_postgres_is_away_pages_and_api_say_when_to_retry_and_recover_later(web: Web) -> None:
    assert web.post()[0] == 201
    assert "database" not in web.ready()
    time.sleep(3 * EVERY)  # until both processes have queried the database
    stopped = database_processes(web)
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


@pytest.mark.long
def test_a_full_disk_is_named_by_readyz_and_posts_and_they_recover(
    installation: Manage, tmp_path: Path
) -> None:
    """Move the installation to a small file system, fill it, and make room again."""
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400m", "tmpfs", str(small)], check=False)
    if mounted.returncode != 0:
        pytest.skip("this machine mounts no file system for tests")
    try:
        subprocess.run(["cp", "-a", str(installation.data), str(small / "house")], check=True)
        moved = Manage(small / "house")
        with web_server(moved, tmp_path) as web:
            assert web.post()[0] == 201
            assert "database" not in web.ready()
            with (small / "filler").open("wb") as filler:
                left = os.statvfs(small)
                os.posix_fallocate(filler.fileno(), 0, left.f_bavail * left.f_frsize)
                time.sleep(1.5)
                assert web.ready()["database"] in ("disk full", "does not answer")
                codes = [web.ask("/api/v1/facts", big_post(number)) for number in range(30)]
                full = [answer for code, _, answer in codes if code == 503]
                assert {code for code, _, _ in codes} <= {201, 503}
                assert full, "every post was recorded on a full disk"
                problems = [json.loads(answer.said) for answer in full]
                assert {problem["code"] for problem in problems} <= {"disk-full", "no-ledger"}
                waits = [int(answer.headers["Retry-After"]) for answer in full]
                assert waits == [problem["retry_after"] for problem in problems]
                print(f"full disk: {len(full)} of {len(codes)} posts got 503: {problems[0]['detail']}")
                os.ftruncate(filler.fileno(), 0)
            web.until(lambda: "database" not in web.ready(), "not ready after room was made")
            web.until(lambda: web.post()[0] == 201, "no post after room was made")
        assert moved("verify").returncode == 0
        moved.close()
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)


def big_post(number: int) -> bytes:
    """Return a post of one table's day, for which the database has to allocate new disk space."""
    day = honest_day("easy_over_under", seed=1000 + number, table=f"FULL-{number}", rounds=40)
    return "\n".join(map(json.dumps, day)).encode()

"""Life cycle of the embedded database server: it starts by itself, survives crashes and restarts, and leaves
no process behind.
"""

import contextlib
import os
import pwd
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from casino.runtime import embedded
from tests.casino.inside import (
    AS_ROOT,
    COUNT,
    RECONNECT,
    counts,
    goes_home,
    gone,
    postmaster,
    processes_in,
    somebody_inside,
)
from tests.manage import PROJECT, Manage


def test_the_first_command_creates_the_installation_and_the_last_one_stops_it(manage: Manage) -> None:
    counts(manage)
    assert processes_in(manage.data) == []
    counts(manage)
    assert processes_in(manage.data) == []


@pytest.mark.parametrize(
    "command",
    [
        ["help"],
        pytest.param(["check"], marks=pytest.mark.long),
        ["makemigrations", "--check"],
        pytest.param(["no_such_command"], marks=pytest.mark.long),
        ["migrate", "--no-such-option"],
    ],
)
def test_a_command_without_queries_starts_no_server(manage: Manage, command: list[str]) -> None:
    manage(*command)
    assert not manage.data.exists()


def test_the_installation_admits_no_other_user(installation: Manage) -> None:
    cluster = installation.data / "postgres" / "cluster"
    assert [folder.stat().st_mode & 0o777 for folder in (installation.data, cluster.parent, cluster)] == [
        0o700
    ] * 3
    assert {file.stat().st_mode & 0o077 for file in installation.data.iterdir()} == {0}


def test_the_server_listens_on_no_network_writes_through_and_checks_its_pages(installation: Manage) -> None:
    inside = somebody_inside(installation)
    with psycopg.connect(
        host=embedded.address(installation.data), user="catwalk_app", dbname="catwalk"
    ) as app:
        shown = [
            app.execute(f"show {name}").fetchone()
            for name in ("listen_addresses", "fsync", "synchronous_commit", "data_checksums")
        ]
    assert shown == [("",), ("on",), ("on",), ("on",)]
    goes_home(inside)


def test_the_database_roles_have_only_the_rights_that_they_need(installation: Manage) -> None:
    inside = somebody_inside(installation)
    with psycopg.connect(
        host=embedded.address(installation.data), user="catwalk_app", dbname="catwalk"
    ) as app:
        roles = app.execute(
            "select rolname, rolsuper, rolcreatedb, rolcreaterole, rolbypassrls,"
            " has_database_privilege(rolname, 'catwalk', 'create') from pg_roles where rolname like"
            " 'catwalk%' order by rolname"
        ).fetchall()
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute("create table mine (a int)")
    assert roles == [
        ("catwalk_app", False, False, False, False, False),
        ("catwalk_owner", False, False, False, False, True),
    ]
    goes_home(inside)


def test_a_process_that_uses_the_server_connects_again_without_a_ping(installation: Manage) -> None:
    inside = somebody_inside(installation, script=RECONNECT)
    postgres = {"host": embedded.address(installation.data), "user": "postgres", "dbname": "postgres"}
    with psycopg.connect(**postgres, autocommit=True) as superuser:
        superuser.execute("alter system set log_connections = 'authorization'")
        superuser.execute("select pg_reload_conf()")
    log = installation.data / "postgres.log"
    while "authorized: user=postgres" not in log.read_text():  # the server reads its settings a moment later
        psycopg.connect(**postgres).close()
    goes_home(inside)
    assert log.read_text().count("authorized: user=catwalk_app") == 1


def test_a_process_whose_server_was_killed_starts_it_when_it_connects_again(installation: Manage) -> None:
    inside = somebody_inside(installation, script=RECONNECT)
    os.kill(postmaster(installation.data), signal.SIGKILL)
    goes_home(inside)
    assert processes_in(installation.data) == []


@pytest.mark.long
def test_two_first_commands_at_once_share_one_server(manage: Manage) -> None:
    commands = [manage.start("shell", "-v0", "-c", COUNT) for _ in range(3)]
    outputs = [command.communicate(timeout=300) for command in commands]
    assert {err for _, err in outputs} == {""}
    assert len({out for out, _ in outputs}) == 1
    assert processes_in(manage.data) == []


@pytest.mark.long
def test_the_first_process_to_exit_does_not_stop_the_server(installation: Manage) -> None:
    stays = somebody_inside(installation)
    server = postmaster(installation.data)
    counts(installation)
    assert postmaster(installation.data) == server
    goes_home(stays)
    assert processes_in(installation.data) == []


@pytest.mark.long
def test_a_killed_command_leaves_a_server_that_the_next_one_joins_and_stops(installation: Manage) -> None:
    killed = somebody_inside(installation)
    server = postmaster(installation.data)
    killed.kill()
    killed.wait()
    assert not gone(server)
    inside = somebody_inside(installation)
    assert postmaster(installation.data) == server
    goes_home(inside)
    assert processes_in(installation.data) == []


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        *(pytest.param(value, marks=pytest.mark.long) for value in (signal.SIGINT, signal.SIGHUP)),
    ],
)
def test_a_command_that_gets_a_signal_stops_the_server(installation: Manage, number: signal.Signals) -> None:
    inside = somebody_inside(installation)
    inside.send_signal(number)
    inside.communicate(timeout=300)
    assert inside.returncode == 128 + number
    assert processes_in(installation.data) == []


@pytest.mark.long
def test_ctrl_c_at_the_terminal_does_not_reach_the_server(installation: Manage) -> None:
    inside = somebody_inside(installation)
    assert os.getsid(postmaster(installation.data)) != os.getsid(inside.pid)
    goes_home(inside)


def test_after_a_killed_server_the_next_command_finds_everything(installation: Manage) -> None:
    killed = somebody_inside(installation)
    os.kill(postmaster(installation.data), signal.SIGKILL)
    counts(installation)
    killed.kill()
    killed.wait()
    counts(installation)
    assert processes_in(installation.data) == []


@pytest.mark.long
def test_a_survivor_of_a_killed_server_is_waited_for(installation: Manage) -> None:
    inside = somebody_inside(installation)
    with psycopg.connect(
        host=embedded.address(installation.data), user="catwalk_app", dbname="catwalk"
    ) as app:
        survivor = app.info.backend_pid
        os.kill(survivor, signal.SIGSTOP)  # a stopped process cannot notice that its server dies
        os.kill(postmaster(installation.data), signal.SIGKILL)
        late = installation.start("shell", "-v0", "-c", COUNT)
        time.sleep(1)
        assert late.poll() is None
        os.kill(survivor, signal.SIGCONT)
        out, err = late.communicate(timeout=300)
    assert (late.returncode, err) == (0, ""), out
    goes_home(inside)


@pytest.mark.long
def test_after_all_processes_are_killed_at_once_the_next_command_works(installation: Manage) -> None:
    killed = somebody_inside(installation)
    for pid in [killed.pid, *processes_in(installation.data)]:
        with contextlib.suppress(ProcessLookupError):  # backends exit by themselves when their server is gone
            os.kill(pid, signal.SIGKILL)
    killed.wait()
    counts(installation)
    assert processes_in(installation.data) == []


@pytest.mark.long
def test_a_half_made_database_is_made_again(manage: Manage) -> None:
    started = manage.start("shell", "-v0", "-c", COUNT)
    half = manage.data / "postgres" / "half" / "base"
    while not half.exists():
        assert started.poll() is None
    started.kill()
    started.communicate()
    counts(manage)
    assert not half.parent.exists()


@pytest.mark.long
def test_a_stale_process_id_of_another_program_is_not_taken_for_the_server(
    installation: Manage,
) -> None:
    cluster = installation.data / "postgres" / "cluster"
    account = pwd.getpwuid(cluster.stat().st_uid)
    other = (
        subprocess.Popen(["sleep", "60"], user=account.pw_uid)
        if AS_ROOT
        else subprocess.Popen(["sleep", "60"])
    )
    for note in ("postmaster.pid", ".s.PGSQL.5432.lock"):
        (cluster / note).write_text(f"{other.pid}\n{cluster}\n1700000000\n5432\n.\n\n  1 1\nready   \n")
        os.chown(cluster / note, account.pw_uid, account.pw_gid)
    counts(installation)
    assert other.poll() is None, "somebody else's process was stopped"
    other.kill()
    other.wait()
    assert processes_in(installation.data) == []


def test_an_empty_process_id_file_is_no_server(installation: Manage) -> None:
    (installation.data / "postgres" / "cluster" / "postmaster.pid").write_text("")
    counts(installation)


CHILDREN = """
import multiprocessing, os, sys, time
from pathlib import Path
from casino.runtime import embedded
data = Path(sys.argv[2])
def child(seconds):
    time.sleep(seconds)
    import psycopg
    with psycopg.connect(host=embedded.address(data), user="catwalk_app", dbname="catwalk") as app:
        print(app.execute("select 1").fetchone()[0], flush=True)
if __name__ == "__main__":
    embedded.join(data)
    context = multiprocessing.get_context(sys.argv[1])
    children = [context.Process(target=child, args=(seconds,)) for seconds in (0, 0.5)]
    for one in children: one.start()
    if sys.argv[3] == "kill": os.kill(os.getpid(), 9)
    if sys.argv[3] == "leave": embedded.leave(data)
"""


@pytest.mark.parametrize(
    "end", [*(pytest.param(value, marks=pytest.mark.long) for value in ("wait", "leave")), "kill"]
)
def test_the_server_runs_until_the_last_child_process_ends(tmp_path: Path, end: str) -> None:
    script = tmp_path / "children.py"
    script.write_text(CHILDREN)
    data = tmp_path / "house"
    ran = subprocess.run(
        [sys.executable, script, "fork", data, end],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
    )
    assert (ran.stdout, ran.stderr) == ("1\n1\n", "")
    assert processes_in(data) == []

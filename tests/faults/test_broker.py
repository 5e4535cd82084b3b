"""The embedded broker listens on no network, admits no other users, restarts after kill -9 with its messages,
and stops when the last process that uses it ends.
"""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from casino.runtime import embedded
from tests.casino.inside import gone
from tests.manage import PROJECT, Manage

JOINS = """
import sys; from pathlib import Path; from casino.runtime import embedded
print(embedded.join_broker(Path(sys.argv[1])), flush=True); input()
"""


def answer_of_broker(data: Path, question: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(60)
        line.connect(embedded.broker_address(data))
        line.sendall(question)
        return line.recv(1000)


def joined(data: Path) -> "subprocess.Popen[str]":
    """Start a process that needs the broker and runs until it is sent a line."""
    pipe = subprocess.PIPE
    user = subprocess.Popen(
        [sys.executable, "-c", JOINS, str(data)], cwd=PROJECT, stdin=pipe, stdout=pipe, text=True
    )
    assert user.stdout is not None
    assert user.stdout.readline() == f"{embedded.broker_address(data)}\n"
    return user


def pid(data: Path) -> int:
    return int((data / "broker" / "valkey.pid").read_text())


def leaves(user: "subprocess.Popen[str]") -> None:
    user.communicate("\n", timeout=300)
    assert user.returncode == 0


@pytest.mark.parametrize("name", ["house", "h" * 120])
def test_the_last_process_stops_the_broker_and_no_file_of_it_is_left(tmp_path: Path, name: str) -> None:
    data = tmp_path / name
    first, other = joined(data), joined(data)
    served_by = pid(data)
    leaves(first)
    assert answer_of_broker(data, b"PING\r\n") == b"+PONG\r\n"
    leaves(other)
    assert gone(served_by)
    assert not Path(embedded.broker_address(data)).exists()


def test_the_broker_listens_on_no_network_and_admits_no_other_user(tmp_path: Path) -> None:
    user = joined(tmp_path / "house")
    folder = tmp_path / "house" / "broker"
    assert [
        path.stat().st_mode & 0o077 for path in (folder, folder / "valkey.sock", folder.parent / "broker.log")
    ] == [0, 0, 0]
    assert answer_of_broker(folder.parent, b"CONFIG GET port\r\n").split()[-1] == b"0"
    leaves(user)


def test_a_killed_broker_comes_back_with_its_messages(tmp_path: Path) -> None:
    data = tmp_path / "house"
    user = joined(data)
    assert answer_of_broker(data, b"RPUSH bell 7\r\n") == b":1\r\n"
    answer_of_broker(data, b"CONFIG SET appendfsync always\r\n")
    answer_of_broker(data, b"RPUSH bell 8\r\n")
    killed = pid(data)
    os.kill(killed, signal.SIGKILL)
    other = joined(data)
    assert pid(data) != killed
    assert answer_of_broker(data, b"LLEN bell\r\n") == b":2\r\n"
    leaves(user)
    leaves(other)


@pytest.mark.long
def test_a_command_that_only_posts_starts_no_broker(manage: Manage) -> None:
    assert manage("examine").returncode == 0
    assert not (manage.data / "broker").exists()

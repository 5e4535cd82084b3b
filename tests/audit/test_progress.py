"""The progress of commands is shown on a terminal, and nowhere else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import termios

from tests.manage import PROJECT

WORK = """
import time
from audit.management.progress import progress_bar, update_to
with progress_bar("examined", "facts", 40) as bar:
    bar.update(10)
    time.sleep(0.3)
    update_to(bar)(30)
"""


def run(stderr: int) -> None:
    subprocess.run([sys.executable, "-c", WORK], stderr=stderr, cwd=PROJECT, check=True, timeout=300)


def test_progress_is_printed_to_a_terminal_and_removed_at_the_end() -> None:
    reader, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    try:
        run(terminal)
        text = os.read(reader, 65536).decode()
    finally:
        os.close(reader)
        os.close(terminal)
    assert "examined" in text
    assert "30/40" in text
    assert text.endswith("\r")
    assert not text.rpartition("\r")[0].rpartition("\r")[2].strip()


def test_progress_is_not_printed_to_a_pipe() -> None:
    reader, writer = os.pipe()
    run(writer)
    os.close(writer)
    with open(reader, "rb") as file:
        assert file.read() == b""

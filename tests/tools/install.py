"""Install the pinned tools once: Python packages into a virtual environment, npm packages into a folder."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FOLDER = Path(os.environ.get("TOOLS_FOLDER", HERE.parents[1] / ".venv" / "tools"))


def python(lock_file: str = "requirements.txt") -> Path:
    """Return the Python interpreter of a virtual environment with the tools of this lock file. Skip the test
    if the tools cannot be installed.
    """
    lock = HERE / lock_file
    folder = _folder(lock.stem.replace("requirements", "python"), lock)
    with _alone(folder):
        if not (folder / "done").exists():
            install = [
                folder / "bin" / "python",
                "-m",
                "pip",
                "install",
                "--no-deps",
                "--require-hashes",
                "-q",
            ]
            _run(sys.executable, "-m", "venv", "--clear", folder)
            _run(*install, "-r", lock)
            (folder / "done").touch()
    return folder / "bin" / "python"


def script(name: str, lock_file: str = "requirements.txt") -> tuple[Path, Path]:
    """Return the command that runs a script of the Python tools. It names the interpreter, because the first
    line of a script names the folder in which it was installed, and that folder may have been renamed.
    """
    interpreter = python(lock_file)
    return interpreter, interpreter.with_name(name)


def node(name: str) -> Path:
    """Return the program of an npm package. Skip the test if the packages cannot be installed."""
    if shutil.which("npm") is None:
        pytest.skip("there is no npm")
    folder = _folder("node", HERE / "package-lock.json")
    with _alone(folder):
        if not (folder / "done").exists():
            folder.mkdir(exist_ok=True)
            for file in ("package.json", "package-lock.json"):
                shutil.copy(HERE / file, folder)
            _run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", folder=folder)
            (folder / "done").touch()
    return folder / "node_modules" / ".bin" / name


def node_types() -> Path:
    """Return the folder with the types of Node.js for TypeScript. Skip the test if the types cannot be
    installed.
    """
    return node("tsc").parents[1] / "@types"


def program(name: str, package: str) -> str:
    """Return a program of the distribution. Skip the test if it is not installed."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"there is no {name}: apt-get install {package}")
    return path


def _folder(name: str, lock: Path) -> Path:
    FOLDER.mkdir(parents=True, exist_ok=True)
    return FOLDER / f"{name}-{sha256(lock.read_bytes()).hexdigest()[:12]}"


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one process at a time install into a folder."""
    with folder.with_name(f"{folder.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _run(*command: str | Path, folder: Path | None = None) -> None:
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode:
        pytest.skip(f"{command[0]} could not install: {ran.stderr.strip()[-300:]}")

"""The container file: what it copies is enough to run Catwalk, it names no registry, and it starts the web
server of the Procfile. A real build is in `tests/tools/test_container.py`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

from casino.settings import BASE_DIR

PROJECT = Path(BASE_DIR)
OPERATIONS = PROJECT / "casino" / "runtime" / "operations"


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the container file with their arguments, continued lines joined."""
    text = re.sub(r"\\\n\s*", "", (OPERATIONS / "Containerfile").read_text())
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return [(name, arguments) for name, _, arguments in (line.partition(" ") for line in lines)]


def of(name: str) -> list[str]:
    return [arguments for instruction, arguments in instructions() if instruction == name]


def test_the_base_is_an_argument_and_no_registry_is_named() -> None:
    (base,) = of("ARG")
    assert re.fullmatch(r"BASE=[a-z]+:[\w.-]+", base), "a plain name, which a builder may replace"
    assert of("FROM") == ["${BASE}"]
    assert "://" not in "".join(arguments for _, arguments in instructions())
    assert [line for line in of("RUN") if "pip install" in line and "--require-hashes" in line]
    assert of("USER") == ["catwalk"]


def test_the_image_starts_the_web_server_of_the_procfile() -> None:
    (command,) = of("CMD")
    web = next(
        line for line in (OPERATIONS / "Procfile").read_text().splitlines() if line.startswith("web: ")
    )
    assert msgspec.json.decode(command) == shlex.split(web.removeprefix("web: "))


def test_what_is_copied_from_a_clone_is_enough_to_run(tmp_path: Path) -> None:
    root = tmp_path / "srv"
    root.mkdir()
    for arguments in of("COPY"):
        *sources, target = arguments.split()
        for source in sources:
            path = PROJECT / source
            if path.is_dir():
                shutil.copytree(path, root / target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(path, root / target)
    environment = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "casino.settings",
        "CATWALK_DATA": str(tmp_path / "data"),
    }
    (server,) = of("CMD")
    module, *arguments = msgspec.json.decode(server)
    for command in (["manage.py", "reference", "--check"], ["-m", module, "--check-config", *arguments]):
        ran = subprocess.run(
            [sys.executable, *command], cwd=root, env=environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr

"""Installed tools run after the folder in which they were installed was renamed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools import install


def test_a_script_runs_after_its_folder_was_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install, "FOLDER", tmp_path)
    folder = install._folder("python", install.HERE / "requirements.txt")
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(sys.executable)
    (folder / "bin" / "generate").write_text(f"#!{tmp_path}/before/bin/python\nprint('generated')\n")
    (folder / "done").touch()
    process = subprocess.run(install.script("generate"), capture_output=True, text=True, check=True)
    assert process.stdout == "generated\n"

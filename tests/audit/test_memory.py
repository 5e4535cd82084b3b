"""The memory of an examination does not grow with the number of findings. Only `make long` runs this test."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.manage import PROJECT

MOST = 90
"""Megabytes by which 200,000 findings may raise the memory of a worker. Before findings were written during
the fold, they raised it by 190. The remaining growth is the record of 200,000 wagers.
"""


@pytest.mark.long
def test_an_examination_with_many_findings_holds_only_some_of_them_in_memory() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.memory"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    print(ran.stdout)
    before, peak = map(int, re.findall(r"(\d+) MB", ran.stdout))
    assert ran.stdout.startswith("200000 findings")
    assert peak - before < MOST, ran.stdout

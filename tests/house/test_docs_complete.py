"""The documents are complete. Every command is in a block of the shell, which other tests run, and the tables
have a row for every report, dataset and check.
"""

from __future__ import annotations

import re
from pkgutil import iter_modules

import pytest

from audit.replay import checks
from casino.exports import datasets
from casino.reports import catalog
from tests.house.test_docs import DOCUMENTS, FENCE, SHELL, TEXTS

A_COMMAND = re.compile(r"^\s*(?:[\w./]*python3? |manage\.py |make \w|curl |celery |gunicorn )", re.MULTILINE)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_block_with_a_command_is_a_block_of_the_shell(document: str) -> None:
    """Test that every command is in a block of the shell, because `test_docs` reads only these blocks."""
    blocks = [block for _, language, block in FENCE.findall(TEXTS[document]) if language not in SHELL]
    assert [block for block in blocks if A_COMMAND.search(block)] == []


def in_first_column(text: str, begins: str, ends: str) -> list[str]:
    """Return the names in the first column of the tables between two texts."""
    part = text.partition(begins)[2].partition(ends)[0]
    cells = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    return sorted(name for cell in cells for name in re.findall(r"`([\w-]+)`", cell))


def test_every_report_dataset_and_check_has_one_row() -> None:
    text = TEXTS["docs/reports-and-exports.md"]
    assert in_first_column(text, "## Show a report", "## Datasets") == catalog.names()
    assert in_first_column(text, "## Datasets", "## Export to a file") == datasets.names()
    files = sorted(file.name for file in iter_modules(checks.__path__))
    assert in_first_column(TEXTS["audit/README.md"], "## Checks", "## Jobs") == files

"""The native format of Catwalk: one fact a line, as the contract of facts describes it. A file is recorded as
a whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from casino.importing import Fact, ImportOptions, Item
from casino.importing.line_reader import lines_of

STRICT = True
TAKES = frozenset({"property", "table"})
"""Given, every fact must be of that property, or of that table: another is refused."""


def read(file: IO[bytes], told: ImportOptions) -> Iterator[Item]:
    """Yield every line that is not blank, to be validated like any other fact."""
    for number, line in lines_of(file):
        yield Fact(number, line)

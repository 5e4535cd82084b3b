"""Import Catwalk's native format: one fact on each line, as docs/events.md describes it. If one line is not
valid, no line of the file is recorded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from casino.importing import Fact, ImportOptions, Item
from casino.importing.line_reader import lines_of

STRICT = True
TAKES = frozenset({"property", "table"})
"""The options that this profile supports. If a property or a table is given, the facts of all others are
refused.
"""


def read(file: IO[bytes], options: ImportOptions) -> Iterator[Item]:
    """Yield every line that is not blank. It is then validated like any other fact."""
    for number, line in lines_of(file):
        yield Fact(number, line)

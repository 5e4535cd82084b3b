"""Read the small streams of the second reading of the manuals, with what must and must not be found in
each.
"""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent


class Case(NamedTuple):
    """One stream: its facts as posted, and what is expected of it."""

    name: str
    section: str
    facts: int
    """The number of facts in the stream, as the list gives it."""
    must: tuple[frozenset[str], ...]
    """For each part one of these codes must be found."""
    must_not: frozenset[str]
    """None of these codes may be found."""
    lines: tuple[bytes, ...]

    def differences(self, codes: set[str]) -> list[str]:
        """Return what is missing from the codes found, and what must not be among them, as sentences."""
        missing = [f"not found: {' or '.join(sorted(part))}" for part in self.must if not part & codes]
        return missing + [f"must not be found: {code}" for code in sorted(self.must_not & codes)]


def cases() -> list[Case]:
    """Return every stream in the order of the list."""
    listed = gzip.decompress((HERE / "expect.csv.gz").read_bytes()).decode()
    return [
        Case(
            name=row["file"],
            section=row["section"],
            facts=int(row["facts"]),
            must=tuple(frozenset(part.split("|")) for part in row["must"].split(";") if part),
            must_not=frozenset(code for code in row["must_not"].split(";") if code),
            lines=tuple(gzip.decompress((HERE / f"{row['file']}.ndjson.gz").read_bytes()).splitlines()),
        )
        for row in csv.DictReader(listed.splitlines())
    ]

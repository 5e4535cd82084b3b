"""Read the small streams of `tests/second_reading`. For each stream, the files say which findings it must
have and which it must not have.
"""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent


class Case(NamedTuple):
    """One stream: its facts as posted, and the findings it must and must not have."""

    name: str
    section: str
    facts: int
    """The number of facts in the stream, according to the list of cases."""
    must: tuple[frozenset[str], ...]
    """Sets of finding codes. At least one code of each set must be among the findings."""
    must_not: frozenset[str]
    """Codes that no finding may have."""
    lines: tuple[bytes, ...]

    def differences(self, codes: set[str]) -> list[str]:
        """Return a sentence for each required code that is missing, and for each forbidden code that is
        present.
        """
        missing = [f"not found: {' or '.join(sorted(part))}" for part in self.must if not part & codes]
        return missing + [f"must not be found: {code}" for code in sorted(self.must_not & codes)]


def cases() -> list[Case]:
    """Return every stream in the order of the list of cases."""
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

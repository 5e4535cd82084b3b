"""Read the nights (gaming days as facts) of `tests/nights` from gzip files: the facts of each stream, and the
findings expected in it.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
NIGHTS = tuple(sorted(path.name.removesuffix(".ndjson.gz") for path in HERE.glob("*.ndjson.gz")))


class Night(NamedTuple):
    """One stream: the facts that were posted, and the findings that are required and that are allowed."""

    name: str
    """`file/stream`, the id of the test."""
    stream: str
    game: str
    edition: str
    fault: tuple[str, ...]
    lines: tuple[bytes, ...]
    """The facts as posted, in the order recorded."""
    expect: tuple[dict[str, Any], ...]
    also: tuple[dict[str, Any], ...]
    needs: dict[str, Any]
    """Register entries without which the checks cannot work, in the form that `load_register` takes."""

    @property
    def facts(self) -> list[dict[str, Any]]:
        """Return the facts as dictionaries."""
        return [json.loads(line) for line in self.lines]


def nights(*names: str) -> Iterator[Night]:
    """Yield every stream of the named files, or of all files if none is named. The streams come in the order
    of the file of expected findings.
    """
    for name in names or NIGHTS:
        streams: dict[str, list[bytes]] = {}
        for line in gzip.decompress((HERE / f"{name}.ndjson.gz").read_bytes()).splitlines():
            fact = json.loads(line)
            streams.setdefault(f"{fact['table']}/{fact['day']}", []).append(line)
        for line in gzip.decompress((HERE / f"{name}.expect.jsonl.gz").read_bytes()).splitlines():
            record = json.loads(line)
            yield Night(
                name=f"{name}/{record['stream']}",
                stream=record["stream"],
                game=record["game"],
                edition=record["edition"],
                fault=tuple(record["fault"]),
                lines=tuple(streams[record["stream"]]),
                expect=tuple(record["expect"]),
                also=tuple(record["also"]),
                needs=record.get("needs", {}),
            )

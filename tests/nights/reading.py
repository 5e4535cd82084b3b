"""Shared nights, read from their gzip copies: the facts of a stream beside the findings expected in it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
NIGHTS = tuple(sorted(found.name.removesuffix(".ndjson.gz") for found in HERE.glob("*.ndjson.gz")))


class Night(NamedTuple):
    """One stream: what was posted, and what must, and may, be found in it."""

    name: str
    """`file/stream`, for a test's id."""
    stream: str
    game: str
    edition: str
    fault: tuple[str, ...]
    lines: tuple[bytes, ...]
    """The facts as posted, in the order recorded."""
    expect: tuple[dict[str, Any], ...]
    also: tuple[dict[str, Any], ...]
    needs: dict[str, Any]
    """Register entries that the check needs, as `load_register` takes them."""

    @property
    def facts(self) -> list[dict[str, Any]]:
        """The facts decoded."""
        return [json.loads(line) for line in self.lines]


def nights(*names: str) -> Iterator[Night]:
    """Every stream of the named files, of all files without a name, in the order of the expectations."""
    for name in names or NIGHTS:
        streams: dict[str, list[bytes]] = {}
        for line in gzip.decompress((HERE / f"{name}.ndjson.gz").read_bytes()).splitlines():
            fact = json.loads(line)
            streams.setdefault(f"{fact['table']}/{fact['day']}", []).append(line)
        for line in gzip.decompress((HERE / f"{name}.expect.jsonl.gz").read_bytes()).splitlines():
            said = json.loads(line)
            yield Night(
                name=f"{name}/{said['stream']}",
                stream=said["stream"],
                game=said["game"],
                edition=said["edition"],
                fault=tuple(said["fault"]),
                lines=tuple(streams[said["stream"]]),
                expect=tuple(said["expect"]),
                also=tuple(said["also"]),
                needs=said.get("needs", {}),
            )

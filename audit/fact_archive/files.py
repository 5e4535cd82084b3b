"""Names, manifests and reading of the files of an archive of facts.

An archive has `property=P/month=YYYY-MM/day=YYYY-MM-DD/facts-1.parquet` for each gaming day, and
`property=P/month=YYYY-MM/_manifest-1.json` for each month. Facts that were recorded for the month after it
was archived are part 2 of the month, with files of their own. A month is archived when its manifest exists,
because the manifest is written last. No file is ever replaced.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from hashlib import file_digest
from heapq import heappop, heappush
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
from msgspec import Struct

from audit.facts.input_parsing import whole

VERSION = 1
"""The version of the structure of manifests."""
PAGE = 5000
"""Number of facts that are in memory at a time for each open file."""
COLUMNS = ("position", "stream", "number", "kind", "uid", "round", "recorded_at", "body")
"""The columns that are read from a file."""
MANIFESTS, INCOMPLETE = "_manifest-", "_incomplete-"
"""How the names begin of manifests, and of the files that show which parts are not complete."""


class DayFile(Struct, frozen=True, kw_only=True):
    """A file of a gaming day, as its month's manifest describes it.

    Attributes:
        path: the path of the file below the folder of the month.
        first: the position of its first fact.
        last: the position of its last fact.
        bytes: its length.
        hashes: the hashes, base64, that lead from its facts to the root of the checkpoint
            (`audit.fact_archive.proof`).
    """

    day: date
    path: str
    facts: int
    first: int
    last: int
    bytes: int
    sha256: str
    hashes: str


class Manifest(Struct, frozen=True, kw_only=True):
    """A part of an archived month.

    Attributes:
        archive: the version of this structure.
        after: the facts up to this position are in earlier parts; 0 in part 1.
        size: the size of the checkpoint. Facts after this position are in later parts.
        checkpoint: the signed note of the checkpoint.
    """

    archive: int
    property: str
    month: str
    part: int
    after: int
    size: int
    facts: int
    checkpoint: str
    days: list[DayFile]


class Part(NamedTuple):
    """A part of a month in an archive: the folder of the month, and the manifest."""

    folder: Path
    manifest: Manifest

    def file(self, day: DayFile) -> Path:
        """Return the path of a file of this part."""
        return self.folder / day.path


class ArchivedFact(NamedTuple):
    """A fact as an archive has it. `recorded_at` is in microseconds since 1970, in UTC."""

    position: int
    stream: str
    number: int
    kind: str
    uid: str
    round: str | None
    recorded_at: int
    body: bytes


class UnreadableArchive(Exception):
    """A file of an archive cannot be read. The text names the file and is shown to users."""


def month_folder(root: Path, property: str, month: str) -> Path:
    """Return the folder of a month, such as `2026-10`."""
    return root / f"property={quote(property, safe='')}" / f"month={month}"


def day_path(day: date, part: int) -> str:
    """Return the path of a day's file below the folder of its month."""
    return f"day={day.isoformat()}/facts-{part}.parquet"


def manifest_path(folder: Path, part: int) -> Path:
    """Return the path of the manifest of a part."""
    return folder / f"{MANIFESTS}{part}.json"


def bounds_path(folder: Path, part: int) -> Path:
    """Return the path of the file that has the bounds of a part until the part is complete."""
    return folder / f"{INCOMPLETE}{part}.json"


def month_folders(root: Path) -> list[Path]:
    """Return the folders of all months in an archive, in alphabetical order."""
    return sorted(path for path in root.glob("property=*/month=*") if path.is_dir())


def parts_of(folder: Path) -> list[Part]:
    """Return the parts of a month in their order. Raise UnreadableArchive if a manifest cannot be read."""
    numbers = [whole(path.stem.removeprefix(MANIFESTS)) for path in folder.glob(f"{MANIFESTS}*.json")]
    return [
        read_part(manifest_path(folder, number)) for number in sorted(filter(None, numbers)) if number > 0
    ]


def read_part(path: Path) -> Part:
    """Read a manifest. Raise UnreadableArchive if the file is no manifest, or belongs at another path."""
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UnreadableArchive(f"{path} cannot be read: {error}") from None
    expected = month_folder(path.parents[2], manifest.property, manifest.month)
    if manifest.archive != VERSION:
        raise UnreadableArchive(f"{path} has version {manifest.archive}; this release reads {VERSION}.")
    if path != manifest_path(expected, manifest.part):
        raise UnreadableArchive(
            f"{path} is the manifest of part {manifest.part} of {manifest.month} of {manifest.property}."
        )
    return Part(path.parent, manifest)


def all_parts(root: Path) -> list[Part]:
    """Return all parts of an archive. Raise UnreadableArchive if there is no part, or if one cannot be
    read.
    """
    parts = [part for folder in month_folders(root) for part in parts_of(folder)]
    if not parts:
        raise UnreadableArchive(f"{root} has no archived month. `manage.py archive_facts` writes one.")
    return parts


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def read_facts(path: Path, kinds: Sequence[str] = ()) -> Iterator[ArchivedFact]:
    """Yield the facts of a file in the order of their positions. Raise UnreadableArchive if the file cannot
    be read.

    Args:
        kinds: only facts of these kinds, or all facts if it is empty.
    """
    import pyarrow as pa
    from pyarrow import compute, parquet

    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(PAGE, columns=list(COLUMNS), use_threads=False):
                if kinds:
                    batch = batch.filter(compute.is_in(batch.column("kind"), pa.array(kinds, pa.string())))
                *columns, bodies = map(_values, batch.columns)
                yield from map(ArchivedFact._make, zip(*columns, map(str.encode, bodies), strict=True))
    except (OSError, pa.ArrowException, KeyError, TypeError, UnicodeEncodeError) as error:
        raise UnreadableArchive(f"{path} cannot be read: {error}") from None


def _values(column: Any) -> list[Any]:
    """Return the values of a column. Timestamps are returned as integers."""
    import pyarrow as pa

    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.timestamp("us", tz="UTC")).cast(pa.int64())
    values: list[Any] = column.to_pylist()
    return values


def by_position(paths: Sequence[tuple[int, Path]], kinds: Sequence[str] = ()) -> Iterator[ArchivedFact]:
    """Yield the facts of several files of one property in the order of their positions.

    Args:
        paths: the position of the first fact of each file, and its path.
        kinds: only facts of these kinds, or all facts if it is empty.
    """
    waiting = [(first, read_facts(path, kinds)) for first, path in sorted(paths, reverse=True)]
    heap: list[tuple[int, int, ArchivedFact, Iterator[ArchivedFact]]] = []
    while waiting or heap:
        if waiting and (not heap or waiting[-1][0] < heap[0][0]):  # open the next file
            place, reader = len(waiting), waiting.pop()[1]
        else:
            _, place, fact, reader = heappop(heap)
            yield fact
        if (following := next(reader, None)) is not None:
            heappush(heap, (following.position, place, following, reader))

"""Archive closed months of a ledger: write their facts as Parquet, with a manifest and a proof.

A month is closed when all table days in it are closed and the property has recorded a gaming day of a later
month. Each file is the dataset `facts` of one gaming day, up to the latest checkpoint. A file is first
written under another name and gets its own name when it is complete. No file is ever replaced. If the command
is stopped, it continues with the first file that is missing.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from audit import database
from audit.fact_archive import files
from audit.fact_archive.files import DayFile, Manifest
from audit.fact_archive.proof import Leaves, make_proof
from audit.fact_archive.prove import days_of_part
from audit.facts import HOUSE
from audit.facts.chain import leaf_of
from audit.queries.list_filters import Selection
from audit.queries.span import Span
from audit.tree import checkpoints, store
from audit.tree.checkpoints import Stored
from audit.tree.proofs import TileMissing
from casino.exports import datasets
from casino.exports.formats import registry

Progress = Callable[[int], None]
"""Called with the number of facts since the last call."""


class NotArchived(Exception):
    """A month cannot be archived. The text says why, and what to do."""


class Month(NamedTuple):
    """A month of a property's ledger, such as `2026-10`.

    Attributes:
        open_days: the streams of tables whose gaming day is not closed.
        is_over: True if the property has recorded a gaming day of a later month.
    """

    month: str
    open_days: list[str]
    is_over: bool

    @property
    def is_closed(self) -> bool:
        """Return True if the month can be archived."""
        return self.is_over and not self.open_days


class Bounds(msgspec.Struct, frozen=True):
    """The positions between which a part has facts, while the part is written. See `Manifest`."""

    after: int
    size: int


def months(property: str) -> list[Month]:
    """Return the months of a property's ledger, in their order."""
    return database.records(Month, _MONTHS, [f"{property}/{HOUSE}/", property])


@contextmanager
def alone() -> Iterator[None]:
    """Let only one process archive. Raise NotArchived if another one does."""
    with database.advisory_lock("fact archive") as is_alone:
        if not is_alone:
            raise NotArchived("Another process archives months. Wait until it has ended.")
        yield


def archive_month(root: Path, property: str, month: Month, progress: Progress) -> Manifest | None:
    """Archive a month, or the facts that were recorded for it since it was archived. Return the new manifest,
    or None if the archive has all facts of the month.

    Raises NotArchived if the month is not closed or no checkpoint covers it. Raises OSError if a file cannot
    be written.
    """
    if not month.is_closed:
        raise NotArchived(_not_closed(property, month))
    folder = files.month_folder(root, property, month.month)
    parts = files.parts_of(folder)
    number, after = len(parts) + 1, parts[-1].manifest.size if parts else 0
    checkpoint = checkpoints.latest(property)
    covered = 0 if checkpoint is None else checkpoint.size
    if not parts and _last_position_of_tables(property, month.month) > covered:
        says = f"No checkpoint covers {month.month} of {property}. Run manage.py checkpoint {property}."
        raise NotArchived(says)
    bounds_path = files.bounds_path(folder, number)
    if not bounds_path.exists() and not days_of_part(property, month.month, after, covered):
        return None
    if not bounds_path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with new_file(bounds_path) as file:
            file.write(msgspec.json.encode(Bounds(after, covered)))
    bounds = msgspec.json.decode(bounds_path.read_bytes(), type=Bounds)
    signed = checkpoints.at(property, bounds.size)
    if signed is None:
        says = f"{bounds_path} names a checkpoint of {bounds.size} facts, which the database does not have."
        raise NotArchived(f"{says} Archive into an empty folder.")
    manifest = _write_part(folder, property, month.month, number, bounds, signed, progress)
    bounds_path.unlink()
    return manifest


def _write_part(
    folder: Path, property: str, month: str, number: int, bounds: Bounds, signed: Stored, progress: Progress
) -> Manifest:
    """Write the missing files of a part, and then its manifest, which contains the proof of each file."""
    days = []
    for text in days_of_part(property, month, bounds.after, bounds.size):
        day = date.fromisoformat(text)
        path = folder / files.day_path(day, number)
        if not path.exists():
            _write_day(path, property, day, bounds)
        days.append(_described(path, folder, property, day, signed))
        progress(days[-1].facts)
    manifest = Manifest(
        archive=files.VERSION,
        property=property,
        month=month,
        part=number,
        after=bounds.after,
        size=bounds.size,
        facts=sum(day.facts for day in days),
        checkpoint=checkpoints.cosigned_note(signed),
        days=days,
    )
    with new_file(files.manifest_path(folder, number)) as file:
        file.write(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    return manifest


def _write_day(path: Path, property: str, day: date, bounds: Bounds) -> None:
    span = Span(day, day + timedelta(days=1), property)
    selection = Selection(span, after=(property, bounds.after), until=bounds.size)
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_file(path) as file:
        registry.write(datasets.sheet("facts", selection), "parquet", file)


def _described(path: Path, folder: Path, property: str, day: date, signed: Stored) -> DayFile:
    """Read a file that was written, prove that its facts are those of the checkpoint, and describe it."""
    leaves, first, last = Leaves(), 0, 0
    for fact in files.read_facts(path):
        first, last = first or fact.position, fact.position
        leaves.add(last, leaf_of(fact.body))
    try:
        root, hashes = make_proof(leaves, store.tree_of(property), signed.size)
    except TileMissing as missing:
        raise NotArchived(f"{missing} Run manage.py verify --only tile.") from None
    if root != signed.root:
        says = f"The facts in {path} do not lead to the root of the checkpoint of {signed.size} facts."
        raise NotArchived(f"{says} Run manage.py verify.")
    return DayFile(
        day=day,
        path=path.relative_to(folder).as_posix(),
        facts=len(leaves.indexes),
        first=first,
        last=last,
        bytes=path.stat().st_size,
        sha256=files.digest_of(path),
        hashes=b64encode(hashes).decode(),
    )


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file that gets its name when it is complete and on disk. Raise FileExistsError if there is a
    file of this name already.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.link(part, path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    finally:
        part.unlink(missing_ok=True)


def _not_closed(property: str, month: Month) -> str:
    if month.open_days:
        others = f" and {len(month.open_days) - 3} more" if len(month.open_days) > 3 else ""
        days = f"{', '.join(month.open_days[:3])}{others}"
        return f"{month.month} of {property} is not closed: {days} must be closed first."
    return f"{month.month} of {property} is not over: no later month has a gaming day yet."


def _last_position_of_tables(property: str, month: str) -> int:
    """Return the position of the last fact of the tables in a month."""
    rows = database.rows(_LAST_POSITION_OF_TABLES, [property, month, f"{property}/{HOUSE}/"])
    return int(rows[0][0])


_MONTHS = """WITH days AS (
        SELECT name, left(right(name, 10), 7) AS month, sealed OR starts_with(name, %s) AS is_closed
        FROM stream WHERE property = %s)
    SELECT month, coalesce(array_agg(name ORDER BY name) FILTER (WHERE NOT is_closed), '{}') AS open_days,
        month < (SELECT max(month) FROM days) AS is_over
    FROM days GROUP BY month ORDER BY month"""
_LAST_POSITION_OF_TABLES = """SELECT coalesce(max(f.position), 0) FROM stream s JOIN fact f
    ON f.property = s.property AND f.stream = s.name AND f.number = s.number
    WHERE s.property = %s AND left(right(s.name, 10), 7) = %s AND NOT starts_with(s.name, %s)"""
"""SQL for the position of the last fact at any table on the gaming days of a month, or 0."""

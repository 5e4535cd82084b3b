"""Verify an archive of facts: its files, the facts in them, the proof of the facts, and that the ledger has
the same facts.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from audit import database
from audit.fact_archive import files
from audit.fact_archive.files import ArchivedFact, DayFile, Manifest, Part, UnreadableArchive
from audit.fact_archive.proof import Leaves, WrongProof, root_by_proof
from audit.facts.chain import leaf_of
from audit.ledger.walk import column_fields
from audit.proofs.registry import Fault
from audit.tree import checkpoints, notes, outside
from audit.tree.notes import InvalidNote, VerifierKey

TABLE = "archive"
"""The name of archives in the list of faults."""
LISTED = 20
"""Maximum number of faults of one file that are listed."""
Progress = Callable[[int], None]
"""Called with the number of facts that were verified since the last call."""


class Verified:
    """Counts what was verified.

    Attributes:
        facts: the number of facts.
        files: the number of files of gaming days.
        months: the archived months, such as `aurora 2026-10`.
    """

    def __init__(self) -> None:
        self.facts = self.files = 0
        self.months: set[str] = set()


def verify(
    root: Path, vkeys: Sequence[VerifierKey], verified: Verified, progress: Progress = lambda facts: None
) -> Iterator[Fault]:
    """Verify all months of an archive, in the caller's snapshot of the database, and yield the faults.

    Args:
        root: the folder of the archive.
        vkeys: the keys that may have signed its checkpoints. Without keys, those in the database are used.
        verified: counts what was verified.
        progress: called with the number of facts since the last call.
    """
    folders = files.month_folders(root)
    if not folders:
        yield Fault(TABLE, str(root), "missing", "has no archived month")
    for folder in folders:
        try:
            parts = files.parts_of(folder)
        except UnreadableArchive as error:
            yield Fault(TABLE, str(folder), "manifest", str(error))
            continue
        yield from _other_files(folder, parts)
        after = 0
        for number, part in enumerate(parts, 1):
            manifest = part.manifest
            if (manifest.part, manifest.after) != (number, after):
                says = f"part {manifest.part} does not continue the part before it; a manifest is missing"
                yield Fault(TABLE, _place(manifest), "missing", says)
            yield from _part(part, vkeys, verified, progress)
            after = manifest.size


def _part(
    part: Part, vkeys: Sequence[VerifierKey], verified: Verified, progress: Progress
) -> Iterator[Fault]:
    manifest = part.manifest
    verified.months.add(_place(manifest))
    try:
        root = _signed_root(manifest, vkeys)
    except InvalidNote as error:
        root = b""
        yield Fault(TABLE, _place(manifest), "forged", f"the checkpoint of its manifest: {error}")
    if manifest.facts != sum(day.facts for day in manifest.days):
        says = f"its days have other facts than the {manifest.facts:,} facts that its manifest counts"
        yield Fault(TABLE, _place(manifest), "manifest", says)
    numbers: dict[str, int] = {}
    for day in manifest.days:
        place = f"{manifest.property} {day.day} part {manifest.part}"
        faults = list(_file(part, day, place))
        if not faults:
            try:
                faults = list(islice(_day(part, day, root, numbers, place), LISTED))
            except UnreadableArchive as error:
                faults = [Fault(TABLE, place, "changed", str(error))]
        yield from faults
        verified.files += 1
        verified.facts += day.facts
        progress(day.facts)
    yield from _days_without_file(manifest)


def _signed_root(manifest: Manifest, vkeys: Sequence[VerifierKey]) -> bytes:
    """Return the root in the checkpoint of a manifest. Raise InvalidNote if its signature is not valid, or if
    it is the checkpoint of another ledger or of another size.
    """
    known = checkpoints.all_keys()
    note = notes.parse(manifest.checkpoint)
    notes.signers(note, vkeys or [key.verifier() for key in known if key.property == manifest.property])
    stated = notes.read_checkpoint(note)
    if outside.property_of(stated.origin, known) != manifest.property:
        raise InvalidNote(f"it describes the ledger {stated.origin}")
    if stated.size != manifest.size:
        raise InvalidNote(f"it has {stated.size} facts, but the manifest says {manifest.size}")
    return stated.root


def _file(part: Part, day: DayFile, place: str) -> Iterator[Fault]:
    """Yield the fault of a file that is missing or is not the one that was written."""
    path = part.file(day)
    if not path.is_file():
        yield Fault(TABLE, place, "missing", f"{path} is missing")
        return
    digest = files.digest_of(path)
    if digest == day.sha256 and path.stat().st_size == day.bytes:
        return
    other = next((other for other in part.manifest.days if other.sha256 == digest), None)
    if other is not None:
        yield Fault(TABLE, place, "swapped", f"{path} has the content of {other.day}")
    else:
        yield Fault(TABLE, place, "changed", f"the SHA-256 of {path} is {digest}, not {day.sha256}")


def _day(part: Part, day: DayFile, root: bytes, numbers: dict[str, int], place: str) -> Iterator[Fault]:
    """Compare the facts of a file with their bodies, the ledger and the checkpoint. Yield the faults.

    Args:
        root: the signed root, or no bytes if the signature is not valid.
        numbers: {stream: number of its last fact}. This function updates it.
    """
    manifest, leaves, count = part.manifest, Leaves(), 0
    recorded = _Recorded(manifest, day)
    try:
        for fact in files.read_facts(part.file(day)):
            leaf = leaf_of(fact.body)
            leaves.add(fact.position, leaf)
            count += 1
            if says := _body_fault(manifest.property, day, fact):
                yield Fault(TABLE, f"{place} position {fact.position}", "column", says)
            if numbers.setdefault(fact.stream, recorded.first_number(fact) - 1) + 1 != fact.number:
                says = f"has number {fact.number} of {fact.stream}, after {numbers[fact.stream]}"
                yield Fault(TABLE, f"{place} position {fact.position}", "number", says)
            numbers[fact.stream] = fact.number
            for position, kind, says in recorded.compare(fact, leaf):
                yield Fault(TABLE, f"{place} position {position}", kind, says)
        for position, kind, says in recorded.rest():
            yield Fault(TABLE, f"{place} position {position}", kind, says)
        signed = root_by_proof(leaves, b64decode(day.hashes, validate=True), manifest.size)
    except WrongProof as error:
        yield Fault(TABLE, place, "order", str(error))
        return
    except binascii.Error as error:
        yield Fault(TABLE, place, "manifest", f"the hashes in its manifest cannot be read: {error}")
        return
    if count != day.facts:
        yield Fault(TABLE, place, "manifest", f"has {count} facts, but its manifest says {day.facts}")
    if root and signed != root:
        says = f"its facts are not those of the signed checkpoint of {manifest.size} facts"
        yield Fault(TABLE, place, "rewritten", says)


def _body_fault(property: str, day: DayFile, fact: ArchivedFact) -> str:
    """Return how the columns of a fact differ from its body, or an empty text if they are equal."""
    fields = column_fields(fact.body)
    if fields is None:
        return "the bytes are not a fact"
    expected = (f"{fields.table}/{fields.day}", fields.kind, fields.uid_bytes.hex(), fields.round)
    columns = (fact.stream, fact.kind, fact.uid.replace("-", ""), fact.round)
    for name, says, column in zip(("stream", "kind", "uid", "round"), expected, columns, strict=True):
        if says != column:
            return f"{name} is {column}, but the fact says {says}"
    if not fields.table.startswith(f"{property}/") or fields.day != day.day.isoformat():
        return f"the fact is of {fields.table} on {fields.day}"
    return ""


class _Recorded:
    """The facts of one gaming day in the ledger, to compare with a file. Facts are compared one after the
    other, in the order of their positions.
    """

    def __init__(self, manifest: Manifest, day: DayFile) -> None:
        streams = _streams(manifest.property, day.day.isoformat())
        bounds = [manifest.property, streams, manifest.after, manifest.size]
        self._rows = database.stream_rows(_DAY, bounds)
        self._row = next(self._rows, None)
        self._is_part = manifest.after > 0
        self._property, self._after = manifest.property, manifest.after

    def first_number(self, fact: ArchivedFact) -> int:
        """Return the number that the first fact of a stream has in this part."""
        if not self._is_part:
            return 1
        query = "SELECT count(*) FROM fact WHERE property = %s AND stream = %s AND position <= %s"
        return int(database.rows(query, [self._property, fact.stream, self._after])[0][0]) + 1

    def compare(self, fact: ArchivedFact, leaf: bytes) -> Iterator[tuple[int, str, str]]:
        """Yield (position, kind, text) for each difference up to this fact."""
        while self._row is not None and self._row[0] < fact.position:
            yield self._missing()
        if self._row is None or self._row[0] != fact.position:
            yield fact.position, "unknown", "is not in the ledger"
            return
        _, stream, number, stored, recorded_at = self._row
        self._row = next(self._rows, None)
        if bytes(stored) != leaf:
            yield fact.position, "body", "is another fact in the ledger"
        elif (stream, number, recorded_at) != (fact.stream, fact.number, fact.recorded_at):
            yield fact.position, "column", "has another number or another time in the ledger"

    def rest(self) -> Iterator[tuple[int, str, str]]:
        """Yield a difference for each fact of the ledger after the last fact of the file."""
        while self._row is not None:
            yield self._missing()

    def _missing(self) -> tuple[int, str, str]:
        assert self._row is not None
        position = self._row[0]
        self._row = next(self._rows, None)
        return position, "missing", "is in the ledger and not in the file"


def _other_files(folder: Path, parts: Sequence[Part]) -> Iterator[Fault]:
    """Yield a fault for each file of a month that no manifest lists."""
    known = {part.file(day) for part in parts for day in part.manifest.days}
    known |= {files.manifest_path(folder, part.manifest.part) for part in parts}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path not in known and not path.name.startswith("."):
            is_incomplete = path.name.startswith(files.INCOMPLETE)
            says = (
                "was not archived to its end: run archive_facts again"
                if is_incomplete
                else "is in no manifest"
            )
            yield Fault(TABLE, str(path), "incomplete" if is_incomplete else "unknown", says)


def _days_without_file(manifest: Manifest) -> Iterator[Fault]:
    """Yield a fault for each gaming day that has facts in the ledger, and no file in this part."""
    days = {day.day.isoformat() for day in manifest.days}
    for day in days_of_part(manifest.property, manifest.month, manifest.after, manifest.size):
        if day not in days:
            says = f"the ledger has facts of {day}, but the manifest has no file of this day"
            yield Fault(TABLE, _place(manifest), "missing", says)


def days_of_part(property: str, month: str, after: int, size: int) -> list[str]:
    """Return the gaming days of a month that have facts after the position `after` up to `size`."""
    rows = database.rows(_DAYS, [property, month, after, size])
    return [day for (day,) in rows]


def _streams(property: str, day: str) -> list[str]:
    query = "SELECT name FROM stream WHERE property = %s AND right(name, 10) = %s"
    return [name for (name,) in database.rows(query, [property, day])]


def _place(manifest: Manifest) -> str:
    return f"{manifest.property} {manifest.month}"


_DAY = """SELECT position, stream, number, leaf, (extract(epoch FROM recorded_at) * 1000000)::bigint
    FROM fact WHERE property = %s AND stream = ANY (%s) AND position > %s AND position <= %s
    ORDER BY position"""
_DAYS = """SELECT DISTINCT right(s.name, 10) FROM stream s WHERE s.property = %s
    AND left(right(s.name, 10), 7) = %s AND EXISTS (SELECT FROM fact f WHERE f.property = s.property
        AND f.stream = s.name AND f.position > %s AND f.position <= %s) ORDER BY 1"""

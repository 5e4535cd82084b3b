"""Build an ordered export with its manifest, as of one position of the ledger. The file is built on disk with
constant memory.

An archived export can be built again, to compare its bytes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import date
from functools import partial
from hashlib import sha256
from os import SEEK_END
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from django.db import connection, transaction

from audit import database
from audit.findings.as_of import NoSuchPosition, Progress, Seen, as_of
from audit.jobs import leases
from audit.jobs.alarms import Alarm
from audit.jobs.leases import Lease
from audit.queries import view_log
from audit.queries.span import Span
from audit.tree.store import TreeFault
from casino.cases import evidence_zip, packs
from casino.cases.evidence import collect
from casino.checkpoints import make as checkpoint
from casino.checkpoints.keys import KeyLost
from casino.exports import datasets, deliver
from casino.exports.archive import blobs, days
from casino.exports.archive.fingerprint import code_of
from casino.exports.archive.orders import BUILD_JOB, REBUILD_JOB, ExportOrder, ExportSpec, get_order
from casino.exports.datasets import Selection
from casino.exports.formats import registry
from casino.exports.manifest import Ledger, Subject, headed, manifest, writing_of
from casino.reference import projection
from casino.reports import catalog, limits
from casino.reports.columns import Sheet
from casino.runtime import replica
from casino.sealing import journal

WITH_WORDS = frozenset({"investigations", "daily-log"})
"""The reports and datasets that contain texts that can be erased."""
SMALL_EXPORT_FACTS = 20_000
"""Maximum number of facts of an export that is built in the request, without waiting for a worker. A report
reads sums, so only a tenth of its facts (`REPORT_FACTOR`) are counted.
"""
REPORT_FACTOR = 10


class BuiltExport(NamedTuple):
    """A built export: a temporary file that is deleted when closed, its control totals, its manifest, and the
    head of the ledger from which it was built.
    """

    file: IO[bytes]
    written: registry.WriteResult
    manifest: bytes
    seen: Seen

    def read(self) -> Iterator[bytes]:
        """Yield the bytes of the export, then close the file."""
        with self.file:
            self.file.seek(0)
            while piece := self.file.read(blobs.CHUNK_BYTES):
                yield piece


def sheet_of(spec: ExportSpec) -> Sheet:
    """Return the sheet of a report or of a dataset."""
    filters: dict[str, Any] = dict(spec.filters)
    span = Span(spec.begins, spec.ends, spec.property, spec.books)
    if spec.name in datasets.names():
        return datasets.sheet(spec.name, Selection(span, **filters))
    return limits.sheet(catalog.report(spec.name), span, spec.by, filters)


def build(
    spec: ExportSpec,
    position: int | None = None,
    progress: Progress | None = None,
    rows: registry.RowProgress | None = None,
    *,
    writing: int | None = None,
) -> BuiltExport:
    """Build an export as of a position of its ledger.

    Args:
        spec: The export.
        position: The position, or None for the current one.
        progress: Called with the number of facts replayed.
        rows: Called with the number of rows written.
        writing: The version of the format's writer (`registry.WRITINGS`), or None for the latest.

    Raises:
        NoSuchPosition: The ledger does not have this position yet.
    """
    if spec.name == packs.EVIDENCE and position is None:
        position = _signed_position(spec.property)
    write = partial(_build, spec, position, progress, rows, writing)
    return write() if spec.name in packs.ACTS else replica.read(write, is_current=True)


def _build(
    spec: ExportSpec,
    position: int | None,
    progress: Progress | None,
    rows: registry.RowProgress | None,
    writing: int | None,
) -> BuiltExport:
    """Build an export with the arguments of `build`, from one snapshot."""
    with ExitStack() as failing, as_of(spec.property, position, progress) as head:
        file = failing.enter_context(TemporaryFile())
        projection.load_registers_as_of(spec.property)
        if spec.name in packs.ACTS:
            written, manifest_bytes = _write_pack(spec, head, file)
            failing.pop_all()
            return BuiltExport(file, written, manifest_bytes, head)
        subject = Subject(
            spec.name, spec.format, spec.begins, spec.ends, spec.property, spec.by, spec.books, spec.filters
        )
        ledgers = [Ledger(spec.property, head.position, head.chain.hex())]
        if spec.format == days.FORMAT:
            written, manifest_bytes = days.write(subject, partial(_sheet_of_days, spec), ledgers, file, rows)
            failing.pop_all()
            return BuiltExport(file, written, manifest_bytes, head)
        sheet = headed(sheet_of(spec), subject, ledgers)
        written = registry.write(sheet, spec.format, file, rows, writing=writing)
        manifest_bytes = manifest(subject, sheet, written, ledgers)
        failing.pop_all()  # From here on the caller closes the file.
    return BuiltExport(file, written, manifest_bytes, head)


def _sheet_of_days(spec: ExportSpec, begins: date, ends: date) -> Sheet:
    return sheet_of(spec._replace(begins=begins, ends=ends))


def _signed_position(property: str) -> int | None:
    """Sign a checkpoint of the ledger as it is now, and return its size. An evidence pack is built at this
    position, and its facts are proved against the checkpoint. Return None if this installation cannot sign.
    Raise Alarm if the ledger's tree does not match its facts.

    No checkpoint is signed for the pack of a suspicion, because other people would notice it.
    """
    try:
        signed = checkpoint.make(property)
    except TreeFault as error:
        raise Alarm(str(error)) from error
    except KeyLost:
        logging.getLogger(__name__).exception("no checkpoint was signed for an evidence pack of %s", property)
        return None
    return signed.size if signed is not None else None


def _write_pack(spec: ExportSpec, head: Seen, file: IO[bytes]) -> tuple[registry.WriteResult, bytes]:
    """Write an evidence pack, and return its control totals and its manifest."""
    subject = packs.of_filters(spec.property, spec.filters)
    facts = evidence_zip.write(collect(subject, head.position, head.chain), file)
    digest, length = sha256(), file.seek(0, SEEK_END)
    file.seek(0)
    while piece := file.read(blobs.CHUNK_BYTES):
        digest.update(piece)
    written = registry.WriteResult(facts, [], length, digest.hexdigest())
    named = Subject(spec.name, spec.format, spec.begins, spec.ends, spec.property, filters=spec.filters)
    ledgers = [Ledger(spec.property, head.position, head.chain.hex())]
    return written, manifest(named, Sheet(packs.TITLE, (), ()), written, ledgers)


def _reason_of_difference(archived: ExportOrder, rebuilt: BuiltExport, rules: str, code: str) -> str:
    """Return a sentence that says why the rebuilt bytes differ from the archived ones. `rules` and `code` are
    the fingerprints of today's rules and code.
    """
    if code != code_of(archived.what.name):
        return "The code, or a library that writes the file, has changed since."
    if rules != rebuilt.seen.rules:
        return "The rules for the streams of this export have changed since."
    if archived.what.name in packs.ACTS:
        return "Since then, words or files of the case, or notes on its verdicts, were erased."
    if archived.what.name in WITH_WORDS and view_log.erased(archived.what.property):
        return "Texts that are stored outside the ledger were erased since."
    return (
        "Rules and code have not changed, so tallies were changed outside Catwalk: rebuild them with"
        " manage.py reexamine."
    )


def rebuild(id: int, progress: Progress | None = None) -> tuple[BuiltExport | None, bool, str]:
    """Rebuild an archived export from the ledger.

    Returns:
        The new export (None if it could not be built), whether it has the same bytes, and a sentence about
            the result.

    Raises:
        LookupError: There is no archived export of this number.
    """
    archived = get_order(id)
    if archived is None or not archived.is_archived:
        raise LookupError(id)
    with connection.cursor() as cursor:
        cursor.execute("SELECT rules, code FROM kept_report WHERE id = %s", [id])
        rules, code = cursor.fetchone()
    if blobs.digest(id) != archived.sha256:
        return (
            None,
            False,
            "The archived export no longer matches its SHA-256: it was changed outside Catwalk.",
        )
    try:
        rebuilt = build(archived.what, archived.position, progress, writing=writing_of(archived.manifest))
    except NoSuchPosition as error:
        return None, False, f"The export cannot be rebuilt: {error}."
    if rebuilt.seen.chain.hex() != archived.chain:
        return (
            rebuilt,
            False,
            (
                f"At position {archived.position} the chain of the ledger differs from that of the export:"
                " the ledger"
                " was changed outside of Catwalk."
            ),
        )
    if rebuilt.written.sha256 == archived.sha256:
        return (
            rebuilt,
            True,
            f"Rebuilt as of position {archived.position:,}: the same {rebuilt.written.length:,} bytes.",
        )
    reason = _reason_of_difference(archived, rebuilt, rules, code)
    return rebuilt, False, f"Rebuilt as of position {archived.position:,}: different bytes. {reason}"


def build_if_small(of: ExportOrder) -> None:
    """Build an ordered export in this process if it is small. Workers skip it meanwhile, because its job is
    leased. If the build fails, the failure is recorded with the job, and a worker tries again.
    """
    if of.is_archived or not _is_small(of.what):
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM job WHERE kind = %s AND property = %s AND stream = %s",
            [BUILD_JOB, of.what.property, str(of.id)],
        )
        lease = leases.take(cursor.fetchone()[0])
    if lease is None:
        return
    try:
        with leases.held(lease):
            keep = _build_job(lease)
            with transaction.atomic():
                leases.finish(lease, keep())
    except Exception:
        logging.getLogger(__name__).exception("building export %s at once failed", of.id)


def _is_small(spec: ExportSpec) -> bool:
    if spec.name in packs.ACTS:
        return packs.is_small(packs.of_filters(spec.property, spec.filters))
    query = (
        "SELECT coalesce(sum(number), 0) FROM stream WHERE property = %s AND right(name, 10) >= %s AND"
        " right(name, 10) < %s"
    )
    with connection.cursor() as cursor:
        cursor.execute(query, [spec.property, spec.begins.isoformat(), spec.ends.isoformat()])
        facts: int = cursor.fetchone()[0]
    return facts <= (
        SMALL_EXPORT_FACTS if spec.name in datasets.names() else SMALL_EXPORT_FACTS * REPORT_FACTOR
    )


def _build_job(lease: Lease) -> Callable[[], int]:
    """Build an ordered export as the work of a job. Return the function that archives it in the transaction
    that ends the job.
    """
    ordered = get_order(int(lease.stream))
    assert ordered is not None
    if ordered.is_archived:
        return lambda: ordered.position or 0
    built = build(ordered.what, progress=_fold_progress(lease), rows=_row_progress(lease))

    def keep() -> int:
        head, written = built.seen, built.written
        values: list[Any] = [
            ordered.id,
            *head,
            code_of(ordered.what.name),
            written.sha256,
            written.length,
            built.manifest.decode(),
        ]
        with built.file, connection.cursor() as cursor:
            cursor.execute(_INSERT_EXPORT, values)
            if cursor.rowcount:
                blobs.write(ordered.id, built.file)
                journal.record("kept_report", [ordered.id])
                deliver.ask(ordered)
        return head.position

    return keep


def _rebuild_job(lease: Lease) -> Callable[[], int]:
    """Rebuild an archived export as the work of a job. Return the function that records the result in the
    transaction that ends the job.
    """
    id, _, by = lease.stream.partition(" ")
    rebuilt, is_same, says = rebuild(int(id), _fold_progress(lease))
    if rebuilt is not None:
        rebuilt.file.close()

    def note() -> int:
        query = "INSERT INTO report_again (kept, by, same, says) VALUES (%s, %s, %s, %s) RETURNING id"
        ((row,),) = database.rows(query, [int(id), by, is_same, says])
        journal.record("report_again", [row])
        return int(id)

    return note


def _fold_progress(lease: Lease) -> Progress:
    def progress(count: int, total: int) -> None:
        lease.progress[0] += count
        lease.progress[1] = total

    return progress


def _row_progress(lease: Lease) -> registry.RowProgress:
    def progress(rows: int) -> None:
        lease.progress[:] = rows, 0

    return progress


JOB_HANDLERS: dict[str, Callable[[Lease], Callable[[], int]]] = {
    BUILD_JOB: _build_job,
    REBUILD_JOB: _rebuild_job,
}
"""For each kind of job: its handler. A handler does the work. It returns a function that is called in the
transaction that ends the job.
"""
_INSERT_EXPORT = """INSERT INTO kept_report (id, position, chain, rules, code, sha256, length, manifest)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""

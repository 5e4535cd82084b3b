"""Build what was ordered: as of one position, on disk and in flat memory, with its manifest. Rebuild an
archived export to compare it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple

from django.db import connection, transaction

from audit.findings.as_of import NoSuchPosition, Progress, Seen, as_of
from audit.jobs import leases
from audit.jobs.leases import Lease
from audit.queries import view_log
from audit.queries.span import Span
from casino.exports import datasets
from casino.exports.archive import blobs
from casino.exports.archive.fingerprint import code_of
from casino.exports.archive.orders import BUILD_JOB, REBUILD_JOB, ExportOrder, ExportSpec, get_order
from casino.exports.datasets import Asked
from casino.exports.formats import registry
from casino.exports.manifest import Ledger, Subject, manifest, writing_of
from casino.reference import projection
from casino.reports import catalog
from casino.reports.columns import Sheet

INVESTIGATIONS = "investigations"
"""The one report that shows free words."""
SMALL_EXPORT_FACTS = 20_000
"""Exports of at most this number of facts are built in the request, without waiting for a worker; a report,
which reads sums, counts a tenth of its facts (`LIGHT`).
"""
REPORT_FACTOR = 10


class BuiltExport(NamedTuple):
    """An export in a file that is gone when it is closed; what was counted on its way, its manifest, and what
    it saw.
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


def sheet_of(what: ExportSpec) -> Sheet:
    """Return the sheet of a report or of a dataset."""
    filters: dict[str, Any] = dict(what.filters)
    span = Span(what.begins, what.ends, what.property, what.books)
    if what.name in datasets.names():
        return datasets.sheet(what.name, Asked(span, **filters))
    if shift := filters.get("shift"):
        return catalog.of_shift(catalog.report(what.name), span, what.by, shift)
    return catalog.report(what.name).sheet(span, what.by)


def build(
    what: ExportSpec,
    position: int | None = None,
    progress: Progress | None = None,
    rows: registry.RowProgress | None = None,
    *,
    writing: int | None = None,
) -> BuiltExport:
    """Make an export as of a position of its ledger; None: as of now. Told of facts folded, then of rows.
    Raises NoSuchPosition.

    `writing`: written as it was then (`exports.WRITINGS`); None: as today.
    """
    with ExitStack() as failing, as_of(what.property, position, progress) as seen:
        file = failing.enter_context(TemporaryFile())
        projection.load_registers_as_of(what.property)
        sheet = sheet_of(what)
        written = registry.write(sheet, what.format, file, rows, writing=writing)
        said = Subject(
            what.name, what.format, what.begins, what.ends, what.property, what.by, what.books, what.filters
        )
        told = manifest(said, sheet, written, [Ledger(what.property, seen.position, seen.chain.hex())])
        failing.pop_all()  # from here on it is closed by whoever is given it
    return BuiltExport(file, written, told, seen)


def rebuild(id: int, progress: Progress | None = None) -> tuple[BuiltExport | None, bool, str]:
    """Rebuild an archived export from the ledger.

    Returns:
        The new export (None if it could not be built), whether it has the same bytes, and a sentence about
            the result.

    Raises:
        LookupError: There is no archived export of this number.
    """
    kept = get_order(id)
    if kept is None or not kept.is_archived:
        raise LookupError(id)
    with connection.cursor() as cursor:
        cursor.execute("SELECT rules, code FROM kept_report WHERE id = %s", [id])
        rules, code = cursor.fetchone()
    if blobs.digest(id) != kept.sha256:
        return (
            None,
            False,
            "The bytes that are kept no longer have their own SHA-256: they were changed from outside.",
        )
    try:
        made = build(kept.what, kept.position, progress, writing=writing_of(kept.manifest))
    except NoSuchPosition as error:
        return None, False, f"It cannot be made again: {error}."
    if made.seen.chain.hex() != kept.chain:
        return (
            made,
            False,
            (
                f"At position {kept.position} the ledger has another chain than the report saw: it was"
                " changed from outside."
            ),
        )
    if made.written.sha256 == kept.sha256:
        return (
            made,
            True,
            f"Made again as of position {kept.position:,}: the same {made.written.length:,} bytes.",
        )
    if code != code_of(kept.what.name):
        why = "The code that makes it, or a library that it is written with, has changed since."
    elif rules != made.seen.rules:
        why = "The rules by which its streams were judged have changed since."
    elif kept.what.name == INVESTIGATIONS and view_log.erased(kept.what.property):
        why = "Words have been erased since, which are in no ledger."
    else:
        why = (
            "Neither rules nor code have changed: tallies were changed from outside; manage.py reexamine"
            " makes them anew."
        )
    return made, False, f"Made again as of position {kept.position:,}, it has other bytes. {why}"


def build_if_small(of: ExportOrder) -> None:
    """Make an ordered one here and now where it is small; a worker's bell that comes meanwhile finds its
    lease taken.

    What fails is written down with the job, and a worker tries again.
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
        logging.getLogger(__name__).exception("export %s was not made at once", of.id)


def _is_small(what: ExportSpec) -> bool:
    query = (
        "SELECT coalesce(sum(number), 0) FROM stream WHERE property = %s AND right(name, 10) >= %s AND"
        " right(name, 10) < %s"
    )
    with connection.cursor() as cursor:
        cursor.execute(query, [what.property, what.begins.isoformat(), what.ends.isoformat()])
        facts: int = cursor.fetchone()[0]
    return facts <= (
        SMALL_EXPORT_FACTS if what.name in datasets.names() else SMALL_EXPORT_FACTS * REPORT_FACTOR
    )


def _build_job(lease: Lease) -> Callable[[], int]:
    """Build what was ordered (a job's work) and return what archives it in the transaction that ends
    the job.
    """
    ordered = get_order(int(lease.stream))
    assert ordered is not None
    if ordered.is_archived:
        return lambda: ordered.position or 0
    made = build(ordered.what, progress=_fold_progress(lease), rows=_row_progress(lease))

    def keep() -> int:
        seen, written = made.seen, made.written
        values: list[Any] = [
            ordered.id,
            *seen,
            code_of(ordered.what.name),
            written.sha256,
            written.length,
            made.manifest.decode(),
        ]
        with made.file, connection.cursor() as cursor:
            cursor.execute(_INSERT_EXPORT, values)
            if cursor.rowcount:
                blobs.write(ordered.id, made.file)
        return seen.position

    return keep


def _rebuild_job(lease: Lease) -> Callable[[], int]:
    """Rebuild an archived export (a job's work) and return what records the result."""
    id, _, by = lease.stream.partition(" ")
    made, same, says = rebuild(int(id), _fold_progress(lease))
    if made is not None:
        made.file.close()

    def note() -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO report_again (kept, by, same, says) VALUES (%s, %s, %s, %s)",
                [int(id), by, same, says],
            )
        return int(id)

    return note


def _fold_progress(lease: Lease) -> Progress:
    def progress(more: int, total: int) -> None:
        lease.progress[0] += more
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
"""Kind of job to what does it, before the transaction in which it is kept."""
_INSERT_EXPORT = """INSERT INTO kept_report (id, position, chain, rules, code, sha256, length, manifest)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"""

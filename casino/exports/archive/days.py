"""Write an export as a ZIP with one Parquet file for each gaming day, for programs that read partitioned
folders.

The ZIP has `gaming_day=DAY/NAME.parquet` for every day, also for days without rows. The manifest of each file
is `_manifests/DAY.json`, which such programs ignore. All files are built as of one position of the ledger.
The ZIP is not compressed, because Parquet files are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from decimal import Context, Decimal
from hashlib import sha256
from os import SEEK_END
from tempfile import TemporaryFile
from typing import IO, NamedTuple
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from casino.exports.archive.blobs import CHUNK_BYTES
from casino.exports.formats import registry
from casino.exports.formats.control_totals import Total
from casino.exports.formats.registry import RowProgress, WriteResult
from casino.exports.manifest import Ledger, Subject, headed, manifest
from casino.reports.columns import Sheet

FORMAT = registry.BY_DAY
DAY_FORMAT = "parquet"
"""The format of the file of one day."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the ZIP. The format requires one, and equal exports must have equal bytes."""
_EXACT = Context(prec=10_000)
"""Adds decimals without rounding."""


class Day(NamedTuple):
    """The sheet of one day, and the control totals of its file."""

    written: WriteResult
    sheet: Sheet


def write(
    subject: Subject,
    sheet_of: Callable[[date, date], Sheet],
    ledgers: Iterable[Ledger],
    file: IO[bytes],
    on_progress: RowProgress | None = None,
) -> tuple[WriteResult, bytes]:
    """Write the ZIP into a file. Return the control totals of all days together, and the manifest of the ZIP.

    Args:
        sheet_of: returns the sheet of the gaming days from the first date to the second one, exclusive.
        on_progress: called after each day with the number of rows that are written.
    """
    assert subject.begins is not None
    assert subject.ends is not None
    heads, written = list(ledgers), list[Day]()
    with ZipFile(file, "w", ZIP_STORED) as archive:
        for day in _days(subject.begins, subject.ends):
            written.append(_add_day(archive, subject, day, sheet_of, heads))
            if on_progress is not None:
                on_progress(sum(of_day.written.rows for of_day in written))
    columns = written[0].written.columns
    rows = sum(day.written.rows for day in written)
    total = WriteResult(rows, _totals(written), *_digest(file), columns)
    return total, manifest(subject, written[0].sheet, total, heads)


def _days(begins: date, ends: date) -> Iterator[date]:
    """Yield each gaming day from `begins` up to the day before `ends`."""
    for number in range((ends - begins).days):
        yield begins + timedelta(days=number)


def _add_day(
    archive: ZipFile,
    subject: Subject,
    day: date,
    sheet_of: Callable[[date, date], Sheet],
    heads: list[Ledger],
) -> Day:
    """Add the file of one gaming day and its manifest."""
    after = day + timedelta(days=1)
    of_day = subject._replace(format=DAY_FORMAT, begins=day, ends=after)
    sheet = headed(sheet_of(day, after), of_day, heads)
    with TemporaryFile() as file:
        written = registry.write(sheet, DAY_FORMAT, file)
        file.seek(0)
        chunks = iter(lambda: file.read(CHUNK_BYTES), b"")
        _add(archive, f"gaming_day={day}/{subject.what}.{DAY_FORMAT}", chunks)
    _add(archive, f"_manifests/{day}.json", [manifest(of_day, sheet, written, heads)])
    return Day(written, sheet)


def _add(archive: ZipFile, name: str, chunks: Iterable[bytes]) -> None:
    """Add a file to the ZIP. Equal files give equal bytes."""
    info = ZipInfo(name, EPOCH)
    info.external_attr = 0o644 << 16
    with archive.open(info, "w", force_zip64=True) as target:
        for chunk in chunks:
            target.write(chunk)


def _totals(days: Iterable[Day]) -> list[Total]:
    """Return the control totals of all days together, by currency."""
    rows: defaultdict[str, int] = defaultdict(int)
    sums: defaultdict[str, dict[str, Decimal]] = defaultdict(dict)
    for day in days:
        for total in day.written.totals:
            rows[total.currency] += total.rows
            added = sums[total.currency]
            for name, amount in total.sums.items():
                added[name] = _EXACT.add(added.get(name, Decimal(0)), Decimal(amount))
    return [
        Total(currency, rows[currency], {name: str(amount) for name, amount in sums[currency].items()})
        for currency in sorted(rows)
    ]


def _digest(file: IO[bytes]) -> tuple[int, str]:
    """Return the length and the SHA-256 of a file."""
    digest, length = sha256(), file.seek(0, SEEK_END)
    file.seek(0)
    while chunk := file.read(CHUNK_BYTES):
        digest.update(chunk)
    return length, digest.hexdigest()

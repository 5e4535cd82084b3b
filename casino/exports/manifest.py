"""The manifest of an export: what was exported, the rows and sums counted while the file was written, and the
head of the ledger from which it was built.

It is saved next to the file as `FILE.manifest.json`. `casino/exports/verify_export.py` checks the file
against it without Catwalk. A rebuild of the same export as of the same position has the same manifest,
because a manifest has no timestamp.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from hashlib import sha256
from typing import NamedTuple

from msgspec import json

from audit.queries.span import CLOSED, RESTATED
from casino.exports.formats import locales
from casino.exports.formats.registry import WRITINGS, WriteResult, as_recorded
from casino.reports.catalog import OF_CLOSED_DAYS
from casino.reports.columns import Heading, Sheet

VERSION = 1
SUFFIX = ".manifest.json"


class Subject(NamedTuple):
    """The contents of an export. `ends` is the first day after the export. If `begins` or `ends` is None, the
    days are not limited on this side. If `property` is None, the export contains all properties.
    """

    what: str
    format: str
    begins: date | None
    ends: date | None
    property: str | None
    by: tuple[str, ...] = ()
    books: str = ""
    filters: tuple[tuple[str, str], ...] = ()


class Ledger(NamedTuple):
    """The head of a property's ledger: its last position, and the chain hash at that position. `waiting` is
    the number of facts up to that position that are not in any sum yet.
    """

    property: str
    position: int
    chain: str
    waiting: int = 0


def headed(sheet: Sheet, subject: Subject, ledgers: Iterable[Ledger]) -> Sheet:
    """Return the sheet with a heading for printed formats: the property, the days, the books and the
    positions of the ledgers.
    """
    last = subject.ends and subject.ends - timedelta(days=1)
    heads = tuple((ledger.property, ledger.position, ledger.chain) for ledger in ledgers)
    books = subject.books or (CLOSED if subject.what in OF_CLOSED_DAYS else "")
    heading = Heading(subject.property or "", subject.begins, last, subject.by, books, subject.filters, heads)
    return sheet._replace(heading=heading)


def manifest(subject: Subject, sheet: Sheet, written: WriteResult, ledgers: Iterable[Ledger]) -> bytes:
    """Return the manifest of an export as indented JSON.

    Args:
        ledgers: the ledger heads of all properties whose rows the file may contain.
    """
    recorded = as_recorded(sheet, subject.format)
    format, locale = locales.split(subject.format)
    separators = locales.LOCALES[locale]
    in_locale = {"locale": locale, "separator": separators.cell, "decimal": separators.decimal}
    of_file = [] if recorded else written.columns
    columns = [{"key": column.key, "heading": column.heading, "type": column.type} for column in of_file]
    totals = (
        [{"currency": "", "rows": written.rows, "sums": {}}]
        if recorded
        else [total._asdict() for total in written.totals]
    )
    content = {
        "manifest": VERSION,
        "what": subject.what,
        "title": sheet.title,
        "format": format,
        **(in_locale if locale != locales.DEFAULT else {}),
        "writing": writing(subject.format),
        "schema": schema(subject.what, [(column.key, column.type) for column in of_file]),
        "filter": {
            "property": subject.property,
            "from": subject.begins,
            "to": subject.ends,
            "by": subject.by,
            "books": subject.books,
            **dict(subject.filters),
        },
        "gaming_days": {"first": subject.begins, "last": subject.ends and subject.ends - timedelta(days=1)},
        "restated": subject.books == RESTATED,
        "columns": columns,
        "rows": written.rows,
        "totals": totals,
        "bytes": written.length,
        "sha256": written.sha256,
        "ledger": [ledger._asdict() for ledger in ledgers],
    }
    return json.format(json.encode(content), indent=2) + b"\n"


def writing(format: str) -> int:
    """Return the current version of a format's writer. It changes whenever the same rows would get different
    bytes.
    """
    return WRITINGS.get(locales.split(format)[0], 1)


def writing_of(manifest_text: str) -> int:
    """Return the version of the format's writer that a manifest names. Return 0 for an empty text, because
    the export was archived before there were manifests.
    """
    return int(json.decode(manifest_text).get("writing", 1)) if manifest_text else 0


def schema(name: str, columns: list[tuple[str, str]]) -> str:
    """Return an identifier of the columns of a dataset or report. It changes if a column is added, removed,
    moved or given another type.
    """
    return f"{name}/{sha256(json.encode(columns)).hexdigest()[:12]}"

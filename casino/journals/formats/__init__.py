"""The formats that accounting systems import, and a plain CSV of debits and credits. Each file contains whole
documents.

If a system accepts only one currency in a file, a journal of several currencies is written as one file for
each currency. Files for Xero have at most 300 lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from itertools import groupby
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from casino.exports.formats import registry
from casino.journals.documents import Document
from casino.journals.formats.beancount import beancount
from casino.journals.formats.fitting import Part
from casino.journals.formats.iif import iif
from casino.journals.formats.ledger import ledger
from casino.journals.formats.netsuite import netsuite
from casino.journals.formats.quickbooks_online import quickbooks_online
from casino.journals.formats.sage_50 import sage_50
from casino.journals.formats.sage_intacct import sage_intacct
from casino.journals.formats.xero import xero
from casino.journals.report import sheet_of

Write = Callable[[Sequence[Document]], list[Part]]
Continue = Callable[[Sequence[Document], Sequence[Document]], list[Part]]


def plain(documents: Sequence[Document]) -> list[Part]:
    """Return one CSV file with the same bytes as the CSV file of the report `journal`."""
    return [Part(b"".join(registry.writer_of("csv")(sheet_of(documents))))]


class Format(NamedTuple):
    """A format of journals.

    Attributes:
        loads: the name of the accounting system that imports it.
        label: the text of the link to the file.
        continues: a function that writes the documents if the file also depends on the documents that the
            system has already imported. None if the file depends only on its own documents.
    """

    write: Write
    ending: str
    content_type: str
    label: str
    loads: str
    continues: Continue | None = None


TEXT, CSV = "text/plain; charset=utf-8", "text/csv; charset=utf-8"
FORMATS = {
    "beancount": Format(beancount, "beancount", TEXT, "beancount", "beancount and Fava", beancount),
    "ledger": Format(ledger, "journal", TEXT, "hledger, ledger", "hledger and ledger"),
    "iif": Format(iif, "iif", "text/plain; charset=windows-1252", "QuickBooks IIF", "QuickBooks Desktop"),
    "quickbooks-online": Format(
        quickbooks_online, "csv", CSV, "QuickBooks Online CSV", "QuickBooks Online, journal entries"
    ),
    "xero": Format(xero, "csv", CSV, "Xero CSV", "Xero, manual journals"),
    "netsuite": Format(netsuite, "csv", CSV, "NetSuite CSV", "NetSuite, journal entries"),
    "sage-intacct": Format(
        sage_intacct, "csv", CSV, "Sage Intacct CSV", "Sage Intacct, general ledger journal entries"
    ),
    "sage-50": Format(sage_50, "csv", CSV, "Sage 50 CSV", "Sage 50, audit trail transactions"),
    "csv": Format(plain, "csv", CSV, "CSV", "other programs, one line for each debit or credit"),
}
ZIP = "application/zip"
_EPOCH = (1980, 1, 1, 0, 0, 0)


class File(NamedTuple):
    """A file for an accounting system."""

    name: str
    content: bytes
    content_type: str


def files(
    documents: Sequence[Document], format: str, stem: str, before: Sequence[Document] = ()
) -> list[File]:
    """Return the files of a journal. A file is called `STEM.ending`, or `STEM_EUR.ending` if the format does
    not name currencies. If there are several files in one currency, they are numbered.

    Args:
        documents: the documents to write.
        format: the name of a format in FORMATS.
        stem: the beginning of each file name.
        before: documents that the accounting system has already imported.

    Raises:
        LookupError: there is no such format.
        Unwritable: the format cannot hold the journal; its text says what to do.
    """
    if format not in FORMATS:
        raise LookupError(f"Unknown format {format[:40]!r}. Available: {', '.join(FORMATS)}")
    writer = FORMATS[format]
    written = writer.continues(documents, before) if writer.continues else writer.write(documents)
    files_of_format: list[File] = []
    for currency, group in groupby(written, key=lambda part: part.currency):
        parts = list(group)
        for number, part in enumerate(parts, 1):
            name = "_".join(filter(None, (stem, currency))) + (f"-{number}" if len(parts) > 1 else "")
            files_of_format.append(File(f"{name}.{writer.ending}", part.content, writer.content_type))
    return files_of_format


def packed(files: Sequence[File], stem: str) -> File:
    """Return one file to download. If there is only one file, return it. If there are several, return a zip
    of them. The same files always give the same bytes.
    """
    if len(files) == 1:
        return files[0]
    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(ZipInfo(file.name, _EPOCH), file.content, ZIP_DEFLATED)
    return File(f"{stem}.zip", content.getvalue(), ZIP)

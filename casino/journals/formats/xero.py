"""Journals for Xero's import of manual journals. Lines with the same narration and date form one journal,
which is in a single file of at most 300 lines.

Xero does not reject a second import of a document. The narration begins with the document's number, so it can
be found, and an import creates only drafts. The tax rate is Xero's name for no tax.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from casino.journals.documents import Document
from casino.journals.formats.fitting import (
    Part,
    Unwritable,
    account_of,
    by_currency,
    csv_file,
    one_line,
    require_own_accounts,
)
from games.kit.amounts import decimal

HEAD = (
    "*Narration",
    "*Date",
    "Description",
    "*AccountCode",
    "*TaxRate",
    "*Amount",
    "TrackingName1",
    "TrackingOption1",
)
SECOND = ("TrackingName2", "TrackingOption2")
"""The columns of a second tracking category, which a file has only if a line has two."""
TAX_RATE = "Tax Exempt"
LINES = 300
"""Maximum number of lines in a file, including its heading."""


def xero(documents: Sequence[Document]) -> list[Part]:
    """Return one file for each currency, or several if one file would have too many lines. Each file name and
    every description name the currency, because the format has no column for it.
    """
    require_own_accounts(documents, "Xero")
    return [
        Part(_file(part), part[0].currency if part else "")
        for of in by_currency(documents)
        for part in _parts(of)
    ]


def _parts(documents: Sequence[Document]) -> Iterator[list[Document]]:
    part: list[Document] = []
    lines = 1
    for document in documents:
        own = len(document.postings)
        if own >= LINES:
            raise Unwritable(
                f"{document.number} has {own} lines, and Xero accepts {LINES - 1} in a file: choose"
                " entries by day."
            )
        if lines + own > LINES:
            yield part
            part, lines = [], 1
        part.append(document)
        lines += own
    yield part


def _file(documents: Sequence[Document]) -> bytes:
    second = any(len(account_of(line).tracking) > 1 for document in documents for line in document.postings)
    return csv_file((*HEAD, *SECOND) if second else HEAD, _rows(documents, 2 if second else 1))


def _rows(documents: Sequence[Document], categories: int) -> Iterator[tuple[str, ...]]:
    for document in documents:
        narration = one_line(f"{document.number} {document.text}")
        for posting in document.postings:
            account = account_of(posting)
            pairs = [category.partition(": ")[::2] for category in account.tracking]
            pairs += [("", "")] * (categories - len(pairs))
            yield (
                narration,
                f"{document.booked:%d/%m/%Y}",
                one_line(f"{account.name}: {posting.text}, in {document.currency}"),
                account.number,
                TAX_RATE,
                decimal(posting.amount, document.currency),
                *(one_line(text) for pair in pairs for text in pair),
            )

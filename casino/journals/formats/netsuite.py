"""Journals for NetSuite's import of journal entries: one CSV file. Rows with the same external ID form one
entry.

The columns are the labels of Oracle's tables "Journal Entry Header Fields" and "Line-Level Fields". The
external ID is the document's number and is in every row; NetSuite refuses to add an ID that it already has.
Each row names its currency. An account is its number, which NetSuite reads if "Use Account Numbers" is on.
An amount has at most ten digits before the point and two after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from casino.journals.documents import Document, Posting
from casino.journals.formats.fitting import Part, Unwritable, account_of, csv_file, one_line, sides_of

HEAD = (
    "External ID",
    "Date",
    "Currency",
    "Memo",
    "Account",
    "Debit",
    "Credit",
    "Line Memo",
    "Department",
    "Class",
    "Location",
)
WHOLE, FRACTION = 10, 2
"""Maximum number of digits of an amount before the decimal point, and after it."""


def netsuite(documents: Sequence[Document]) -> list[Part]:
    """Return the whole journal as one file."""
    return [Part(csv_file(HEAD, _rows(documents)))]


def _rows(documents: Sequence[Document]) -> Iterator[tuple[str, ...]]:
    for document in documents:
        for posting in document.postings:
            account = account_of(posting)
            yield (
                one_line(document.number),
                f"{document.booked:%m/%d/%Y}",
                document.currency,
                one_line(document.text),
                account.number,
                *_sides(posting, document),
                one_line(f"{posting.text}, in {document.currency}"),
                one_line(account.department),
                one_line(account.class_),
                one_line(account.location),
            )


def _sides(posting: Posting, document: Document) -> tuple[str, str]:
    """Return the debit and the credit. Raise Unwritable if the amount has too many digits for NetSuite."""
    sides = sides_of(posting, document.currency)
    digits, _, fraction = "".join(sides).partition(".")
    if len(digits) > WHOLE or len(fraction) > FRACTION:
        raise Unwritable(
            f"{document.number} posts {digits}.{fraction or 0} {document.currency}, and NetSuite accepts"
            f" {WHOLE} digits before the point and {FRACTION} after it. Choose another format."
        )
    return sides

"""Journals for Sage Intacct's import of general ledger journal entries: one CSV file.

The columns are those of Intacct's template. The first line of an entry has the fields of its header, and
LINE_NO counts from 1 in each entry. The description has at most 30 characters, so it names the gaming day.
REFERENCE_NO is a hash of the document's number, and the memo of each line begins with the full number. Each
line names its currency.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from casino.journals.documents import Document, number_hash
from casino.journals.formats.fitting import Part, account_of, csv_file, one_line, sides_of

HEAD = (
    "JOURNAL",
    "DATE",
    "DESCRIPTION",
    "REFERENCE_NO",
    "LINE_NO",
    "ACCT_NO",
    "LOCATION_ID",
    "DEPT_ID",
    "CLASSID",
    "MEMO",
    "DEBIT",
    "CREDIT",
    "CURRENCY",
)
JOURNAL = "GJ"
"""The symbol of Intacct's general journal."""


def sage_intacct(documents: Sequence[Document]) -> list[Part]:
    """Return the whole journal as one file."""
    return [Part(csv_file(HEAD, _rows(documents)))]


def _rows(documents: Sequence[Document]) -> Iterator[tuple[str, ...]]:
    for document in documents:
        header = (
            JOURNAL,
            f"{document.booked:%m/%d/%Y}",
            f"Gaming day {document.day}" if document.table else f"Month {document.day}",
            number_hash(document.number),
        )
        for line, posting in enumerate(document.postings, 1):
            account = account_of(posting)
            yield (
                *(header if line == 1 else ("",) * len(header)),
                str(line),
                account.number,
                one_line(account.location),
                one_line(account.department),
                one_line(account.class_),
                one_line(f"{document.number} {document.text}, {posting.text}, in {document.currency}"),
                *sides_of(posting, document.currency),
                document.currency,
            )

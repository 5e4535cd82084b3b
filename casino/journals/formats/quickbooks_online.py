"""Journals for QuickBooks Online's import of journal entries: one CSV file for each currency. Rows with the
same journal number form one entry.

The columns are those of Intuit's page "Import journal entries". QuickBooks identifies an account by its name,
with a colon between parent and sub-account, and account numbers must be turned off during the import. Debits
and credits are in columns of their own and never negative. The file has no column for the currency.

QuickBooks limits a journal number to 21 characters, so it is a hash of the document's number. The description
begins with the full document number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from casino.journals.documents import Document, number_hash
from casino.journals.formats.fitting import (
    Part,
    account_of,
    by_currency,
    csv_file,
    one_line,
    require_own_accounts,
    sides_of,
)

HEAD = (
    "Journal No.",
    "Journal Date",
    "Account Name",
    "Debits",
    "Credits",
    "Description",
    "Location",
    "Class",
)


def quickbooks_online(documents: Sequence[Document]) -> list[Part]:
    """Return one file for each currency. The file name and every description name the currency, because the
    format has no column for it.
    """
    require_own_accounts(documents, "QuickBooks Online")
    return [Part(csv_file(HEAD, _rows(of)), of[0].currency if of else "") for of in by_currency(documents)]


def _rows(documents: Sequence[Document]) -> Iterator[tuple[str, ...]]:
    for document in documents:
        number, booked = number_hash(document.number), f"{document.booked:%m/%d/%Y}"
        for posting in document.postings:
            account = account_of(posting)
            text = f"{document.number} {document.text}, {posting.text}, in {document.currency}"
            yield (
                number,
                booked,
                account.name,
                *sides_of(posting, document.currency),
                one_line(text),
                one_line(account.location),
                one_line(account.class_),
            )

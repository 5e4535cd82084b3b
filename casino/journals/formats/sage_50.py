"""Journals for Sage 50's import of audit trail transactions: one CSV file for each currency.

A line is a journal debit (JD) or a journal credit (JC) with an amount that is never negative, on a nominal
code of at most eight characters. The tax code T9 is outside of VAT. Lines with the same reference belong
together; the reference is a hash of the document's number. The details have at most 60 characters. They begin
with the currency, because the format has no column for the home currency. The full document number follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from casino.journals.documents import Document, number_hash
from casino.journals.formats.fitting import (
    Part,
    Unwritable,
    account_of,
    by_currency,
    csv_file,
    one_line,
    require_own_accounts,
)
from casino.reference.chart import Account
from games.kit.amounts import decimal

HEAD = (
    "Type",
    "Account Reference",
    "Nominal A/C Ref",
    "Department Code",
    "Date",
    "Reference",
    "Details",
    "Net Amount",
    "Tax Code",
    "Tax Amount",
)
DEBIT, CREDIT, NO_TAX = "JD", "JC", "T9"
_DEPARTMENT = re.compile(r"[0-9]{1,3}")
NOMINAL, DETAILS = 8, 60
"""Maximum number of characters of a nominal code, and of the details."""


def sage_50(documents: Sequence[Document]) -> list[Part]:
    """Return one file for each currency. The file name and the details of each line name the currency."""
    require_own_accounts(documents, "Sage 50")
    return [Part(csv_file(HEAD, _rows(of)), of[0].currency if of else "") for of in by_currency(documents)]


def _rows(documents: Sequence[Document]) -> Iterator[tuple[str, ...]]:
    for document in documents:
        booked, reference = f"{document.booked:%d/%m/%Y}", number_hash(document.number)
        for posting in document.postings:
            account = account_of(posting)
            yield (
                DEBIT if posting.amount > 0 else CREDIT,
                "",
                _nominal(account),
                _department(account),
                booked,
                reference,
                one_line(f"{document.currency} {document.number} {posting.text}")[:DETAILS].rstrip(),
                decimal(abs(posting.amount), document.currency),
                NO_TAX,
                decimal(0, document.currency),
            )


def _department(account: Account) -> str:
    if account.department and not _DEPARTMENT.fullmatch(account.department):
        raise Unwritable(
            f"Account {account.number} has the department “{account.department}”, and Sage 50 has numbers"
            " from 0 to 999. Enter a number as its department."
        )
    return account.department


def _nominal(account: Account) -> str:
    if len(account.number) > NOMINAL:
        raise Unwritable(
            f"The number of account {account.number} has more than the {NOMINAL} characters of a nominal code"
            " in Sage 50. Give the account a shorter number."
        )
    return account.number

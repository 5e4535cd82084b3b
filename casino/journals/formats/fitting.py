"""Functions that several formats use: group documents by currency, get the account of a line, write CSV, and
raise an error if a format cannot hold a journal.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import groupby
from typing import NamedTuple

from audit.queries.cell_patterns import is_run
from casino.journals.documents import Document, Posting
from casino.reference.chart import Account
from games.kit.amounts import decimal


class Unwritable(ValueError):
    """Raised if the journal cannot be written in this format with the current chart of accounts. The text is
    a sentence that says what to do.
    """


class Part(NamedTuple):
    """The content of one file. `currency` is empty if its lines name their own currencies."""

    content: bytes
    currency: str = ""


def require_own_accounts(documents: Sequence[Document], loader: str) -> None:
    """Raise Unwritable if an account is posted in two currencies.

    Args:
        loader: the program that reads the files. The files for this program name no currency, so it would add
            up amounts of both currencies.
    """
    currency_of: dict[str, str] = {}
    for document in documents:
        for posting in document.postings:
            number = account_of(posting).number
            other = currency_of.setdefault(number, document.currency)
            if other != document.currency:
                raise Unwritable(
                    f"Account {number} is posted in {other} and in {document.currency}, and files for"
                    f" {loader} do not name the currency. Give the tables of one currency accounts of their"
                    " own"
                    " (chart of accounts, for instance the key win/EOU-01)."
                )


def by_currency(documents: Sequence[Document]) -> Iterator[list[Document]]:
    """Yield the documents of each currency. If there are no documents, yield one empty list, so that one file
    without documents is written.
    """
    groups = [
        list(of_currency)
        for _, of_currency in groupby(
            sorted(documents, key=lambda document: document.currency), key=lambda document: document.currency
        )
    ]
    yield from groups or [[]]


def account_of(posting: Posting) -> Account:
    """Return the account of a line. It always has one, because a document with a line without an account is
    held and not written.
    """
    if posting.account is None:
        raise Unwritable(f"There is no account for {posting.posted} in the chart of accounts.")
    return posting.account


def categories_of(account: Account) -> list[tuple[str, str]]:
    """Return the names and values of the categories that an account has."""
    categories = (
        ("class", account.class_),
        ("department", account.department),
        ("location", account.location),
        ("tracking", ", ".join(account.tracking)),
    )
    return [(name, value) for name, value in categories if value]


def sides_of(posting: Posting, currency: str) -> tuple[str, str]:
    """Return the debit and the credit of a line as decimal text. One of the two is empty, and the other is
    not negative.
    """
    amount = decimal(abs(posting.amount), currency)
    return (amount, "") if posting.amount > 0 else ("", amount)


def one_line(text: str) -> str:
    """Return the text on one line. A text that a spreadsheet would run as a formula gets an apostrophe."""
    plain = " ".join(text.split())
    return f"'{plain}" if is_run(plain) else plain


def csv_file(head: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Return a CSV file with one row of headings."""
    written = StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return written.getvalue().encode()

"""What the formats share: a file of one currency, an account of each line, and why a journal cannot be
written for a loader.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from casino.journals.documents import Document, Posting
from casino.reference.chart import Account


class Unwritable(ValueError):
    """The journal cannot be written in this format with the current chart of accounts; the text is a sentence
    that says what to do.
    """


def by_currency(documents: Sequence[Document]) -> Iterator[list[Document]]:
    """Yield the documents of each currency, in their order; one empty list if there are no documents."""
    found = [
        list(of_currency)
        for _, of_currency in groupby(
            sorted(documents, key=lambda one: one.currency), key=lambda one: one.currency
        )
    ]
    yield from found or [[]]


def account_of(posting: Posting) -> Account:
    """Return the account of a line. A document with a line without account is held and reaches no format."""
    if posting.account is None:
        raise Unwritable(f"There is no account for {posting.posted} in the chart of accounts.")
    return posting.account

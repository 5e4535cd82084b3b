"""What the formats share: a file of one currency, an account of each line, and why a journal cannot be
written for a loader.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from casino.journals.documents import Document, Posting
from casino.reference.chart import Account


class Unwritable(ValueError):
    """The journal cannot be written in this format as the chart of accounts stands; its text is a sentence
    that says what to do.
    """


def by_currency(documents: Sequence[Document]) -> Iterator[list[Document]]:
    """The documents of each currency, in their order; one empty list where there are none."""
    found = [
        list(of)
        for _, of in groupby(sorted(documents, key=lambda one: one.currency), key=lambda one: one.currency)
    ]
    yield from found or [[]]


def account_of(posting: Posting) -> Account:
    """The account of a line; a document without one for each of its lines is held, and no format sees it."""
    if posting.account is None:
        raise Unwritable(f"There is no account for {posting.posted} in the chart of accounts.")
    return posting.account

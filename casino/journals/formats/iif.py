"""Journals for QuickBooks Desktop (IIF). The files are tab-separated, one for each currency, with a general
journal entry for each document.

QuickBooks identifies an account by its name, in which a colon separates a sub-account from its parent. If a
name is unknown, it creates the account, so the chart must have the names of the company file. A document
number may have only eleven characters, so it is a hash of the number. The memo begins with the full number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from casino.journals.documents import Document, number_hash
from casino.journals.formats.fitting import Part, Unwritable, account_of, by_currency, require_own_accounts
from games.kit.amounts import decimal

FIELDS = ("TRNSTYPE", "DATE", "ACCNT", "AMOUNT", "DOCNUM", "MEMO")
LETTERS = "cp1252"
"""The character encoding of an IIF file."""


def iif(documents: Sequence[Document]) -> list[Part]:
    """Return one file for each currency. The file name and every memo name the currency, because the format
    has no field for it.
    """
    require_own_accounts(documents, "QuickBooks Desktop")
    return [
        Part(b"".join(map(_line, (*_head(of), *_lines(of)))), of[0].currency if of else "")
        for of in by_currency(documents)
    ]


def _has_class(documents: Sequence[Document]) -> bool:
    """Return True if a line has a class. QuickBooks reads the column only if classes are turned on."""
    return any(account_of(posting).class_ for document in documents for posting in document.postings)


def _head(documents: Sequence[Document]) -> tuple[str, ...]:
    fields = (*FIELDS, "CLASS") if _has_class(documents) else FIELDS
    return "\t".join(("!TRNS", *fields)), "\t".join(("!SPL", *fields)), "!ENDTRNS"


def _lines(documents: Sequence[Document]) -> Iterator[str]:
    has_class = _has_class(documents)
    for document in documents:
        for place, posting in enumerate(document.postings):
            account = account_of(posting)
            amount, name = decimal(posting.amount, document.currency), account.name
            memo = f"{document.number} {document.text}, {posting.text}, in {document.currency}"
            fields = (
                "GENERAL JOURNAL",
                f"{document.booked:%m/%d/%Y}",
                name,
                amount,
                number_hash(document.number),
                memo,
                *((account.class_,) if has_class else ()),
            )
            yield "\t".join(("SPL" if place else "TRNS", *map(_plain, fields)))
        yield "ENDTRNS"


def _plain(text: str) -> str:
    """Return the text without tabs, line breaks and quotation marks, which a field cannot hold."""
    return " ".join(text.replace('"', "'").split())


def _line(text: str) -> bytes:
    try:
        return f"{text}\r\n".encode(LETTERS)
    except UnicodeEncodeError as error:
        strange = text[error.start : error.end]
        raise Unwritable(
            f"QuickBooks' files cannot contain the character {strange!r} of “{text[:80]}”: remove it from"
            " that name."
        ) from None

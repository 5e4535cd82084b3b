"""Journals for hledger and ledger: one text file that both read, with one transaction for each document. The
code of a transaction is the document's number.

The file declares the accounts and the currencies that it uses, so that `hledger check --strict` and
`ledger --pedantic` accept it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from casino.journals.control import control_totals
from casino.journals.documents import Document
from casino.journals.formats.beancount import ROOTS
from casino.journals.formats.fitting import Part, account_of, categories_of
from casino.reference.chart import Account
from games.kit.amounts import decimal

TAGS, POSTED = ("table", "game", "shift", "reverses", "adjustments"), "posted"
CATEGORIES = ("class", "department", "location", "tracking")
WIDTH = 56
_PLAIN = str.maketrans(dict.fromkeys(";|()[]", " "))
"""Replaces special characters by spaces. In hledger and ledger, the special characters begin a comment, a
code, a tag or a virtual posting.
"""


def ledger(documents: Sequence[Document]) -> list[Part]:
    """Return the whole journal as one file."""
    totals = (f"; {total.text}" for total in control_totals(documents))
    return [Part("\n".join((*totals, *_declared(documents), *_entries(documents), "")).encode())]


def _declared(documents: Sequence[Document]) -> Iterator[str]:
    """Yield the lines that declare the tags, the currencies and the accounts. No number format is declared
    for a currency without decimals, because hledger and ledger expect different formats.
    """
    yield from (f"tag {name}" for name in (*TAGS, POSTED, *CATEGORIES))
    for currency in sorted({document.currency for document in documents}):
        yield f"commodity {currency}"
        if decimals := decimal(0, currency)[1:]:
            yield f"    format 1000{decimals} {currency}"
    for name in sorted({_name(account_of(line)) for document in documents for line in document.postings}):
        yield f"account {name}"


def _entries(documents: Sequence[Document]) -> Iterator[str]:
    for document in documents:
        yield ""
        yield f"{document.booked} * ({_text(document.number)}) {_text(document.text)}"
        tags = (
            document.table,
            document.game,
            document.shift,
            document.reverses,
            " ".join(document.adjustments),
        )
        for name, text in zip(TAGS, tags, strict=True):
            if text:
                yield f"    ; {name}: {_text(text)}"
        for posting in document.postings:
            amount = decimal(posting.amount, document.currency).rjust(14)
            yield f"    {_name(account_of(posting)):<{WIDTH}}  {amount} {document.currency}"
            yield f"    ; {POSTED}: {_text(posting.text.replace(',', ''))}"
            for name, value in categories_of(account_of(posting)):
                yield f"    ; {name}: {_text(value)}"


def _name(account: Account) -> str:
    """Return an account's name under the root of its type. Single spaces are part of a name."""
    parts = (ROOTS[account.type].lower(), *(_text(part) for part in account.name.split(":")))
    return ":".join(part or account.number for part in parts)


def _text(text: str) -> str:
    return " ".join(text.translate(_PLAIN).split())

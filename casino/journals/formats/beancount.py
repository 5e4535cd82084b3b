"""Journals for beancount: one transaction for each document, linked with its number, the number of the
document that it reverses, and its adjustments.

An account's name is its type and the parts of its name: the asset account `Cash:Count room` becomes
`Assets:Cash:CountRoom`. The file opens the accounts that it uses, so `bean-check` accepts it. If it continues
earlier files, it opens only the accounts that they have not opened. `entries` writes only the transactions,
for a main file that opens its accounts itself. `plugin "beancount.plugins.noduplicates"` detects a document
that is in two files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from unicodedata import category

from casino.journals.control import control_totals
from casino.journals.documents import Document, number_hash
from casino.journals.formats.fitting import Part, Unwritable, account_of, categories_of
from casino.reference.chart import Account
from games.kit.amounts import decimal

ROOTS = {
    "asset": "Assets",
    "liability": "Liabilities",
    "equity": "Equity",
    "income": "Income",
    "expense": "Expenses",
}
PLUGIN = 'plugin "beancount.plugins.noduplicates"'
_LINK = re.compile(r"[A-Za-z0-9/._-]+")
WIDTH = 56


def beancount(documents: Sequence[Document], before: Sequence[Document] = ()) -> list[Part]:
    """Return the journal as one file. The file opens the accounts that the documents in `before` have not
    opened.
    """
    totals = (f"; {total.text}" for total in control_totals(documents))
    return [Part("\n".join((*totals, *_opened(documents, before), *entries(documents), "")).encode())]


def entries(documents: Sequence[Document]) -> Iterator[str]:
    """Yield the lines of the transactions, without the lines that open accounts."""
    for document in documents:
        yield ""
        links = " ".join(
            f"^{link(identifier)}"
            for identifier in filter(None, (document.number, document.reverses, *document.adjustments))
        )
        yield f'{document.booked} * "gaming day {document.day}" {_quoted(document.text)} {links}'
        for name, value in (
            ("number", document.number),
            ("table", document.table),
            ("game", document.game),
            ("shift", document.shift),
        ):
            if value:
                yield f"  {name}: {_quoted(value)}"
        for posting in document.postings:
            amount = decimal(posting.amount, document.currency).rjust(14)
            yield f"  {account(account_of(posting)):<{WIDTH}} {amount} {document.currency}"
            yield f"    posted: {_quoted(posting.text)}"
            for name, value in categories_of(account_of(posting)):
                yield f"    {name}: {_quoted(value)}"


def _opened(documents: Sequence[Document], before: Sequence[Document]) -> Iterator[str]:
    """Yield the lines that declare the currencies and the plugin, and the lines that open each account on the
    first day of the file. Raise Unwritable if two accounts have the same name.
    """
    used: dict[str, tuple[Account, set[str]]] = {}
    for document in documents:
        for posting in document.postings:
            own, name = account_of(posting), account(account_of(posting))
            other, currencies = used.setdefault(name, (own, set()))
            if other.number != own.number:
                raise Unwritable(
                    f"The accounts {other.number} and {own.number} are both {name} in beancount: give one"
                    " another name."
                )
            currencies.add(document.currency)
    for currency in sorted({document.currency for document in documents}):
        yield f'option "operating_currency" "{currency}"'
    yield PLUGIN
    first = min((document.booked for document in documents), default=None)
    earlier = {account(account_of(posting)) for document in before for posting in document.postings}
    for name, (own, currencies) in sorted(used.items()):
        if name in earlier:
            continue
        yield f"{first} open {name} {','.join(sorted(currencies))}"
        yield f"  number: {_quoted(own.number)}"


def account(of: Account) -> str:
    """Return an account's name in the characters that beancount allows."""
    return ":".join((ROOTS[of.type], *(_part(part, of.number) for part in of.name.split(":"))))


def _part(part: str, number: str) -> str:
    """Return one part of an account's name. Each word in it begins with a capital letter. If the part then
    begins with something other than a capital letter or a digit, the account's number is put before it.
    """
    words = "".join(
        letter if letter == "-" or category(letter)[0] == "L" or category(letter) == "Nd" else " "
        for letter in part
    ).split()
    joined = "".join(word[:1].upper() + word[1:] for word in (word.strip("-") for word in words) if word)
    plain = category(joined[0]) in ("Lu", "Nd") if joined else False
    return joined if plain else f"{re.sub('[^A-Za-z0-9]', '-', number).upper()}-{joined}".rstrip("-")


def link(name: str) -> str:
    """Return a name as a beancount link. If a character cannot be in a link, it becomes a hyphen, and a hash
    of the whole name is appended.
    """
    return name if _LINK.fullmatch(name) else f"{re.sub('[^A-Za-z0-9/._-]', '-', name)}-{number_hash(name)}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def without_accounts(documents: Iterable[Document]) -> bytes:
    """Return the documents as a file of transactions without the lines that open accounts. It can be included
    in a main file that opens its accounts itself.
    """
    return "\n".join((*entries(list(documents)), "")).encode()

"""hledger and ledger read a journal without a warning, and report every line of it. GnuCash and Tryton have
the same balances.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest

from casino.journals.books import Document
from casino.journals.formats import files
from games.kit.amounts import decimal
from tests.casino.books import sample_journal
from tests.casino.test_journals_formats import CASH, WIN, books, document
from tests.tools import install

__all__ = ["books"]
pytestmark = pytest.mark.long
ROOTS = {
    "asset": "assets",
    "liability": "liabilities",
    "equity": "equity",
    "income": "income",
    "expense": "expenses",
}
Line = tuple[str, str, str, Decimal, str]
"""The code, day, account, amount and currency of a posting."""


def ran(*command: str | Path, **env: str) -> str:
    result = subprocess.run(command, env=os.environ | env, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, ""), result.stderr
    return result.stdout


def write_file(documents: list[Document], folder: Path) -> Path:
    (file,) = files(documents, "ledger", "books")
    path = folder / file.name
    path.write_bytes(file.content)
    return path


def expected(documents: list[Document]) -> list[Line]:
    return [
        (
            item.number,
            str(item.booked),
            f"{ROOTS[posting.account.type]}:{posting.account.name}",
            Decimal(decimal(posting.amount, item.currency)),
            item.currency,
        )
        for item in documents
        for posting in item.postings
        if posting.account is not None
    ]


def by_hledger(path: Path) -> list[Line]:
    hledger = install.program("hledger", "hledger")
    ran(hledger, "-f", path, "check", "--strict")
    rows = csv.DictReader(StringIO(ran(hledger, "-f", path, "print", "-O", "csv")))
    return [
        (row["code"], row["date"], row["account"], Decimal(row["amount"]), row["commodity"]) for row in rows
    ]


def by_ledger(path: Path) -> list[Line]:
    ledger = install.program("ledger", "ledger")
    rows = csv.reader(StringIO(ran(ledger, "-f", path, "--pedantic", "--date-format", "%Y-%m-%d", "csv")))
    return [(code, day, account, Decimal(amount), unit) for day, code, _, account, unit, amount, *_ in rows]


Read = Callable[[Path], list[Line]]


STRANGE = [
    document((CASH, 100), (WIN, -100), number="aurora/T;1(2)/2026-11-27/1")._replace(text="T;1 | a (b) [c]"),
    document(
        (CASH._replace(name="Cash:Yen, & (other)"), 100),
        (WIN._replace(name="Yen win"), -100),
        number="aurora/T2/2026-11-27/1",
        currency="JPY",
    ),
    document((CASH, 1000), (WIN, -1000), number="aurora/T3/2026-11-27/1", currency="KWD"),
]


@pytest.mark.parametrize("read", [by_hledger, by_ledger])
def test_plain_text_accounting_reads_every_line(books: None, tmp_path: Path, read: Read) -> None:
    documents = sample_journal().documents
    assert read(write_file(documents, tmp_path)) == expected(documents) != []


@pytest.mark.parametrize("read", [by_hledger, by_ledger])
def test_strange_names_and_other_currencies_are_read(tmp_path: Path, read: Read) -> None:
    lines = read(write_file(STRANGE, tmp_path))
    assert [line[3:] for line in lines] == [line[3:] for line in expected(STRANGE)]
    assert [line[2] for line in lines if line[4] == "JPY"] == ["assets:Cash:Yen, & other", "income:Yen win"]


def test_gnucash_has_the_balance_of_every_account(books: None, tmp_path: Path) -> None:
    python = Path("/usr/bin/python3")  # of the distribution, because only it has GnuCash's library
    if (
        not python.exists()
        or subprocess.run([python, "-c", "import gnucash"], capture_output=True).returncode
    ):
        pytest.skip("there is no GnuCash: apt-get install gnucash python3-gnucash")
    documents = sample_journal().documents
    arguments: list[str | Path] = []
    for file in files(documents, "quickbooks-online", "books"):
        (tmp_path / file.name).write_bytes(file.content)
        (currency,) = {item.currency for item in documents}
        arguments += [tmp_path / file.name, currency]
    program = Path(__file__).parent / "programs" / "gnucash_book.py"
    out = ran(python, "-W", "ignore", program, tmp_path / "books.gnucash", *arguments)
    book = json.loads(out.splitlines()[-1])
    expected_balances: dict[str, Fraction] = {}
    for _, _, account, amount, currency in expected(documents):
        name = f"{account.partition(':')[2]} {currency}".replace(":", " ")
        expected_balances[name] = expected_balances.get(name, Fraction(0)) + Fraction(amount)
    assert {name: Fraction(balance) for name, balance in book["balances"].items()} == expected_balances
    assert (book["transactions"], book["unbalanced"]) == (len(documents), 0)


def test_tryton_posts_every_document_and_closes_the_year(books: None, tmp_path: Path) -> None:
    python = install.python("requirements-tryton.txt")
    documents = [*sample_journal().documents, *STRANGE[:2]]
    (file,) = files(documents, "netsuite", "books")
    (tmp_path / file.name).write_bytes(file.content)
    program = Path(__file__).parent / "programs" / "tryton_book.py"
    empty_databases = python.parents[1] / "databases"  # the first run takes half a minute to make one
    book = json.loads(ran(python, program, tmp_path / file.name, DB_CACHE=str(empty_databases)))
    expected_balances: dict[str, Fraction] = {}
    for item in documents:
        for posting in item.postings:
            assert posting.account is not None
            name = f"{posting.account.number} {item.currency}"
            amount = Fraction(decimal(posting.amount, item.currency))
            expected_balances[name] = expected_balances.get(name, Fraction(0)) + amount
    assert {name: Fraction(balance) for name, balance in book["balances"].items()} == expected_balances
    assert (book["transactions"], {name[-3:] for name in expected_balances}) == (
        len(documents),
        {"USD", "JPY"},
    )

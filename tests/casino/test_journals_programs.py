"""Files for accounting programs are read by readers that use only each program's documentation. These files
have every document of the journal, with equal debits and credits, its date, its currency and its accounts.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from io import StringIO
from typing import NamedTuple

import pytest

from casino.journals.books import Document
from casino.journals.documents import number_hash
from casino.journals.formats import File, files
from casino.journals.formats.fitting import Unwritable
from games.kit.amounts import decimal
from tests.casino.books import sample_journal
from tests.casino.test_journals_formats import CASH, WIN, books, document

__all__ = ["books"]
Rows = list[dict[str, str]]


class Line(NamedTuple):
    """A line of a journal, read from a file: its entry, day, account, debit, credit and currency."""

    entry: str
    day: date
    account: str
    debit: str
    credit: str
    currency: str


def rows_of(file: File) -> Rows:
    return list(csv.DictReader(StringIO(file.content.decode())))


def american(text: str) -> date:
    return date(int(text[6:]), int(text[:2]), int(text[3:5]))


def british(text: str) -> date:
    return date(int(text[6:]), int(text[3:5]), int(text[:2]))


def quickbooks_online(file: File) -> Iterator[Line]:
    """Read a file as Intuit documents it. Only the description of a line and the name of the file have the
    currency.
    """
    for row in rows_of(file):
        number, currency = row["Description"].split()[0], row["Description"].rpartition(", in ")[2]
        assert (row["Journal No."], len(row["Journal No."]) <= 21) == (number_hash(number), True)
        assert f"_{currency}." in file.name
        yield Line(
            number,
            american(row["Journal Date"]),
            row["Account Name"],
            row["Debits"],
            row["Credits"],
            currency,
        )


def netsuite(file: File) -> Iterator[Line]:
    """Read a file as Oracle documents it. Every row has the external ID of its document."""
    for row in rows_of(file):
        day = american(row["Date"])
        yield Line(row["External ID"], day, row["Account"], row["Debit"], row["Credit"], row["Currency"])


def sage_intacct(file: File) -> Iterator[Line]:
    """Read a file as Intacct documents it. Only the first line of a document has the date and the
    currency.
    """
    header: dict[str, str] = {}
    line = 0
    for row in rows_of(file):
        if row["JOURNAL"]:
            header, line = row, 0
        line += 1
        number = row["MEMO"].split()[0]
        assert int(row["LINE_NO"]) == line
        assert (header["JOURNAL"], header["REFERENCE_NO"]) == ("GJ", number_hash(number))
        assert len(header["DESCRIPTION"]) <= 30
        day = american(header["DATE"])
        yield Line(number, day, row["ACCT_NO"], row["DEBIT"], row["CREDIT"], row["CURRENCY"])


def sage_50(file: File) -> Iterator[Line]:
    """Read a file as Sage documents audit trail transactions. JD is a debit, JC is a credit."""
    for row in rows_of(file):
        currency, number, *_ = row["Details"].split()
        assert (row["Reference"], len(row["Details"]) <= 60) == (number_hash(number), True)
        assert (row["Tax Code"], float(row["Tax Amount"]), f"_{currency}." in file.name) == ("T9", 0, True)
        debit, credit = {"JD": (row["Net Amount"], ""), "JC": ("", row["Net Amount"])}[row["Type"]]
        yield Line(number, british(row["Date"]), row["Nominal A/C Ref"], debit, credit, currency)


Reader = Callable[[File], Iterator[Line]]
READERS: dict[str, tuple[Reader, str]] = {
    "quickbooks-online": (quickbooks_online, "name"),
    "netsuite": (netsuite, "number"),
    "sage-intacct": (sage_intacct, "number"),
    "sage-50": (sage_50, "number"),
}
"""For each format: the function that reads it, and the field that identifies an account in it."""


def lines_of(documents: Sequence[Document], account: str) -> list[Line]:
    """Return the lines that a file of these documents must have. They are computed without the code that
    writes the file.
    """
    return [
        Line(
            item.number,
            item.booked,
            getattr(posting.account, account),
            decimal(posting.amount, item.currency) if posting.amount > 0 else "",
            decimal(-posting.amount, item.currency) if posting.amount < 0 else "",
            item.currency,
        )
        for item in documents
        for posting in item.postings
    ]


def read_all(documents: Sequence[Document], format: str) -> list[Line]:
    read, _ = READERS[format]
    return [line for file in files(documents, format, "journal") for line in read(file)]


@pytest.mark.parametrize("format", READERS)
def test_a_program_reads_every_line_of_the_journal_and_each_entry_balances(books: None, format: str) -> None:
    lines = read_all(sample_journal().documents, format)
    assert lines == lines_of(sample_journal().documents, READERS[format][1]) != []
    sums: dict[tuple[str, date, str], int] = {}
    for line in lines:
        assert bool(line.debit) != bool(line.credit), "a line has one side"
        assert "-" not in line.debit + line.credit, "no amount is negative"
        entry = line.entry, line.day, line.currency
        amount = int(line.debit.replace(".", "") or 0) - int(line.credit.replace(".", "") or 0)
        sums[entry] = sums.get(entry, 0) + amount
    assert set(sums.values()) == {0}
    assert len(sums) == len(sample_journal().documents)


@pytest.mark.parametrize("format", READERS)
def test_a_months_entries_are_read_too(books: None, format: str) -> None:
    documents = [document((CASH, 100), (WIN, -100))._replace(table="", day="2026-11", text="High Side")]
    assert read_all(documents, format) == lines_of(documents, READERS[format][1])


TWO = [
    document((CASH, 100), (WIN, -100)),
    document((CASH, 100), (WIN, -100), number="aurora/T2/2026-11-27/1", currency="EUR"),
]


@pytest.mark.parametrize("format", ["netsuite", "sage-intacct", "ledger"])
def test_a_format_with_a_currency_in_each_line_holds_two_in_one_file(format: str) -> None:
    (file,) = files(TWO, format, "journal")
    assert {b"USD", b"EUR"} <= set(file.content.replace(b",", b" ").split())


@pytest.mark.parametrize("format", ["quickbooks-online", "sage-50"])
def test_a_format_without_a_currency_refuses_one_account_in_two(format: str) -> None:
    with pytest.raises(Unwritable, match="is posted in USD and in EUR, and files for"):
        files(TWO, format, "journal")
    cash, win = CASH._replace(number="1011", name="Euro"), WIN._replace(number="4011", name="Euro win")
    own = [TWO[0], document((cash, 100), (win, -100), number="aurora/T2/2026-11-27/1", currency="EUR")]
    assert [file.name for file in files(own, format, "journal")] == ["journal_EUR.csv", "journal_USD.csv"]
    assert sorted(read_all(own, format)) == sorted(lines_of(own, READERS[format][1]))


@pytest.mark.parametrize(
    ("amount", "currency", "says"),
    [
        (10**12, "USD", "posts 10000000000.00 USD, and NetSuite accepts 10 digits"),
        (1234, "KWD", "posts 1.234 KWD, and NetSuite accepts 10 digits before the point and 2 after"),
    ],
)
def test_netsuite_gets_no_amount_that_it_cannot_hold(amount: int, currency: str, says: str) -> None:
    with pytest.raises(Unwritable, match=says):
        files([document((CASH, amount), (WIN, -amount), currency=currency)], "netsuite", "journal")
    files([document((CASH, 10**12 - 1), (WIN, 1 - 10**12))], "netsuite", "journal")


def test_sage_50_gets_no_longer_account_number_than_it_has_room_for() -> None:
    long = CASH._replace(number="1010-00001")
    with pytest.raises(Unwritable, match="1010-00001 has more than the 8 characters of a nominal code"):
        files([document((long, 100), (WIN, -100))], "sage-50", "journal")


@pytest.mark.parametrize("format", READERS)
def test_a_name_that_a_spreadsheet_would_run_is_text(format: str) -> None:
    strange = document((CASH, 100), (WIN, -100), number='=aurora/T"1"/2026-11-27/1')
    (file,) = files([strange], format, "journal")
    cells = [cell for row in rows_of(file) for cell in row.values()]
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
    assert any('aurora/T"1"/2026-11-27/1' in cell for cell in cells)

"""Files for accounting software: the parser of each format accepts them, and each has the content of the
journal.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from audit.queries import heads
from casino.exports.formats.registry import writer_of
from casino.journals import report
from casino.journals.books import Document, Journal, journal, since
from casino.journals.documents import Posting, number_hash
from casino.journals.formats import FORMATS, files
from casino.journals.formats.beancount import account, without_accounts
from casino.journals.formats.fitting import Unwritable
from casino.reference.chart import Account
from games.kit.amounts import decimal
from tests.casino.books import close, counted, map_accounts, marked, sample_journal
from tests.casino.feeding import FEEDS
from tests.casino.test_journals import WHOLE
from tests.casino.test_reports import live, record
from tests.casino.test_restated import NEXT, NIGHT, adjust
from tests.furnished import furnishing

CASH, WIN = Account("1010", "Cash:Count room", "asset"), Account("4010", "Table win", "income")


@furnishing
def books() -> None:
    """Record two closed days of a felt table, the second restated twice, a closed day of a live-dealer table,
    and a marker.
    """
    record(
        counted(1000, 100, 980, day=NIGHT),
        counted(700, -50),
        marked(issued=300, paid=50),
        live(1000, 100),
        close(NIGHT),
        close(),
        close(table="aurora/L1"),
        adjust("drop", 25),
        adjust("closer", -5),
    )
    map_accounts()


def file_text(journal: Journal, format: str) -> str:
    (file,) = files(journal.documents, format, "journal")
    return file.content.decode("cp1252" if format == "iif" else "utf-8")


def by_account(journal: Journal, name: str) -> dict[str, str]:
    """Return the final balance of every account. `name` says which field of the account identifies it, for
    example its number.
    """
    sums: dict[str, int] = defaultdict(int)
    for posting in (posting for document in journal.documents for posting in document.postings):
        sums[getattr(posting.account, name)] += posting.amount
    return {key: decimal(amount, "USD") for key, amount in sums.items()}


def document(
    *postings: tuple[Account, int], number: str = "aurora/T1/2026-11-27/1", currency: str = "USD"
) -> Document:
    entries = tuple(Posting("drop", "drop", amount, of) for of, amount in postings)
    day = date(2026, 11, 27)
    return Document(
        number, "entry", "aurora", "T1", "high_side", str(day), day, "", currency, 1, "T1", "", (), 1, entries
    )


def bean_check(path: Path) -> tuple[int, str]:
    ran = subprocess.run(
        [sys.executable, "-m", "beancount.scripts.check", path], capture_output=True, text=True, check=False
    )
    return ran.returncode, ran.stderr


def test_beancount_accepts_the_file_and_computes_the_same_balances(books: None, tmp_path: Path) -> None:
    from beancount import loader
    from beancount.core import data, realization

    path = tmp_path / "journal.beancount"
    path.write_text(file_text(sample_journal(), "beancount"))
    assert bean_check(path) == (0, "")
    entries, errors, options = loader.load_file(str(path))
    assert (errors, options["operating_currency"]) == ([], ["USD"])
    named = {posting.account for document in sample_journal().documents for posting in document.postings}
    accounts = realization.iter_children(realization.realize(entries))
    balances = {
        account.account: str(account.balance.get_currency_units("USD").number)
        for account in accounts
        if account.txn_postings
    }
    expected = by_account(sample_journal(), "name")
    assert {account(of): expected[of.name] for of in named if of} == {
        name: amount if amount != "0" else "0.00" for name, amount in balances.items()
    }
    links = {link for entry in entries if isinstance(entry, data.Transaction) for link in entry.links}
    assert {document.number for document in sample_journal().documents} < links


def test_a_second_load_is_refused_by_beancount(books: None, tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / f"{name}.beancount").write_bytes(without_accounts(sample_journal().documents))
    opened = "\n".join(
        line for line in file_text(sample_journal(), "beancount").splitlines() if " open " in line
    )
    main = tmp_path / "main.beancount"
    main.write_text(f'plugin "beancount.plugins.noduplicates"\n{opened}\ninclude "first.beancount"\n')
    assert bean_check(main) == (0, "")
    main.write_text(main.read_text() + 'include "second.beancount"\n')
    code, says = bean_check(main)
    assert (code, "Duplicate" in says) == (1, True)


def test_a_file_of_newer_documents_opens_no_account_again(books: None, tmp_path: Path) -> None:
    position = heads.head("aurora").position
    record(live(500, 50, "aurora/L2"), close(table="aurora/L2"), adjust("drop", 5))
    new = since(WHOLE, position)
    assert new.documents
    (tmp_path / "first.beancount").write_text(file_text(journal(WHOLE._replace(until=position)), "beancount"))
    (file,) = files(new.documents, "beancount", "journal", new.before)
    (tmp_path / "second.beancount").write_bytes(file.content)
    main = tmp_path / "main.beancount"
    main.write_text('include "first.beancount"\ninclude "second.beancount"\n')
    assert bean_check(main) == (0, "")


def test_the_quickbooks_file_has_the_sample_format_and_numbers_of_eleven_letters(books: None) -> None:
    text, sample = file_text(sample_journal(), "iif"), (FEEDS / "journal.iif").read_text()
    assert text.splitlines()[:3] == sample.splitlines()[:3]
    rows = [line.split("\t") for line in text.split("\r\n")[3:-1]]
    sums: dict[str, int] = defaultdict(int)
    balance, numbers = 0, []
    for row in rows:
        if row == ["ENDTRNS"]:
            assert balance == 0
            continue
        first, kind, day, name, amount, number, memo = row
        balance = (0 if first == "TRNS" else balance) + int(amount.replace(".", ""))
        sums[name] += int(amount.replace(".", ""))
        numbers += [number] if first == "TRNS" else []
        assert (kind, len(number), number_hash(memo.split()[0])) == ("GENERAL JOURNAL", 11, number)
        assert date(int(day[6:]), int(day[:2]), int(day[3:5])) >= date(2026, 11, 26)
    assert {name: decimal(amount, "USD") for name, amount in sums.items()} == by_account(
        sample_journal(), "name"
    )
    assert len(set(numbers)) == len(numbers) == len(sample_journal().documents)


def test_the_xero_file_has_the_columns_of_the_sample_and_days_before_months(books: None) -> None:
    sample = (FEEDS / "journal_xero.csv").read_text().splitlines()[0]
    text = file_text(sample_journal(), "xero")
    assert text.splitlines()[0] == sample
    sums: dict[str, int] = defaultdict(int)
    of_journal: dict[tuple[str, str], int] = defaultdict(int)
    for row in csv.DictReader(StringIO(text)):
        amount = int(row["*Amount"].replace(".", ""))
        sums[row["*AccountCode"]] += amount
        of_journal[row["*Narration"], row["*Date"]] += amount
        assert row["*TaxRate"] == "Tax Exempt"
    assert {number: decimal(amount, "USD") for number, amount in sums.items()} == by_account(
        sample_journal(), "number"
    )
    assert set(of_journal.values()) == {0}
    assert len(of_journal) == len(sample_journal().documents), (
        "lines of one narration and date are one journal"
    )
    assert ("aurora/T1/2026-11-26/1 T1, gaming day 2026-11-26", "26/11/2026") in of_journal


def test_the_csv_file_equals_the_report_with_document_and_line_as_key(books: None) -> None:
    text = file_text(sample_journal(), "csv")
    assert text.encode() == b"".join(writer_of("csv")(report.sheet_of(sample_journal().documents)))
    rows = list(csv.DictReader(StringIO(text)))
    assert len({(row["document"], row["line"]) for row in rows}) == len(rows)
    assert all(bool(row["debit"]) != bool(row["credit"]) for row in rows)
    debit, credit = (
        sum(int(row[side].replace(".", "") or 0) for row in rows) for side in ("debit", "credit")
    )
    assert debit == credit > 0


def _long(count: int, lines: int) -> Iterator[Document]:
    for number in range(count):
        pairs = [((CASH, 100 + place), (WIN, -100 - place)) for place in range(lines // 2)]
        yield document(*(line for pair in pairs for line in pair), number=f"aurora/T1/2026-11-27/{number}")


@pytest.mark.parametrize(
    ("count", "lines", "parts"), [(0, 2, [1]), (149, 2, [299]), (150, 2, [299, 3]), (3, 200, [201, 201, 201])]
)
def test_files_for_xero_have_complete_journals_and_at_most_300_lines(
    count: int, lines: int, parts: list[int]
) -> None:
    xero_files = files(list(_long(count, lines)), "xero", "j")
    assert [file.content.count(b"\n") for file in xero_files] == parts
    assert [file.name for file in xero_files] == (
        [f"j{'_USD' * bool(count)}.csv"]
        if len(parts) == 1
        else [f"j_USD-{number}.csv" for number in range(1, len(parts) + 1)]
    )


def test_a_journal_too_long_for_xero_is_refused() -> None:
    with pytest.raises(Unwritable, match="has 300 lines, and Xero accepts 299 in a file"):
        files(list(_long(1, 300)), "xero", "j")


def test_two_currencies_are_two_files_if_the_format_allows_one(tmp_path: Path) -> None:
    two = [
        document((CASH, 100), (WIN, -100)),
        document(
            (CASH._replace(number="1011", name="Yen"), 100),
            (WIN._replace(number="4011", name="Yen win"), -100),
            number="aurora/T2/2026-11-27/1",
            currency="JPY",
        ),
    ]
    assert {format: len(files(two, format, "j")) for format in FORMATS} == {
        "beancount": 1,
        "ledger": 1,
        "iif": 2,
        "quickbooks-online": 2,
        "xero": 2,
        "netsuite": 1,
        "sage-intacct": 1,
        "sage-50": 2,
        "csv": 1,
    }
    assert [file.name for file in files(two, "iif", "j")] == ["j_JPY.iif", "j_USD.iif"]
    assert b"\t100\t" in files(two, "iif", "j")[0].content, "a yen has no cents"
    assert all(b"in JPY" in line for line in files(two, "xero", "j")[0].content.splitlines()[1:])
    path = tmp_path / "two.beancount"
    path.write_bytes(files(two, "beancount", "j")[0].content)
    assert bean_check(path) == (0, "")


@pytest.mark.parametrize("format", ["iif", "xero"])
def test_one_account_in_two_currencies_is_refused_by_formats_without_currency(format: str) -> None:
    two = [
        document((CASH, 100), (WIN, -100)),
        document((CASH, 100), (WIN, -100), number="aurora/T2/2026-11-27/1", currency="EUR"),
    ]
    with pytest.raises(Unwritable, match="is posted in USD and in EUR"):
        files(two, format, "j")


@pytest.mark.parametrize(
    ("name", "beans"),
    [
        ("Cash:Count room", "Assets:Cash:CountRoom"),
        ("chips - tables", "Assets:ChipsTables"),
        ("Table win:EOU-02", "Assets:TableWin:EOU-02"),
        ("Über (2) & Co.", "Assets:Über2Co"),
        ("नकद", "Assets:1010-नकद"),
        ("7-up", "Assets:7-up"),
    ],
)
def test_a_name_becomes_one_that_beancount_reads(name: str, beans: str, tmp_path: Path) -> None:
    of = Account("1010", name, "asset")
    assert account(of) == beans
    path = tmp_path / "one.beancount"
    path.write_bytes(files([document((of, 100), (WIN, -100))], "beancount", "j")[0].content)
    assert bean_check(path) == (0, "")


def test_two_accounts_of_one_name_in_beancount_are_refused() -> None:
    other = Account("1011", "Cash:count-Room".replace("-", " "), "asset")
    with pytest.raises(Unwritable, match="1010 and 1011 are both Assets:Cash:CountRoom"):
        files([document((CASH, 100), (other, -100))], "beancount", "j")


def test_an_odd_table_name_is_written_in_every_format(tmp_path: Path) -> None:
    plain = document((CASH, 100), (WIN, -100), number='=aurora/T "1"\\é/2026-11-27/1')
    strange = plain._replace(table='T "1"\\é', text='T "1"\\é, of a day')
    path = tmp_path / "strange.beancount"
    path.write_bytes(files([strange], "beancount", "j")[0].content)
    assert bean_check(path) == (0, "")
    assert files([strange], "xero", "j")[0].content.splitlines()[1].startswith(b"\"'=aurora"), (
        "no spreadsheet runs it"
    )
    assert all(
        line.count(b"\t") in (0, 2, 6) for line in files([strange], "iif", "j")[0].content.splitlines()
    )
    rows: list[dict[str, Any]] = list(
        csv.DictReader(StringIO(files([strange], "csv", "j")[0].content.decode()))
    )
    assert rows[0]["document"].startswith("'=aurora")
    assert NEXT in rows[0]["document"]

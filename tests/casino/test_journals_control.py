"""The control total of a journal: the sum of its debits and the win of each currency. For the books of closed
days, this win equals the total of the hold report. Page, files and REST API show the same control total.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from io import StringIO

import pytest

from casino.accounts import services as accounts
from casino.journals.control import ControlTotal, control_totals
from casino.journals.formats import files
from tests.casino.books import close, counted, map_accounts, marked, sample_journal
from tests.casino.conftest import Api, Cast
from tests.casino.feeding import run
from tests.casino.test_admin import text
from tests.casino.test_journals_formats import CASH, WIN, document
from tests.casino.test_reports import live, record, report
from tests.casino.test_restated import NEXT, adjust
from tests.furnished import furnishing

DAYS = f"property=aurora&from={NEXT}&to=2026-11-28"


@furnishing
def books() -> Cast:
    """Record closed days of a felt table and a live-dealer table. The day of the felt table is restated."""
    cast = Cast()
    record(
        counted(1000, 100, 980),
        marked(issued=300),
        live(1000, 70),
        close(),
        close(table="aurora/L1"),
        adjust("drop", 25),
    )
    map_accounts()
    return cast


def test_the_win_as_closed_is_the_total_of_hold_and_debits_are_those_of_the_report(books: Cast) -> None:
    (total,) = control_totals(sample_journal().documents)
    hold = report("hold", "--property", "aurora", "--books", "closed")
    wins = [int(row["win"].replace(".", "")) for row in hold["totals"]]
    assert (total.win, len(wins)) == (sum(wins), 2)
    restated = report("hold", "--property", "aurora", "--books", "restated")
    assert total.win + total.restated == sum(int(row["win"].replace(".", "")) for row in restated["totals"])
    assert total.restated != 0
    (of_report,) = report("journal", "--property", "aurora")["totals"]
    assert {of_report["debit"], of_report["credit"]} == {f"{total.debits / 100:.2f}"}


def test_every_file_adds_up_to_the_control_total(books: Cast) -> None:
    (total,) = control_totals(sample_journal().documents)
    sums: dict[str, int] = defaultdict(int)
    for format, column in (
        ("quickbooks-online", "Debits"),
        ("netsuite", "Debit"),
        ("sage-intacct", "DEBIT"),
        ("csv", "debit"),
    ):
        (file,) = files(sample_journal().documents, format, "journal")
        rows = csv.DictReader(StringIO(file.content.decode()))
        sums[format] = sum(int(row[column].replace(".", "") or 0) for row in rows)
    assert set(sums.values()) == {total.debits}
    for format in ("beancount", "ledger"):
        (file,) = files(sample_journal().documents, format, "journal")
        assert file.content.decode().splitlines()[0] == f"; {total.text}"


def test_page_command_and_rest_print_the_same(books: Cast) -> None:
    page = text(books.browser("Alma").get("/journal/?" + DAYS))
    ran = run("journal", "--property", "aurora", "--from", NEXT, "--to", "2026-11-29")
    token = accounts.issue_token(made_by="m-101", person="a-101", scopes=["export"])
    answer = Api(token).get(f"/api/v1/journal?property=aurora&from={NEXT}&to=2026-11-29").json()
    (total,) = answer["totals"]
    assert f"Total debits (= credits) {total['debits']} USD" in page
    assert f"Win as closed {total['win']} USD Restated by {total['restated']} USD" in page
    assert ran.err.startswith(
        f"control total USD: {total['documents']} documents, debits = credits = {total['debits']}, win as"
        f" closed {total['win']}, restated by {total['restated']}\n"
    )
    assert len(answer["documents"]) == total["documents"] == 4


@pytest.mark.parametrize("restated", [0, 5])
def test_each_currency_has_a_total_of_its_own(restated: int) -> None:
    documents = [
        document((CASH, 100), (WIN, -100)),
        document((CASH, 7), (WIN, -7), number="aurora/T2/2026-11-27/1", currency="JPY"),
    ]
    assert control_totals(documents) == [ControlTotal("JPY", 1, 7, 0, 0), ControlTotal("USD", 1, 100, 0, 0)]
    says = ControlTotal("JPY", 1, 7, 7, restated).text
    assert says == "control total JPY: 1 document, debits = credits = 7, win as closed 7" + (
        f", restated by {restated}" if restated else ""
    )

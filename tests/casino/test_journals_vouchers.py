"""Vouchers in a drop box are paper: the journal books them on an account of their own, so that the account of
the count room has only cash, as the page of deposits has.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from audit.findings import examine as findings
from casino.cage.services.waiting_cash import cash_of
from casino.count_room.queries import boxes
from casino.journals.control import control_totals
from casino.reference import profiles
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from tests.casino.books import counted, map_accounts, marked, sample_journal, sums
from tests.casino.conftest import Cast
from tests.casino.test_journals import accounts, document_rows
from tests.casino.test_reports import at, record
from tests.casino.test_restated import NEXT, NIGHT, adjust, close

PAGE = "/journal/accounts/?property=aurora"


def with_papers(facts: list[dict[str, Any]], recount: dict[str, int] | None, **papers: int) -> None:
    """Add papers to the count and the recount of a day's box. Its amount includes them."""
    for fact in facts:
        if fact["kind"] == "drop-counted":
            fact["papers"] = papers
        elif fact["kind"] == "count-verified" and recount is not None:
            fact["papers"] = recount


def enter_accounts(*keys: str, except_for: str = "") -> None:
    """Enter these accounts of the shipped chart, or all except one."""
    profile = profiles.get_profile("chart-of-accounts")
    assert profile is not None
    entries = [
        entry
        for entry in profiles.entries(profile, "USD", "2020-01-01")
        if entry.key != except_for and (not keys or entry.key in keys)
    ]
    set_registers("aurora", entries, by="m-101", second="a-101")
    findings.examine()


def test_the_count_room_has_the_cash_of_the_deposits_page(house) -> None:
    facts, other = counted(1000, 100, second=980), counted(700, 50, table="aurora/T2")
    with_papers(facts, None, voucher=125, marker=300)
    with_papers(other, {"voucher": 60}, voucher=50)
    record(facts, marked(issued=300), other, close(), close(table="aurora/T2"))
    map_accounts()
    for by in ("day", "shift"):
        books = sample_journal(by)
        first, _ = books.documents
        assert accounts(first)["Vouchers"] == 125
        assert accounts(first)["Cash:Count room"] == 980 - 125 - 300
        assert sum(sum(posting.amount for posting in item.postings) for item in books.documents) == 0
        cash = sum(cash_of(box) for box in boxes("aurora", [date.fromisoformat(NEXT)]))
        assert sums(books, "posted")["vouchers"] == 185
        assert [total.cash.counted for total in control_totals(books.documents)] == [cash]
        drop = sum(
            posting.amount
            for item in books.documents
            for posting in item.postings
            if (posting.what, posting.posted) == ("drop", "drop")
        )
        assert drop == 1700, "the drop includes its papers"


def test_vouchers_belong_to_the_shift_of_their_box_and_stay_in_a_restated_day(house) -> None:
    facts = counted(1000, 100)
    with_papers(facts, None, voucher=125)
    record(facts, close(), adjust("drop", 30, of=facts[4]["uid"]))
    map_accounts()
    for by in ("day", "shift"):
        first, back, second = sample_journal(by).documents
        assert (accounts(first)["Vouchers"], accounts(back)["Vouchers"]) == (125, -125)
        assert accounts(second)["Vouchers"] == 125
        assert accounts(second)["Cash:Count room"] == 1030 - 125


def test_a_mapping_without_vouchers_works_on_and_its_documents_never_change(house, cast: Cast) -> None:
    first, second = counted(1000, 100, day=NIGHT), counted(1000, 100)
    for facts in (first, second):
        with_papers(facts, None, voucher=125)
    enter_accounts(except_for="vouchers")
    record(first, close(NIGHT))
    before = sample_journal()
    (document,) = before.documents
    assert (accounts(document)["Cash:Count room"], before.held) == (1000, [])
    assert "vouchers" not in {posting.posted for posting in document.postings}
    page = cast.browser("Alma").get(PAGE).content.decode()
    assert ("as drop" in page, "No account for" in page) == (True, False)
    enter_accounts("vouchers")
    assert sample_journal().documents == before.documents
    record(second, close())
    after = sample_journal().documents
    assert after[0] == document
    assert (document_rows(before)[0], accounts(after[1])["Vouchers"]) == (
        document_rows(sample_journal())[0],
        125,
    )


def test_an_account_for_a_table_counts_and_a_first_chart_covers_earlier_days(house) -> None:
    facts = counted(1000, 100)
    with_papers(facts, None, voucher=125)
    record(facts, close())
    own = Entry(
        "accounts",
        "vouchers/T1",
        {"number": "1016", "name": "Vouchers of T1", "type": "asset"},
        begins="2020-01-01",
    )
    profile = profiles.get_profile("chart-of-accounts")
    assert profile is not None
    entries = profiles.entries(profile, "USD", "2020-01-01")
    set_registers("aurora", [*entries, own], by="m-101", second="a-101")
    findings.examine()
    (document,) = sample_journal().documents
    assert accounts(document)["Vouchers of T1"] == 125


def test_a_count_of_papers_alone_is_read_by_day_and_by_shift(house) -> None:
    make = at(table="aurora/T1")
    facts = counted(1000, 100)
    late = [
        make("box-pulled", box="b-2", shift="night", by="s-1", second="g-1"),
        make(
            "drop-counted",
            box="b-2",
            shift="night",
            notes={},
            papers={"voucher": 40},
            amount=40,
            team=["c-1"],
        ),
        make("count-verified", box="b-2", amount=40, by="c-9"),
    ]
    record([*facts, *late], close())
    map_accounts()
    assert sums(sample_journal())["vouchers"] == sums(sample_journal("shift"))["vouchers"] == 40

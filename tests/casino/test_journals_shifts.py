"""The journal by shift and by month, accounts of a single table or game, and very large sums."""

from __future__ import annotations

import pytest

from audit.queries.span import CLOSED
from casino.journals.books import journal
from casino.reference.recording import set_registers
from tests.casino.books import Entry, map_accounts, sample_journal, sums
from tests.casino.test_journals import WHOLE, accounts, document_rows, waiting
from tests.casino.test_reports import BY, SHIFTS, at, felt, live, record
from tests.casino.test_restated import AFTER, NEXT, NIGHT, adjust, close, read


def test_shifts_are_booked_separately_if_each_has_trays_and_a_count(house) -> None:
    make = at(table="aurora/T1")
    swing = "2026-11-27T15:00:00-08:00"
    facts = felt(1000, 100, shifts=SHIFTS)
    closer = facts[3]["amount"]
    second = [
        make("opener-counted", chips={}, amount=closer, at=swing, **BY),
        make("box-pulled", box="b-2", shift="swing", at=swing, **BY),
        make("closer-counted", chips={}, amount=closer - 60, at=swing, **BY),
        make("drop-counted", box="b-2", shift="swing", notes={}, amount=400, team=["c-1"], at=swing),
    ]
    record([*facts, *second], close())
    map_accounts()
    assert [number for number, *_ in document_rows(sample_journal("shift"))] == [
        f"aurora/T1/{NEXT}/day/1",
        f"aurora/T1/{NEXT}/swing/1",
    ]
    assert sums(sample_journal("shift")) == sums(sample_journal())
    record(adjust("drop", 25, of=second[3]["uid"]))
    numbers = [number for number, *_ in document_rows(sample_journal("shift"))]
    assert numbers[2:] == [
        f"aurora/T1/{NEXT}/swing/1R",
        f"aurora/T1/{NEXT}/swing/2",
    ], "the shift that was not adjusted is unchanged"


def test_a_night_shift_over_midnight_is_booked_once_on_its_gaming_day(house) -> None:
    """Test a shift from 22:00 to 06:00. Another system (published fault C37) did not treat a shift over
    midnight correctly.
    """
    night = {"night": f"{NEXT}T22:00:00-08:00"}
    make = at(table="aurora/T1", at=f"{AFTER}T03:00:00-08:00")
    facts = [fact | {"shift": "night"} if "shift" in fact else fact for fact in felt(1000, 100, shifts=night)]
    late = [
        make("chips-bought", spot="1", amount=100, tender="cash"),
        make("marker-issued", slip="M-1", player="p", amount=100, by="c"),
    ]
    record([*facts, *late], close())
    map_accounts()
    (entry,) = sample_journal("shift").documents
    assert (entry.number, str(entry.booked), accounts(entry)["Markers receivable"]) == (
        f"aurora/T1/{NEXT}/night/1",
        NEXT,
        100,
    )


def test_a_day_without_win_by_shift_is_booked_as_a_whole(house) -> None:
    make = at(table="aurora/T1", at="2026-11-27T15:00:00-08:00")
    facts = felt(1000, 100, shifts=SHIFTS)
    record([*facts[:3], make("closer-counted", chips={}, amount=facts[3]["amount"], **BY), facts[4]], close())
    map_accounts()
    assert waiting(sample_journal("shift")) == []
    assert sample_journal("shift").documents == sample_journal().documents
    assert len(sample_journal().documents) == 1
    record(adjust("drop", 25, of=facts[4]["uid"]))
    assert sample_journal("shift").documents == sample_journal().documents
    assert len(sample_journal().documents) == 3


def test_a_document_number_is_the_same_by_day_and_by_shift(house) -> None:
    make = at(table="aurora/T1", at="2026-11-27T15:00:00-08:00")
    facts = felt(1000, 100, shifts=SHIFTS)
    record(facts, close())
    record(felt(700, 70, "aurora/T2"), close(table="aurora/T2"))
    record(live(1000, 100), close(table="aurora/L1"))
    third_table = felt(1000, 100, "aurora/T3", shifts=SHIFTS)
    one_count = make("closer-counted", chips={}, amount=third_table[3]["amount"], **BY) | {
        "table": "aurora/T3"
    }
    record([*third_table[:3], one_count, third_table[4]], close(table="aurora/T3"))
    map_accounts()
    of_days = {document.number: document for document in sample_journal().documents}
    of_shifts = {document.number: document for document in sample_journal("shift").documents}
    assert sums(sample_journal("shift")) == sums(sample_journal())
    numbers = of_days.keys() & of_shifts.keys()
    assert numbers
    assert [number for number in numbers if of_days[number] != of_shifts[number]] == []


def test_a_complete_month_is_one_entry_for_each_game(house) -> None:
    record(felt(1000, 100), felt(700, 70, "aurora/T2"), live(1000, 100), close(), close(table="aurora/L1"))
    map_accounts()
    november = ("month", "2026-11-01", "2026-12-01")
    assert (document_rows(sample_journal(*november)), waiting(sample_journal(*november))) == (
        [],
        [("month", "", "2026-11")],
    )
    record(close(table="aurora/T2"))
    assert (
        sample_journal(*november).held[0].says
        == "the month is not over: no table was opened in a later month"
    )
    record(felt(500, 50, day="2026-12-01"))
    assert [(document.number, str(document.booked)) for document in sample_journal(*november).documents] == [
        ("aurora/2026-11/andar_bahar/USD", "2026-11-30"),
        ("aurora/2026-11/easy_over_under/USD", "2026-11-30"),
    ]
    assert sums(sample_journal(*november)) == sums(sample_journal("day", *november[1:]))
    assert "only a part" in sample_journal("month", "2026-11-02", "2026-12-01").held[0].says
    closed = sample_journal(*november)
    record(adjust("drop", 25, made_on="2026-12-02"))
    assert sample_journal(*november) == closed
    assert [kind for _, kind, _ in document_rows(sample_journal("month"))] == [
        "entry",
        "entry",
        "reversal",
        "restated",
    ]


def test_a_missing_account_holds_its_documents_and_booked_accounts_stay(house) -> None:
    record(felt(1000, 100), close())
    (held,) = sample_journal().held
    assert (held.about, held.posted) == ("unmapped", ("chips", "drop", "win"))
    map_accounts()
    before = sample_journal()
    cage = Entry("accounts", "drop", {"number": "1999", "name": "Cash:Vault", "type": "asset"}, "2020-01-01")
    set_registers("aurora", [cage], by="m-101", second="a-101")
    assert sample_journal() == before, "a document is not changed by what is entered after it"
    record(adjust("drop", 25))
    assert [accounts(document).get("Cash:Vault") for document in sample_journal().documents] == [
        None,
        None,
        1025,
    ]
    assert accounts(sample_journal().documents[1])["Cash:Count room"] == -1000, (
        "it is reversed where it was posted"
    )


def test_a_table_or_a_game_may_have_an_account_of_its_own(house) -> None:
    record(felt(1000, 100), felt(700, 70, "aurora/T2"), close(), close(table="aurora/T2"))
    own = Entry("accounts", "win/T2", {"number": "4099", "name": "Table win:T2", "type": "income"})
    set_registers("aurora", [own], by="m-101", second="a-101")
    map_accounts()
    names = [
        next(name for name in accounts(document) if name.startswith("Table win"))
        for document in sample_journal().documents
    ]
    assert names == ["Table win:Easy Over Under", "Table win:T2"]


def test_sums_are_exact_beyond_what_32_bits_hold(house) -> None:
    """Test 500 jackpots of 9,999,999.99. In another system (published fault C25) sums of cents beyond 32 bits
    overflowed.
    """
    tables = [f"aurora/T{number}" for number in range(5)]
    jackpot = 100 * 999_999_999
    record(*(felt(jackpot, jackpot, table) for table in tables), *(close(table=table) for table in tables))
    map_accounts()
    assert -sums(sample_journal())["win"] == 500 * 999_999_999
    (total,) = read("journal", ("day",))[1]
    assert (total["debit"], total["credit"]) == ("4999999995.00", "4999999995.00")


def test_a_push_and_a_doubled_stake_are_booked_by_their_real_results(house) -> None:
    """Test a push and a doubled stake. Another system (published fault C43) counted a push as a loss and did
    not count a doubled stake.
    """
    make = at(table="aurora/L1")
    opened = live(1000, 100)[0]
    rounds = [
        make("round-opened", round="1"),
        make("bets", round="1", bets=[["p-1", "bahar", 1000]]),
        make("round-closed", round="1"),
        make("round-opened", round="2"),
        make("bets", round="2", bets=[["p-1", "bahar", 1000]]),
        make("bets", round="2", bets=[["p-1", "bahar", 1000]]),
        make("settled", round="2", paid=[["p-1", "bahar", 2000]], taken=[]),
        make("round-closed", round="2"),
    ]
    record([opened, *rounds], close(table="aurora/L1"))
    map_accounts()
    assert sums(sample_journal()) == {"wagers": -2000, "win": 2000}, (
        "a loss of the casino is debited to the win"
    )
    (row,) = read("hold", books=CLOSED)[0]
    assert (row["win"], row["denominator"], row["hold_percent"]) == ("-20.00", "30.00", "-66.7")


def test_a_day_recorded_after_its_month_is_booked_separately(house) -> None:
    record(felt(1000, 100), close(), felt(500, 50, day="2026-12-01"))
    map_accounts()
    november = ("month", "2026-11-01", "2026-12-01")
    closed = sample_journal(*november)
    assert [number for number, *_ in document_rows(closed)] == ["aurora/2026-11/easy_over_under/USD"]
    record(felt(700, 70, "aurora/T2", NIGHT))
    assert (sample_journal(*november).documents, waiting(sample_journal(*november))) == (
        closed.documents,
        [("open", "T2", NIGHT)],
    )
    record(close(NIGHT, "aurora/T2"))
    assert [number for number, *_ in document_rows(sample_journal(*november))] == [
        f"aurora/T2/{NIGHT}/1",
        *(number for number, *_ in document_rows(closed)),
    ]
    assert sums(sample_journal(*november)) == sums(sample_journal("day", *november[1:]))


@pytest.mark.parametrize("by", ["day", "shift", "month"])
def test_a_journal_of_nothing_is_empty(house, by: str) -> None:
    record(felt(1000, 100))
    assert journal(WHOLE, by).documents == []


def test_restated_days_of_a_month_wait_until_the_month_is_booked(house) -> None:
    """Test that a restatement of a day is not booked before the month of that day."""
    record(felt(1000, 100), felt(700, 70, "aurora/T2"), close(), adjust("drop", 25))
    map_accounts()
    november = ("month", "2026-11-01", "2026-12-01")
    assert document_rows(sample_journal(*november)) == []
    record(felt(500, 50, day="2026-12-01"))
    assert document_rows(sample_journal(*november)) == [], "a table of the month is still open"
    december = ("month", "2026-12-01", "2027-01-01")
    record(adjust("drop", 5, made_on="2026-12-02"))
    in_december = sample_journal(*december)
    assert (document_rows(in_december), "restated" in in_december.held[0].says) == ([], True)
    record(close(table="aurora/T2"))
    kinds = [kind for _, kind, _ in document_rows(sample_journal(*november))]
    assert kinds == ["reversal", "restated", "entry"]
    assert [kind for _, kind, _ in document_rows(sample_journal(*december))] == ["reversal", "restated"]
    assert sums(sample_journal(*november)) == sums(sample_journal("day", *november[1:]))

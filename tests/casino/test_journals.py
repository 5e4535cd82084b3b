"""The journal of closed days: its debits and credits are equal to the cent, its amounts equal the reports,
document numbers never change, and a change is booked only by reversal.
"""

from __future__ import annotations

from collections import Counter
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from audit.findings import save
from audit.queries.adjustments import adjustments
from audit.queries.span import CLOSED, RESTATED, Span
from audit.queries.table_day import TableDay
from casino.journals.books import Document, Journal, since
from casino.journals.postings import OtherAmounts, lines
from games.kit.amounts import decimal
from tests.casino.books import counted, map_accounts, marked, sample_journal, sums
from tests.casino.test_reports import BY, PEOPLE, at, felt, live, record
from tests.casino.test_restated import AFTER, NEXT, NIGHT, adjust, close, read, without_a_pull

AMOUNT = st.integers(-(10**15), 10**15)
WHOLE = Span(property="aurora")
NUMBERS = ("openers", "closers", "pulled", "counted", "verified", "rounds", "adjusted")
SUMS = (
    "opener",
    "closer",
    "fills",
    "credits",
    "drop",
    "verified_drop",
    "taken",
    "paid",
    "corrected",
    "settled",
)


def accounts(document: Document) -> dict[str, int]:
    """Return the balance of each account in a document, by the account's name."""
    amounts: Counter[str] = Counter()
    for posting in document.postings:
        assert posting.account is not None
        amounts[posting.account.name] += posting.amount
    return {name: amount for name, amount in amounts.items() if amount}


def document_rows(journal: Journal) -> list[tuple[str, str, str]]:
    """Return each document of a journal as (number, kind, booking day)."""
    return [(document.number, document.kind, str(document.booked)) for document in journal.documents]


def waiting(journal: Journal) -> list[tuple[str, str, str]]:
    return [(document.about, document.table, document.day) for document in journal.held]


@given(st.data(), st.booleans(), st.booleans())
def test_every_entry_is_balanced_to_the_cent_with_any_counts(
    data: st.DataObject, live_dealer: bool, known: bool
) -> None:
    def day() -> TableDay:
        amounts = {name: data.draw(AMOUNT) for name in SUMS}
        numbers = {name: data.draw(st.integers(0, 2)) for name in NUMBERS}
        head = (
            "aurora",
            "aurora/T1/2026-11-27",
            "aurora/T1",
            date(2026, 11, 27),
            "high_side",
            live_dealer,
            0,
            1,
            "USD",
            "",
        )
        values = dict.fromkeys(TableDay._fields[10:], 0) | amounts | numbers | {"cage": True}
        return TableDay._make((*head, *(values[name] for name in TableDay._fields[10:])))

    made_lines = lines(
        day(), day() if known else None, OtherAmounts(*(data.draw(AMOUNT) for _ in OtherAmounts._fields))
    )
    assert sum(line.amount for line in made_lines) == 0
    assert all(line.amount for line in made_lines), "no line has an amount of zero"


def test_a_table_day_books_drop_win_and_the_change_of_the_tray(house) -> None:
    make = at(table="aurora/T1")
    facts = counted(1000, 100)
    slips = [
        make("fill-sent", slip="F-1", chips={}, amount=250, **PEOPLE),
        make("credit-sent", slip="C-1", chips={}, amount=200, **PEOPLE),
        make("fill-sent", slip="F-2", chips={}, amount=900, **PEOPLE),
        make("slip-voided", slip="F-2", reason="wrong table", **BY),
    ]
    record([*facts[:2], *slips, *facts[2:]], close())
    map_accounts()
    (entry,) = sample_journal().documents
    assert (entry.number, entry.kind, entry.booked) == ("aurora/T1/2026-11-27/1", "entry", date(2026, 11, 27))
    assert accounts(entry) == {
        "Cash:Count room": 1000,
        "Chips:Tables": -900,
        "Chips:Cage": -50,
        "Table win:Easy Over Under": -50,
    }
    assert sums(Journal([entry], []), "posted") == {
        "drop": 1000,
        "win": -50,
        "chips": -900,
        "fills": -250,
        "credits": 200,
    }
    assert read("hold", books=CLOSED)[0][0]["win"] == "0.50"


def test_the_sums_of_the_journal_equal_hold_drop_slips_and_markers(house) -> None:
    record(
        counted(1000, 100),
        marked(issued=300, paid=50),
        counted(700, -200, table="aurora/T2"),
        live(1000, 100),
        *(close(table=f"aurora/{table}") for table in ("T1", "T2", "L1")),
    )
    map_accounts()
    before = sample_journal()
    _, totals = read("hold", books=CLOSED)
    assert {row["basis"]: row["win"] for row in totals} == {"GGR / handle": "1.00", "win / drop": "-1.00"}
    posted = sums(before)
    assert (posted["drop"], posted["markers"], posted["wagers"], "win" in posted) == (
        1700,
        250,
        100,
        False,
    ), "won and lost is nothing"
    assert read("table-drop", books=CLOSED)[1][0]["drop"] == "17.00"
    assert read("markers")[1][0]["open"] == "2.50"
    by_table = {
        document.table: -sum(posting.amount for posting in document.postings if posting.posted == "win")
        for document in before.documents
    }
    assert by_table == {"T1": 100, "T2": -200, "L1": 100}


def test_a_difference_of_two_counts_is_over_and_short_until_it_is_adjusted(house) -> None:
    facts = counted(1000, 100, second=980)
    record(facts, close())
    map_accounts()
    (entry,) = sample_journal().documents
    assert accounts(entry)["Over and short"] == 20
    assert accounts(entry)["Cash:Count room"] == 980, "what the cage took over"
    record(adjust("drop", -20, of=facts[4]["uid"]))
    _, back, second = sample_journal().documents
    assert "Over and short" not in accounts(second)
    assert (accounts(second)["Cash:Count room"], -accounts(second)["Table win:Easy Over Under"]) == (980, 80)
    assert accounts(back) == {name: -amount for name, amount in accounts(entry).items()}


def test_an_adjustment_settles_only_the_box_whose_count_it_names(house) -> None:
    facts = counted(1000, 100, second=980)
    make = at(table="aurora/T1")
    other = [
        make("box-pulled", box="b-2", shift="day", **BY),
        make("drop-counted", box="b-2", shift="day", notes={}, amount=500, team=["c-1"]),
        make("count-verified", box="b-2", amount=500, by="c-9"),
    ]
    record([*facts, *other], close(), adjust("drop", 30, of=other[1]["uid"]))
    map_accounts()
    last = sample_journal().documents[-1]
    assert (accounts(last)["Over and short"], accounts(last)["Cash:Count room"]) == (20, 1510)


def test_a_difference_of_opener_and_closer_is_booked_as_over_or_short(
    house,
) -> None:
    first, second = felt(100, 300, day=NIGHT), felt(1000, 100)
    record(first, second, close(NIGHT), close())
    map_accounts()
    closer, opener = first[3]["amount"], second[1]["amount"]
    first_document, two = sample_journal().documents
    assert accounts(two)["Over and short"] == closer - opener
    assert accounts(two)["Chips:Tables"] == second[3]["amount"] - closer
    assert "Over and short" not in accounts(first_document), (
        "there is nothing to hold the first opener against"
    )
    record(adjust("closer", 40, of_day=NIGHT))
    adjusted = sample_journal()
    assert accounts(adjusted.documents[-1])["Chips:Tables"] == accounts(first_document)["Chips:Tables"], (
        "the chips that lie there were counted"
    )
    assert sums(adjusted)["over-short"] == sums(Journal([first_document, two], []))["over-short"] + 40


def test_a_day_waits_for_the_closer_before_it_while_that_day_is_open(house) -> None:
    record(felt(1000, 100, day=NIGHT), felt(1000, 100), close())
    map_accounts()
    assert (document_rows(sample_journal()), waiting(sample_journal())) == (
        [],
        [("open", "T1", NIGHT), ("order", "T1", NEXT)],
    )
    record(close(NIGHT))
    assert [number for number, *_ in document_rows(sample_journal())] == [
        f"aurora/T1/{NIGHT}/1",
        f"aurora/T1/{NEXT}/1",
    ]


def test_a_day_waits_for_an_earlier_open_day_without_a_closer(house) -> None:
    facts = felt(100, 300, day=NIGHT)
    record([*facts[:3], facts[4]], felt(1000, 100), close())
    map_accounts()
    assert (document_rows(sample_journal()), waiting(sample_journal())) == (
        [],
        [("open", "T1", NIGHT), ("order", "T1", NEXT)],
    )
    record([facts[3]], close(NIGHT))
    assert accounts(sample_journal().documents[1])["Over and short"] == 300 - 1000


def test_later_facts_are_booked_as_a_reversal_on_an_open_day(
    house,
) -> None:
    """Test that a later correction does not change the booked documents of a closed day. In another system
    (published fault C39), a later refund changed a closed month's report.
    """
    record(felt(1000, 100), close())
    map_accounts()
    closed = sample_journal("day", "2026-11-01", "2026-12-01")
    record(adjust("drop", 25, made_on="2026-12-03"), adjust("closer", -5, made_on="2026-12-04"))
    assert sample_journal("day", "2026-11-01", "2026-12-01") == closed
    later = sample_journal("day", "2026-12-01", "2027-01-01")
    name = f"aurora/T1/{NEXT}"
    assert document_rows(later) == [
        (f"{name}/1R", "reversal", "2026-12-03"),
        (f"{name}/2", "restated", "2026-12-03"),
        (f"{name}/2R", "reversal", "2026-12-04"),
        (f"{name}/3", "restated", "2026-12-04"),
    ]
    assert [document.reverses for document in later.documents] == [f"{name}/1", "", f"{name}/2", ""]
    uids = [adjustment.uid for adjustment in adjustments(WHOLE)]
    assert [document.adjustments for document in later.documents] == [
        (uids[0],),
        (uids[0],),
        (uids[1],),
        (uids[1],),
    ]
    assert -sums(sample_journal())["win"] == 120
    assert read("hold", books=RESTATED)[0][0]["win"] == "1.20"


def test_the_first_version_of_a_restated_day_is_rebuilt_with_its_own_lines(house) -> None:
    """Test that an old version of a day keeps its own lines. Another system (published fault C45) printed an
    old statement again with today's entries under the old totals.
    """
    record(felt(1000, 100), close())
    map_accounts()
    booked_then = sample_journal("day", NEXT, AFTER)
    position = save.ledger_position("aurora")
    record(adjust("drop", 25))
    assert sample_journal("day", NEXT, AFTER) == booked_then
    assert sample_journal(until=position) == booked_then
    assert any(
        document.reverses == booked_then.documents[0].number for document in sample_journal().documents
    ), "it is marked as reversed"


def test_after_a_position_only_newer_documents_are_returned(house) -> None:
    record(felt(1000, 100, day=NIGHT), close(NIGHT), felt(1000, 100))
    map_accounts()
    position = save.ledger_position("aurora")
    record(close(), adjust("drop", 25, of_day=NIGHT))
    added = since(WHOLE, position)
    assert [number for number, *_ in document_rows(added)] == [
        f"aurora/T1/{NEXT}/1",
        f"aurora/T1/{NIGHT}/1R",
        f"aurora/T1/{NIGHT}/2",
    ]
    numbers = Counter(
        document.number for document in (*sample_journal(until=position).documents, *added.documents)
    )
    assert numbers == Counter(document.number for document in sample_journal().documents)


def test_a_pending_day_is_held_and_booked_once_an_adjustment_makes_it_whole(house) -> None:
    facts = felt(1000, 100)
    record(facts[:4], close())
    map_accounts()
    assert (document_rows(sample_journal()), sample_journal().held[0].says) == ([], "1 box not counted")
    record(adjust("drop", 1000, of=facts[2]["uid"]))
    assert document_rows(sample_journal()) == [(f"aurora/T1/{NEXT}/2", "restated", AFTER)]
    assert sample_journal().held == []
    assert -sums(sample_journal())["win"] == 100


def test_days_that_share_a_box_are_booked_together_when_it_is_counted(house) -> None:
    record(without_a_pull(NIGHT, 500, 400), felt(1000, 100), close(NIGHT), close())
    map_accounts()
    result = sample_journal()
    assert [(document.number, document.text) for document in result.documents] == [
        (f"aurora/T1/{NEXT}/1", f"T1, gaming day {NIGHT} and {NEXT}")
    ]
    assert waiting(sample_journal("day", NIGHT, NEXT)) == [("box", "T1", NIGHT)]
    assert read("hold", books=CLOSED)[0][0]["win"] == decimal(-sums(result).get("win", 0), "USD")


def test_a_day_whose_box_is_still_at_the_table_is_held(house) -> None:
    record(without_a_pull(NIGHT, 500, 400), close(NIGHT))
    map_accounts()
    assert waiting(sample_journal()) == [("box", "T1", NIGHT)]


def test_a_table_without_any_count_books_nothing(house) -> None:
    record([felt(0, 0)[0]], close())
    map_accounts()
    assert (document_rows(sample_journal()), waiting(sample_journal())) == ([], [("uncounted", "T1", NEXT)])

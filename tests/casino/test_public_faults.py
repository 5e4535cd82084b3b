"""Published faults of other systems, numbered C01, C03 and so on. `ELSEWHERE` names for each fault the test
which shows that Catwalk does not have it. The other faults are tested here. Those with B numbers are in
tests/games/test_public_faults.py.
"""

from __future__ import annotations

import ast
import decimal
from collections.abc import Iterator
from datetime import UTC, date
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from audit.jobs import leases
from audit.ledger import intake, store
from audit.ledger.intake import Sender
from audit.ledger.verify import verify
from audit.queries import cage_facts
from audit.queries.floor import board
from audit.queries.table_days import table_days
from casino.cage.slips.document import paper_of
from casino.exports.datasets import Selection, get
from casino.exports.formats.text import as_csv
from casino.presentation.amount_input import ActionRejected, parse_amount
from casino.reports.columns import Column, Sheet
from tests.audit.floor import fact, line, opened
from tests.casino.feeding import codes
from tests.casino.lists import AURORA, rows_as_dicts
from tests.casino.test_cage_reports import rows, some
from tests.casino.test_reports import BY, PEOPLE, at, felt, live, only, record
from tests.conftest import House
from tests.manage import PROJECT

ELSEWHERE = {
    "C01": (
        "audit/test_ledger",
        "test_a_reader_that_follows_misses_nothing_while_a_writer_pauses_before_its_commit",
    ),
    "C05": ("casino/test_feeds", "test_a_stream_is_not_replayed_under_another_edition_afterwards"),
    "C07": ("casino/test_api_exports", "test_c07_an_export_of_two_notified_workers_is_one_file"),
    "C11": ("casino/test_admin", "test_no_list_of_facts_reads_the_whole_table"),
    "C13": ("audit/test_facts_canonical", "test_half_a_surrogate_pair_is_refused"),
    "C15": (
        "casino/test_export_formats",
        "test_c15_no_csv_cell_is_run_as_a_formula_and_json_and_parquet_keep_the_text",
    ),
    "C17": (
        "casino/test_export_formats",
        "test_c17_only_the_csv_for_excel_begins_with_a_byte_order_mark",
    ),
    "C19": ("audit/test_facts", "test_not_a_number_and_infinity_are_refused"),
    "C21": (
        "audit/test_facts",
        "test_a_hundred_thousand_nested_lists_are_refused_without_a_crash",
    ),
    "C25": ("casino/test_reports_grouped", "test_sums_beyond_every_integer_of_the_database_are_exact"),
    "C29": (
        "audit/test_ledger",
        "test_if_twenty_bodies_with_one_uid_are_posted_at_once_one_is_recorded",
    ),
    "C31": ("casino/test_count_room_late", "test_two_teams_at_once_count_a_box_once"),
    "C33": ("casino/test_calendar", "test_a_gaming_day_lasts_until_the_clock_shows_the_same_time_again"),
    "C35": ("casino/test_calendar", "test_every_instant_of_a_year_lies_in_exactly_one_gaming_day"),
    "C37": ("casino/test_calendar", "test_shifts_go_over_midnight_and_end_where_the_next_begins"),
    "C39": (
        "casino/test_journals",
        "test_later_facts_are_booked_as_a_reversal_on_an_open_day",
    ),
    "C43": (
        "casino/test_journals_shifts",
        "test_a_push_and_a_doubled_stake_are_booked_by_their_real_results",
    ),
    "C45": ("casino/test_export_pages", "test_c45_a_superseded_export_still_gives_its_own_rows_and_totals"),
    "C51": ("audit/test_facts", "test_an_amount_below_one_or_beyond_its_limit_is_refused"),
}
"""The file and the test for each case that is tested in another module."""
SIGNED = {"by": "d-1", "second": "s-1"}


def faults() -> set[tuple[int | None, str]]:
    return {(fault.position, fault.kind) for result in verify() for fault in result.faults}


def test_c03_a_break_in_old_facts_is_found_and_equal_times_keep_their_order(
    house: House,
) -> None:
    intake.post([line(opened(1)), *(line(fact(place)) for place in range(2, 151))], Sender("test"))
    numbers = [row.number for row in store.read_stream("aurora", "aurora/EOU-01/2026-11-27")]
    assert (numbers, faults()) == (list(range(1, 151)), set())
    house.owner.execute(
        "alter table fact disable trigger all; update fact set body = body || ' ' where number = 20"
    )
    assert {position for position, _ in faults()} == {20}


def test_c09_the_error_of_a_job_is_stored_even_if_its_text_cannot_be(house: House) -> None:
    intake.post([line(opened(1))], Sender("test"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM job WHERE kind = %s", [leases.STREAM])
        lease = leases.take(cursor.fetchone()[0])
    assert lease is not None
    with pytest.raises(ValueError), leases.held(lease):
        raise ValueError("half a \x00 and half a \ud83d")
    with connection.cursor() as cursor:
        cursor.execute("SELECT state, error FROM job WHERE id = %s", [lease.id])
        assert cursor.fetchone() == ("due", "ValueError: half a ? and half a ?")


@pytest.mark.parametrize("precision", [3, 10, 28])
def test_c23_an_amount_is_typed_exactly_with_any_precision_of_another_library(precision: int) -> None:
    with decimal.localcontext() as context:
        context.prec = precision
        assert parse_amount("98,765,432,101.23", "USD", "jackpot") == 9_876_543_210_123
        for text in (
            "0.005",
            "1.0000000000000000000000000000000000000000000000001",
            "1e400",
            "1e-400",
            "NaN",
            "Infinity",
        ):
            with pytest.raises(ActionRejected):
                parse_amount(text, "USD", "jackpot")


def test_c27_a_change_deep_inside_a_fact_breaks_the_chain_and_the_order_of_its_keys_does_not(
    house: House,
) -> None:
    counted = fact(2, "opener-counted", **SIGNED, chips={"500": 20, "100": 3}, amount=10_300)
    intake.post([line(opened(1)), line(counted)], Sender("test"))
    second = dict(reversed(counted.items())) | {"chips": {"100": 3, "500": 20}}
    assert [receipt.fresh for receipt in intake.post([line(second)], Sender("test"))] == [False]
    house.owner.execute("alter table fact disable trigger all")
    changed = """update fact set body = replace(convert_from(body, 'UTF8'), '"500":20', '"500":21')::bytea
        where number = 2"""
    assert house.owner.execute(changed).rowcount == 1
    assert {position for position, _ in faults()} == {2}


def test_c41_two_equal_wins_in_one_second_are_two(house: House) -> None:
    day = live(1000, 100)
    make = at(table="aurora/L1")
    for number in ("2", "3"):
        day += [
            make("round-opened", round=number),
            make("bet", round=number, spot="p-1", wager="andar", amount=500),
            make("take", round=number, spot="p-1", wager="andar", amount=500),
            make("round-closed", round=number),
        ]
    assert len({fact["at"] for fact in day}) == 1
    record(day)
    row = only("hold")
    assert (row["rounds"], row["win"], row["denominator"]) == (3, "11.00", "20.00")


def test_c47_a_void_before_its_bet_voids_only_that_bet(
    house: House,
) -> None:
    make = at(table="aurora/L1")
    record(
        [
            *live(1000, 100),
            make("round-opened", round="2"),
            make("void", round="2", reason="wrong card", **SIGNED),
            make("bet", round="2", spot="p-1", wager="andar", amount=700),
            make("return", round="2", spot="p-1", wager="andar", amount=700),
            make("round-closed", round="2"),
        ]
    )
    row = only("hold")
    assert (row["win"], row["denominator"]) == ("1.00", "10.00")


def test_c47_a_fill_with_a_voided_serial_is_found_and_its_chips_counted(
    house: House,
) -> None:
    signed = dict(zip(("requested_by", "sent_by", "carried_by", "received_by"), "abcd", strict=True))
    make = at(table="aurora/T1")
    facts = felt(1000, 100)
    void, fill = (
        make("slip-voided", slip="F-0001", reason="torn", **SIGNED),
        make("fill-sent", slip="F-0001", chips={}, amount=300, **signed),
    )
    record([*facts[:2], void, fill, *facts[2:]])
    assert "slip-serial-twice" in codes()
    assert only("hold")["win"] == "-2.00"


def test_c47_a_void_before_its_slip_voids_the_slip(house: House) -> None:
    make, later = at(table="aurora/T1"), at(table="aurora/T1", at="2026-11-27T12:00:00.000001-08:00")
    day = felt(1000, 100)
    void = later("slip-voided", slip="F-0001", reason="torn", **SIGNED)
    sent = make("fill-sent", slip="F-0001", chips={}, amount=300, **PEOPLE)
    record([*day[:2], void])
    assert [row["state"] for row in rows("slips")] == ["voided"]
    record([sent, *day[2:]])
    assert {"clock-backwards", "void-after-receipt"} <= {*codes()}, "late by its clock"
    assert {"slip-serial-twice", "inventory-does-not-balance"}.isdisjoint(codes())
    assert only("hold")["win"] == "1.00"
    assert [some(row, "slip", "kind", "state", "times", "amount") for row in rows("slips")] == [
        ("F-0001", "fill", "voided", 1, "3.00")
    ]
    assert [row["state"] for row in rows_as_dicts(get("fills"), Selection(AURORA))] == ["voided"]
    (table,) = board("aurora", date(2026, 11, 27))
    assert table.fills == 0
    stream = list(cage_facts.facts("aurora", ["aurora/T1/2026-11-27"]))
    (slip,) = (fact for fact in stream if fact.kind == "fill-sent")
    assert paper_of(slip, stream, UTC).void != ""


def test_c47_a_serial_sent_again_after_its_void_counts_once(house: House) -> None:
    make = at(table="aurora/T1")
    fill = {"slip": "F-0001", "chips": {}, **PEOPLE}
    day = [
        *felt(1000, 100)[:2],
        make("fill-sent", amount=300, **fill),
        make("slip-voided", slip="F-0001", reason="torn", **SIGNED),
    ]
    closer = make("closer-counted", chips={}, amount=day[1]["amount"] + 40, **BY)
    record([*day, make("fill-sent", amount=40, **fill), closer])
    assert "slip-serial-twice" in codes()
    assert "inventory-does-not-balance" not in codes(), "the tray balances"
    assert [some(row, "state", "times", "amount") for row in rows("slips")] == [("twice", 2, "0.40")]
    assert [row["state"] for row in rows_as_dicts(get("fills"), Selection(AURORA))] == ["voided", "sent"]
    assert [day.fills for day in table_days(AURORA)] == [40]


def test_c49_a_long_report_is_written_row_by_row_and_none_is_lost() -> None:
    statements = 0

    def rows() -> Iterator[tuple[Any, ...]]:
        nonlocal statements
        for number in range(200_000):
            statements += 1
            yield (number,)

    written = as_csv(Sheet("x", (Column("n", "n", "count"),), rows()))
    beginning = next(written) + next(written)
    assert statements < 5_000
    assert beginning.count("\n") + sum(part.count("\n") for part in written) == 1 + 200_000


def names_in(file: Path) -> set[str]:
    return {node.name for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.FunctionDef)}


def test_every_public_fault_of_the_c_cases_is_shown() -> None:
    assert [
        case
        for case, (file, name) in ELSEWHERE.items()
        if name not in names_in(PROJECT / "tests" / f"{file}.py")
    ] == []
    tested_here = {name[5:8].upper() for name in globals() if name.startswith("test_c")}
    assert sorted([*ELSEWHERE, *tested_here]) == [f"C{number:02}" for number in range(1, 52, 2)]

"""Reports and pages list shifts in the order in which they begin, not in the order of their names."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import pairwise

import pytest

from audit.queries.span import Span
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports import catalog, limits
from casino.reports.columns import Rows
from casino.reports.shift_order import InOrder, place_of_shifts
from tests.casino.conftest import Cast
from tests.casino.test_reports import BY, at, felt, record, report

SHIFTS = {
    "grave": "2026-11-27T22:00:00-08:00",
    "day": "2026-11-27T06:00:00-08:00",
    "swing": "2026-11-27T14:00:00-08:00",
}
IN_TIME = ["day", "swing", "grave"]
AURORA = Span(property="aurora")


def set_shifts(**begins: str) -> None:
    entries = [Entry("day-begins", "*", {"time": "06:00", "zone": "America/Los_Angeles"})]
    entries += [Entry("shifts", name, {"begins": time}) for name, time in begins.items()]
    set_registers("aurora", entries, by="m-101", second="m-102")


def record_boxes(*tables: str) -> None:
    """Record a day on which each table has a counted box in each of three shifts."""
    for table in tables:
        make, facts = at(table=table), felt(1_000, 100, table, shifts=SHIFTS)
        for number, shift in enumerate(("grave", "swing"), 2):
            facts += [
                make("box-pulled", box=f"b-{number}", shift=shift, **BY),
                make(
                    "drop-counted",
                    box=f"b-{number}",
                    shift=shift,
                    notes={"100": number},
                    amount=100 * number,
                    team=["c-1", "c-2"],
                ),
            ]
        record(facts)


@pytest.fixture
def floor(cast: Cast) -> Cast:
    set_shifts(day="06:00", swing="14:00", grave="22:00")
    record_boxes("aurora/T1", "aurora/T2")
    return cast


def test_shifts_have_the_order_in_which_they_begin(floor: Cast) -> None:
    assert sorted(SHIFTS, key=place_of_shifts(AURORA).__getitem__) == IN_TIME
    assert place_of_shifts(AURORA)["swing"] == (timedelta(hours=8), "swing")
    assert place_of_shifts(Span(property="borealis")) == {}


def test_reports_list_shifts_in_this_order_and_rows_and_totals_are_the_same(floor: Cast) -> None:
    for name in ("table-drop", "hold", "where-the-hold-went", "master-game-report", "drop-variance"):
        definition = catalog.report(name)
        by = ("table", "shift") if definition.BY else ()
        listed, plain = limits.sheet(definition, AURORA, by, {}), definition.sheet(AURORA, by)
        places = [[column.key for column in listed.columns].index(key) for key in ("table", "shift")]
        assert [[row[place] for place in places] for row in listed.rows] == [
            [table, shift] for table in ("aurora/T1", "aurora/T2") for shift in IN_TIME
        ], name
        assert sorted(map(str, listed.rows)) == sorted(map(str, plain.rows))
        assert listed.totals == plain.totals


def test_a_report_by_shift_and_table_begins_with_the_first_shift(floor: Cast) -> None:
    result = report("master-game-report", "--by", "shift,table")
    shifts = [row["shift"] for row in result["rows"]]
    assert [shift for place, shift in enumerate(shifts) if place % 2 == 0] == IN_TIME
    assert [row["shift"] for row in result["totals"]] == [*IN_TIME, "total"]
    limited = report("table-drop", "--by", "shift", "--table", "aurora/T2")
    assert [row["shift"] for row in limited["rows"]] == IN_TIME


def test_the_hold_pages_list_shifts_in_this_order(floor: Cast) -> None:
    boris, days = floor.browser("Boris"), "from=2026-11-27&to=2026-11-27"
    hold = boris.get(f"/hold/?by=shift&{days}").content.decode()
    assert re.findall(r"<td[^>]*>\s*(day|swing|grave)\s*</td>", hold) == IN_TIME * 2
    attribution = boris.get(f"/hold/where/?by=shift&{days}").content.decode()
    assert re.findall(r">\s*(day|swing|grave)\s*</a>", attribution) == IN_TIME


def test_a_shift_that_the_register_does_not_have_comes_last(cast: Cast) -> None:
    set_shifts(swing="14:00", day="06:00")
    record_boxes("aurora/T1")
    assert [row["shift"] for row in report("table-drop")["rows"]] == IN_TIME


@pytest.mark.parametrize("position", [0, 1])
@pytest.mark.parametrize("shifts", [3, 50])
def test_parts_of_a_list_are_those_of_the_whole_list(position: int, shifts: int) -> None:
    names = [f"s-{number:02}" for number in range(shifts)]
    places = {name: (timedelta(hours=-number), name) for number, name in enumerate(names)}
    keys = [(str(table), name) if position else (name, str(table)) for table in range(9) for name in names]
    items = InOrder(sorted(keys), places, position)
    every = list(items)
    assert sorted(every) == sorted(keys)
    for before, after in pairwise(every):
        is_next = before[position] < after[position]
        assert is_next == (position == 1 and before[0] != after[0]) or before[position] == after[position]
    for begins in range(0, len(every), 7):
        for ends in (begins, begins + 1, min(begins + 20, len(every)), len(every)):
            assert items[begins:ends] == every[begins:ends]
    assert list(Rows(sorted(keys), list).arranged(lambda rows: InOrder(rows, places, position))) == [
        list(item) for item in every
    ]

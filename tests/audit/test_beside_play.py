"""Facts of a gaming day that are not about play, such as slips and counts, can be read as soon as they are
recorded. The database finds them through an index.
"""

from __future__ import annotations

import re
from datetime import date
from uuid import UUID

import pytest

from audit.facts.identifiers import NAME_BYTES
from audit.queries import cage_facts
from tests.audit.floor import DAY, fact, opened, uid
from tests.audit.test_ledger import posted
from tests.conftest import House

BOUGHT = {"kind": "chips-bought", "spot": "1", "amount": 5, "tender": "cash"}
TODAY = date.fromisoformat(DAY)


def test_the_streams_of_a_day_are_those_of_its_tables(house: House) -> None:
    before, closed = "2026-11-26", fact(5, "day-closed", table="aurora/T-2", by="a-101")
    flag = fact(
        7,
        "flagged",
        table="aurora/house",
        of_table="aurora/T-2",
        of_day=DAY,
        round="r",
        why="odd",
        by="v-101",
    )
    posted(
        opened(1),
        fact(2),
        opened(3, day=before),
        opened(4, "aurora/T-2"),
        closed,
        opened(6, "borealis/T-3"),
        flag,
    )
    days = cage_facts.streams("aurora", TODAY)
    assert [(day.table, day.number, day.sealed) for day in days] == [("EOU-01", 2, False), ("T-2", 2, True)]
    assert [day.stream for day in cage_facts.streams("aurora", date.fromisoformat(before))] == [
        f"aurora/EOU-01/{before}"
    ]


def test_facts_besides_play_are_read_by_stream_in_the_order_of_recording(house: House) -> None:
    posted(
        opened(1),
        opened(2, "aurora/T-2"),
        fact(3),
        fact(4, **BOUGHT),
        fact(5, table="aurora/T-2", **BOUGHT),
        fact(6, **BOUGHT),
    )
    names = [day.stream for day in cage_facts.streams("aurora", TODAY)]
    assert [
        (recorded.stream[7:10], recorded.number, recorded.kind)
        for recorded in cage_facts.facts("aurora", names)
    ] == [
        ("EOU", 1, "table-opened"),
        ("EOU", 3, "chips-bought"),
        ("EOU", 4, "chips-bought"),
        ("T-2", 1, "table-opened"),
        ("T-2", 2, "chips-bought"),
    ]
    (bought,) = cage_facts.facts("aurora", names[1:], {"chips-bought"})
    assert (bought.position, bought.event.uid) == (5, uid(5))
    with pytest.raises(ValueError, match="take"):
        list(cage_facts.facts("aurora", names, {"take"}))
    recorded = cage_facts.fact("aurora", UUID(uid(3)))
    assert recorded is not None
    assert (recorded.kind, recorded.number) == ("take", 2)
    assert cage_facts.fact("borealis", UUID(uid(3))) is None


def test_facts_with_a_serial_are_found_at_any_time_and_table(house: House) -> None:
    marker = {"slip": "M-1", "player": "p-1", "amount": 5, "by": "s-201"}
    long = "M-" + "9" * (NAME_BYTES - 2)
    posted(
        opened(1),
        opened(2, "aurora/T-2"),
        fact(3, "marker-issued", **marker),
        fact(4, "marker-issued", **marker | {"slip": long}),
        fact(5, "marker-paid", table="aurora/T-2", **marker),
        opened(6, "borealis/T-3"),
        fact(7, "marker-paid", table="borealis/T-3", **marker),
    )
    assert [(recorded.kind, recorded.stream[:10]) for recorded in cage_facts.of_slip("aurora", "M-1")] == [
        ("marker-issued", "aurora/EOU"),
        ("marker-paid", "aurora/T-2"),
    ]
    assert [recorded.number for recorded in cage_facts.of_slip("aurora", long)] == [3], (
        "the longest serial there may be"
    )
    assert cage_facts.of_slip("aurora", "M-2") == []


def test_a_day_and_its_facts_other_than_play_are_found_by_an_index(house: House) -> None:
    posted(opened(1))
    owner = house.owner
    (definition,) = owner.execute(
        "select indexdef from pg_indexes where indexname = 'fact_beside_play'"
    ).fetchone() or ("",)
    assert set(re.findall(r"'([a-z-]+)'::text", definition)) == cage_facts.KINDS
    owner.execute("set enable_seqscan = off; set enable_bitmapscan = off")

    def plan(query: str) -> str:
        return " ".join(row[0] for row in owner.execute("explain " + query).fetchall())

    of_streams = cage_facts._OF_STREAMS.replace("%s", "{}").format(
        "'aurora'", "'{aurora/EOU-01/2026-11-27}'", "'{fill-sent}'"
    )
    assert "stream_number_idx" in plan(of_streams)
    assert "serial_of_idx" in plan(cage_facts._OF_SLIP.replace("%s", "{}").format("'aurora'", "'M-1'"))
    assert "stream_of_day" in plan(
        "select name from stream where property = 'aurora' and right(name, 10) = '2026-11-27'"
    )

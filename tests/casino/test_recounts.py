"""Tests of a box number that is used in several shifts. Each recount belongs to the count of its own shift,
on every page and in every sum.
"""

from __future__ import annotations

from typing import Any

from audit.findings import examine as findings
from audit.queries.list_filters import Selection
from audit.queries.span import Span
from casino.count_room import queries
from casino.day_close import queries as day_close
from casino.exports import datasets
from casino.reports import catalog
from tests.audit.floor import OPENING
from tests.casino.test_count_room import TABLE, Room, plain_markup, room

__all__ = ["room"]


def pull(room: Room, shift: str) -> Any:
    """Pull box 7 in this shift and return the page's answer."""
    signs = room.signs(second="Gus")
    return room.send("Finn", "/count/pull/", table=f"{TABLE}|{room.day}", box="7", shift=shift, **signs)


def test_a_box_pulled_in_two_shifts_is_counted_recounted_and_settled_for_each(room: Room) -> None:
    begins = {"day": f"{room.day}T00:00:00+00:00", "swing": f"{room.day}T00:00:01+00:00"}
    room.tell(
        "table-opened", **{name: value for name, value in OPENING.items() if name != "kind"}, shifts=begins
    )
    pulls = {}
    for shift, notes in (("day", "1"), ("swing", "2")):
        assert pull(room, shift).status_code == 302
        assert room.count(**{"notes-10000": notes, "notes-2000": ""}).status_code == 302
        pulls[shift] = room.box()
    room.close_table()
    assert (
        "Box 7 of shift day has not been recounted. Box 7 of shift swing has not been recounted."
        in plain_markup(room.close())
    )
    for shift in ("swing", "day"):
        answer = room.send("Chi", f"/count/verify/{pulls[shift].uid}/", **{"notes-10000": "3"})
        assert answer.status_code == 302, plain_markup(answer)
    assert [(recount["shift"], recount["amount"]) for recount in room.facts("count-verified")] == [
        ("swing", 30000),
        ("day", 30000),
    ]
    assert [(box.shift, box.state, box.difference) for box in queries.boxes("aurora", [room.day])] == [
        ("day", "differs", 20000),
        ("swing", "differs", 10000),
    ]
    findings.examine()
    rows = catalog.report("table-drop").sheet(Span(property="aurora"), ("table", "day", "shift")).rows
    assert [row[2:9] for row in rows if row[2] != "total"][:2] == [
        ("day", "USD", 1, 1, "100.00", "300.00", "200.00"),
        ("swing", "USD", 1, 1, "200.00", "300.00", "100.00"),
    ]
    for shift, left in (("day", 1), ("swing", 0)):
        counted = next(box.counted for box in queries.boxes("aurora", [room.day]) if box.shift == shift)
        assert counted is not None
        assert room.adjust(of=counted.uid).status_code == 302
        (day,) = day_close.tables("aurora", room.day)
        assert len(day.variances) == left, (
            "an adjustment settles the two counts that it names, and no others of that number"
        )
    assert room.close().status_code == 302


def test_the_list_of_counts_has_a_recount_without_a_shift_where_the_tally_has_it(room: Room) -> None:
    for shift, amount in (("day", 10000), ("swing", 20000)):
        room.tell("drop-counted", box="7", shift=shift, notes={}, amount=amount, team=["n-1", "n-2"])
    for amount in (20000, 15000):
        room.tell("count-verified", box="7", amount=amount, by="n-9")
    findings.examine()
    listed = list(datasets.get("counts").rows(Selection(Span(property="aurora"), kind="count-verified")))
    assert [(row[4], row[9]) for row in listed] == [("swing", "200.00"), ("day", "150.00")]
    rows = catalog.report("table-drop").sheet(Span(property="aurora"), ("shift",)).rows
    assert {row[0]: row[5] for row in rows if row[0] in ("day", "swing")} == {
        "day": "150.00",
        "swing": "200.00",
    }

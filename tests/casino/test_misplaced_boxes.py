"""Tests of a box that was counted under another table. The figures of each of the two tables have a note that
names the other table. The count room lists both tables until the mistake is corrected.
"""

from __future__ import annotations

from typing import Any

import pytest

from audit.findings import examine as findings
from audit.queries.exported_rows import finding_rows
from audit.queries.span import CLOSED, Span
from audit.review import projections
from casino.reports import catalog
from tests.audit.floor import OPENING
from tests.casino.test_count_room import TABLE, Room, plain_markup, room

__all__ = ["room"]
OTHER = "HS-01"
COUNTED: dict[str, Any] = {"shift": "", "notes": {"1000": 10}, "amount": 10000, "team": ["n-101", "n-102"]}
REPORTS = ("table-drop", "hold")


@pytest.fixture
def misplaced(room: Room) -> Room:
    room.tell("table-opened", OTHER, **{name: value for name, value in OPENING.items() if name != "kind"})
    room.pull("b-7")
    room.tell("drop-counted", OTHER, box="b-7", **COUNTED)
    findings.examine()
    return room


def names_both_tables(report: str, books: str = "") -> dict[str, bool]:
    """Return for each row of a report, by its table, True if its note names both tables."""
    sheet = catalog.report(report).sheet(Span(property="aurora", books=books), ("table",))
    return {row[0]: names_both(row[-1]) for row in sheet.rows}


def names_both(note: str) -> bool:
    return f"was counted under aurora/{OTHER}" in note and f"was pulled from aurora/{TABLE}" in note


def test_the_figures_of_each_table_name_the_other_table(misplaced: Room) -> None:
    for name in REPORTS:
        assert names_both_tables(name) == {f"aurora/{TABLE}": True, f"aurora/{OTHER}": True}
        (total,) = catalog.report(name).sheet(Span(property="aurora"), ("table",)).totals
        assert names_both(total[-1])
        assert not any(names_both_tables(name, CLOSED).values()), "what is closed is the same for ever"


def test_an_adjustment_that_names_the_pull_clears_it(misplaced: Room) -> None:
    late = {
        "of_table": f"aurora/{TABLE}",
        "of_day": str(misplaced.day),
        "what": "drop",
        "amount": 10000,
        "reason": "misplaced",
    }
    misplaced.tell(
        "adjusted", "house", **late, of=misplaced.facts("box-pulled")[0]["uid"], by="a-101", second="a-102"
    )
    for name in REPORTS:
        assert not any(names_both_tables(name).values())


@pytest.mark.parametrize(("verdict", "cleared"), [("escalated", False), ("dismissed", True)])
def test_a_verdict_on_one_of_the_two_findings_clears_it(misplaced: Room, verdict: str, cleared: bool) -> None:
    finding = next(row for row in finding_rows(Span(property="aurora")) if row[5] == "box-elsewhere")
    fields = {
        "finding": finding[0],
        "code": finding[5],
        "says": finding[11],
        "owed": None,
        "moved": None,
        "verdict": verdict,
    }
    money = {"savings": 0, "losses": 0, "recovered": 0, "video": [], "note_sha256": None}
    misplaced.tell("verdict-given", "house", **fields, **money, by="v-101")
    projections.follow("aurora")
    for name in REPORTS:
        assert set(names_both_tables(name).values()) == {not cleared}


def test_the_count_room_shows_the_table_of_the_other_box(misplaced: Room) -> None:
    page = plain_markup(misplaced.cast.browser("Nia").get("/count/"))
    assert f"counted under {OTHER}" in page
    assert f"pulled from {TABLE}" in page

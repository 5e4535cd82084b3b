"""An adjustment that names the pull of a box counts as the late count of that box. The pull must belong to
the adjusted day.
"""

from __future__ import annotations

from typing import Any

from tests.audit.controls import CLOSE, CLOSED, box, drop, opened
from tests.audit.floor import uid
from tests.casino.refused_facts import ADJUST, NEXT, placed
from tests.simulation.replaying import findings

LATE = ADJUST | {"of": uid(2)}


def codes(*facts: dict[str, Any]) -> list[str]:
    return [finding.code for finding in findings(placed([*facts])) if finding.code.startswith("adjusted")]


def test_the_late_count_of_a_box_without_a_count_is_right() -> None:
    assert codes(opened(), box(), CLOSED, CLOSE, LATE) == []
    assert codes(opened(), box(), box("b-2"), drop("b-2"), CLOSED, CLOSE, LATE) == []


def test_a_box_that_was_counted_on_its_day_has_no_late_count() -> None:
    assert codes(opened(), box(), drop(), CLOSED, CLOSE, LATE) == ["adjusted-twice"]
    assert codes(opened(), box(), drop(), CLOSED, CLOSE, LATE | {"what": "fill"}) == [], (
        "no count, but something else about it"
    )


def test_an_adjustment_that_names_a_pull_of_another_day_or_no_fact_is_found() -> None:
    day = [
        opened(),
        box(),
        CLOSED,
        CLOSE,
        *({**fact, "day": NEXT} for fact in (opened(), CLOSED, CLOSE)),
    ]
    assert codes(*day, LATE | {"of_day": NEXT}) == ["adjusted-elsewhere"]
    assert codes(*day, ADJUST | {"of": "the box"}) == ["adjusted-elsewhere"]


def test_the_pull_of_a_counted_box_is_remembered_for_a_week() -> None:
    later = [{**fact, "day": "2026-12-05"} for fact in (opened(), box("b-9"))]
    assert codes(opened(), box(), drop(), CLOSED, CLOSE, *later, LATE) == []
    assert codes(opened(), box(), CLOSED, CLOSE, *later, LATE | {"of_day": "2026-12-05"}) == [
        "adjusted-elsewhere",
        "adjusted-open-day",
    ]

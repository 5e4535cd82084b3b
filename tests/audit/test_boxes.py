"""The fold reports a finding if the last box of a table's day stayed at its table overnight."""

from __future__ import annotations

from typing import Any

import pytest

from audit.facts import check, decode
from audit.replay.fold import Fold
from tests.audit.floor import OPENING, fact, line

SHIFTS = {
    name: f"2026-11-27T{hour}:00:00+00:00" for name, hour in (("day", "06"), ("swing", "14"), ("grave", "22"))
}
HOURS = {"day": "09", "swing": "17", "grave": "23"}
BARE = {"spot": None, "wager": None, "amount": None, "round": None}


def pulled(shift: str) -> dict[str, Any]:
    return BARE | {"kind": "box-pulled", "box": "7", "shift": shift, "by": "g-1", "second": "s-1"}


def counted(shift: str) -> dict[str, Any]:
    return BARE | {
        "kind": "drop-counted",
        "box": "7",
        "shift": shift,
        "notes": {},
        "amount": 0,
        "team": ["c-1"],
    }


def bought(clock: str) -> dict[str, Any]:
    at = f"2026-11-27T{HOURS[clock]}:00:00+00:00"
    return BARE | {"kind": "chips-bought", "spot": "1", "amount": 100, "tender": "cash", "at": at}


def played(clock: str) -> list[dict[str, Any]]:
    at = f"2026-11-27T{HOURS[clock]}:00:00+00:00"
    return [
        BARE | {"kind": kind, "round": f"r-{clock}", "at": at} for kind in ("round-opened", "round-closed")
    ]


def opener(clock: str) -> dict[str, Any]:
    at = f"2026-11-27T{HOURS[clock]}:00:00+00:00"
    return BARE | {
        "kind": "opener-counted",
        "chips": {},
        "amount": 100,
        "by": "d-1",
        "second": "s-1",
        "at": at,
    }


def fold(*facts: dict[str, Any], shifts: dict[str, str] | None = SHIFTS) -> Fold:
    folded = Fold("aurora/EOU-01/2026-11-27")
    for number, fields in enumerate([fact(1, **OPENING | {"shifts": shifts}), *facts], 1):
        complete = {
            name: value
            for name, value in {**fact(0), **fields, "uid": fact(number)["uid"]}.items()
            if value is not None
        }
        folded.take(number, decode(check(line(complete)).body))
    return folded


@pytest.mark.parametrize(
    ("facts", "stays", "first"),
    [
        (
            [
                bought("day"),
                pulled("day"),
                bought("swing"),
                pulled("swing"),
                bought("grave"),
                pulled("grave"),
            ],
            False,
            "day",
        ),
        ([bought("day"), pulled("day"), bought("swing"), pulled("swing"), bought("grave")], True, "day"),
        ([bought("day"), pulled("day"), bought("swing"), pulled("swing"), *played("grave")], True, "day"),
        ([bought("day"), pulled("day"), pulled("swing")], False, "day"),
        ([bought("day"), pulled("day"), bought("swing"), bought("grave")], False, "day"),
        # a table of two shifts
        ([opener("day"), bought("day"), pulled("day"), opener("swing"), bought("swing")], True, "day"),
        ([opener("day"), bought("day"), pulled("day"), opener("swing")], False, "day"),
        # the box was pulled once, in the morning
        ([opener("day"), pulled("day"), bought("day"), opener("swing"), bought("swing")], False, "day"),
        # no shift counts its tray, so the day has one drop
        ([opener("day"), bought("day"), pulled("day"), bought("swing")], False, "day"),
        # nothing was dropped after the last pull
        ([bought("day"), pulled("day"), bought("grave"), pulled("swing")], False, "day"),
        # the round that was in play when the box was pulled
        ([pulled("day"), pulled("swing"), bought("swing")], False, "day"),
        ([pulled("swing"), pulled("day"), bought("grave")], True, "swing"),
        # a shift that the table does not have is ignored
        ([pulled("day"), pulled("night"), bought("grave")], False, "day"),
        # without any recorded pull, none is missing
        ([counted("day"), counted("swing"), bought("grave")], False, "day"),
        ([bought("grave")], False, None),
    ],
)
def test_a_box_stayed_overnight_if_play_continued_after_the_last_pull(
    facts: list[dict[str, Any]], stays: bool, first: str | None
):
    boxes = fold(*facts).state.boxes
    assert (boxes.stays, boxes.first) == (stays, first)


def test_a_table_without_shifts_has_one_drop_a_day() -> None:
    assert not fold(bought("day"), pulled(""), bought("grave"), shifts=None).state.boxes.stays


def test_a_resumed_fold_knows_the_earlier_boxes() -> None:
    facts = [pulled("day"), pulled("swing"), *played("grave"), pulled("grave")]
    for cut in (1, 2, 4):
        before = fold(*facts[:cut])
        goes_on = Fold(before.stream, before.keep())
        assert goes_on.state.boxes == before.state.boxes


@pytest.mark.parametrize(
    ("facts", "number"),
    [
        ([], 0),
        ([pulled("day")], 1),
        ([pulled("day"), counted("day")], 1),
        ([pulled("day"), counted("swing")], 1),  # counted under the wrong shift, but the same box
        ([counted("day")], 1),
        ([counted("day"), pulled("day")], 1),
        ([pulled("day"), pulled("day"), counted("day"), counted("day")], 1),
        ([pulled("day"), pulled("swing"), counted("day"), counted("swing")], 2),
        ([pulled("day"), pulled("day") | {"box": "8"}, counted("day")], 2),
    ],
)
def test_a_box_is_the_same_when_pulled_and_when_counted(facts: list[dict[str, Any]], number: int) -> None:
    assert fold(*facts).state.boxes.number == number

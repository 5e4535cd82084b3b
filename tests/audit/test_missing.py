"""When a table's day is closed, facts that it lacks are reported, except those that nobody records at that
table.
"""

from __future__ import annotations

from typing import Any

import pytest

from audit.replay.checks import CAGE, SEATED, STREAM_CHECKS
from tests.audit.controls import (
    CLOSE,
    CLOSED,
    COUNTED,
    SEES,
    bought,
    box,
    codes,
    drop,
    findings_of,
    hand,
    opened,
    recount,
    seated,
    slip,
    tray,
)

SHIFTS = {
    "day": "2026-11-27T06:00:00-08:00",
    "swing": "2026-11-27T14:00:00-08:00",
    "grave": "2026-11-27T22:00:00-08:00",
}
LIVE = {
    "game": "andar_bahar",
    "edition": "ezugi",
    "decks": 1,
    "spots": 0,
    "pay_tables": dict.fromkeys(
        ("andar", "bahar", "1-5", "6-10", "11-15", "16-25", "26-30", "31-35", "36-40", "41+"), "ezugi"
    ),
}


def at(hour: int) -> dict[str, str]:
    return {"at": f"2026-11-27T{hour}:00:00-08:00"}


def codes_at_last_fact(*facts: dict[str, Any], **settings: Any) -> list[str]:
    """Record the opening of a table and these facts. Return the codes of the findings at the last fact."""
    findings = codes(opened(**settings), *facts)
    return [code for number, code in findings if number == len(facts) + 1]


SEAT, OPEN, CLOSER = seated(), tray("opener", 10_000), tray("closer", 10_000)
WHOLE = [SEAT, OPEN, *hand("r1"), box(), CLOSER, CLOSED, *COUNTED, CLOSE]
GONE = {
    "opener-missing": (1, 2),
    "closer-missing": (5, 6),
    "table-left-open": (6, 7),
    "dealer-missing": (0, 1),
    "recount-missing": (8, 9),
}


def test_a_complete_day_lacks_nothing() -> None:
    assert codes_at_last_fact(*WHOLE) == []


@pytest.mark.parametrize(("code", "missing"), GONE.items(), ids=GONE)
def test_one_fact_that_never_comes_is_found_when_the_day_is_closed(
    code: str, missing: tuple[int, int]
) -> None:
    assert codes_at_last_fact(*WHOLE[: missing[0]], *WHOLE[missing[1] :]) == [code]


def test_a_box_that_is_never_pulled_nor_counted_is_found_with_what_was_bought() -> None:
    (finding,) = findings_of(
        opened(), SEAT, OPEN, *hand("r1"), bought(), tray("closer", 9_000), CLOSED, CLOSE
    )
    assert (finding.code, finding.says) == (
        "pull-missing",
        "The day was closed. 1 hand was played, chips for 10.00 USD were bought, and no box was pulled.",
    )
    assert codes_at_last_fact(SEAT, OPEN, CLOSER, CLOSED, CLOSE) == [], "a table at which nobody played"


def test_a_box_that_was_recounted_and_never_counted_lacks_its_count() -> None:
    assert codes_at_last_fact(SEAT, OPEN, box(), CLOSER, CLOSED, recount(), CLOSE) == ["drop-missing"]
    assert codes_at_last_fact(SEAT, OPEN, box(), CLOSER, CLOSED, drop(), recount(), recount(), CLOSE) == [
        "count-differs"
    ]
    (finding,) = findings_of(opened(), SEAT, OPEN, box(), CLOSER, CLOSED, drop(), recount(), recount(), CLOSE)
    assert finding.says == "The day was closed. Box b-1 was recounted once more than it was counted."


def test_a_day_without_facts_of_cage_and_count_room_is_not_judged_by_their_checks() -> None:
    assert codes_at_last_fact(SEAT, *hand("r1"), CLOSED, CLOSE) == []
    assert codes_at_last_fact(SEAT, *hand("r1"), CLOSED, slip("F-1"), CLOSE) == [
        "closer-missing",
        "opener-missing",
        "pull-missing",
    ]


def test_every_tray_that_was_opened_is_closed_and_every_one_that_was_closed_was_opened() -> None:
    noon, evening = at(12), at(15)
    shifts = {"shifts": SHIFTS}
    closer = tray("closer", 10_000, **evening)
    assert codes_at_last_fact(
        SEAT, OPEN | noon, CLOSER | noon, closer, CLOSED | at(16), CLOSE | at(17), **shifts
    ) == ["opener-missing"]
    assert codes_at_last_fact(
        SEAT, OPEN | noon, OPEN | evening, closer, CLOSED | at(16), CLOSE | at(17), **shifts
    ) == ["closer-missing"]
    assert codes_at_last_fact(SEAT, OPEN, CLOSER, CLOSER, CLOSED, CLOSE) == [], "one that was counted again"


def test_a_tray_that_is_counted_only_after_the_first_round_is_found_at_its_opener() -> None:
    late = [SEAT, *hand("r1"), OPEN, box(), CLOSER, CLOSED, *COUNTED, CLOSE]
    (finding,) = findings_of(opened(), *late)
    assert (finding.number, finding.code, finding.cite[:13]) == (5, "opener-missing", "Control OC-01")
    assert "opened at 2026-11-27T12:03:00-08:00" in finding.says
    late[3] = OPEN | at(11) | {"source": "cage-1"}
    assert codes(opened(), *late) == [], "by its clock it was counted before"


@pytest.mark.parametrize(
    ("hours", "lacks"), [((12, 15), ["count-missing"]), ((12, 13), []), ((15, 23), ["count-missing"])]
)
def test_a_shift_that_passes_without_its_count_is_found_at_a_table_with_shifts(
    hours: tuple[int, int], lacks: list[str]
) -> None:
    first, last = (hand(f"r{hour}", **at(hour)) for hour in hours)
    ends = [
        box(shift="day", **at(23)),
        tray("closer", 10_000, **at(23)),
        CLOSED | at(23),
        drop(shift="day"),
        recount(),
        CLOSE | at(23),
    ]
    day = [SEAT | at(11), OPEN | at(11), *first, *last, *ends]
    assert codes_at_last_fact(*day, shifts=SHIFTS) == lacks
    assert codes_at_last_fact(*day) == [], "a table without shifts is counted by day"
    between = [tray("closer", 10_000, **at(hours[1])), tray("opener", 10_000, **at(hours[1]))]
    assert codes_at_last_fact(*day[:4], *between, *day[4:], shifts=SHIFTS) == []


def test_a_missing_dealer_is_found_if_seats_are_reported_or_somebody_was_seated() -> None:
    blind = [kind for kind in SEES if kind != "dealer-seated"]
    assert codes_at_last_fact(*hand("r1"), CLOSED, CLOSE, sees=blind) == []
    assert codes_at_last_fact(*hand("r1"), SEAT, *hand("r2"), CLOSED, CLOSE, sees=blind) == ["dealer-missing"]
    assert codes_at_last_fact(*hand("r1"), CLOSED, CLOSE, **LIVE) == ["dealer-missing"], (
        "a live-dealer table has a dealer too"
    )
    assert (
        codes(opened(), seated("d-1", " ")) == codes(opened(), seated("", "s-1")) == [(2, "dealer-missing")]
    )


def test_nobody_is_seated_at_a_table_that_is_closed() -> None:
    assert codes(opened(), SEAT, CLOSED, SEAT) == [(4, "out-of-order")]
    assert codes(opened(), SEAT, CLOSED, opened(), SEAT) == []


def test_a_missing_table_closing_is_found_if_closings_are_reported() -> None:
    blind = [kind for kind in SEES if kind != "table-closed"]
    assert codes_at_last_fact(SEAT, CLOSE, sees=blind) == []
    assert codes_at_last_fact(SEAT, CLOSE) == ["table-left-open"]


def test_a_live_dealer_table_needs_no_cage_facts_and_may_have_none() -> None:
    assert codes_at_last_fact(SEAT, CLOSED, CLOSE, **LIVE) == []
    findings = codes(opened(**LIVE), SEAT, OPEN, slip("F-1"), bought(), box(), CLOSED, CLOSE)
    assert [code for _, code in findings] == ["no-such-tray"] * 4 + ["drop-missing"]


def test_a_box_names_a_shift_of_its_table_that_has_begun() -> None:
    def wrong(*facts: dict[str, Any], **settings: Any) -> list[int]:
        return [number for number, code in codes(opened(**settings), *facts) if code == "no-such-shift"]

    assert wrong(box(shift="day"), drop(shift="day"), shifts=SHIFTS) == []
    assert wrong(box(shift="Day"), drop(shift=""), box(shift="swing"), shifts=SHIFTS) == [2, 3, 4]
    assert wrong(box(shift="anything")) == [], "a table without shifts"


def test_limits_are_in_whole_chips() -> None:
    assert codes(opened(limits={"*": [1_000, 50_050], "over": [100, 200]}, chip=100)) == [
        (1, "limits-not-in-chips")
    ]
    assert codes(opened(limits={"*": [1_000, 50_000]}, chip=100)) == []


def test_play_through_a_pause_between_two_rounds_is_found_once() -> None:
    paused = {"kind": "paused", "reason": "a card is missing", "by": "s-1"}
    resumed = {"kind": "resumed", "reason": "it was found", "by": "s-1"}
    assert codes(opened(), paused, *hand("r1"), *hand("r2")) == [(3, "out-of-order")]
    assert (
        codes(opened(), paused, resumed, *hand("r1"))
        == codes(opened(), paused, CLOSED, opened(), *hand("r1"))
        == []
    )
    blind = [kind for kind in SEES if kind != "resumed"]
    assert codes(opened(sees=blind), paused, *hand("r1")) == [], "nobody reports that play goes on"
    (finding,) = findings_of(opened(), paused, *hand("r1"))
    assert (finding.cite, "a card is missing" in finding.says) == ("Control MI-03", True)


def test_every_check_names_the_kinds_that_it_needs() -> None:
    known = {check.name: check.unless for check in STREAM_CHECKS if check.unless}
    assert known == {"missing": CAGE, "dealer-missing": SEATED}
    assert all(check.cite.startswith(("Control ", "Event reference, ")) for check in STREAM_CHECKS)
    assert all(text.startswith("Control ") for check in STREAM_CHECKS for text in check.cites.values())

"""When the clock is put back, an hour occurs twice. A time in that hour is entered and shown with its UTC
offset. Catwalk never guesses which of the two times is meant.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from audit.facts.clock import comes_twice, offset_of
from casino.presentation.formatting import clock, date_time, exact_clock
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.surveillance import quick_search_text
from tests.casino.conftest import Cast
from tests.casino.test_report_hours import dealt
from tests.casino.test_reports import record
from tests.furnished import furnishing

LA = ZoneInfo("America/Los_Angeles")
DAY = "2026-10-31"
HANDS = ("2026-11-01T08:30:00Z", "2026-11-01T09:30:00Z", "2026-11-01T10:30:00Z")


@furnishing
def night() -> Cast:
    cast = Cast()
    record(dealt("aurora/L1", DAY, *HANDS), dealt("aurora/L2", DAY, HANDS[2]))
    set_registers(
        "aurora",
        [Entry("day-begins", "*", {"time": "06:00", "zone": "America/Los_Angeles"})],
        by="m-101",
        second="m-102",
    )
    return cast


def answer(cast: Cast, typed: str) -> Any:
    return cast.browser("Dana").get("/jump/", {"to": typed})


def test_a_repeated_time_asks_which_one_is_meant(night: Cast) -> None:
    page = answer(night, f"L1 {DAY} 01:30")
    assert page.status_code == 200
    content = page.content.decode()
    assert "The clock was put back and showed 01:30:00 twice" in content
    first, second = content.index(f"/hand/aurora/L1/{DAY}/0/"), content.index(f"/hand/aurora/L1/{DAY}/1/")
    assert "01:30:00 (-07:00)" in content[:first]
    assert "01:30:00 (-08:00)" in content[first:second]


def test_a_repeated_time_of_a_player_asks_which_one_is_meant(night: Cast) -> None:
    content = answer(night, f"L1 {DAY} 01:30 p-1").content.decode()
    assert f"/hand/aurora/L1/{DAY}/0/?spot=p-1" in content
    assert f"/hand/aurora/L1/{DAY}/1/?spot=p-1" in content


@pytest.mark.parametrize(
    ("typed", "hand"),
    [("01:30-07:00", "0"), ("01:30-08:00", "1"), ("01:30:00-0800", "1"), ("08:30+00:00", "0"), ("2:30", "2")],
)
def test_an_offset_or_an_unambiguous_hour_leads_to_the_hand(night: Cast, typed: str, hand: str) -> None:
    assert answer(night, f"L1 {DAY} {typed}")["Location"] == f"/hand/aurora/L1/{DAY}/{hand}/"
    assert (
        answer(night, f"L1 {DAY} {typed} p-1")["Location"]
        == f"/hand/aurora/L1/{DAY}/{hand}/?spot=p-1#spot-p-1"
    )


def test_a_repeated_time_is_asked_even_if_only_one_has_a_hand(night: Cast) -> None:
    record(dealt("aurora/L3", DAY, HANDS[0]))
    assert "twice" in answer(night, f"L3 {DAY} 01:30").content.decode()
    assert answer(night, f"L3 {DAY} 01:30-07:00").status_code == 302


@pytest.mark.parametrize(
    "typed",
    ["L1 01:30-14:01", "L1 01:30-07:60", "L1 01:30-", "L1 01:30+x", "L1 01:30--07:00", "L1 22:05-22:10"],
)
def test_an_offset_that_no_zone_has_names_no_time(typed: str) -> None:
    assert quick_search_text.read(typed) is None


def test_pages_show_the_offset_only_of_repeated_times() -> None:
    first, second, later = (datetime.fromisoformat(at) for at in HANDS)
    assert [clock(at, LA) for at in (first, second, later)] == [
        "Sun 1 Nov, 01:30:00 (-07:00)",
        "Sun 1 Nov, 01:30:00 (-08:00)",
        "Sun 1 Nov, 02:30:00",
    ]
    assert [exact_clock(at, LA) for at in (first, later)] == [
        "Sun 1 Nov, 01:30:00.000 (-07:00)",
        "Sun 1 Nov, 02:30:00.000",
    ]
    assert [date_time(at, LA) for at in (second, later)] == [
        "Sun 1 Nov 2026, 01:30:00 (-08:00)",
        "Sun 1 Nov 2026, 02:30:00",
    ]
    assert clock(first, UTC) == "Sun 1 Nov, 08:30:00"


def test_a_skipped_hour_is_refused() -> None:
    forward = datetime(2026, 3, 8, 2, 30, tzinfo=LA)
    assert not comes_twice(forward)
    assert offset_of(datetime.combine(date(2026, 3, 9), forward.time(), LA)) == "-07:00"

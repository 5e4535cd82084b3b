"""Gaming days and shifts by the property's clock. Every instant is in exactly one gaming day, even if the
clock changes for daylight saving time.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from audit.facts import clock
from audit.replay.registers import Registers
from casino.reference import calendar
from casino.reference.entries import Entry
from casino.reference.gaming_day import entries_of
from casino.reference.recording import set_registers
from casino.web.middleware import ReadCalendarOnce
from tests.casino.statements import counted_statements
from tests.conftest import House

VIENNA = ZoneInfo("Europe/Vienna")
HOUR = timedelta(hours=1)
SPRING, AUTUMN = date(2026, 3, 28), date(2026, 10, 24)
"""The gaming day in Vienna on which the clock is put forward, and the one on which it is put back."""


def enter(*entries: Entry) -> None:
    set_registers("aurora", list(entries), by="m-1", second="m-2")


def day_begins(
    at: str, zone: str, begins: str | None = None, ends: str | None = None, **fields: str
) -> Entry:
    return Entry("day-begins", "*", {"time": at, "zone": zone, **fields}, begins, ends)


def shift(name: str, begins: str, **fields: str) -> Entry:
    return Entry("shifts", name, {"begins": begins, **fields})


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


@pytest.mark.parametrize(("day", "hours"), [(SPRING, 23), (AUTUMN, 25), (date(2026, 6, 1), 24)])
def test_a_gaming_day_lasts_until_the_clock_shows_the_same_time_again(
    house: House, day: date, hours: int
) -> None:
    enter(day_begins("06:00", "Europe/Vienna"))
    begins, ends = calendar.bounds("aurora", day)
    assert ends - begins == hours * HOUR
    assert begins.astimezone(VIENNA).time() == ends.astimezone(VIENNA).time() == time(6)


@pytest.mark.parametrize(
    ("at", "zone"),
    [("06:00", "Europe/Vienna"), ("23:00", "America/Los_Angeles"), ("00:00", "Pacific/Auckland")],
)
def test_every_instant_of_a_year_lies_in_exactly_one_gaming_day(house: House, at: str, zone: str) -> None:
    """Test that one gaming day ends exactly when the next begins. The beginning belongs to a day and the end
    does not.
    """
    enter(day_begins(at, zone))
    registers = Registers(entry for entry, _ in entries_of("aurora"))
    for days in (*range(80, 95), *range(290, 310)):
        day = date(2026, 1, 1) + timedelta(days=days)
        begins, ends = calendar.bounds("aurora", day)
        assert ends == calendar.bounds("aurora", day + timedelta(days=1)).begins
        for moment, its in (
            (begins, day),
            (ends - timedelta(milliseconds=1), day),
            (ends, day + timedelta(days=1)),
        ):
            local = moment.astimezone(ZoneInfo(zone))
            assert [calendar.gaming_day("aurora", instant) for instant in (moment, local)] == [its, its]
            assert registers.day_of(moment) == registers.day_of(local) == its


def test_the_days_of_a_week_with_a_clock_change_add_up_to_the_week(house: House) -> None:
    enter(day_begins("06:00", "Europe/Vienna"))
    days = [calendar.bounds("aurora", AUTUMN + timedelta(days=days)) for days in range(-5, 2)]
    assert (
        sum((day.ends - day.begins for day in days), timedelta())
        == days[-1].ends - days[0].begins
        == 169 * HOUR
    )


def test_a_moved_day_boundary_gives_one_short_day_and_no_instant_twice(house: House) -> None:
    enter(
        day_begins("06:00", "Europe/Vienna", None, "2026-06-10"),
        day_begins("04:00", "Europe/Vienna", "2026-06-10"),
    )
    begins, ends = calendar.bounds("aurora", date(2026, 6, 9))
    assert ends - begins == 22 * HOUR
    assert calendar.gaming_day("aurora", ends) == date(2026, 6, 10)
    assert calendar.gaming_day("aurora", ends - timedelta(seconds=1)) == date(2026, 6, 9)


def test_shifts_go_over_midnight_and_end_where_the_next_begins(house: House) -> None:
    enter(
        day_begins("06:00", "Europe/Vienna"),
        shift("night", "22:00"),
        shift("day", "06:00"),
        shift("late", "02:30", clock_change="second"),
    )
    enter(shift("swing", "14:00"))
    begins = calendar.shifts("aurora", AUTUMN)
    assert list(begins) == ["day", "swing", "night", "late"]
    assert begins["day"] == calendar.bounds("aurora", AUTUMN).begins
    assert begins["late"] == utc("2026-10-25T02:30:00+01:00")  # the second occurrence of 02:30
    assert begins["late"] - begins["night"] == timedelta(hours=5, minutes=30)
    assert calendar.shifts("aurora", SPRING)["late"] == utc("2026-03-29T03:00:00+02:00")  # no 02:30 then


def test_a_repeated_hour_means_the_first_unless_the_register_says_otherwise(
    house: House,
) -> None:
    enter(day_begins("02:30", "Europe/Vienna"))
    assert calendar.bounds("aurora", AUTUMN).ends == utc("2026-10-25T02:30:00+02:00")
    enter(day_begins("02:30", "Europe/Vienna", clock_change="second"))
    assert calendar.bounds("aurora", AUTUMN).ends == utc("2026-10-25T02:30:00+01:00")
    assert calendar.bounds("aurora", SPRING).ends == utc("2026-03-29T03:00:00+02:00")


def test_a_repeated_time_has_two_instants_and_a_skipped_one_none(house: House) -> None:
    enter(day_begins("06:00", "Europe/Vienna"))
    at = time(2, 30)
    assert calendar.instants_at("aurora", AUTUMN, at) == (
        utc("2026-10-25T02:30:00+02:00"),
        utc("2026-10-25T02:30:00+01:00"),
    )
    assert calendar.instants_at("aurora", SPRING, at) == ()
    assert calendar.instants_at("aurora", date(2026, 6, 1), at) == (utc("2026-06-02T02:30:00+02:00"),)


def test_a_property_that_registers_nothing_uses_the_date_in_utc(house: House) -> None:
    assert calendar.bounds("aurora", SPRING) == (
        utc("2026-03-28T00:00:00+00:00"),
        utc("2026-03-29T00:00:00+00:00"),
    )
    assert calendar.gaming_day("aurora", utc("2026-03-28T23:59:59+00:00")) == SPRING
    assert calendar.shifts("aurora", SPRING) == {}
    assert calendar.zone("aurora") is UTC


def test_audit_and_floor_have_the_same_gaming_days(house: House) -> None:
    enter(day_begins("02:30", "Europe/Vienna", clock_change="second"))
    registers = Registers(entry for entry, _ in entries_of("aurora"))
    for day in (SPRING, AUTUMN, date(2026, 6, 1)):
        span = registers.day(day)
        assert span is not None
        assert [at.astimezone(UTC) for at in span] == [*calendar.bounds("aurora", day)]


@pytest.mark.parametrize(
    "value",
    [None, 7, {}, {"time": "6 am", "zone": "UTC"}, {"time": "06:00+01:00", "zone": "UTC"}, {"time": "06:00"}],
)
def test_an_entry_without_a_time_is_ignored(value: object) -> None:
    assert clock.day_begins(value, SPRING) is None


def test_days_with_a_repeated_or_skipped_time_are_known_in_advance() -> None:
    year = date(2026, 1, 1), date(2026, 12, 31)
    assert list(clock.changes_over(time(2, 30), VIENNA, *year)) == [
        (date(2026, 3, 29), 0),
        (date(2026, 10, 25), 2),
    ]
    assert list(clock.changes_over(time(6), VIENNA, *year)) == []


def test_midnight_passes_in_no_test_run(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    today = calendar.gaming_day("aurora")
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    monkeypatch.setattr("django.utils.timezone.now", lambda: tomorrow)
    assert calendar.gaming_day("aurora") == today


def test_a_page_reads_the_calendar_once_and_the_next_one_reads_it_again(house: House) -> None:
    enter(day_begins("06:00", "Europe/Vienna"))
    noon = utc("2026-11-27T12:00:00+01:00")
    with calendar.read_once():
        with counted_statements() as taken:
            assert {calendar.gaming_day("aurora", noon) for _ in range(3)} == {date(2026, 11, 27)}
            assert calendar.zone("aurora", date(2026, 11, 27)) == VIENNA
        assert len(taken) == 1
        enter(day_begins("18:00", "Europe/Vienna"))
        assert calendar.gaming_day("aurora", noon) == date(2026, 11, 27)
    assert calendar.gaming_day("aurora", noon) == date(2026, 11, 26)


def test_only_requests_that_change_nothing_read_the_calendar_once(house: House) -> None:
    enter(day_begins("06:00", "Europe/Vienna"))

    def twice(request: HttpRequest) -> HttpResponse:
        with counted_statements() as taken:
            calendar.gaming_day("aurora")
            calendar.gaming_day("aurora")
        return HttpResponse(str(len(taken)))

    page = ReadCalendarOnce(twice)
    answers = {method: page(getattr(RequestFactory(), method)("/")).content for method in ("get", "post")}
    assert answers == {"get": b"1", "post": b"2"}

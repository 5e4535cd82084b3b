"""Times in facts: digits below a microsecond are cut off, the time zone must exist, and its UTC offset must
have been in use.
"""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from msgspec import json

from audit.facts import Refused, TableOpened, check, decode
from audit.facts.clock import before_leap_second, cut, day_clock, zone_named, zone_names
from tests.audit.floor import fact, opened


def refused(sent: dict[str, object]) -> Refused:
    with pytest.raises(Refused) as error:
        check(json.encode(sent))
    return error.value


@pytest.mark.parametrize(
    ("written", "cut_off"),
    [
        ("2026-11-27T05:59:59.9999999Z", "2026-11-27T05:59:59.999999Z"),
        ("2026-11-27T05:59:59.999999999999999999+01:00", "2026-11-27T05:59:59.999999+01:00"),
        ("2026-11-27T05:59:59.1234565+0530", "2026-11-27T05:59:59.123456+0530"),
        ("2026-11-27T05:59:59.123456Z", "2026-11-27T05:59:59.123456Z"),
        ("2026-11-27T05:59:59.5+00:00", "2026-11-27T05:59:59.5+00:00"),
    ],
)
def test_times_are_cut_below_a_microsecond_and_never_rounded_up(written: str, cut_off: str) -> None:
    body = check(json.encode(fact(1) | {"at": written})).body
    assert json.decode(body)["at"] == cut_off == cut(written)
    assert decode(body).at.second == 59


@pytest.mark.parametrize(
    ("written", "recorded"),
    [
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999999Z"),
        ("2016-12-31T23:59:60.25Z", "2016-12-31T23:59:59.999999Z"),
        ("2016-12-31t23:59:60.123456789z", "2016-12-31t23:59:59.999999z"),
        ("2017-01-01T00:59:60+01:00", "2017-01-01T00:59:59.999999+01:00"),
        ("2016-12-31T15:59:60-0800", "2016-12-31T15:59:59.999999-0800"),
    ],
)
def test_a_leap_second_is_recorded_as_the_last_microsecond_before_it(written: str, recorded: str) -> None:
    prepared = check(json.encode(fact(1) | {"at": written}))
    assert json.decode(prepared.body)["at"] == recorded == before_leap_second(written)
    assert prepared.notes == (
        f"at: {written} is a leap second. It is recorded as {recorded}, the last microsecond before it.",
    )
    assert check(json.encode(fact(1) | {"at": recorded})).leaf == prepared.leaf
    assert check(json.encode(fact(1) | {"at": recorded})).notes == ()
    prepared = check(json.encode(opened(1) | {"shifts": {"day": written}}))
    assert json.decode(prepared.body)["shifts"] == {"day": recorded}
    assert prepared.notes[0].startswith(f"shifts.day: {written} is")


@pytest.mark.parametrize(
    "written",
    [
        "2016-12-31T12:59:60Z",
        "2016-12-31T23:58:60Z",
        "2016-12-31T23:59:60+01:00",
        "2016-12-31T23:59:61Z",
        "2016-02-31T23:59:60Z",
        "2016-12-31T23:59:60",
        "2016-12-31T23:59:60+25:00",
        "9999-12-31T23:59:60-14:00",
    ],
)
def test_a_second_60_that_is_no_leap_second_is_refused(written: str) -> None:
    assert refused(fact(1) | {"at": written}).field == "at"


def test_the_shifts_of_a_table_are_cut_too() -> None:
    prepared = check(json.encode(opened(1) | {"shifts": {"day": "2026-11-27T13:59:59.9999999Z"}}))
    event = decode(prepared.body)
    assert isinstance(event, TableOpened)
    assert event.shifts is not None
    assert event.shifts["day"].second == 59


@pytest.mark.parametrize("offset", ["+14:01", "-14:01", "+15:00", "+23:59", "-1500"])
def test_an_offset_beyond_that_of_any_zone_is_refused(offset: str) -> None:
    error = refused(fact(1) | {"at": f"2026-11-27T12:00:00{offset}"})
    assert (error.code, error.field) == ("offset", "at")
    assert "at most ±14:00" in error.why
    error = refused(opened(1) | {"shifts": {"day": f"2026-11-27T12:00:00{offset}"}})
    assert (error.code, error.field) == ("offset", "shifts.day")


@pytest.mark.parametrize("offset", ["+05:60", "+05:99", "+24:00"])
def test_an_offset_with_more_than_59_minutes_is_refused(offset: str) -> None:
    assert refused(fact(1) | {"at": f"2026-11-27T12:00:00{offset}"}).field == "at"


@pytest.mark.parametrize("offset", ["+14:00", "-12:00", "Z", "z", "+05:45"])
def test_the_offset_of_every_zone_is_accepted(offset: str) -> None:
    check(json.encode(fact(1) | {"at": f"2026-11-27T12:00:00{offset}"}))


@pytest.mark.parametrize(
    "name",
    [
        "localtime",
        "posixrules",
        "right/Europe/Vienna",
        "posix/UTC",
        "Factory",
        "",
        "europe/vienna",
        "/etc/passwd",
        7,
        None,
    ],
)
def test_a_zone_outside_the_iana_list_is_refused(name: object) -> None:
    with pytest.raises(ValueError, match="not a time zone of the IANA list"):
        zone_named(name)
    assert day_clock({"time": "06:00", "zone": name}) is None


def test_every_name_of_the_iana_list_is_a_zone() -> None:
    assert {
        "UTC",
        "Europe/Vienna",
        "America/Los_Angeles",
        "US/Pacific",
        "Etc/GMT+5",
        "EST5EDT",
    } < zone_names()
    assert len(zone_names()) > 500
    for name in zone_names():
        assert zone_named(name) == ZoneInfo(name)


def test_a_register_refuses_an_unknown_zone() -> None:
    entry = {
        "table": "aurora/house",
        "register": "day-begins",
        "key": "*",
        "from": None,
        "by": "m-1",
        "second": "m-2",
    }
    check(
        json.encode(
            fact(1, kind="register-set") | entry | {"value": {"time": "06:00", "zone": "Europe/Vienna"}}
        )
    )
    for zone in ("localtime", "right/Europe/Vienna", "Factory"):
        error = refused(fact(1, kind="register-set") | entry | {"value": {"time": "06:00", "zone": zone}})
        assert (error.code, error.field) == ("not-in-vocabulary", "value.zone")

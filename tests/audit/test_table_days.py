"""Open and closed gaming days of a table, for any number of days and any order of arrival."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from random import Random

from audit.replay import table_days
from audit.replay.table_days import IN_FULL, TableDays
from tests.audit.floor import OPENING, event

TABLE = "aurora/EOU-01"
FIRST = date(2026, 1, 1)


def read(days: TableDays, day: date, *kinds: str) -> None:
    stream = f"{TABLE}/{day}"
    for kind in kinds:
        fields = OPENING if kind == "table-opened" else {"by": "a-1"} if kind == "day-closed" else {}
        days.take(
            stream,
            event(
                1,
                kind,
                day=day.isoformat(),
                **{name: value for name, value in fields.items() if name != "kind"},
            ),
        )


def test_a_day_is_open_until_it_is_closed() -> None:
    days = TableDays()
    read(days, FIRST, "table-opened")
    assert days.open[f"{TABLE}/{FIRST}"].is_open
    read(days, FIRST, "table-closed")
    assert not days.open[f"{TABLE}/{FIRST}"].is_open
    assert days.currency(f"{TABLE}/{FIRST}") == "USD"
    assert days.is_known(TABLE, FIRST)
    assert not days.is_closed(TABLE, FIRST)
    read(days, FIRST, "day-closed")
    assert days.open == {}
    assert days.is_closed(TABLE, FIRST)
    assert days.is_known(TABLE, FIRST)
    assert not days.is_known(TABLE, FIRST + timedelta(1))


def test_the_oldest_of_many_open_days_can_still_be_closed() -> None:
    days = TableDays()
    all_days = [FIRST + timedelta(number) for number in range(IN_FULL + 3)]
    for day in all_days:
        read(days, day, "table-opened")
    assert len(days.open) == IN_FULL
    assert list(days.open_before(TABLE, all_days[-1])) == all_days[:-1]
    read(days, all_days[1], "day-closed")
    assert list(days.open_before(TABLE, all_days[3])) == [all_days[0], all_days[2]]
    assert days.is_known(TABLE, all_days[0])


def test_ranges_have_exactly_the_added_days() -> None:
    dice = Random(14)
    for _ in range(50):
        ranges: list[tuple[int, int]] = []
        held: set[int] = set()
        for _ in range(80):
            number = dice.randint(1, 30)
            if dice.random() < 0.7:
                table_days.add(ranges, number)
                held.add(number)
            else:
                table_days.remove(ranges, number)
                held.discard(number)
            assert {candidate for candidate in range(40) if table_days.within(ranges, candidate)} == held
            assert ranges == sorted(ranges)
            assert all(last + 1 < first for (_, last), (first, _) in pairwise(ranges))


def test_the_state_of_days_that_are_never_closed_is_bounded() -> None:
    days = {f"{TABLE}/{FIRST + timedelta(number)}": number for number in range(5)} | {
        f"aurora/HS-01/{FIRST}": 0
    }
    table_days.keep_latest(days, f"{TABLE}/{FIRST}", 2)
    assert days == {
        f"{TABLE}/{FIRST + timedelta(3)}": 3,
        f"{TABLE}/{FIRST + timedelta(4)}": 4,
        f"aurora/HS-01/{FIRST}": 0,
    }

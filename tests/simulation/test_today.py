"""A gaming day of the sample property that is still open. Its trays and serials continue from the
sample's last day. Nothing in it is wrong or overdue.
"""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.management.base import CommandError
from django.utils import timezone

from audit.findings import examine, read
from audit.models import Fact
from casino.exports import schedules
from casino.exports.archive import orders as kept
from casino.floor import services as floor
from casino.floor.pit_map import pit_maps
from casino.floor.tables import pits_of, rows_of
from casino.management.commands.demo import (
    ADJUSTED_DAY,
    SCHEDULE_NAME,
    SPARE_TABLE,
    Command,
    add_spare_table,
    closed_message,
    order_reports,
    post,
    set_up_floor,
    validated,
)
from casino.reference import calendar, chip_sets, projection
from casino.reference.demo_users import create_demo_users
from casino.reference.entries import Entry
from casino.reference.par_levels import par_of
from casino.reference.recording import set_registers
from casino.reference.registers import threshold, values_on
from casino.sample.month.days import ADJUSTED, DAYS
from casino.sample.month.registers import month_registers
from casino.sample.month.sample_property import DAY, FLOOR, PROPERTY, sample_house
from casino.sample.month.today import OPEN, PULLED, sample_today
from tests.conftest import House
from tests.counts import LONG
from tests.simulation.replaying import findings

LATER = DAY + timedelta(days=5)


def test_open_tables_of_the_next_day_have_no_finding() -> None:
    before, facts = sample_house(1), sample_today(LATER)
    found_by_id = {finding.id: finding for finding in findings(before + facts)}
    for known in findings(before):
        del found_by_id[known.id]
    assert {finding.grade for finding in found_by_id.values()} <= {"notice"}
    assert {finding.code for finding in found_by_id.values()} <= {"tie-unregulated"}


def test_openers_equal_the_last_closers_and_serials_continue() -> None:
    before, facts = sample_house(1), sample_today(LATER)
    closers = {fact["table"]: fact["amount"] for fact in before if fact["kind"] == "closer-counted"}
    openers = {fact["table"]: fact["amount"] for fact in facts if fact["kind"] == "opener-counted"}
    assert len(openers) == 4
    assert openers == {table: closers[table] for table in openers}
    last = {
        fact["slip"].rpartition("-")[0]: int(fact["slip"][-6:])
        for fact in before
        if "slip" in fact and fact["kind"] != "marker-paid"
    }
    for fact in facts:
        if "slip" in fact:
            series, _, number = fact["slip"].rpartition("-")
            assert int(number) == last.get(series, int(number) - 1) + 1


def test_the_tables_are_open_and_one_box_waits_for_its_count() -> None:
    facts = sample_today(LATER)
    assert {fact["table"].partition("/")[2] for fact in facts} == set(OPEN)
    assert {fact["kind"] for fact in facts} & {
        "table-closed",
        "day-closed",
        "drop-counted",
        "closer-counted",
    } == set()
    assert [fact["table"] for fact in facts if fact["kind"] == "box-pulled"] == [f"aurora/{PULLED}"]


@pytest.mark.parametrize("day", [DAY, date(2026, 11, 1)])
def test_no_day_of_the_month_begins_again(day: date) -> None:
    with pytest.raises(ValueError, match="is not after"):
        sample_today(day)


def test_until_the_sample_day_ends_the_demo_says_why_tables_are_closed(
    house: House,
) -> None:
    set_registers(
        "aurora",
        [Entry("day-begins", "*", {"time": "06:00", "zone": "America/Los_Angeles"})],
        by="m-101",
        second="m-102",
    )
    over = datetime(2026, 11, 28, 14, tzinfo=UTC)
    says = closed_message(over - timedelta(seconds=1))
    assert "closed on the current gaming day, 2026-11-27; EOU-05 can be opened." in says
    assert "The next gaming day begins on 2026-11-28 at 06:00 local time (2026-11-28 14:00 UTC)" in says
    assert "\n" not in says
    assert "The next gaming day begins on 2026-11-28 at 06:00" in closed_message(over - timedelta(days=20))
    assert closed_message(over) == ""


@pytest.mark.parametrize("day", [date(2025, 3, 3), *((date(2026, 2, 1), DAYS[3]) if LONG else ()), DAY])
def test_a_table_that_the_sample_never_opens_can_be_opened_on_its_own_days_and_before_them(
    house: House, day: date
) -> None:
    post(validated(month_registers(DAYS[0], 1)))
    projection.sync_registers(PROPERTY)
    create_demo_users(PROPERTY)
    as_they_were = calendar.bounds(PROPERTY, DAY)
    add_spare_table(day)
    facts = Fact.objects.count()
    add_spare_table(day)
    assert Fact.objects.count() == facts
    assert par_of(values_on(PROPERTY, "tables", day)[SPARE_TABLE]) != {}
    assert SPARE_TABLE not in {code for code, *_ in FLOOR}
    opening = floor.opening_of(PROPERTY, SPARE_TABLE, day, None)
    assert opening is not None
    assert (opening.of_register, opening.settings["game"]) == (True, "easy_over_under")
    begins = calendar.bounds(PROPERTY, day).begins.astimezone(calendar.zone(PROPERTY, day))
    assert (begins.hour, list(calendar.shifts(PROPERTY, day))) == (6, ["day", "swing", "grave"])
    assert chip_sets.chips(PROPERTY, "USD", day) == chip_sets.chips(PROPERTY, "USD", DAY) != ()
    assert calendar.bounds(PROPERTY, DAY) == as_they_were


def test_the_demo_has_a_table_to_open_on_the_present_day_whether_the_sample_is_open_or_not(
    house: House,
) -> None:
    post(validated(month_registers(DAYS[0], 1)))
    projection.sync_registers(PROPERTY)
    create_demo_users(PROPERTY)
    for _ in range(2):
        Command().open_tables()
    today = calendar.gaming_day(PROPERTY)
    (row,) = [row for row in rows_of(PROPERTY, today) if row.code == SPARE_TABLE]
    assert (row.state, row.pit, row.game) == ("closed", "pit-1", "easy_over_under")
    assert floor.opening_of(PROPERTY, SPARE_TABLE, today, None) is not None


def test_the_floor_has_maps_par_levels_and_breaks_and_keeps_changed_entries(
    house: House,
) -> None:
    post(validated(month_registers(DAYS[0], 1)))
    projection.sync_registers(PROPERTY)
    create_demo_users(PROPERTY)
    post(validated(sample_today(LATER)))
    examine.examine()
    before = {finding.id for finding, _ in read.findings()}
    set_up_floor(LATER)
    examine.examine()
    assert {finding.id for finding, _ in read.findings()} == before
    rows = rows_of(PROPERTY, LATER)
    maps = pit_maps(PROPERTY, LATER, list(pits_of(PROPERTY, LATER, rows)), timezone.now(), with_money=False)
    places = [None if place is None else place.tile.row.code for pit in maps for place in pit.places]
    assert places[:8] == ["EOU-01", "EOU-02", "EOU-03", "EOU-04", "COU-01", None, None, "HS-01"]
    shown = [place for pit in maps for place in pit.places if place is not None]
    trays = {place.tile.row.code: place.tray for place in shown if place.tray is not None}
    assert set(trays) == set(OPEN) - {"AB-01", "BTP-01"}
    assert trays["COU-01"].is_low
    assert all(place.dealer_time.until_break is not None for place in shown if place.dealer_time is not None)
    assert values_on(PROPERTY, "pits", DAY)["pit-1"] == {"title": "Over and Under"}, "the month has no map"
    changed = Entry("thresholds", "dealer-break", {"minutes": 60})
    set_registers(PROPERTY, [changed], by="m-101", second="m-102")
    facts = Fact.objects.count()
    set_up_floor(LATER + timedelta(days=1))
    assert Fact.objects.count() == facts
    assert threshold(PROPERTY, "dealer-break", LATER).whole("minutes") == 60


def test_an_installation_with_an_earlier_sample_is_left_unchanged_with_a_message(
    house: House,
) -> None:
    facts = sample_today(LATER)[:2]
    assert [receipt.fresh for receipt in post(validated(facts))] == [True, True]
    assert [receipt.fresh for receipt in post(validated(facts))] == [
        False,
        False,
    ], "the same sample goes on with the same house"
    facts[1] = {**facts[1], "at": facts[0]["at"]}
    with pytest.raises(
        CommandError, match="has the sample of an earlier version, and recorded facts never change"
    ):
        post(validated(facts))


def test_reports_are_archived_and_scheduled_in_the_demo_once_for_any_later_request(house: House) -> None:
    post(validated(sample_house(1)))
    assert {fact["of_day"] for fact in ADJUSTED.values()} == {ADJUSTED_DAY.isoformat()}
    for _ in range(2):
        order_reports(DAYS)
        ordered = kept.orders([PROPERTY])
        assert [
            (order.what.books, order.what.format, order.asked_by or order.schedule) for order in ordered
        ] == [
            ("closed", "csv", SCHEDULE_NAME),
            ("restated", "csv", "a-101"),
            ("closed", "csv", "a-101"),
            ("", "xlsx", "a-101"),
        ]
        (schedule,) = schedules.all_schedules()
        assert (schedule.schedule, schedule.report, schedule.of, schedule.books) == (
            SCHEDULE_NAME,
            "hold",
            "day",
            "closed",
        )
    assert schedules.order_due(schedule, datetime(2026, 11, 28, 14, tzinfo=UTC)) == [], (
        "its tables are not closed"
    )
    assert ordered[0].period == str(DAYS[-1])

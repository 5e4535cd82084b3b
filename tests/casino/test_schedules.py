"""Tests of schedules. When a shift, a day or a month has ended, its report is ordered exactly once. This
holds if the request for due reports is repeated, if several processes send it, and if the clock changes for
daylight saving time.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from threading import Thread
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_celery_beat.models import CrontabSchedule, PeriodicTask

from audit.queries.span import Span
from casino.celery import app
from casino.exports import schedules
from casino.exports.archive import orders as kept
from casino.exports.schedules import Schedule, order_due
from casino.exports.single_beat import SingleBeatScheduler
from casino.reference.entries import Entry
from casino.reference.recording import set_registers
from casino.reports import catalog, limits
from casino.tasks import order_reports
from tests.casino.conftest import Cast
from tests.casino.test_kept import content, rebuild_message, rebuilt_same, work
from tests.casino.test_reports import felt, live, record
from tests.casino.test_restated import by_shifts

HOLD = Schedule("hold of the day", "aurora", "hold", ("table",), "csv", "day")
MORNING = datetime(2026, 11, 28, 14, 30, tzinfo=UTC)
"""06:30 local time: the gaming day of 27 November ended half an hour ago."""


def ordered(of: Schedule = HOLD) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT period FROM report_order WHERE schedule = %s ORDER BY begins, id", [of.schedule]
        )
        return [row[0] for row in cursor.fetchall()]


@pytest.fixture
def vegas(house: Any) -> None:
    """Register that gaming days begin at six in the time zone of Las Vegas, and have three shifts."""
    entries = [Entry("day-begins", "*", {"time": "06:00", "zone": "America/Los_Angeles"})]
    entries += [
        Entry("shifts", name, {"begins": begins})
        for name, begins in (("day", "06:00"), ("swing", "14:00"), ("grave", "22:00"))
    ]
    set_registers("aurora", entries, by="m-101", second="m-102")


def test_a_gaming_day_is_ordered_once_after_its_end(vegas: None) -> None:
    record(felt(1000, 100))
    assert order_due(HOLD, MORNING - timedelta(minutes=31)) != []
    assert ordered() == ["2026-11-26"], "a schedule begins with what has just ended"
    for _ in range(3):
        order_due(HOLD, MORNING)
    assert ordered() == ["2026-11-26", "2026-11-27"]
    work()
    report = kept.orders(["aurora"])[0]
    assert (report.what.begins, report.what.ends, report.state, report.schedule) == (
        date(2026, 11, 27),
        date(2026, 11, 28),
        "done",
        HOLD.schedule,
    )


def test_days_without_a_running_beat_are_ordered_afterwards(vegas: None) -> None:
    order_due(HOLD, MORNING - timedelta(days=3))
    order_due(HOLD, MORNING)
    assert ordered() == ["2026-11-24", "2026-11-25", "2026-11-26", "2026-11-27"]


@pytest.mark.parametrize("day", [date(2026, 3, 7), date(2026, 10, 31)])
def test_each_day_and_shift_is_ordered_once_across_a_clock_change(vegas: None, day: date) -> None:
    by_shift = HOLD._replace(schedule="hold of the shift", of="shift", by=("table", "shift"))
    asking_from = datetime(day.year, day.month, day.day, 18, tzinfo=UTC)
    for asking in range(0, 3 * 24 * 60 + 1, 540):
        for of in (HOLD, by_shift):
            order_due(of, asking_from + timedelta(minutes=asking))
    days = [day + timedelta(days=number) for number in (-1, 0, 1, 2)]
    assert ordered() == [str(day) for day in days]
    shifts = [f"{day} {name}" for day in days for name in ("day", "swing", "grave")]
    assert ordered(by_shift) == shifts[2:]


def test_the_report_of_a_shift_has_only_that_shift(vegas: None) -> None:
    """Test reports of shifts. One table wins 100 in the day shift, 200 in swing and 400 in grave. Each report
    has only the win of its own shift.
    """
    wins = {"day": (1000, 100), "swing": (2000, 200), "grave": (4000, 400)}
    record(by_shifts("2026-11-27", 100_000, wins))
    by_shift = HOLD._replace(schedule="hold of the shift", of="shift", format="json")
    order_due(by_shift, MORNING - timedelta(days=1))
    order_due(HOLD._replace(format="json"), MORNING)
    order_due(by_shift, MORNING)
    work()
    orders_by_name = {
        order.period: order for order in kept.orders(["aurora"]) if order.period.startswith("2026-11-27")
    }
    assert set(orders_by_name) == {"2026-11-27", "2026-11-27 day", "2026-11-27 swing", "2026-11-27 grave"}
    for shift, (dropped, won) in wins.items():
        order = orders_by_name[f"2026-11-27 {shift}"]
        file = json.loads(content(order.id))
        assert [(row["shift"], row["win"], row["denominator"]) for row in file["rows"]] == [
            (shift, f"{won / 100:.2f}", f"{dropped / 100:.2f}")
        ]
        assert [row["win"] for row in file["totals"]] == [f"{won / 100:.2f}"], "a total is of the shift too"
        assert kept.superseded_by(order, kept.other_versions(order)) is None, (
            "the next shift's is no later reading of it"
        )
        assert rebuilt_same(order.id), rebuild_message(order.id)
    assert [row["win"] for row in json.loads(content(orders_by_name["2026-11-27"].id))["rows"]] == ["7.00"]


def test_a_report_of_one_shift_equals_its_rows_among_all_shifts(vegas: None) -> None:
    record(
        by_shifts("2026-11-27", 100_000, {"day": (1000, 100), "swing": (2000, 200), "grave": (4000, 400)}),
        live(500, 50),
    )
    span = Span(date(2026, 11, 27), date(2026, 11, 28), "aurora")
    for name in filter(catalog.knows_shifts, catalog.names()):
        report = catalog.report(name)
        if name == "voids":  # it has no rows without a void, but its totals count their rounds
            continue
        swing_rows = [tuple(row[1:]) for row in report.sheet(span, ("shift",)).rows if row[0] == "swing"]
        for by in (("table",), ("shift", "table"), ("shift",)):
            sheet = limits.sheet(report, span, by, {"shift": "swing"})
            all_shifts = report.sheet(span, by if "shift" in by else (*by, "shift"))
            place = [column.key for column in all_shifts.columns].index("shift")
            assert sheet.columns == all_shifts.columns, name
            assert list(sheet.rows) == [row for row in all_shifts.rows if row[place] == "swing"], name
            named = 1 if by == ("shift",) else 2
            assert [tuple(row[named:]) for row in sheet.totals] == swing_rows, name
            assert all(row[:named] == ("total", "")[:named] for row in sheet.totals), name
    assert "hold" in filter(catalog.knows_shifts, catalog.names())
    assert not catalog.knows_shifts("journal")


def test_a_month_is_ordered_when_its_last_gaming_day_has_ended(vegas: None) -> None:
    month = HOLD._replace(schedule="hold of the month", of="month")
    order_due(month, datetime(2026, 11, 1, 13, 59, tzinfo=UTC))
    assert ordered(month) == ["2026-09"], "the 31st of October lasts until six, and the clock went back"
    order_due(month, datetime(2026, 11, 1, 14, 0, tzinfo=UTC))
    assert ordered(month) == ["2026-09", "2026-10"]


def test_an_empty_property_has_nothing_to_order(vegas: None) -> None:
    assert order_due(HOLD._replace(property="borealis"), MORNING) == []


def scheduled(schedule: Schedule = HOLD) -> PeriodicTask:
    return PeriodicTask.objects.create(
        name=schedule.schedule,
        task=schedules.TASK,
        kwargs=schedule.to_json(),
        crontab=CrontabSchedule.objects.get(minute="*/10"),
        last_run_at=datetime(2026, 11, 27, tzinfo=UTC),
    )


def schedule_form(**changes: Any) -> dict[str, Any]:
    """Return the fields of the form of a schedule, with these changes."""
    fields = {
        "name": "nightly",
        "property": "aurora",
        "report": "hold",
        "by": "table",
        "of": "day",
        "books": "",
        "format": "csv",
        "crontab": CrontabSchedule.objects.get(minute="5").pk,
        "enabled": "on",
    }
    return fields | changes


def test_one_of_two_beats_sends_due_tasks_and_a_restart_repeats_none(
    vegas: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.conf, "task_always_eager", True)
    monkeypatch.setitem(app.conf, "broker_url", "memory://")
    record(felt(1000, 100))
    scheduled()
    first = SingleBeatScheduler(app=app)
    ticks: list[float] = []

    def another() -> None:
        second = SingleBeatScheduler(app=app)
        ticks.extend(second.tick() for _ in range(2))
        second.holding.close()
        connection.close()

    for _ in range(5):
        first.tick()
    orders_once = ordered()
    assert len(orders_once) == 1
    other = Thread(target=another)
    other.start()
    other.join(300)
    assert ticks == [1.0, 1.0], "it waits for the lock"
    first.holding.close()
    PeriodicTask.objects.filter(name=HOLD.schedule).update(
        last_run_at=datetime(2026, 11, 27, tzinfo=UTC)
    )  # as if it had been killed before it wrote this
    restarted = SingleBeatScheduler(app=app)
    for _ in range(5):
        restarted.tick()
    restarted.holding.close()
    assert ordered() == orders_once
    assert PeriodicTask.objects.get(name="sweep").enabled


def test_accounting_edits_schedules_in_the_admin_and_beat_reloads_them(cast: Cast) -> None:
    alma, page = cast.browser("Alma"), "/admin/casino/schedule/"
    times = CrontabSchedule.objects.get(minute="5").pk
    form = {
        "name": "Drop of the shift",
        "property": "aurora",
        "report": "table-drop",
        "by": ["table", "shift"],
        "of": "shift",
        "books": "",
        "format": "xlsx",
        "crontab": times,
        "enabled": "on",
    }
    for report, by, says in (
        (
            "table-drop",
            ["table", "colour"],
            "cannot be grouped by colour. Choose from property, table, day, shift.",
        ),
        ("table-drop", ["dealer"], "cannot be grouped by dealer. Choose from property, table, day, shift."),
        ("slips", ["table"], "cannot be grouped by table. This report has no groupings: check none."),
    ):
        refused = alma.post(f"{page}add/", form | {"report": report, "by": by})
        assert says in refused.content.decode()
    assert alma.post(f"{page}add/", form | {"property": "borealis"}).status_code == 200
    for report in ("statistics", "restated"):
        unknown = alma.post(f"{page}add/", form | {"report": report, "by": "table", "books": "closed"})
        assert f"{report} is made from all facts, not from closed books" in unknown.content.decode()
    assert not PeriodicTask.objects.filter(name="Drop of the shift").exists()
    assert alma.post(f"{page}add/", form).status_code == 302
    task = PeriodicTask.objects.get(name="Drop of the shift")
    schedule = Schedule("Drop of the shift", "aurora", "table-drop", ("table", "shift"), "xlsx", "shift")
    assert (task.task, task.kwargs) == (schedules.TASK, schedule.to_json())
    assert alma.post(f"{page}{task.pk}/change/", form | {"format": "csv"}).status_code == 302
    task.refresh_from_db()
    assert (task.enabled, '"format":"csv"' in task.kwargs) == (True, True)
    order_reports(**json.loads(task.kwargs))
    for name, status in (("Igor", 200), ("Mia", 200), ("Dana", 403), ("Boris", 403), ("Eve", 403)):
        assert cast.browser(name).get(page).status_code == status, name
    assert "Drop of the shift" in cast.browser("Igor").get(page).content.decode()
    assert cast.browser("Igor").get(f"{page}add/").status_code == 403
    assert cast.browser("Igor").post(f"{page}{task.pk}/change/", form).status_code == 403
    assert alma.get("/admin/django_celery_beat/periodictask/").status_code == 404


def test_beat_does_not_overwrite_a_schedule_that_is_being_edited(vegas: None) -> None:
    """Test a schedule that is edited after beat, the scheduler, has read its row and before it writes the
    row.
    """
    schedules.create(HOLD)
    beat = SingleBeatScheduler(app=app)
    entry = beat.reserve(beat.schedule[HOLD.schedule])
    PeriodicTask.objects.filter(name=HOLD.schedule).update(
        kwargs=HOLD._replace(format="xlsx").to_json(), enabled=False
    )
    with CaptureQueriesContext(connection) as queries:
        entry.save()
    beat.holding.close()
    (written,) = [query["sql"] for query in queries.captured_queries if query["sql"].startswith("UPDATE")]
    assert "kwargs" not in written, "it may have been edited since it was read"
    task = PeriodicTask.objects.get(name=HOLD.schedule)
    assert (task.enabled, '"format":"xlsx"' in task.kwargs, task.total_run_count) == (False, True, 1)


def test_users_who_may_only_read_see_a_schedule_and_its_history(cast: Cast) -> None:
    alma, page = cast.browser("Alma"), "/admin/casino/schedule/"
    form = schedule_form(name="Hold of the day")
    assert alma.post(f"{page}add/", form).status_code == 302
    assert "This name is taken" in alma.post(f"{page}add/", form).content.decode()
    task_id = PeriodicTask.objects.get(name="Hold of the day").pk
    assert (
        alma.post(f"{page}{task_id}/change/", form | {"format": "xlsx", "by": ["table", "shift"]}).status_code
        == 302
    )
    for name in ("Igor", "Rhea", "Mia"):
        change_page = cast.browser(name).get(f"{page}{task_id}/change/")
        assert change_page.status_code == 200, name
        assert "Hold by table, shift, as XLSX" in change_page.content.decode()
        assert 'name="_save"' not in change_page.content.decode()
        history = cast.browser(name).get(f"{page}{task_id}/history/").content.decode()
        assert "a-101" in history, name
        assert (
            "Grouped by (table → table, shift) and Format (csv → xlsx)" in history
            or "Format (csv → xlsx) and Grouped by (table → table, shift)" in history
        )


def test_schedules_of_another_property_cannot_be_changed(cast: Cast) -> None:
    """Test a user with different roles at two properties. Alma is in accounting at aurora. At borealis she is
    an administrator, who may read schedules and not change them.
    """
    record(felt(1000, 100, "borealis/T1"))
    set_registers(
        "borealis", [Entry("people", "a-101", {"role": "administrator"})], by="m-101", second="m-102"
    )
    schedules.create(HOLD._replace(schedule="theirs", property="borealis"))
    task, alma = PeriodicTask.objects.get(name="theirs"), cast.browser("Alma")
    form = {
        "name": "theirs",
        "property": "aurora",
        "report": "hold",
        "by": "",
        "of": "day",
        "books": "",
        "format": "csv",
        "crontab": task.crontab_id,
        "enabled": "on",
    }
    page = f"/admin/casino/schedule/{task.pk}/change/"
    assert (alma.get(page).status_code, alma.post(page, form).status_code) == (200, 403)
    assert '"property":"borealis"' in PeriodicTask.objects.get(name="theirs").kwargs

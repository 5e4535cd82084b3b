"""Tests of schedules of closed and restated books. Such a schedule waits until the tables of a period are
closed, and has no document for a period without tables.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from django_celery_beat.models import PeriodicTask

from audit.queries.span import CLOSED, RESTATED
from casino.exports import schedules
from casino.exports.schedules import Schedule, order_due
from casino.presentation.formatting import dates_in_words
from casino.reference import calendar
from tests.casino import pages
from tests.casino.conftest import Cast
from tests.casino.test_kept import late
from tests.casino.test_reports import at, felt, record
from tests.casino.test_schedules import HOLD, MORNING, ordered, vegas

__all__ = ["vegas"]


@pytest.mark.parametrize(
    "closed",
    [
        HOLD._replace(books=CLOSED),
        HOLD._replace(books=RESTATED),
        HOLD._replace(report="journal", by=("day",)),
        HOLD._replace(report="restated"),
    ],
)
def test_the_books_of_a_day_are_ordered_when_all_its_tables_are_closed(vegas: None, closed: Schedule) -> None:
    """Test that a report of closed or restated books is ordered only when all tables of the day are closed.
    Before that these books are empty. The journal and the report `restated` always read closed days, even if
    the schedule names other books.
    """
    record(felt(1000, 100), felt(500, 50, "aurora/T2"))
    record([late("day-closed", by="a-1")])
    assert order_due(closed, MORNING) == []
    record([at(table="aurora/T2")("day-closed", by="a-1")])
    assert len(order_due(closed, MORNING)) == 1
    assert order_due(closed, MORNING) == []


@pytest.mark.parametrize("of", ["day", pytest.param("shift", marks=pytest.mark.long)])
def test_days_that_close_late_are_ordered_when_they_close(vegas: None, of: str) -> None:
    """Test days that are closed late and not in their order. The last of them is closed three months after
    the others.
    """
    days = [f"2026-11-{day}" for day in (24, 25, 26, 27)]
    record(*(felt(1000, 100, day=day) for day in days))
    closed = HOLD._replace(books=CLOSED, of=of)

    def close(day: str) -> None:
        record([at(table="aurora/T1", day=day)("day-closed", by="a-1")])

    def of_days() -> list[str]:
        return sorted({period[:10] for period in ordered(closed)})

    assert order_due(closed, MORNING) == []
    for day, days_later in (("2026-11-24", 0), ("2026-11-25", 3), ("2026-11-27", 4), ("2026-11-26", 100)):
        close(day)
        order_due(closed, MORNING + timedelta(days=days_later))
        order_due(closed, MORNING + timedelta(days=days_later))
        assert day in of_days()
    assert len(ordered(closed)) == len(set(ordered(closed)))


@pytest.mark.parametrize(
    ("of", "logged"),
    [
        (HOLD._replace(books=CLOSED), "no tables on this day"),
        (HOLD._replace(report="journal", by=("day",)), "no tables on this day"),
        (HOLD._replace(books=CLOSED, of="shift"), "no tables on this day"),
        (HOLD._replace(books=CLOSED, of="month"), "no tables in this month"),
    ],
)
def test_a_period_without_tables_has_no_document(
    vegas: None, of: Schedule, logged: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Test a day, a shift and a month without tables after a closed one. The run says so, and orders the
    period when facts of a table arrive late and are closed. An open day is not named.
    """
    record(felt(1000, 100, day="2026-11-24"))
    record([at(table="aurora/T1", day="2026-11-24")("day-closed", by="a-1")])
    order_due(of, datetime(2026, 12, 1, 14, 30, tzinfo=UTC))
    first = ordered(of)
    assert first
    caplog.clear()
    with caplog.at_level("INFO", "casino.schedules"):
        assert order_due(of, datetime(2027, 1, 2, 14, 30, tzinfo=UTC)) == []
    records = [record for record in caplog.records if record.name == "casino.schedules"]
    periods = {record.fields["period"][:10] for record in records}  # type: ignore[attr-defined]
    assert {record.getMessage() for record in records} == {logged}
    assert ("2026-12" if of.of == "month" else "2026-12-15") in periods
    assert not {name[:10] for name in first} & periods
    record(felt(1000, 100, day="2026-12-15"))
    caplog.clear()
    with caplog.at_level("INFO", "casino.schedules"):
        assert order_due(of, datetime(2027, 1, 2, 14, 30, tzinfo=UTC)) == [], "an open day waits"
    assert "2026-12-15" not in caplog.text
    record([at(table="aurora/T1", day="2026-12-15")("day-closed", by="a-1")])
    assert order_due(of, datetime(2027, 1, 2, 14, 30, tzinfo=UTC)) != []


def test_a_day_without_tables_has_a_document_if_its_report_has_rows(vegas: None) -> None:
    to_date = HOLD._replace(report="hold-to-date", books=CLOSED)
    record(felt(1000, 100, day="2026-11-26"))
    record([at(table="aurora/T1", day="2026-11-26")("day-closed", by="a-1")])
    order_due(to_date, MORNING - timedelta(days=1))
    order_due(to_date, MORNING)
    assert ordered(to_date) == ["2026-11-26", "2026-11-27"]


def test_the_page_of_a_schedule_names_the_days_without_tables(cast: Cast, vegas: None) -> None:
    """Test a schedule whose first day was ten gaming days ago. The tables of one later day are open, and two
    others have a document.
    """
    schedule = HOLD._replace(books=CLOSED)
    schedules.create(schedule)
    today = calendar.gaming_day("aurora", timezone.now())
    days = [today - timedelta(days=number) for number in (10, 5, 4)]
    for day in days:
        record(felt(1000, 100, day=day.isoformat()))
    for day in days[:2]:
        record([at(table="aurora/T1", day=day.isoformat())("day-closed", by="a-1")])
        order_due(schedule, timezone.now() - timedelta(days=(today - day).days - 1))
    page = f"/admin/casino/schedule/{PeriodicTask.objects.get(name=schedule.schedule).pk}/change/"
    names = [today - timedelta(days=number) for number in (1, 2, 3, 6, 7, 8, 9)]
    for name in ("Alma", "Igor"):
        text = pages.text(cast.browser(name).get(page))
        assert f"No tables: {', '.join(dates_in_words(str(period)) for period in names)}" in text, name
    assert cast.browser("Dana").get(page).status_code == 403
    PeriodicTask.objects.filter(name=schedule.schedule).update(kwargs=HOLD.to_json())
    assert "No tables" not in pages.text(cast.browser("Alma").get(page)), "as played, each day has a document"

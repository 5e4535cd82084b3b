"""A schedule orders a report once for each shift, gaming day or month that has ended.

Celery beat runs a schedule at its times, in UTC. The periods depend on the property's own calendar and not on
the time of the run. So a day of 23 or 25 hours is ordered once, even if two beat processes run, or if one is
late or was down. A period that ended in the meantime is ordered by the next run. Closed and restated books
contain only closed days. A schedule for them therefore orders a period only when all its tables are closed.
A period without tables is ordered only if its report has rows. Otherwise the run logs that the period has no
tables, and the next run looks again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from itertools import islice, pairwise
from typing import Any, NamedTuple

from django.utils import timezone
from django_celery_beat.models import PeriodicTask
from msgspec import json

from audit import database
from audit.queries import closed_books
from audit.queries.span import BOOKS, Span
from casino import models
from casino.exports.archive import orders
from casino.exports.archive.orders import ExportSpec
from casino.reference import calendar
from casino.reports import catalog, limits

TASK = "casino.order_reports"
PERIODS = ("shift", "day", "month")
LOOK_BACK_DAYS = {"shift": 7, "day": 35, "month": 400}
"""{type of period: maximum age in gaming days}. A schedule that has not ordered anything yet orders only
ended periods up to this age.
"""
MAX_LOOK_BACK_DAYS = 400
"""After its first order, a schedule looks back at most this many gaming days for periods that it has not
ordered yet. It never orders an older period, even if a day of that period is closed only now.
"""
NO_TABLES = {
    "shift": "no tables on this day",
    "day": "no tables on this day",
    "month": "no tables in this month",
}
"""What the run of a schedule logs about a period that has no tables and no document."""
_log = logging.getLogger("casino.schedules")


class Period(NamedTuple):
    """A shift, a gaming day or a month. `ends` is the first gaming day after the period. `shift` is the name
    of the shift, or empty for a day or a month.
    """

    name: str
    begins: date
    ends: date
    shift: str = ""


class Schedule(NamedTuple):
    """The settings of a schedule. `schedule` is its name. The name of a schedule and the name of a period
    identify an order, so a schedule orders a report only once for each period.

    Attributes:
        deliver_to: the names of the places to which its exports are delivered. None: all configured places
            of the property.
    """

    schedule: str
    property: str
    report: str
    by: tuple[str, ...]
    format: str
    of: str
    books: str = ""
    deliver_to: tuple[str, ...] | None = None

    def to_json(self) -> str:
        """Return the schedule in the form that Celery beat stores. Equal schedules give equal bytes."""
        fields = {name: value for name, value in self._asdict().items() if value is not None}
        return json.encode(fields, order="sorted").decode()

    def spec(self, period: Period) -> ExportSpec:
        """Return the specification of the export for a period. The export for a shift contains only what
        happened in that shift. If a report cannot be limited to a shift, it covers the day up to the end of
        the shift.
        """
        filters = (("shift", period.shift),) if period.shift and catalog.knows_shifts(self.report) else ()
        return ExportSpec(
            self.property, self.report, period.begins, period.ends, self.by, self.format, self.books, filters
        )


def read(settings: dict[str, Any]) -> Schedule:
    """Return the schedule from the arguments that Celery beat stores."""
    lists = {name: tuple(settings[name]) for name in ("by", "deliver_to") if name in settings}
    fields: dict[str, Any] = settings | lists
    return Schedule(**fields)


def named(name: str) -> Schedule | None:
    """Return the schedule with this name, or None if Celery beat has no such schedule."""
    row = models.Schedule.objects.filter(task=TASK, name=name).first()
    return None if row is None else read(json.decode(row.kwargs))


def all_schedules() -> list[Schedule]:
    """Return all schedules in Celery beat, by name."""
    return [
        read(json.decode(row.kwargs)) for row in models.Schedule.objects.filter(task=TASK).order_by("name")
    ]


def create(of: Schedule) -> None:
    """Create a schedule in Celery beat that runs every ten minutes. It can be changed in the admin."""
    interval, _ = models.Asking.objects.get_or_create(
        minute="*/10", hour="*", day_of_week="*", day_of_month="*", month_of_year="*", timezone="UTC"
    )
    models.Schedule.objects.create(name=of.schedule, task=TASK, kwargs=of.to_json(), crontab=interval)


def record_run(id: int, at: datetime | None, times: int) -> None:
    """Record when beat last ran a task, and how often. Update no other column, because the others may be
    edited in the admin meanwhile.
    """
    PeriodicTask.objects.filter(pk=id).update(last_run_at=at, total_run_count=times)


def order_due(of: Schedule, instant: datetime | None = None) -> list[int]:
    """Order every period that has ended and that this schedule has not ordered yet. Return the numbers of the
    new orders. If no other period has ended since the last call, order nothing.
    """
    if not orders.has_ledger(of.property):
        return []
    ordered = _ordered(of)
    ended = _since_it_began(list(periods(of.property, of.of, instant or timezone.now(), ordered)), ordered)
    due = (
        period for period in ended if period.name not in ordered and _has_document(of, period, bool(ordered))
    )
    export_ids = []
    for period in due if ordered else islice(due, 1):
        id = orders.order(of.spec(period), "", of.schedule, period.name)
        export_ids += [id] if id is not None else []
    return export_ids


def not_ordered(of: Schedule, instant: datetime) -> list[tuple[Period, bool]]:
    """Return the ended periods that this schedule has not ordered yet and that have a document, the earliest
    first. A period has True if the schedule waits until its tables are closed. Periods older than
    LOOK_BACK_DAYS are left out. If the schedule has not ordered anything yet, return only the latest period.
    """
    since = calendar.gaming_day(of.property, instant) - timedelta(days=LOOK_BACK_DAYS[of.of])
    ordered, has_earlier = _ordered_since(of, since)
    if has_earlier:  # the search then begins at `since`
        ordered[""] = since
    ended = _since_it_began(list(periods(of.property, of.of, instant, ordered)), ordered)
    waiting = [period for period in ended if period.begins >= since and period.name not in ordered]
    if _waits(of) and waiting:
        begins, ends = min(period.begins for period in waiting), max(period.ends for period in waiting)
        states = list(closed_books.states(of.property, begins, ends))
        pairs = [
            (period, [state for state in states if period.begins <= state.day < period.ends])
            for period in waiting
        ]
        result = [
            (period, any(state.tables_open for state in within))
            for period, within in pairs
            if any(state.tables_open or state.tables_closed for state in within)
        ]
    else:
        result = [(period, False) for period in waiting]
    return result if ordered else result[:1]


def _ordered_since(of: Schedule, since: date) -> tuple[dict[str, date], bool]:
    """Return the periods from this day on that the schedule has ordered, with their first days. Also return
    True if it has ordered any earlier period.
    """
    condition = "FROM report_order WHERE property = %s AND schedule = %s AND begins"
    values = [of.property, of.schedule, since]
    ordered = dict(database.rows(f"SELECT period, begins {condition} >= %s", values))
    return ordered, bool(database.rows(f"SELECT {condition} < %s LIMIT 1", values))


def current_period(of: Schedule, instant: datetime) -> Period:
    """Return the period that has begun and has not ended at this time."""
    day = calendar.gaming_day(of.property, instant)
    if of.of == "month":
        begins = day.replace(day=1)
        return Period(f"{begins:%Y-%m}", begins, (begins + timedelta(days=31)).replace(day=1))
    started = [name for name, at in calendar.shifts(of.property, day).items() if at <= instant]
    shift = started[-1] if of.of == "shift" and started else ""
    return Period(f"{day} {shift}" if shift else f"{day}", day, day + timedelta(days=1), shift)


def without_tables(of: Schedule, instant: datetime | None = None) -> list[str]:
    """Return the ended periods that have no document because they have no tables, the latest first. Periods
    before the first order, or older than LOOK_BACK_DAYS, are left out.
    """
    instant = instant or timezone.now()
    if not _waits(of) or not (ordered := _ordered(of)):
        return []
    since = calendar.gaming_day(of.property, instant) - timedelta(days=LOOK_BACK_DAYS[of.of])
    ended = _since_it_began(list(periods(of.property, of.of, instant, ordered)), ordered)
    return [
        period.name
        for period in reversed(ended)
        if period.begins >= since
        and period.name not in ordered
        and _is_open(of.property, period) is None
        and not _has_rows(of, period)
    ]


def _waits(of: Schedule) -> bool:
    """Return True if the schedule waits until all tables of a period are closed."""
    return of.books in BOOKS or of.report in catalog.OF_CLOSED_DAYS


def _has_document(of: Schedule, period: Period, has_begun: bool) -> bool:
    """Return True if the report of this ended period can be ordered now. A schedule of closed or restated
    books waits until all tables of the period are closed. It does not begin with a period without tables, and
    later orders one only if its report has rows, such as the hold of the month to date.
    """
    if not _waits(of):
        return True
    is_open = _is_open(of.property, period)
    if is_open is not None or not has_begun:
        return is_open is False
    if _has_rows(of, period):
        return True
    _log.info(NO_TABLES[of.of], extra={"fields": {"schedule": of.schedule, "period": period.name}})
    return False


def _has_rows(of: Schedule, period: Period) -> bool:
    """Return True if the report of this period has a row."""
    span = Span(period.begins, period.ends, of.property, of.books)
    filters = dict(of.spec(period).filters)
    return any(True for _ in limits.sheet(catalog.report(of.report), span, of.by, filters).rows)


def _since_it_began(ended: list[Period], ordered: dict[str, date]) -> list[Period]:
    """Return the ended periods, beginning with the first one that this schedule has ordered. If it has not
    ordered any period yet, return all ended periods, the latest first.
    """
    if not ordered:
        return ended[::-1]
    first = min(ordered.values())
    since = [period for period in ended if period.begins >= first]
    start = next(
        (place for place, period in enumerate(since) if period.begins == first and period.name in ordered), 0
    )
    return since[start:]


def periods(property: str, of: str, instant: datetime, ordered: Mapping[str, date]) -> Iterator[Period]:
    """Yield the periods that have ended by `instant` and are not ordered yet, the earliest first.

    A day may stay open for months until a variance is settled. So the search for periods begins with the
    first day that the schedule has ordered, but goes back at most MAX_LOOK_BACK_DAYS days.
    """
    today = calendar.gaming_day(property, instant)
    first, near = min(ordered.values(), default=None), today - timedelta(days=LOOK_BACK_DAYS[of])
    since = near if first is None else max(first, today - timedelta(days=MAX_LOOK_BACK_DAYS))
    days = [since + timedelta(days=number) for number in range((today - since).days + 1)]
    if of == "month":
        for month, after in pairwise(sorted({day.replace(day=1) for day in days})):
            yield Period(f"{month:%Y-%m}", month, after)
        return
    ordered_days = {day for day in ordered.values() if of == "day" or day < near}
    for day in (day for day in days if day not in ordered_days):
        begins, ends = calendar.bounds(property, day)
        names = list(calendar.shifts(property, day)) if of == "shift" else []
        starts = [*calendar.shifts(property, day).values(), ends] if names else [begins, ends]
        for place, over in enumerate(starts[1:]):
            if over <= instant:
                shift = names[place] if names else ""
                yield Period(f"{day} {shift}" if shift else f"{day}", day, day + timedelta(days=1), shift)


def _ordered(of: Schedule) -> dict[str, date]:
    """Return every period that this schedule has ordered, with the period's first day."""
    query = "SELECT period, begins FROM report_order WHERE property = %s AND schedule = %s"
    return dict(database.rows(query, [of.property, of.schedule]))


def _is_open(property: str, period: Period) -> bool | None:
    """Return True if any table is still open on a day of this period, and False if all tables are closed.
    Return None if the period has no facts of tables.
    """
    query = """SELECT bool_or(NOT sealed) FROM stream WHERE property = %s AND name NOT LIKE %s
        AND right(name, 10) >= %s AND right(name, 10) < %s"""
    days = [period.begins.isoformat(), period.ends.isoformat()]
    ((is_open,),) = database.rows(query, [property, f"{property}/house/%", *days])
    return None if is_open is None else bool(is_open)

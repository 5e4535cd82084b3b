"""What the schedules of a property still owe: exports of periods that have ended, exports whose job failed,
and the next export of each schedule.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import NamedTuple

from msgspec import json

from audit import database
from casino import models
from casino.exports import schedules
from casino.exports.archive.orders import BUILD_JOB
from casino.exports.schedules import LOOK_BACK_DAYS, TASK, Period, Schedule
from casino.reference import calendar

FAILED, OPEN, NOT_RUN, PAUSED, NEXT = "failed", "open", "not run", "paused", "next"
"""Why an export does not exist: its job failed; a table of its period is not closed; the schedule has not run
since the period ended; the schedule is not in force; or its period has not ended yet.
"""
REASONS = {
    FAILED: "run failed",
    OPEN: "day not closed",
    NOT_RUN: "not run yet",
    PAUSED: "schedule paused",
    NEXT: "not due yet",
}


class DueExport(NamedTuple):
    """An export that a schedule still owes.

    Attributes:
        id: the number of the schedule.
        due_at: the time at which the period ended or ends.
        reason: a key of REASONS.
        order: the number of the order, if its job failed.
    """

    id: int
    schedule: Schedule
    period: str
    begins: date
    due_at: datetime
    reason: str
    order: int | None = None

    @property
    def is_late(self) -> bool:
        """Return True if the period of the export has ended."""
        return self.reason != NEXT

    @property
    def day(self) -> str:
        """Return the first gaming day of the period as a parameter of a page."""
        return self.begins.isoformat()

    @property
    def says(self) -> str:
        """Return the reason as pages show it."""
        return REASONS[self.reason]


def due(property: str, instant: datetime) -> list[DueExport]:
    """Return what the schedules of a property still owe: the late exports first, the oldest first, and then
    the next export of each schedule that is in force.

    A period without tables, or older than LOOK_BACK_DAYS, is left out. A schedule that has not ordered
    anything yet owes only its latest period.
    """
    failed = _failed(property)
    exports: list[DueExport] = []
    with calendar.read_once():
        for row in models.Schedule.objects.filter(task=TASK).order_by("name"):
            of = schedules.read(json.decode(row.kwargs))
            if of.property == property:
                exports += _of_schedule(row.pk, of, instant, failed.get(of.schedule, []), is_on=row.enabled)
    return sorted(exports, key=lambda export: (not export.is_late, export.due_at, export.schedule.schedule))


class FailedOrder(NamedTuple):
    """An order of a schedule whose job was set aside. `ends` is the first gaming day after its period."""

    id: int
    schedule: str
    period: str
    begins: date
    ends: date


def _failed(property: str) -> dict[str, list[FailedOrder]]:
    """Return {schedule: its orders whose jobs were set aside}."""
    query = f"""SELECT o.id, o.schedule, o.period, o.begins, o.ends FROM job j
        JOIN report_order o ON o.property = j.property AND j.key = '{BUILD_JOB} ' || o.property || ' ' || o.id
        WHERE j.property = %s AND j.kind = '{BUILD_JOB}' AND j.state = 'set-aside' AND o.schedule <> ''
        ORDER BY o.id"""
    failed: dict[str, list[FailedOrder]] = {}
    for order in database.records(FailedOrder, query, [property]):
        failed.setdefault(order.schedule, []).append(order)
    return failed


def _of_schedule(
    id: int, of: Schedule, instant: datetime, failed: list[FailedOrder], *, is_on: bool
) -> list[DueExport]:
    exports = [
        DueExport(id, of, order.period, order.begins, _end(of, order), FAILED, order.id) for order in failed
    ]
    today = calendar.gaming_day(of.property, instant)
    since = today - timedelta(days=LOOK_BACK_DAYS[of.of])
    for period, is_open in schedules.not_ordered(of, instant):
        if period.begins >= since:
            reason = OPEN if is_open else NOT_RUN if is_on else PAUSED
            exports.append(DueExport(id, of, period.name, period.begins, _ends_at(of, period), reason))
    if is_on:
        period = schedules.current_period(of, instant)
        exports.append(DueExport(id, of, period.name, period.begins, _ends_at(of, period), NEXT))
    return exports


def _ends_at(of: Schedule, period: Period) -> datetime:
    """Return the time at which a period ends."""
    if period.shift:
        starts = list(calendar.shifts(of.property, period.begins).items())
        names = [name for name, _ in starts]
        place = names.index(period.shift) + 1 if period.shift in names else len(names)
        if place < len(starts):
            return starts[place][1]
    return calendar.bounds(of.property, period.ends - timedelta(days=1)).ends


def _end(of: Schedule, order: FailedOrder) -> datetime:
    shift = order.period.partition(" ")[2]
    return _ends_at(of, Period(order.period, order.begins, order.ends, shift))

"""Schedules of reports: proxies of the database tables of django-celery-beat."""

from __future__ import annotations

import re

from django_celery_beat.models import CrontabSchedule, PeriodicTask

from casino.sealing.rows import Sealed


class Schedule(Sealed, PeriodicTask):  # type: ignore[django-manager-missing]
    """A report that is ordered when a shift, a gaming day or a month has ended (`exports/schedules.py`)."""

    class Meta:
        proxy = True
        default_permissions = ()
        verbose_name = "report schedule"

    def __str__(self) -> str:
        return str(self.name)


class Asking(Sealed, CrontabSchedule):
    """The times, in UTC, at which Catwalk checks for a schedule if a shift, a day or a month has ended."""

    class Meta:
        proxy = True
        default_permissions = ()
        verbose_name = "check time"
        verbose_name_plural = "check times"

    def __str__(self) -> str:
        return run_times(self)


def run_times(times: CrontabSchedule) -> str:
    """Return in words when a schedule runs, with 24 hours: `At 03:10 UTC`, `Every 10 minutes UTC`."""
    return _HALF_DAY.sub(_in_24_hours, str(times.human_readable))


_HALF_DAY = re.compile(r"\b(\d\d):(\d\d) (AM|PM)\b")


def _in_24_hours(clock: re.Match[str]) -> str:
    hour = int(clock[1]) % 12 + (12 if clock[3] == "PM" else 0)
    return f"{hour:02d}:{clock[2]}"

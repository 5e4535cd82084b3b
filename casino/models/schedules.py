"""Schedules of reports: proxies of the database tables of django-celery-beat."""

from __future__ import annotations

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
        return str(self.human_readable)

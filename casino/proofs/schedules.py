"""Prove the schedules of Celery beat. Schedules of reports are compared with their seals. All other scheduled
tasks are compared with the code that defines them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from celery.schedules import crontab, maybe_schedule
from django.conf import settings
from django.utils.module_loading import import_string

from audit import database
from audit.proofs.registry import Fault, RowCount
from casino.exports.schedules import TASK
from casino.proofs import seals
from casino.proofs.differences import difference

COLUMNS = (
    "task",
    "every",
    "period",
    "minute",
    "hour",
    "day_of_month",
    "month_of_year",
    "day_of_week",
    "solar_id",
    "clocked_id",
    "args",
    "kwargs",
    "queue",
    "exchange",
    "routing_key",
    "headers",
    "priority",
    "expires",
    "expire_seconds",
    "one_off",
    "start_time",
    "enabled",
)
OF_INTERVAL = COLUMNS[1:3]
OF_CRONTAB = COLUMNS[3:8]
TABLE = "django_celery_beat_periodictask"
CRONTABS = "django_celery_beat_crontabschedule"


def prove_tasks(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each report schedule that Catwalk did not write. Also yield a fault for each other
    task that is not defined in the code.
    """
    yield from seals.prove_table(TABLE, count)
    expected = {name: _row(entry) for name, entry in _of_code().items()}
    parts = dict.fromkeys(OF_INTERVAL, "i") | dict.fromkeys(OF_CRONTAB, "c")
    query = f"""SELECT t.name, {", ".join(f"{parts.get(name, 't')}.{name}" for name in COLUMNS)} FROM {TABLE}
    t LEFT JOIN django_celery_beat_intervalschedule i ON i.id = t.interval_id LEFT JOIN {CRONTABS} c ON c.id =
    t.crontab_id WHERE t.task <> %s ORDER BY 1"""
    for name, *row in database.rows(query, [TASK]):
        count.add(TABLE)
        count.add("django_celery_beat_intervalschedule")
        if name not in expected:
            yield Fault(TABLE, name, "unknown", f"the code defines no such task: {row[0]}")
        elif tuple(row) != expected[name]:
            yield Fault(TABLE, name, "changed", difference(COLUMNS, row, expected[name]))


def prove_crontabs(count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each crontab that Catwalk did not write. A crontab that a task in the code uses is
    not a fault.
    """
    columns = ", ".join(OF_CRONTAB)
    query = f"SELECT id, {columns}, timezone FROM {CRONTABS}"
    stored = {str(id): tuple(row) for id, *row in database.rows(query)}
    of_code = {(*_row(entry)[3:8], "UTC") for entry in _of_code().values()}
    for fault in seals.prove_table(CRONTABS, count):
        if not (fault.kind == "unknown" and stored.get(fault.place) in of_code):
            yield fault


def prove_none(table: str, count: RowCount) -> Iterator[Fault]:
    """Yield a fault for each row of a table that Catwalk leaves empty."""
    for (id,) in database.rows(f"SELECT id FROM {table} ORDER BY 1"):
        count.add(table)
        yield Fault(table, f"id {id}", "unknown", "Catwalk writes nothing into this table")


def _of_code() -> dict[str, dict[str, Any]]:
    entries: dict[str, dict[str, Any]] = import_string(settings.CELERY_APP).conf.beat_schedule
    return entries


def _row(entry: dict[str, Any]) -> tuple[Any, ...]:
    """Return the row that beat writes for a task that is defined in the code."""
    at: Any = maybe_schedule(entry["schedule"])
    if isinstance(at, crontab):
        every: tuple[Any, ...] = (None, None)
        times = tuple(getattr(at, f"_orig_{name}") for name in OF_CRONTAB)
        times = tuple(str(time) for time in times)
    else:
        every = (int(at.run_every.total_seconds()), "seconds")
        times = (None,) * len(OF_CRONTAB)
    expires = entry.get("options", {}).get("expire_seconds")
    return (
        *(entry["task"], *every, *times, None, None, "[]", "{}", None, None, None, "{}", None, None),
        *(expires, False, None, True),
    )

"""Celery's door bells of the back office: reports that schedules order, and sums that are kept warm. Each calls one function."""

from __future__ import annotations

from audit import tasks
from casino import kept

tasks.LONG.update(kept.WORK)

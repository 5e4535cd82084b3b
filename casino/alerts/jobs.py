"""The jobs of alerts and webhooks: for each kind of job, the function that does it."""

from __future__ import annotations

from collections.abc import Callable

from audit.jobs.leases import Lease
from casino.alerts import deliveries, publish, send_mail, send_webhooks

JOB_HANDLERS: dict[str, Callable[[Lease], Callable[[], int]]] = {
    publish.JOB: publish.job,
    deliveries.WEBHOOK_JOB: send_webhooks.job,
    deliveries.TEST_JOB: send_webhooks.test_job,
    deliveries.MAIL_JOB: send_mail.job,
}
"""For each kind of job: its handler. The handler returns another function, with which `audit/tasks.py`
finishes the job.
"""

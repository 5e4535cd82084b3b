"""Deliver the events of a property to one webhook, in order. Each webhook has its own job.

The position of a webhook is the last event that it has accepted. It is increased only after an answer. If a
worker is killed, no event is lost, because the event is delivered again with the same `webhook-id`. While an
event fails, no later event is delivered. The job waits longer after each failure. After some days of
failures, the job is set aside until a person revives it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from audit import database
from audit.facts import WebhookSet
from audit.jobs import leases
from audit.jobs.alarms import Alarm
from audit.jobs.leases import Later, Lease
from casino.alerts import deliveries, event_log, rules, signature, webhook_secrets
from casino.alerts.deliveries import Attempt
from casino.alerts.event_log import Event
from casino.alerts.http_client import Answer, Client, Refused
from casino.alerts.sources import LOST, WITHDRAWN
from casino.alerts.webhook_secrets import NoSecret
from casino.reference import registers

TURN_SECONDS = 20
"""Seconds for which a job delivers before other jobs may run."""
PAGE = 200
STORED = 50
"""Results are stored after this number of deliveries. If a worker is killed, at most this number of
deliveries is repeated.
"""
FIRST_PAUSE, LONGEST_PAUSE = 2, 3600
"""Seconds to wait after the first failure, and the maximum. Each failure doubles the pause."""
ALLOWS_PRIVATE = "private-webhooks"
"""The key in the register `thresholds` with which a property allows webhooks at private addresses."""
GONE = 410


class Progress(NamedTuple):
    """The state of a webhook: the last event that it accepted, the number of failures since then, and the
    time of the first of these failures.
    """

    number: int
    attempts: int
    failing_days: float


def job(lease: Lease) -> Callable[[], int]:
    """Deliver events for at most TURN_SECONDS. If events are left, request the job again. Raise Later after a
    failure. Raise Alarm if the webhook is set aside.
    """
    property, name = lease.property, lease.stream
    webhook = rules.in_force(property).webhooks.get(name)
    if webhook is None:
        return lambda: 0
    ends = time.monotonic() + TURN_SECONDS
    sender = _Sender(property, name, webhook)
    try:
        with Client(webhook.url, private=allows_private(property)) as client:
            secrets = webhook_secrets.valid(property, name)
            while (page := sender.page()) and time.monotonic() < ends:
                sender.deliver(client, secrets, page, lease)
    except (Refused, NoSecret) as error:
        sender.fail(None, Answer(None, str(error)))
    left = bool(page)

    def finish() -> int:
        if left:
            leases.ask_for(deliveries.WEBHOOK_JOB, property, name)
        return sender.number

    return finish


class _Sender:
    """Delivers events to a webhook, and stores the number of the last event that the webhook accepted."""

    def __init__(self, property: str, name: str, webhook: WebhookSet) -> None:
        self.property, self.name, self.webhook = property, name, webhook
        self.progress = progress(property, name)
        self.number = self.progress.number
        self.attempts: list[Attempt] = []

    def page(self) -> list[Event]:
        """Return the next events of the stream, including events that the webhook does not receive."""
        return event_log.after(self.property, self.number, PAGE)

    def deliver(self, client: Client, secrets: list[str], page: list[Event], lease: Lease) -> None:
        """Deliver those events of `page` that the webhook receives. Store each attempt and the last event
        that was accepted.
        """
        for event in page:
            if self.wants(event):
                answer = post(client, event, secrets)
                if not answer.is_success:
                    self.store()
                    self.fail(event, answer)
                self.attempts.append(_attempt(event, answer))
                lease.progress[0] += 1
            self.number = event.number
            if len(self.attempts) >= STORED:
                self.store()
        self.store()

    def wants(self, event: Event) -> bool:
        """Return True if the webhook receives this event. A webhook for withdrawn findings also receives lost
        ones, because it may have been set before a lost finding was an event of its own.
        """
        if event.webhooks is not None:
            return self.name in event.webhooks
        types = self.webhook.events
        return not types or event.type in types or (event.type == LOST and WITHDRAWN in types)

    def store(self) -> None:
        """Store the deliveries and the webhook's new position. Raise LeaseLost if somebody else has changed
        the position in the meantime, for example by a replay. The number of failures is reset only when an
        event is delivered.
        """
        if self.number == self.progress.number:
            return
        with transaction.atomic():
            deliveries.record(self.property, self.name, self.attempts)
            delivered = bool(self.attempts)
            values = [self.number, delivered, delivered, self.property, self.name, self.progress.number]
            if not database.execute(_ADVANCE, values):
                raise leases.LeaseLost(f"{self.name} was replayed")
        self.attempts.clear()
        self.progress = self.progress._replace(number=self.number)

    def fail(self, event: Event | None, answer: Answer) -> None:
        """Record a failed attempt. Raise Later, or Alarm if the webhook is set aside."""
        says = f"{answer.code or 'no answer'}: {answer.text}"
        with transaction.atomic():
            if event is not None:
                deliveries.record(self.property, self.name, [_attempt(event, answer)])
            database.execute(_FAIL, [self.property, self.name])
        state = progress(self.property, self.name)
        if answer.code == GONE or state.failing_days >= settings.WEBHOOK_DAYS:
            with transaction.atomic():
                if event is not None:
                    deliveries.set_aside(self.property, "webhook", self.name, event.uid)
                database.execute(_SET_ASIDE, [self.property, self.name])
            raise Alarm(
                f"The webhook {self.name} is suspended after failures. Its last answer was {says}"[:300]
            )
        pause = min(FIRST_PAUSE * 2 ** min(state.attempts - 1, 30), LONGEST_PAUSE)
        if answer.retry_after is not None:
            pause = min(max(pause, answer.retry_after), LONGEST_PAUSE)
        raise Later(pause, f"The webhook {self.name} did not accept an event: {says}"[:300])


def post(client: Client, event: Event, secrets: list[str]) -> Answer:
    """Sign an event and post it."""
    body = event_log.body(event)
    return client.post(body, signature.headers(str(event.uid), int(time.time()), body, secrets))


def _attempt(event: Event, answer: Answer) -> Attempt:
    return Attempt(
        event.uid, event.type, event.number, answer.is_success, answer.code, answer.text, timezone.now()
    )


def progress(property: str, webhook: str) -> Progress:
    """Return the state of a webhook."""
    row = database.first_row(_PROGRESS, [property, webhook])
    return Progress(event_log.last_number(property), 0, 0) if row is None else Progress._make(row)


def test_job(lease: Lease) -> Callable[[], int]:
    """Send one test event at once, even if other events are waiting. The delivery log shows the result."""
    name, _, by = lease.stream.partition(" ")
    webhook = rules.in_force(lease.property).webhooks.get(name)
    if webhook is None:
        return lambda: 0
    sent_at = timezone.now()
    data = {"webhook": name, "test": True, "by": by}
    event = Event(lease.property, 0, uuid4(), "test", name, sent_at, data, None)
    try:
        with Client(webhook.url, private=allows_private(lease.property)) as client:
            answer = post(client, event, webhook_secrets.valid(lease.property, name))
    except (Refused, NoSecret) as error:
        answer = Answer(None, str(error))
    attempt = _attempt(event, answer)._replace(event=None, by=by)

    def finish() -> int:
        deliveries.record(lease.property, name, [attempt])
        return 0

    return finish


def allows_private(property: str) -> bool:
    """Return True if webhooks of the property may have private addresses."""
    return registers.threshold(property, ALLOWS_PRIVATE).said.get("demand") is True


_PROGRESS = """SELECT number, attempts,
        coalesce(extract(epoch FROM clock_timestamp() - failing_since) / 86400, 0)::float
    FROM webhook_progress WHERE property = %s AND webhook = %s"""
_ADVANCE = """UPDATE webhook_progress SET number = %s,
        attempts = CASE WHEN %s THEN 0 ELSE attempts END,
        failing_since = CASE WHEN %s THEN NULL ELSE failing_since END
    WHERE property = %s AND webhook = %s AND number = %s"""
_FAIL = """UPDATE webhook_progress SET attempts = attempts + 1,
        failing_since = coalesce(failing_since, clock_timestamp())
    WHERE property = %s AND webhook = %s"""
_SET_ASIDE = """UPDATE webhook_progress SET attempts = 0, failing_since = NULL
    WHERE property = %s AND webhook = %s"""

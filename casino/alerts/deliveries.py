"""The delivery log of mail and webhooks. Each entry has its recipient, state, attempts and the last answer.
This module also requests the jobs that deliver.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.utils import timezone

from audit import database
from audit.jobs import alarms, leases
from casino.accounts.alert_contacts import contacts_of
from casino.alerts import rules
from casino.alerts.rules import InForce
from casino.models import Standing, roles_of
from casino.reference import calendar
from casino.reference.calendar import gaming_day

WEBHOOK_JOB, MAIL_JOB, TEST_JOB = alarms.WEBHOOK, alarms.MAIL, alarms.TEST
STATES = ("due", "delivered", "failed", "set-aside")
"""The states of a delivery: `due` waits for its first attempt, `failed` is tried again, and `set-aside` is
not tried again until a person revives it.
"""


class Delivery(NamedTuple):
    """An entry of the delivery log. `message` is the `webhook-id` or the Message-ID. `code` is the status of
    the receiver's answer.
    """

    id: int
    property: str
    channel: str
    target: str
    message: UUID
    type: str
    event: int | None
    alerts: list[int]
    state: str
    attempts: int
    code: int | None
    answer: str
    made_at: datetime
    due_at: datetime
    tried_at: datetime | None
    delivered_at: datetime | None
    by: str


class Filters(NamedTuple):
    """The filters of the list of deliveries. An empty text does not filter.

    Attributes:
        before: list only entries with a lower id, or None.
    """

    channel: str = ""
    target: str = ""
    state: str = ""
    before: int | None = None


def page(property: str, filters: Filters, limit: int) -> list[Delivery]:
    """Return the deliveries of a property, the latest first."""
    conditions: list[str] = ["property = %s"]
    values: list[Any] = [property]
    for name in ("channel", "target", "state"):
        if value := getattr(filters, name):
            conditions.append(f"{name} = %s")
            values.append(value)
    if filters.before is not None:
        conditions.append("id < %s")
        values.append(filters.before)
    query = f"{_SELECT} WHERE {' AND '.join(conditions)} ORDER BY id DESC LIMIT {limit}"
    return database.records(Delivery, query, values)


def request(property: str, in_force: InForce, number: int) -> None:
    """Request a job for each webhook that has not received all events, and a job for mail that is due. A new
    webhook begins with the next event.
    """
    names = list(in_force.webhooks)
    if names:
        database.execute(_BEGIN, [property, number, names])
        for (webhook,) in database.rows(_BEHIND, [property, names, number]):
            leases.ask_for(WEBHOOK_JOB, property, webhook)
    if database.first_row(_MAIL_DUE, [property]) is not None:
        leases.ask_for(MAIL_JOB, property, "")


def queue_mail(
    property: str, in_force: InForce, by_rule: Mapping[str, Sequence[int]], type: str = "alert.raised"
) -> None:
    """Add one mail for each recipient of these alerts. During a recipient's own quiet hours, the mail waits
    until they end.

    Args:
        by_rule: {rule: the numbers of its alerts}.
    """
    recipients: dict[str, set[int]] = {}
    for name, numbers in by_rule.items():
        rule = in_force.all_rules.get(name)
        if rule is not None and (rule.people or rule.roles):
            for person in {*rule.people, *people_in(property, rule.roles)}:
                recipients.setdefault(person, set()).update(numbers)
    contacts = contacts_of(recipients)
    instant, zone = timezone.now(), calendar.zone(property)
    rows = []
    for person, alerts in sorted(recipients.items()):
        if (contact := contacts.get(person)) is not None and contact.mail:
            held = rules.quiet_end(contact.quiet_from, contact.quiet_to, instant, zone)
            rows.append((property, person, uuid4(), type, sorted(alerts), held or instant))
    database.execute_many(_QUEUE_MAIL, rows)


def people_in(property: str, roles: Iterable[str]) -> list[str]:
    """Return the people who have one of these roles today, in alphabetical order."""
    wanted, day = set(roles), gaming_day(property)
    if not wanted:
        return []
    rows = Standing.objects.filter(property=property, register="people", begins__lte=day, ends__gt=day)
    return sorted({row.key for row in rows if roles_of(row.value) & wanted})


class Attempt(NamedTuple):
    """The result of one attempt to deliver an event.

    Attributes:
        code: the status of the answer, or None if there was no answer.
    """

    message: UUID
    type: str
    event: int | None
    delivered: bool
    code: int | None
    answer: str
    tried_at: datetime
    by: str = ""


def record(property: str, target: str, attempts: Sequence[Attempt]) -> None:
    """Record attempts to deliver events to a webhook. The delivery log has one entry for each event. Further
    attempts update that entry.
    """
    database.execute_many(
        _RECORD,
        [
            (
                property,
                target,
                attempt.message,
                attempt.type,
                attempt.event,
                "delivered" if attempt.delivered else "failed",
                attempt.code,
                storable(attempt.answer),
                attempt.tried_at,
                attempt.tried_at if attempt.delivered else None,
                attempt.by,
            )
            for attempt in attempts
        ],
    )


def storable(text: str) -> str:
    """Return the first 500 characters of an answer, without characters that Postgres cannot store."""
    return text[:500].replace("\0", "?").encode(errors="replace").decode()


def set_aside(property: str, channel: str, target: str, message: UUID) -> None:
    """Mark a delivery as set aside: it is not tried again until a person revives it."""
    query = """UPDATE delivery SET state = 'set-aside'
        WHERE property = %s AND channel = %s AND target = %s AND message = %s"""
    database.execute(query, [property, channel, target, message])


def counts(property: str) -> dict[str, int]:
    """Return {state: number} of the deliveries that wait, failed or were set aside."""
    rows: list[tuple[Any, ...]] = database.rows(_COUNTS, [property])
    return {str(state): int(number) for state, number in rows}


_SELECT = f"SELECT {', '.join(Delivery._fields)} FROM delivery"
_COUNTS = """SELECT state, count(*) FROM delivery
    WHERE property = %s AND state <> 'delivered' GROUP BY state"""
_BEGIN = """INSERT INTO webhook_progress (property, webhook, number)
    SELECT %s, name, %s FROM unnest(%s::text[]) AS name ON CONFLICT DO NOTHING"""
_BEHIND = """SELECT webhook FROM webhook_progress
    WHERE property = %s AND webhook = ANY(%s) AND number < %s ORDER BY 1"""
_MAIL_DUE = """SELECT 1 FROM delivery WHERE property = %s AND channel = 'mail' AND state IN ('due', 'failed')
    AND due_at <= clock_timestamp() LIMIT 1"""
_QUEUE_MAIL = """INSERT INTO delivery (property, channel, target, message, type, alerts, state, due_at)
    VALUES (%s, 'mail', %s, %s, %s, %s, 'due', %s)"""
_RECORD = """INSERT INTO delivery AS d (property, channel, target, message, type, event, state, attempts,
        code, answer, tried_at, delivered_at, by)
    VALUES (%s, 'webhook', %s, %s, %s, %s, %s, 1, %s, %s, %s, %s, %s)
    ON CONFLICT (property, channel, target, message) DO UPDATE SET state = excluded.state,
        attempts = d.attempts + 1, code = excluded.code, answer = excluded.answer,
        tried_at = excluded.tried_at, delivered_at = coalesce(excluded.delivered_at, d.delivered_at),
        by = CASE excluded.by WHEN '' THEN d.by ELSE excluded.by END"""

"""The webhooks of a property with their state, for the page, the REST API and the command."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from audit import database
from audit.facts import WebhookSet
from casino.alerts import deliveries, event_log, rules, webhook_secrets
from casino.alerts.webhook_secrets import Made


class Listed(NamedTuple):
    """A webhook. `state` is ready, waiting (there are events to deliver), failing or set-aside.

    Attributes:
        behind: the number of events after its position.
    """

    name: str
    webhook: WebhookSet
    state: str
    number: int
    behind: int
    attempts: int
    failing_since: datetime | None
    next_at: datetime | None
    why: str
    secrets: list[Made]


def listed(property: str) -> list[Listed]:
    """Return the active webhooks of a property, in alphabetical order."""
    last = event_log.last_number(property)
    webhooks = rules.in_force(property).webhooks
    rows = {row[0]: row[1:] for row in database.rows(_STATES, [deliveries.WEBHOOK_JOB, property])}
    entries = []
    for name, webhook in webhooks.items():
        number, attempts, since, state, due, error = rows.get(name, (last, 0, None, None, None, ""))
        words = "set-aside" if state == "set-aside" else "failing" if attempts else "ready"
        if words == "ready" and number < last:
            words = "waiting"
        entries.append(
            Listed(
                name,
                webhook,
                words,
                number,
                last - number,
                attempts,
                since,
                due if words == "failing" else None,
                error if words in ("failing", "set-aside") else "",
                webhook_secrets.history(property, name),
            )
        )
    return entries


_STATES = """SELECT p.webhook, p.number, p.attempts, p.failing_since, j.state, j.due_at, coalesce(j.error, '')
    FROM webhook_progress p
    LEFT JOIN job j ON j.key = concat_ws(' ', %s, p.property, p.webhook)
    WHERE p.property = %s"""

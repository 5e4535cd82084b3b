"""Send alerts by mail. One job for each property sends all mail that is due, as one message for each
recipient. Only active users who may see alerts at the property get mail. A message that cannot be sent is
tried again with growing pauses, and set aside after some days.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils import timezone

from audit import database
from audit.jobs.leases import Later, Lease
from casino.accounts.alert_contacts import contact_of
from casino.accounts.permissions import can
from casino.alerts import alert_log, deliveries
from casino.alerts.alert_log import Alert
from casino.models import Person
from casino.presentation.formatting import clock
from casino.reference import calendar
from casino.runtime import mail_server
from casino.runtime.mail_server import ACCEPTED

LISTED = 100
"""Maximum number of alerts in one message."""
FIRST_PAUSE, LONGEST_PAUSE = 5, 3600
"""Seconds to wait after the first failure, and the maximum. Each failure doubles the pause."""


class Entry(NamedTuple):
    """An entry of the delivery log that is due."""

    target: str
    id: int
    message: UUID
    alerts: list[int]
    attempts: int
    days: float


class Due(NamedTuple):
    """The mail that is due to one recipient: the entries of the delivery log that are sent in one message."""

    target: str
    entries: list[Entry]

    @property
    def ids(self) -> list[int]:
        """Return the ids of these entries of the delivery log."""
        return [entry.id for entry in self.entries]

    @property
    def alerts(self) -> list[int]:
        """Return the numbers of all alerts in this mail, in order."""
        return sorted({number for entry in self.entries for number in entry.alerts})

    @property
    def attempts(self) -> int:
        """Return the number of attempts of the entry that was tried most often."""
        return max(entry.attempts for entry in self.entries)


def job(lease: Lease) -> Callable[[], int]:
    """Send all mail that is due. Raise Later if a message could not be sent."""
    pauses: list[int] = []
    reason = ""
    entries = database.records(Entry, _DUE, [lease.property])
    for target, group in groupby(entries, attrgetter("target")):
        due = Due(target, list(group))
        code, answer = _send(lease.property, due)
        if code == ACCEPTED or code is None:
            _store(due, "delivered" if code else "set-aside", code, answer, 0)
            continue
        given_up = due.attempts > 0 and due.entries[0].days >= settings.WEBHOOK_DAYS
        pause = min(FIRST_PAUSE * 2 ** min(due.attempts, 30), LONGEST_PAUSE)
        _store(due, "set-aside" if given_up else "failed", code, answer, pause)
        if not given_up:
            pauses.append(pause)
            reason = f"Mail to {due.target} was not sent: {code} {answer}"
    if pauses:
        raise Later(min(pauses), reason[:300])
    return lambda: 0


def _send(property: str, due: Due) -> tuple[int | None, str]:
    """Send one message. Return the code and text of the answer. The code is None if the recipient may not get
    mail, and 0 if the server did not answer.
    """
    person = Person.objects.filter(pk=due.target, is_active=True).first()
    contact = contact_of(due.target)
    if person is None or not contact.mail or not can(person, "see-alerts", property):
        return None, "This person has no mail address, or may not see alerts at this property."
    hidden = alert_log.hidden_types(person, property)
    alerts = alert_log.numbered(property, due.alerts, hidden, LISTED)
    if not alerts:
        return None, "This person may not see these alerts."
    subject, text = message_of(property, alerts, len(due.alerts))
    message = EmailMessage(subject, text, settings.DEFAULT_FROM_EMAIL, [contact.mail])
    message.extra_headers["Message-ID"] = f"<{due.entries[0].message}@catwalk>"
    message.extra_headers["Auto-Submitted"] = "auto-generated"
    return mail_server.send(message)


def message_of(property: str, alerts: Sequence[Alert], count: int) -> tuple[str, str]:
    """Return the subject and the text of a message about these alerts.

    Args:
        count: the number of all alerts, including alerts that the message does not list.
    """
    zone = calendar.zone(property)
    worst = next((alert for alert in alerts if alert.grade == "integrity"), alerts[0])
    first = " ".join(f"{worst.table} {worst.says}".split())
    subject = f"Catwalk {property}: {first}" if count == 1 else f"Catwalk {property}: {count} alerts, {first}"
    lines = [f"{count} alert{'s' if count != 1 else ''} at {property}.", ""]
    for alert in alerts:
        parts = [clock(alert.at, zone), alert.table, alert.grade, alert.says, alert.money]
        parts.append(f"rule {alert.rule}")
        lines.append(" · ".join(" ".join(part.split()) for part in parts if part))
        if alert.address and settings.PAGES_URL:
            lines.append(f"  {settings.PAGES_URL}{alert.address}")
    if count > len(alerts):
        lines += ["", f"{count - len(alerts)} more are on the Alerts page."]
    lines += [
        "",
        "You get this mail because an alert rule names you or one of your roles. See Alerts in Catwalk.",
    ]
    return subject[:200], "\n".join(lines) + "\n"


def _store(due: Due, state: str, code: int | None, answer: str, pause: int) -> None:
    at = timezone.now()
    delivered = at if state == "delivered" else None
    values = [state, code, deliveries.storable(answer), at, at + timedelta(seconds=pause), delivered, due.ids]
    database.execute(_STORE, values)


_DUE = """SELECT target, id, message, alerts, attempts,
        (extract(epoch FROM clock_timestamp() - made_at) / 86400)::float AS days
    FROM delivery WHERE property = %s AND channel = 'mail' AND state IN ('due', 'failed')
        AND due_at <= clock_timestamp() ORDER BY target, id"""
_STORE = """UPDATE delivery SET state = %s, attempts = attempts + 1, code = %s, answer = %s, tried_at = %s,
        due_at = %s, delivered_at = %s
    WHERE id = ANY(%s)"""

"""Alarms: jobs that are set aside with a text because a person must look at a result.

They are listed and counted with all other jobs that were set aside. Reviving an alarm repeats the job.
"""

from __future__ import annotations

from audit import database

CHECK = "check-derived"
"""Kind of job: compare stored results of a property with replay. The column `stream` of the job contains the
night whose sample is compared, or CACHES.
"""
CACHES = "caches"
PUBLISH, WEBHOOK, TEST, MAIL = "publish-events", "deliver-webhook", "test-webhook", "send-mail"
"""Kinds of jobs: add events to the event stream of a property, deliver events to a webhook, send a test
event, and send mail.
"""
DELIVERIES = (PUBLISH, WEBHOOK, TEST, MAIL)
LONGEST = 2000
"""Maximum number of characters of the text that are stored."""


class Alarm(Exception):
    """The job is done, but a person must look at its result. The job is set aside with the text of this
    exception.
    """


def storable(text: str) -> str:
    """Return a text about a job in a form that Postgres can store. Without this, the error message of a
    failed job could be lost.
    """
    return text[:LONGEST].replace("\0", "?").encode(errors="replace").decode()


def raise_alarm(property: str, of: str, text: str) -> None:
    """Record an alarm about a property. If an alarm about the same subject exists, its number of requests is
    increased.
    """
    key = f"{CHECK} {property} {of}"
    database.execute(_RAISE, [CHECK, key, property, of, storable(text)])


_RAISE = """INSERT INTO job (kind, key, property, stream, state, error)
    VALUES (%s, %s, %s, %s, 'set-aside', %s)
    ON CONFLICT (key) DO UPDATE SET asked = job.asked + 1, error = excluded.error,
        state = CASE job.state WHEN 'taken' THEN job.state ELSE 'set-aside' END"""

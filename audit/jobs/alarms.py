"""Alarms: jobs that are set aside with a text, because what was found needs a person.

They are listed and counted with all other jobs that were set aside. Reviving one does its work again.
"""

from __future__ import annotations

from audit import database

CHECK = "check-derived"
"""Kind of job: compare stored results of a property with what replay makes. Its stream is the night whose
sample is compared, or CACHES.
"""
CACHES = "caches"
LONGEST = 2000
"""Characters of the text that are stored."""


class Alarm(Exception):
    """A job's work is done, and what it found needs a person: the job is set aside with this text."""


def raise_alarm(property: str, of: str, text: str) -> None:
    """Record an alarm about a property. A second one about the same adds to the number of requests."""
    key = f"{CHECK} {property} {of}"
    database.execute(_RAISE, [CHECK, key, property, of, text[:LONGEST].replace("\0", "?")])


_RAISE = """INSERT INTO job (kind, key, property, stream, state, error)
    VALUES (%s, %s, %s, %s, 'set-aside', %s)
    ON CONFLICT (key) DO UPDATE SET asked = job.asked + 1, error = excluded.error,
        state = CASE job.state WHEN 'taken' THEN job.state ELSE 'set-aside' END"""

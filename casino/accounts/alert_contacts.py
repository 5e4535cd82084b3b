"""Store how people want to be alerted: mail address, sound, and personal quiet hours. When a person's name is
erased, the person's row is erased too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction

from audit import database
from casino.sealing import journal

TABLE = "alert_contact"


class Contact(NamedTuple):
    """How one person is alerted. `mail` is empty if the person gets no mail. The quiet hours are local times
    such as 22:00, or empty.
    """

    person: str
    mail: str = ""
    sound: bool = True
    quiet_from: str = ""
    quiet_to: str = ""


def contacts_of(people: Iterable[str]) -> dict[str, Contact]:
    """Return {staff ID: contact} of the people who have a stored contact."""
    query = f"SELECT {', '.join(Contact._fields)} FROM alert_contact WHERE person = ANY(%s)"
    return {row.person: row for row in database.records(Contact, query, [list(people)])}


def contact_of(person: str) -> Contact:
    """Return the contact of a person, with defaults if none is set."""
    return contacts_of([person]).get(person, Contact(person))


def store(contact: Contact) -> None:
    """Store how a person is alerted, and seal the row. Without the seal, somebody could forge a row with
    quiet hours of a whole day, and the person would get no mail.
    """
    with transaction.atomic():
        database.execute(_STORE, list(contact))
        journal.record(TABLE, [contact.person])


def erase(person: str) -> None:
    """Erase a person's mail address, sound and quiet hours for alerts."""
    with transaction.atomic():
        if database.execute("DELETE FROM alert_contact WHERE person = %s", [person]):
            journal.record(TABLE, [person], journal.ERASED)


_STORE = """INSERT INTO alert_contact (person, mail, sound, quiet_from, quiet_to)
    VALUES (%s, %s, %s, %s, %s) ON CONFLICT (person) DO UPDATE SET mail = excluded.mail,
        sound = excluded.sound, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to"""

"""Show officers who else has a hand open now. This is not recorded as a fact: a row is valid for some
seconds, then it is replaced or ignored.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from audit import database
from casino.accounts.names import names_of
from casino.models import Person

FRESH = "10 seconds"
"""If a page has not reported its hand for this time, the hand no longer counts as open on this page."""
AGAIN = "3 seconds"
"""Minimum time between two writes of the row of an open hand. The page reports the hand twice a second, so
most reports need no write.
"""


class Company(NamedTuple):
    """What the page of a hand shows about other officers: the owner of the hand, the end of its snooze, and
    the people who also have it open.

    Attributes:
        owner: the name of the owner, or an empty text if there is no owner.
    """

    owner: str
    owner_id: str
    is_mine: bool
    until: datetime | None
    others: list[str]

    @property
    def take_label(self) -> str:
        """Return the label of the button for the key `A`, which says what the key does with this hand."""
        if not self.owner_id:
            return "Take"
        return "Release" if self.is_mine else "Assign"


def enter(person: Person, property: str, stream: str, hand: str) -> None:
    """Record that a person has opened this hand. The person's other hands are no longer open."""
    query = f"""WITH left_before AS (DELETE FROM open_hand
        WHERE (person = %s OR seen_at < now() - interval '1 minute')
            AND (property, stream, hand, person) <> (%s, %s, %s, %s)) {_STAY}"""
    key = [property, stream, hand, person.pk]
    database.execute(query, [person.pk, *key, *key])


def stay(person: Person, property: str, stream: str, hand: str) -> None:
    """Record that a person still has this hand open."""
    database.execute(_STAY, [property, stream, hand, person.pk])


_STAY = f"""INSERT INTO open_hand AS o (property, stream, hand, person) VALUES (%s, %s, %s, %s)
    ON CONFLICT (property, stream, hand, person) DO UPDATE SET seen_at = now()
    WHERE o.seen_at < now() - interval '{AGAIN}'"""


def company(person: Person, property: str, stream: str, hand: str) -> Company:
    """Return the owner of a hand, the end of its snooze, and the other people who have it open."""
    query = f"""SELECT q.owner, CASE WHEN q.until > now() THEN q.until END,
            ARRAY (SELECT person FROM open_hand o WHERE o.property = w.property AND o.stream = w.stream
                AND o.hand = w.hand AND o.person <> %s AND o.seen_at > now() - interval '{FRESH}'
                ORDER BY person)
        FROM (SELECT %s::text AS property, %s::text AS stream, %s::text AS hand) w
        LEFT JOIN queued q ON q.property = w.property AND q.stream = w.stream AND q.hand = w.hand"""
    ((owner, until, others),) = database.rows(query, [person.pk, property, stream, hand])
    names = names_of({owner or "", *others})
    return Company(
        names.get(owner, owner or ""),
        owner or "",
        owner == person.pk,
        until,
        [names.get(other, other) for other in others],
    )

"""Record which officer works on a hand of the queue, and until when the hand is snoozed. Both are recorded as
facts. The latest fact counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.utils import timezone

from audit import database
from audit.review import projections, queue
from audit.review.queue import Hand
from casino.accounts.permissions import RIGHTS, can, require
from casino.models import Person, roles_of
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import zone
from casino.reference.registers import values_on
from casino.web.property_turn import in_turn
from casino.web.recording import Fact, property_fact, record

MOST = 100
"""Maximum number of hands of one request."""
LONGEST = timedelta(days=30)
"""Maximum time for which a page snoozes a hand."""
STEPS = {"15": "15 minutes", "60": "1 hour", "240": "4 hours", "1440": "1 day"}
"""Lengths of a snooze that the page offers, in minutes."""


class Chosen(NamedTuple):
    """A hand that an officer chose: its stream, its name, and the owner whom the page showed."""

    stream: str
    hand: str
    owner: str = ""

    @property
    def property(self) -> str:
        """Return the property of the hand."""
        return self.stream.partition("/")[0]


def assign(by: Person, hands: Sequence[Chosen], to: Person | None) -> tuple[list[Hand], list[Hand]]:
    """Assign hands to an officer, or release them if `to` is None. A hand is not changed if another officer
    has taken it since the page was shown. Return the assigned hands, and the hands that were not changed.
    Raise ActionRejected or PermissionDenied.
    """
    property = property_of(by, hands)
    if to is not None and not can(to, "give-verdict", property):
        raise ActionRejected(f"{to.id} may not give verdicts at {property}. Choose another officer.", "to")
    owner = to.id if to is not None else ""
    with in_turn(property):
        rows = rows_of(property, hands)
        owners = {(chosen.stream, chosen.hand): chosen.owner for chosen in hands}
        taken_hands = [row for row in rows if row.owner not in (owners[row.stream, row.hand], by.id, owner)]
        free = [row for row in rows if row not in taken_hands]
        facts = [_fact("hand-assigned", by, row, to=owner or None) for row in free if row.owner != owner]
        if facts:
            record(by, property, facts)
            projections.follow(property)
    return free, taken_hands


def snooze(by: Person, hands: Sequence[Chosen], until: datetime | None) -> list[Hand]:
    """Set the time until which hands are snoozed, or end their snooze if `until` is None. Return the hands.
    Raise ActionRejected or PermissionDenied.
    """
    property = property_of(by, hands)
    instant = timezone.now()
    if until is not None and not instant < until <= instant + LONGEST:
        raise ActionRejected(
            f"Snooze until a time in the future, at most {LONGEST.days} days from now.", "until"
        )
    with in_turn(property):
        rows = rows_of(property, hands)
        stamp = None if until is None else until.isoformat(timespec="seconds")
        record(by, property, [_fact("hand-snoozed", by, row, until=stamp) for row in rows])
        projections.follow(property)
    return rows


def property_of(by: Person, hands: Sequence[Chosen]) -> str:
    """Return the property of these hands. Raise ActionRejected if there is no hand, if there are too many, or
    if they belong to several properties. Raise PermissionDenied if the person lacks the right to give
    verdicts at any of their properties.
    """
    names = {chosen.property for chosen in hands}
    if not hands or len(hands) > MOST:
        raise ActionRejected(f"Choose at least one hand and at most {MOST}.", "hand")
    for name in sorted(names):
        require(by, "give-verdict", name)
    if len(names) > 1:
        raise ActionRejected("Choose hands of one property.", "hand")
    return names.pop()


def rows_of(property: str, hands: Sequence[Chosen]) -> list[Hand]:
    """Return the rows of these hands in the queue. Raise ActionRejected if none of them is in the queue."""
    rows = queue.chosen(property, [(chosen.stream, chosen.hand) for chosen in hands])
    if not rows:
        raise ActionRejected(
            "None of these hands is in the queue. Reload the list, or add the hands to a case.", "hand"
        )
    return rows


def officers(properties: Sequence[str]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return (property, officers) for each property. Each officer is given as (staff ID, name). Officers are
    people who may give verdicts at the property now.
    """
    result = []
    for property in properties:
        ids = [
            id
            for id, value in values_on(property, "people").items()
            if any("give-verdict" in RIGHTS.get(role, ()) for role in roles_of(value))
        ]
        result.append((property, list(database.prepared_rows(_OFFICERS, [ids]))))
    return result


_OFFICERS = """SELECT id, coalesce(nullif(name, ''), id) FROM casino_person
    WHERE id = ANY (%s) AND is_active ORDER BY id"""


def parse_until(property: str, minutes: str, typed: str) -> datetime:
    """Return the end of a snooze. If `minutes` is a key of STEPS, the snooze ends that many minutes from now.
    Otherwise it ends at the typed local time of the property. Raise ActionRejected if the time is not valid.
    """
    if minutes in STEPS:
        return timezone.now() + timedelta(minutes=int(minutes))
    try:
        local = datetime.fromisoformat(typed)
        return local.replace(tzinfo=zone(property)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ActionRejected(
            "Choose how long the hands are snoozed, or type a date and a time of the property's clock, for"
            " example 2026-11-28T14:30.",
            "until",
        ) from None


def _fact(kind: str, by: Person, row: Hand, **fields: Any) -> Fact:
    return property_fact(
        kind, by, row.property, of_table=row.table, of_day=row.day.isoformat(), hand=row.hand, **fields
    )

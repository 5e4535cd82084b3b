"""The stream of events of a property. Events are numbered without gaps and never changed.

Only `publish.py` adds events, in a transaction that locks the row of the stream. An event therefore never
appears after an event with a larger number, and readers do not miss events.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import json

from audit import database


class Draft(NamedTuple):
    """An event that has no number yet.

    Attributes:
        subject: a text that names what the event is about.
        webhooks: the webhooks that receive it, or None for all webhooks that receive its type.
    """

    type: str
    subject: str
    data: dict[str, Any]
    webhooks: tuple[str, ...] | None = None


class Event(NamedTuple):
    """An event of the stream. `uid` is the `webhook-id` of each of its deliveries."""

    property: str
    number: int
    uid: UUID
    type: str
    subject: str
    at: datetime
    data: dict[str, Any]
    webhooks: list[str] | None


class Stream(NamedTuple):
    """How far the events of a property have come: the number of the last event, the ledger position up to
    which facts were read, and the number of the last alert.
    """

    number: int
    position: int
    alerts: int


def lock(property: str) -> Stream:
    """Lock the stream of a property until the transaction ends, and return its state."""
    database.execute("INSERT INTO event_stream (property) VALUES (%s) ON CONFLICT DO NOTHING", [property])
    query = "SELECT number, position, alerts FROM event_stream WHERE property = %s FOR UPDATE"
    return Stream._make(database.rows(query, [property])[0])


def store(property: str, stream: Stream) -> None:
    """Store the state of a property's stream."""
    database.execute(_STORE, [stream.number, stream.position, stream.alerts, property])


def append(property: str, after: int, drafts: Sequence[Draft]) -> list[int]:
    """Add events after the number `after`, and return their numbers. The caller must lock the stream."""
    numbers = list(range(after + 1, after + 1 + len(drafts)))
    for begins in range(0, len(drafts), PAGE):
        batch = [
            (number, draft.type, draft.subject, draft.data, draft.webhooks)
            for number, draft in zip(
                numbers[begins : begins + PAGE], drafts[begins : begins + PAGE], strict=True
            )
        ]
        database.execute(_APPEND, [property, json.encode(batch).decode()])
    return numbers


def last_number(property: str) -> int:
    """Return the number of the property's last event, or 0 if there are no events."""
    row = database.first_row("SELECT number FROM event_stream WHERE property = %s", [property])
    return 0 if row is None else int(row[0])


def after(
    property: str, number: int, limit: int, types: Sequence[str] = (), upto: int = 2**62
) -> list[Event]:
    """Return the events after a number, in order.

    Args:
        types: only events of these types; by default, all events.
        upto: the largest number that is read.
    """
    condition = "AND type = ANY(%s)" if types else ""
    query = f"""{_SELECT} WHERE property = %s AND number > %s AND number <= %s {condition}
        ORDER BY number LIMIT %s"""
    values = [property, number, upto, *([list(types)] if types else []), limit]
    return database.records(Event, query, values, data=_decoded)


def numbered(property: str, numbers: Sequence[int]) -> dict[int, Event]:
    """Return the events with these numbers as {number: event}."""
    query = f"{_SELECT} WHERE property = %s AND number = ANY(%s)"
    rows = database.records(Event, query, [property, list(numbers)], data=_decoded)
    return {event.number: event for event in rows}


def latest(property: str, draft: Draft) -> int | None:
    """Return the number of the last event about the same condition as this draft, or None.

    A condition is a state that lasts, such as a silent table. Two drafts are about the same condition if they
    have the same type and subject and agree in `minutes`, `address` and `expires_at`.
    """
    identity = {name: draft.data[name] for name in ("minutes", "address", "expires_at") if name in draft.data}
    values = [property, draft.type, draft.subject, json.encode(identity).decode()]
    number: int | None = database.rows(_LATEST, values)[0][0]
    return number


def body(event: Event) -> bytes:
    """Return the body that webhooks receive. It is the same for every delivery of an event."""
    return json.encode(
        {
            "type": event.type,
            "timestamp": event.at.isoformat(),
            "property": event.property,
            "number": event.number,
            "data": event.data,
        }
    )


def _decoded(data: Any) -> Any:
    return json.decode(data) if isinstance(data, str) else data


PAGE = 2000
_SELECT = "SELECT property, number, uid, type, subject, at, data, webhooks FROM event"
_LATEST = """SELECT max(number) FROM event
    WHERE property = %s AND type = %s AND subject = %s AND data @> %s::jsonb"""
_STORE = """UPDATE event_stream SET number = %s, position = %s, alerts = %s, checked_at = clock_timestamp()
    WHERE property = %s"""
_APPEND = """INSERT INTO event (property, number, type, subject, data, webhooks)
    SELECT %s, (r ->> 0)::bigint, r ->> 1, r ->> 2, r -> 3,
        CASE jsonb_typeof(r -> 4) WHEN 'array' THEN ARRAY (SELECT jsonb_array_elements_text(r -> 4)) END
    FROM jsonb_array_elements(%s::jsonb) AS r ORDER BY 1, 2"""

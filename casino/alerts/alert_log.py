"""Read the alerts of a property: lists, the alerts that a person has not seen, and their sentences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from msgspec import json

from audit import database
from casino.accounts.permissions import can
from casino.alerts import rules, sources
from casino.presentation.formatting import money
from casino.web import request_params

ABOUT_FINDINGS = ("finding.gained", "finding.withdrawn", "finding.lost", "hand.flagged")
"""Types of events that are shown only to people who may see findings."""


class Alert(NamedTuple):
    """An alert with the event that raised it.

    Attributes:
        shown: its number in the order in which alerts are shown, or None while quiet hours hold it back.
    """

    shown: int | None
    number: int
    rule: str
    at: datetime
    page: bool
    held_until: datetime | None
    event: int
    type: str
    data: dict[str, Any]

    @property
    def says(self) -> str:
        """Return a sentence that says why the alert was raised."""
        return sources.sentence(self.type, self.data)

    @property
    def grade(self) -> str:
        """Return the grade of the alert's finding, or an empty text."""
        return str(self.data.get("grade") or "")

    @property
    def table(self) -> str:
        """Return the code of the table that the alert is about, or an empty text."""
        return str(self.data.get("table") or "")

    @property
    def when(self) -> datetime:
        """Return the time of the event that raised the alert."""
        return sources.when(self.data, self.at)

    @property
    def money(self) -> str:
        """Return the amount in question with its currency, or an empty text."""
        owed, moved, currency = (self.data.get(name) for name in ("owed", "moved", "currency"))
        if owed is None and moved is None:
            return ""
        shown = rules.difference(owed, moved)
        return f"{money(shown, currency or '')} {currency or ''}".strip()

    @property
    def address(self) -> str:
        """Return the URL of the hand, or an empty text if the alert is not about a hand."""
        stream, round, number = (self.data.get(name) for name in ("stream", "round", "number"))
        if not stream or (not round and number is None):
            return ""
        return request_params.hand_url(stream, round or f"#{number}")


class Unseen(NamedTuple):
    """The alerts that a person has not seen: their number, and the newest alerts."""

    many: int
    last: int
    newest: list[Alert]


def hidden_types(person: Any, property: str) -> tuple[str, ...]:
    """Return the types of events whose alerts this person may not see at the property."""
    return () if can(person, "see-findings", property) else ABOUT_FINDINGS


def page(
    property: str, hidden: Sequence[str], *, rule: str = "", before: int | None = None, limit: int = 100
) -> list[Alert]:
    """Return the alerts of a property, the latest first. Two kinds of alerts are left out: alerts that quiet
    hours hold back, and alerts about events of the types in `hidden`.
    """
    values = {"property": property, "hidden": list(hidden), "rule": rule, "before": before, "limit": limit}
    return database.records(Alert, _PAGE, values, data=_decoded)


def numbered(property: str, numbers: Sequence[int], hidden: Sequence[str], limit: int) -> list[Alert]:
    """Return the alerts with these numbers, in order."""
    values = {"property": property, "hidden": list(hidden), "numbers": list(numbers), "limit": limit}
    return database.records(Alert, _NUMBERED, values, data=_decoded)


def unseen(property: str, person: str, hidden: Sequence[str], limit: int = 5) -> Unseen:
    """Return the newest alerts that this person may see and has not seen, and their number, which is at most
    COUNTED. If very many alerts are new and the person may not see any of them, mark them as seen, so that
    they are not read again.
    """
    values = {"property": property, "person": person, "hidden": list(hidden)}
    count, last = database.rows(_UNSEEN, values)[0]
    if not count:
        database.execute(_PASS, values)
        return Unseen(0, 0, [])
    newest = database.records(Alert, _NEWEST, values | {"limit": limit}, data=_decoded)
    return Unseen(count, last or 0, newest)


def mark_seen(property: str, person: str, number: int) -> None:
    """Store that a person has seen all alerts up to this number."""
    database.execute(_SEEN, [person, number, property])


def held_back(property: str, hidden: Sequence[str]) -> int:
    """Return how many alerts quiet hours hold back now."""
    values = {"property": property, "hidden": list(hidden)}
    return int(database.rows(f"SELECT count(*) {_FROM} AND a.shown IS NULL", values)[0][0])


def _decoded(data: Any) -> Any:
    return json.decode(data) if isinstance(data, str) else data


COUNTED = 100
"""Unseen alerts are counted up to this number."""
PASSED = 1000
"""If a person has more than this number of unseen alerts and may not see any of them, the alerts are marked
as seen.
"""
_FROM = """FROM alert a JOIN event e ON e.property = a.property AND e.number = a.event
    WHERE a.property = %(property)s AND NOT e.type = ANY(%(hidden)s)"""
_ALERTS = f"""SELECT a.shown, a.number, a.rule, a.at, a.page, a.held_until, a.event, e.type,
    e.data {_FROM}"""
_PAGE = f"""{_ALERTS} AND a.shown IS NOT NULL AND (%(rule)s = '' OR a.rule = %(rule)s)
    AND (%(before)s::bigint IS NULL OR a.shown < %(before)s) ORDER BY a.shown DESC LIMIT %(limit)s"""
_NUMBERED = f"{_ALERTS} AND a.number = ANY(%(numbers)s) ORDER BY a.number LIMIT %(limit)s"
_AFTER_SEEN = """AND a.page AND a.shown > coalesce((SELECT number FROM alert_seen s
    WHERE s.property = %(property)s AND s.person = %(person)s), 0)"""
_NEWEST = f"{_ALERTS} {_AFTER_SEEN} ORDER BY a.shown DESC LIMIT %(limit)s"
_UNSEEN = f"""SELECT count(*), max(shown) FROM (
    SELECT a.shown {_FROM} {_AFTER_SEEN} ORDER BY a.shown DESC LIMIT {COUNTED}) u"""
_PASS = f"""INSERT INTO alert_seen AS s (property, person, number)
    SELECT property, %(person)s, alerts FROM event_stream WHERE property = %(property)s
        AND alerts > {PASSED} + coalesce((SELECT number FROM alert_seen
            WHERE property = %(property)s AND person = %(person)s), 0)
    ON CONFLICT (property, person) DO UPDATE SET number = greatest(s.number, excluded.number)"""
_SEEN = """INSERT INTO alert_seen AS s (property, person, number)
    SELECT property, %s, least(%s, alerts) FROM event_stream WHERE property = %s
    ON CONFLICT (property, person) DO UPDATE SET number = greatest(s.number, excluded.number)"""

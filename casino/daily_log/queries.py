"""Read entries of the daily log for pages, with their text and links. Also list the open tasks of
surveillance, which the next shift takes over.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from msgspec import json

from audit.facts.vocabulary import HAND_OVER
from audit.queries import hand_people
from audit.queries.hand_people import People
from audit.review import log_queries
from audit.review.log_rows import Entry, Outage
from casino.daily_log import types
from casino.presentation.formatting import cut_property
from casino.video.queries import HoldRow, address_of, to_secure
from casino.web.free_words import words_of


class EntryRow(NamedTuple):
    """An entry of the log, with the texts and links that a page shows.

    Attributes:
        words: the text of the entry, or None if it was erased or never stored here.
    """

    entry: Entry
    title: str
    words: str | None
    address: str
    """The URL of the hand or fact that the entry is about, or empty text."""
    video: list[dict[str, str]]

    @property
    def about(self) -> str:
        """Return what the entry is about. Return empty text for an entry about nothing in particular: its
        fact only repeats the title of its type.
        """
        return "" if self.entry.about == self.title else self.entry.about

    @property
    def is_hand_over(self) -> bool:
        """Return True if the entry hands a shift over."""
        return self.entry.type == HAND_OVER

    @property
    def table(self) -> str:
        """Return the code of the table, or empty text."""
        return cut_property(self.entry.of_table)


class Open(NamedTuple):
    """The open tasks of surveillance: hand-overs that nobody has accepted, other open entries, cameras that
    are down, recordings that must still be secured, and hands that need a verdict.

    Attributes:
        hands: {grade: number of hands that need a verdict}. It also has a number for each state in FURTHER,
            such as `escalated`. These hands are already included in the numbers by grade.
    """

    hand_overs: list[EntryRow]
    entries: list[EntryRow]
    cameras: list[Outage]
    hands: dict[str, int]
    holds: list[HoldRow]

    @property
    def hands_by_grade(self) -> dict[str, int]:
        """Return {grade: number of hands that need a verdict}."""
        return {name: count for name, count in self.hands.items() if name not in log_queries.FURTHER}

    @property
    def further_hands(self) -> dict[str, int]:
        """Return {state: number of hands} for further states of the hands that need a verdict, such as
        escalated.
        """
        names = {name: name for name in log_queries.FURTHER} | {"second": "waiting for a second reviewer"}
        return {names[name]: count for name, count in self.hands.items() if name in names}

    @property
    def is_empty(self) -> bool:
        """Return True if no task is open. Hands that need a verdict do not count as a task here."""
        return not (self.hand_overs or self.entries or self.cameras or self.holds)


def rows_of(property: str, entries: Sequence[Entry]) -> list[EntryRow]:
    """Return the entries with their titles, texts and links."""
    titles = types.all_titles(property)
    words = words_of(property, [entry.words_sha256 for entry in entries])
    places = log_queries.places_of(property, [entry.of for entry in entries if entry.of])
    return [
        EntryRow(
            entry,
            titles.get(entry.type) or types.title_of(property, entry.type),
            words.get(entry.words_sha256),
            address_of(entry, places),
            json.decode(entry.video),
        )
        for entry in entries
    ]


def still_open(property: str, instant: datetime) -> Open:
    """Return the open tasks of surveillance at a property: hand-overs that nobody has accepted, entries that
    must still be closed, cameras that are down, hands that need a verdict, and recordings to secure.
    """
    waiting = rows_of(property, log_queries.waiting(property))
    return Open(
        [row for row in waiting if row.entry.type == HAND_OVER],
        [row for row in waiting if row.entry.type != HAND_OVER],
        log_queries.outages(property),
        log_queries.hands_waiting(property),
        to_secure(property, instant),
    )


class HandedOver(NamedTuple):
    """The open tasks that a hand-over lists. They were open when it was written."""

    hands: dict[str, int]
    cameras: list[str]
    holds: int
    entries: list[EntryRow]


def handed_over(property: str, entry: Entry) -> HandedOver | None:
    """Return the open tasks that a hand-over lists, or None if the entry has no such list."""
    if entry.still_open is None:
        return None
    listed: dict[str, Any] = json.decode(entry.still_open)
    entries = [
        log_queries.entry_of(property, uid) for uid in listed.get("entries", [])[: log_queries.WAITING]
    ]
    return HandedOver(
        listed.get("hands", {}),
        listed.get("cameras", []),
        len(listed.get("holds", [])),
        rows_of(property, [row for row in entries if row is not None]),
    )


def about_hand(property: str, stream: str, name: str, uid: str) -> list[EntryRow]:
    """Return the entries about a hand. If `name` begins with `#`, it does not name a hand but a fact outside
    a hand. In that case, return the entries about the fact with this `uid`.
    """
    entries = (
        log_queries.about_fact(property, uid)
        if name[:1] == "#"
        else log_queries.about_hand(property, stream, name)
    )
    return rows_of(property, entries)


def people_at(property: str, entry: Entry) -> People | None:
    """Return the people who were at the hand of an entry. Return None if the entry is not about a hand, or if
    the hand is not finished.
    """
    if entry.round is None or entry.of_day is None:
        return None
    stream = f"{entry.of_table}/{entry.of_day.isoformat()}"
    return hand_people.people_of(property, stream, entry.round)


def about_table(property: str, table: str, day: date) -> list[EntryRow]:
    """Return the latest entries about a table's gaming day."""
    return rows_of(property, log_queries.about_table(property, f"{property}/{table}", day))

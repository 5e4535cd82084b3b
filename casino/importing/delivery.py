"""Recognize messages that are delivered more than once, and compare them with the recorded facts.

A message is identified by its round, its type, and its timestamp, as the provider sent them. In a list
without timestamps, the index of the message takes the place of the timestamp. A message may be delivered
again with an additional field, or with another spelling of a card or a number. It is then the same fact. If
it has another meaning, it is a conflict.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, NamedTuple

from msgspec import json

from audit import facts as f
from audit.ledger import store
from games.kit.events import Event, kind_of

BEFORE_A_ROUND = ("shuffled",)
"""Kinds of facts that are recorded before their round is opened. The vendor's message already names that
round.
"""
DERIVED_FIELDS = frozenset({"raw_text", "contradicts", "declared_cards"})
"""Fields that earlier versions did not record. If a recorded fact does not have them, it may come from such a
version.
"""
JOKER = "joker"


class Draft(NamedTuple):
    """A fact that does not have a uid and a gaming day yet."""

    line: int
    at: datetime
    kind: str
    round: str
    """The round that the message names."""
    fields: dict[str, Any]
    place: str = ""
    """What distinguishes this message from others of its kind: the place to which a card was dealt, or the
    wager of a stake.
    """
    ordinal: int = 0
    """In a list without timestamps, the index (from 0) of the message among the messages with the same
    place.
    """
    has_clock: bool = True
    """True if the message has a timestamp of its own. A message in a list without timestamps has the round's
    timestamp.
    """


Key = tuple[str, str, str, int, str]
"""The kind, round, place, index and timestamp of a message. The timestamp is empty if it is not the message's
own.
"""


def key_of(draft: Draft) -> Key:
    """Return the key that identifies a message at its provider."""
    round = "" if draft.kind in BEFORE_A_ROUND else draft.round
    return draft.kind, round, draft.place, draft.ordinal, utc_text(draft.at) if draft.has_clock else ""


def utc_text(at: datetime) -> str:
    """Return an instant as text in UTC, so that equal instants in different time zones give the same text."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")


def place_of(event: Event) -> str:
    """Return what distinguishes a recorded fact from others of its kind, in the same form as `Draft.place`:
    the place to which a card was dealt, or the wager of a stake.
    """
    if isinstance(event, f.Deal):
        return event.to
    if isinstance(event, f.Bet | f.Pay | f.Take):
        return event.wager
    return (event.spot or "") if isinstance(event, f.Announce) else ""


class RecordedDay:
    """The recorded facts of one stream, indexed so that messages that are delivered again can be found."""

    def __init__(self, property: str, stream: str, source: str) -> None:
        self.uids: set[str] = set()
        self.rounds: set[str] = set()
        self.open: str | None = None
        self.opened: f.TableOpened | None = None
        self.openings: dict[str, bytes] = {}
        """The body of each fact `table-opened`, by its uid."""
        self.facts: dict[Key, bytes] = {}
        """The bodies of this source's facts. Each body is stored under two keys: one with its timestamp, and
        one with its index.
        """
        self.places: dict[tuple[str, str], set[str]] = {}
        """The places to which cards were dealt, by the kind of the fact and its round."""
        self.source = source
        numbers: dict[tuple[str, str, str], int] = {}
        for row in store.read_stream(property, stream):
            event = f.decode(row.body)
            self.uids.add(event.uid)
            if isinstance(event, f.TableOpened):
                self.opened = event
                self.openings[event.uid] = row.body
                continue
            if isinstance(event, f.RoundOpened):
                self.open = event.round
                self.rounds.add(event.round or "")
            elif isinstance(event, f.RoundClosed) and event.round == self.open:
                self.open = None
            if event.source == source:
                self._add(event, row.body, numbers)

    def _add(self, event: Event, body: bytes, numbers: dict[tuple[str, str, str], int]) -> None:
        name = kind_of(event), event.round or "", place_of(event)
        numbers[name] = number = numbers.get(name, -1) + 1
        self.facts.setdefault((*name, 0, utc_text(event.at)), body)
        self.facts[*name, number, ""] = body
        self.places.setdefault(name[:2], set()).add(name[2])

    def find(self, draft: Draft) -> bytes | None:
        """Return the body of the fact that was recorded for the same message, or None if none was
        recorded.
        """
        return self.facts.get(key_of(draft))

    def moved_card(self, draft: Draft, sent: Collection[Key]) -> bytes | None:
        """Find a recorded card with the same timestamp in the same round, but with another place than the
        card of this draft. Return the body of its fact. Return None if there is no such card, or if `sent`
        contains its key.

        In a round, no two cards are dealt at the same instant. So the recorded card comes from the same
        message, and the vendor has now sent this message again with another place. Some vendors' timestamps
        are less exact, so two cards may have the same one. In that case, this file contains the messages of
        both cards.

        Args:
            draft: the draft of a card.
            sent: the keys of all messages in this file.
        """
        if draft.kind != "deal" or draft.place == JOKER or not draft.has_clock:
            return None
        kind, round, _, number, at = key_of(draft)
        for other in sorted(self.places.get((kind, round), set()) - {draft.place, JOKER}):
            key = kind, round, other, number, at
            if key in self.facts and key not in sent:
                return self.facts[key]
        return None


def meaning_differs(recorded: bytes, sent: bytes) -> str:
    """Return a text about the differences in meaning between two bodies of the same message. The text has the
    format of `differences`. It is empty if both bodies mean the same.

    Timestamps are not compared, because two bodies of one message have the same timestamp.
    """
    old_fields, new_fields = json.decode(recorded), json.decode(sent)
    older = DERIVED_FIELDS - old_fields.keys() if old_fields["uid"] != new_fields["uid"] else set()
    return differences(recorded, sent, {"uid", "at", "day", "n", *older})


def differences(recorded: bytes, sent: bytes, without: Collection[str] = ()) -> str:
    """Return a text about how two bodies differ, with both values of each field that is not in `without`. The
    text is empty if they are equal.
    """
    old_fields, new_fields = json.decode(recorded), json.decode(sent)
    names = (old_fields.keys() | new_fields.keys()) - set(without)
    differ = [
        f"{name} {_shown(old_fields.get(name))}, now {_shown(new_fields.get(name))}"
        for name in sorted(names)
        if old_fields.get(name) != new_fields.get(name)
    ]
    return f"said {'; '.join(differ)}. The recorded fact is not changed" if differ else ""


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.encode(value).decode()[:200]

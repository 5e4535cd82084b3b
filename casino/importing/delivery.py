"""Messages that come again: which fact of the ledger a message is, and whether it says the same.

A message is known by the identity that its provider gives it: its round, its type, and its place in the
sequence, which is its clock or, in a list without clocks, its number. A message that comes again with a field
more, or with a card or a number spelled otherwise, is the same fact. One that comes again and says something
else is a conflict.
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
"""Kinds that come before the round whose name the vendor already gives them."""
DERIVED_FIELDS = frozenset({"raw_text", "contradicts", "declared_cards"})
"""Fields that facts of a feed did not have at first: where a recorded one lacks them it may have been made
before.
"""
JOKER = "joker"


class Draft(NamedTuple):
    """A fact before it has its uid and its day."""

    line: int
    at: datetime
    kind: str
    round: str
    """The round that the message speaks of."""
    fields: dict[str, Any]
    place: str = ""
    """What else tells this message from another of its kind: where a card was dealt, the wager of a stake."""
    ordinal: int = 0
    """Its number among those of the same place, from 0, where a list without clocks has it."""
    has_clock: bool = True
    """Whether its clock is its own; in a list without clocks it is that of the round."""


Key = tuple[str, str, str, int, str]
"""Kind, round, place, number and clock, the last empty where the message has none of its own."""


def key_of(draft: Draft) -> Key:
    """Return the provider's identity of a message."""
    round = "" if draft.kind in BEFORE_A_ROUND else draft.round
    return draft.kind, round, draft.place, draft.ordinal, clock(draft.at) if draft.has_clock else ""


def clock(at: datetime) -> str:
    """Return an instant as text, the same in every zone."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")


def place_of(event: Event) -> str:
    """Return where a recorded fact of a feed has its place: see `Draft.place`."""
    if isinstance(event, f.Deal):
        return event.to
    if isinstance(event, f.Bet | f.Pay | f.Take):
        return event.wager
    return (event.spot or "") if isinstance(event, f.Announce) else ""


class RecordedDay:
    """What the ledger holds of one stream."""

    def __init__(self, property: str, stream: str, source: str) -> None:
        self.uids: set[str] = set()
        self.rounds: set[str] = set()
        self.open: str | None = None
        self.opened: f.TableOpened | None = None
        self.openings: dict[str, bytes] = {}
        """uid to the whole body of each table-opened."""
        self.facts: dict[Key, bytes] = {}
        """The facts of this source, both by their clock and by their number."""
        self.places: dict[tuple[str, str], set[str]] = {}
        """Where the cards of a round lie, by kind and round."""
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
        self.facts.setdefault((*name, 0, clock(event.at)), body)
        self.facts[*name, number, ""] = body
        self.places.setdefault(name[:2], set()).add(name[2])

    def find(self, draft: Draft) -> bytes | None:
        """Return the recorded body of the same message."""
        return self.facts.get(key_of(draft))

    def elsewhere(self, draft: Draft, sent: Collection[Key]) -> bytes | None:
        """Return the recorded card of the same round and instant that lies elsewhere, if this file does not
        hold that message as well.

        No two cards are dealt at one instant of a clock that counts milliseconds: the message came again,
        with another place. A file whose clock is coarse holds both.
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
    """Return how two bodies of one message differ in their meaning, as `differences` does; empty where they
    mean the same.

    The clock is no part of the meaning: a message with a clock of its own is known by it.
    """
    before, now = json.decode(recorded), json.decode(sent)
    older = DERIVED_FIELDS - before.keys() if before["uid"] != now["uid"] else set()
    return differences(recorded, sent, {"uid", "at", "day", "n", *older})


def differences(recorded: bytes, sent: bytes, without: Collection[str] = ()) -> str:
    """Return how two bodies differ, with both values of each field that is not in `without`; empty where they
    do not.
    """
    before, now = json.decode(recorded), json.decode(sent)
    names = (before.keys() | now.keys()) - set(without)
    differ = [
        f"{name} {_shown(before.get(name))}, now {_shown(now.get(name))}"
        for name in sorted(names)
        if before.get(name) != now.get(name)
    ]
    return f"said {'; '.join(differ)}. What is recorded stays" if differ else ""


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.encode(value).decode()[:200]

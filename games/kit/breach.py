"""A rule that is broken by one fact. It is a value and never an exception: the fact happened and play went
on.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from msgspec import Struct

from games.kit.amounts import Exact
from games.kit.events import Event


class Breach(Struct, frozen=True, kw_only=True, gc=False):
    """A breach that replay found: the fact it points at, the sentence, the rule, and the amounts if money
    moved.

    `owed` and `moved` are signed from the player, in minor units.
    """

    code: str
    event: Event
    says: str
    cite: str
    grade: str
    round: str | None = None
    spot: str = ""
    wager: str = ""
    owed: Exact | None = None
    moved: Exact | None = None
    slip: str | None = None


def place_of(event: Event) -> tuple[str, str]:
    """Return the spot and wager of a fact, empty if it has none. A card's spot is its `to`, a clear's is its
    `from`.
    """
    spot = getattr(event, "to", None) or getattr(event, "source_", None) or getattr(event, "spot", None)
    return spot or "", getattr(event, "wager", None) or ""


class Clocked(Protocol):
    """A fact, or a record of one: its sender, and the sender's clock."""

    @property
    def source(self) -> str:
        """Return the device or desk that sent it."""

    @property
    def at(self) -> datetime:
        """Return the sender's clock."""


def clocks_contradict(earlier: Clocked, later: Clocked) -> str:
    """Return a sentence with both clocks if two sources contradict the recorded order; else an empty string.

    The recorded order is the order of play. A clock of another source that contradicts it makes the finding a
    notice (facts.md, Envelope).
    """
    if earlier.source == later.source or earlier.at <= later.at:
        return ""
    return (
        f" The clocks say otherwise: {earlier.source} gives {earlier.at.isoformat()}, {later.source} gives"
        f" {later.at.isoformat()}, {(earlier.at - later.at).total_seconds():.3f} s apart."
    )

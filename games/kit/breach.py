"""A breach: one fact that broke a rule. It is a value and not an exception, because the fact happened and
play continued.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from msgspec import Struct

from games.kit.amounts import Exact
from games.kit.events import Event


class Breach(Struct, frozen=True, kw_only=True, gc=False):
    """One breach that replay detected: the fact that it points at, a sentence that explains it, the rule, and
    amounts if money moved.

    `owed` and `moved` are in minor units; an amount that goes to the player is positive.
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
    """Return the spot and wager of a fact. Either is empty if the fact does not have it. The spot of a `deal`
    is its `to`, and the spot of a `clear` is its `from`.
    """
    spot = getattr(event, "to", None) or getattr(event, "source_", None) or getattr(event, "spot", None)
    return spot or "", getattr(event, "wager", None) or ""


class Clocked(Protocol):
    """A fact, or a stored copy of one, with its sender and the sender's clock."""

    @property
    def source(self) -> str:
        """Return the device or the person that sent the fact."""

    @property
    def at(self) -> datetime:
        """Return the time of the fact by the sender's clock."""


def clocks_contradict(earlier: Clocked, later: Clocked) -> str:
    """Compare the clock times of two facts from different sources with the order of recording. If they
    contradict it, return a sentence with both times; otherwise return an empty string.

    The recorded order counts as the order of play. If the clocks contradict it, a finding that depends on the
    order has the grade `notice`.
    """
    if earlier.source == later.source or earlier.at <= later.at:
        return ""
    return (
        f" The clocks say otherwise: {earlier.source} gives {earlier.at.isoformat()}, {later.source} gives"
        f" {later.at.isoformat()}, {(earlier.at - later.at).total_seconds():.3f} s apart."
    )

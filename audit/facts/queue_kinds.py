"""The kinds of fact of the officers' queue: which officer looks after a hand, and until when a hand is
snoozed.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from games.kit import fields as t
from games.kit.events import Event

OfTable = Annotated[t.TableId, Meta(description="The property and the table that this fact is about.")]
OfDay = Annotated[t.Day, Meta(description="The gaming day that this fact is about.")]
HandName = Annotated[
    t.RoundId,
    Meta(
        description="The hand: its round, or `#` and the number of a fact that belongs to no round.",
        examples=["r-12", "#341"],
    ),
]


class HandAssigned(Event, frozen=True, kw_only=True, gc=False, tag="hand-assigned"):
    """An officer takes a hand of the queue, gives it to another officer, or releases it.

    The latest assignment of a hand counts.
    """

    of_table: OfTable
    of_day: OfDay
    hand: HandName
    to: Annotated[
        t.Staff | None,
        Meta(description="The staff ID of the officer who looks after the hand; null releases it."),
    ]
    by: t.Staff


class HandSnoozed(Event, frozen=True, kw_only=True, gc=False, tag="hand-snoozed"):
    """A hand of the queue waits until a time, for example for a video.

    It still counts as a hand without a verdict. The latest snooze of a hand counts.
    """

    of_table: OfTable
    of_day: OfDay
    hand: HandName
    until: Annotated[t.Instant | None, Meta(description="When it is to be shown again; null shows it now.")]
    by: t.Staff


OF_THE_QUEUE: tuple[type[Event], ...] = (HandAssigned, HandSnoozed)
"""Kinds of fact about the queue. They are recorded in the property's own stream."""

"""What one table's day, or one of its shifts, adds to the hold: win, what it is a percentage of, or why it is
pending.

Reports and journals share it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from audit.queries.tallies import TableDay
from casino.reports import overnight_boxes

FELT, LIVE, WAGERS = "win / drop", "GGR / handle", "win from wagers, no count"


class Figure(NamedTuple):
    """One stream's share: its basis, what was won over what, or why that is not known yet."""

    of: TableDay
    basis: str
    win: int | Fraction
    over: int
    pending: str


def figure(day: TableDay) -> Figure:
    """What a stream, or one of its shifts, adds."""
    wagers = day.taken - day.paid + day.unseen - day.corrected + day.settled
    if day.live_dealer:
        return Figure(day, LIVE, wagers, day.staked - day.returned, "")
    if not day.cage and (day.rounds or not day.adjusted):
        return Figure(day, WAGERS, wagers, 0, "")
    win = day.closer + day.credits + day.drop - day.opener - day.fills + day.settled
    pending = filter(None, (wanting(day), overnight_boxes.word(day)))
    return Figure(day, FELT, win, day.drop, ", ".join(pending))


def wanting(day: TableDay) -> str:
    """What must still come before a felt table's win is known, but for a box that stayed on its table."""
    return ", ".join(_missing(day)) if day.cage else ""


def _missing(day: TableDay) -> Iterator[str]:
    if day.openers == 0:
        yield "no opener"
    if day.closers < max(day.openers, 1):
        yield "no closer"
    elif day.closers > day.openers > 0:
        yield "an opener is missing"
    uncounted = day.pulled - day.counted if day.shift else day.open_boxes
    if uncounted > 0:
        yield f"{uncounted} box{'es' if uncounted > 1 else ''} not counted"
    elif day.counted == 0 and not overnight_boxes.box_not_pulled(day):
        yield "no count"

"""How much one table's day, or one of its shifts, adds to the hold: its win and its drop or handle, or why it
is pending.

Reports and journals both use it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from audit.queries.cache.aggregates import Exact
from audit.queries.table_day import TableDay
from casino.reports import overnight_boxes

FELT, LIVE, WAGERS = "win / drop", "GGR / handle", "win from wagers, no count"


class HoldFigure(NamedTuple):
    """What one stream, or one of its shifts, adds to the hold: its basis (such as `win / drop`), its win, and
    its drop or handle. If they are not known yet, `pending` says why.
    """

    day: TableDay
    basis: str
    win: int | Fraction
    over: int
    pending: str


class HoldFigures(NamedTuple):
    """The sums in a row of the hold.

    Attributes:
        over: the drop or the handle, by which the win is divided.
        known: the number of days with a count.
        pending: the number of days without a count.
    """

    rounds: int
    win: Exact
    over: int
    known: int
    pending: int


def figure(day: TableDay) -> HoldFigure:
    """Return what a stream, or one of its shifts, adds to the hold."""
    wagers = day.taken - day.paid + day.unseen - day.corrected + day.settled
    if day.live_dealer:
        return HoldFigure(day, LIVE, wagers, day.staked - day.returned, "")
    if not day.cage and (day.rounds or not day.adjusted):
        return HoldFigure(day, WAGERS, wagers, 0, "")
    win = day.closer + day.credits + day.drop - day.opener - day.fills + day.settled
    pending, reason = missing_counts(day), overnight_boxes.pending_reason(day)
    if reason:
        pending = f"{pending}, {reason}" if pending else reason
    return HoldFigure(day, FELT, win, day.drop, pending)


def missing_counts(day: TableDay) -> str:
    """Return which counts a felt table still needs before its win is known. Counts of a box that stayed on
    its table overnight are left out.
    """
    if not day.cage or (day.openers == day.closers > 0 and day.counted and not _uncounted(day)):
        return ""
    return ", ".join(_missing(day))


def _uncounted(day: TableDay) -> int:
    """Return the number of boxes that still must be counted."""
    return max(day.pulled - day.counted if day.shift else day.open_boxes, 0)


def _missing(day: TableDay) -> Iterator[str]:
    if day.openers == 0:
        yield "no opener"
    if day.closers < max(day.openers, 1):
        yield "no closer"
    elif day.closers > day.openers > 0:
        yield "an opener is missing"
    if uncounted := _uncounted(day):
        yield f"{uncounted} box{'es' if uncounted > 1 else ''} not counted"
    elif day.counted == 0 and not overnight_boxes.box_not_pulled(day):
        yield "no count"

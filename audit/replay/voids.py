"""When a slip is void: its number was voided after it in the order of recording, or, if the voiding was
recorded first, later by the clocks.

If a device sends the voiding before the slip, the slip must still not be counted. But a number whose paper
was spoilt and that was used later by the clock is counted: its chips have moved, and the serial is reported
as used twice.
"""

from __future__ import annotations

from datetime import datetime


def came_late(slip: datetime, voided: datetime | None) -> bool:
    """Return True if the number of a slip that is recorded now has been voided already, at a later clock time
    than the slip's; the slip is then void from now on.
    """
    return voided is not None and voided > slip


def voids(number: int, at: datetime, slip: int, sent: datetime) -> bool:
    """Return True if a voiding voids a slip of the same number, given the number in the stream and the clock
    time of both.
    """
    return number > slip or came_late(sent, at)

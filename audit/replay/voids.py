"""When a slip is void: its number was voided after it, in the order in which both came, or by their clocks
where the voiding came first.

A voiding that a device sends before the slip is no reason to count the slip. A number whose paper was spoilt
and which is used all the same, later by the clock, is: its chips have moved, and the serial is found as used
twice.
"""

from __future__ import annotations

from datetime import datetime


def came_late(slip: datetime, voided: datetime | None) -> bool:
    """Return True if a slip of this clock, which comes now, was voided before it came; the slip is void
    from that moment, if its number was voided at all.
    """
    return voided is not None and voided > slip


def voids(number: int, at: datetime, slip: int, sent: datetime) -> bool:
    """Return True if the voiding of a number voids a slip of that number, given place in the stream and
    clock of both.
    """
    return number > slip or came_late(sent, at)

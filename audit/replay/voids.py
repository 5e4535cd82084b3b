"""The rule that says when a slip is void. A voiding that is recorded after the slip voids it. A voiding that
is recorded first voids it only if the clocks say that it is later.

If a device sends the voiding before the slip, the slip must still not be counted. But if a number was voided
because its paper was spoilt, and a slip with this number is later by the clock, the slip is counted. Its
chips have moved, and the serial is reported as used twice.
"""

from __future__ import annotations

from datetime import datetime


def came_late(slip: datetime, voided: datetime | None) -> bool:
    """Return True if the serial of a slip was voided before the slip was recorded, but at a later clock time.
    The slip is then void.
    """
    return voided is not None and voided > slip


def voids(number: int, at: datetime, slip: int, sent: datetime) -> bool:
    """Return True if a voiding voids a slip with the same serial.

    `number` and `slip`: the numbers of the voiding and of the slip in the stream. `at` and `sent`: their
    clock times.
    """
    return number > slip or came_late(sent, at)

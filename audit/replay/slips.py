"""The slips of a stream: fills, credits and markers that were sent, issued or paid, and what was voided."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class Slip(Struct):
    """The total amount that was sent, issued or paid under one serial, kind and currency, and the part of it
    that was voided.
    """

    kind: str
    amount: int
    stands: bool = True
    currency: str = ""
    shift: str = ""
    """The shift in which it was first recorded."""
    number: int = 0
    """The number of times that the slip was recorded in this stream."""
    voided: int = 0
    """The part of the amount that was voided."""
    voided_at: datetime | None = None
    """The latest clock time of the voidings of this slip."""

    @property
    def standing(self) -> int:
        """Return the amount without the part that was voided."""
        return self.amount - self.voided

    @property
    def shown(self) -> int:
        """Return the amount without the voided part, or the whole amount if all of it was voided."""
        return self.standing or self.amount

"""One series of slips: which numbers have come, which are missing."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field

from audit import facts as f
from games.kit.events import Event

SERIALS: tuple[type[Event], ...] = (f.FillSent, f.CreditSent, f.MarkerIssued, f.SlipVoided)
"""The kinds whose slips take a number of a series."""


class Series(Struct):
    """The numbers from first to last, less those that were jumped over."""

    first: int | None = None
    last: int = 0
    missing: list[tuple[int, int]] = field(default_factory=list)
    """Ranges of numbers that have not come, both ends in."""
    digits: int | None = None
    """As many as its numbers are written with, leading zeros and all; 0: some have more than others. None:
    none has come.
    """
    voided: dict[int, tuple[str, datetime]] = field(default_factory=dict)
    """Numbers that were voided before anything came under them: in which stream, and when by its clock."""

    def enter(self, number: int, *, voids: bool) -> tuple[str, str]:
        """Record a slip's number or its voiding.

        Return the code of what is wrong and a sentence, or two empty texts. A voiding of a number that has
        come is no second slip (rounds.md 25); of one that has not, it fills it.
        """
        if self.first is None:
            self.first = self.last = number
            return "", ""
        if number > self.last:
            jumped = (self.last + 1, number - 1)
            self.last = number
            if jumped[0] > jumped[1]:
                return "", ""
            self.missing.append(jumped)
            return "slip-serial-gap", f"the series jumps from {jumped[0] - 1} to {number}."
        if number < self.first:
            if self.first - number > 1:
                self.missing.append((number + 1, self.first - 1))
            self.first = number
            return "", ""
        if self.fill(number) or voids:
            return "", ""
        return "slip-serial-twice", f"number {number} has been used before in this series."

    def write(self, digits: str) -> None:
        """Remember how a number that comes is written."""
        self.digits = len(digits) if self.digits in (None, len(digits)) else 0

    def has(self, number: int) -> bool:
        """Return True if the number has come, or was voided."""
        return (
            self.first is not None
            and self.first <= number <= self.last
            and not any(low <= number <= high for low, high in self.missing)
        )

    def fill(self, number: int) -> bool:
        """Take a number out of the missing ones; whether it was missing."""
        for place, (low, high) in enumerate(self.missing):
            if low <= number <= high:
                self.missing[place : place + 1] = [
                    part for part in ((low, number - 1), (number + 1, high)) if part[0] <= part[1]
                ]
                return True
        return False

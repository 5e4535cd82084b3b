"""The numbers of one series of slips: which numbers have been recorded, and which are missing."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field

from audit import facts as f
from games.kit.events import Event

SERIALS: tuple[type[Event], ...] = (f.FillSent, f.CreditSent, f.MarkerIssued, f.SlipVoided)
"""The kinds of fact whose slips have a number in a series."""


class Series(Struct):
    """The recorded numbers of a series: the first, the last, and the missing numbers between them."""

    first: int | None = None
    last: int = 0
    missing: list[tuple[int, int]] = field(default_factory=list)
    """Ranges of numbers that have not been recorded, both ends included."""
    digits: int | None = None
    """The number of digits, including leading zeros, with which numbers of the series are written. It is 0 if
    the number of digits differs, and None if no number has been recorded.
    """
    voided: dict[int, tuple[str, datetime]] = field(default_factory=dict)
    """For each number that was voided before a slip was recorded under it: the stream and the clock time of
    the voiding.
    """

    def enter(self, number: int, *, voids: bool) -> tuple[str, str]:
        """Record a slip's number or its voiding.

        Return a code and a sentence for what is wrong, or two empty texts. Voiding a recorded number does not
        count as a second use. Voiding a number that was not recorded fills the gap.
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
        """Store the number of digits with which a recorded number is written."""
        self.digits = len(digits) if self.digits in (None, len(digits)) else 0

    def has(self, number: int) -> bool:
        """Return True if a slip or a voiding with this number has been recorded."""
        return (
            self.first is not None
            and self.first <= number <= self.last
            and not any(low <= number <= high for low, high in self.missing)
        )

    def fill(self, number: int) -> bool:
        """Remove a number from the missing numbers. Return True if it was missing."""
        for place, (low, high) in enumerate(self.missing):
            if low <= number <= high:
                self.missing[place : place + 1] = [
                    part for part in ((low, number - 1), (number + 1, high)) if part[0] <= part[1]
                ]
                return True
        return False

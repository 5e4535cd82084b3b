"""The drop boxes of one table's day: to which shift each belongs, and whether the last one stayed on its
table.

Drop follows the box, play follows the clock. A table that pulls a box each shift and plays on in a later one
has the drop of that in a box which is pulled, and counted, with a later day. That it does so is seen by boxes
of several shifts, or by one that was pulled when its shift was over and by a tray that the next shift counted
for itself. Else one box a day has the day's drop, for any shift that it names.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field


class Boxes(Struct):
    """What is known of them so far. Kept in the fold's state."""

    shifts: dict[str, str] = field(default_factory=dict)
    """Box to the shift in which it was pulled or counted last."""
    currencies: dict[tuple[str, str], str] = field(default_factory=dict)
    """Box and shift to the currency in which the table was open when it was pulled, or first counted: what
    it holds is of that.
    """
    pulls: dict[str, list[str]] = field(default_factory=dict)
    """Box to the shifts in which it was pulled; none for a box that was counted alone."""
    first: str | None = None
    """The shift of the first box; None: there was none."""
    pulled: list[str] = field(default_factory=list)
    """The shifts of boxes that were pulled."""
    since: list[str] = field(default_factory=list)
    """The shifts of rounds and of chips bought since the last pull."""
    trays: list[str] = field(default_factory=list)
    """The shifts that have an opener of their own."""
    begun: dict[str, datetime] = field(default_factory=dict)
    """When each shift begins at this table."""

    def pull(self, box: str, shift: str, currency: str) -> None:
        """Record that a box was pulled: another takes its place."""
        self.currencies[box, shift] = currency
        self.count(box, shift, currency)
        self.since.clear()
        if shift not in self.pulls[box]:
            self.pulls[box].append(shift)
        if shift not in self.pulled:
            self.pulled.append(shift)

    def count(self, box: str, shift: str, currency: str) -> None:
        """Record that a box was counted while its table was open in this currency."""
        self.currencies.setdefault((box, shift), currency)
        self.shifts[box] = shift
        self.pulls.setdefault(box, [])
        if self.first is None:
            self.first = shift

    def play(self, shift: str) -> None:
        """Record that something was dropped in this shift, or may have been."""
        if shift not in self.since:
            self.since.append(shift)

    def open(self, shift: str) -> None:
        """Record that a shift counted the tray with which it begins."""
        if shift not in self.trays:
            self.trays.append(shift)

    @property
    def number(self) -> int:
        """Return how many boxes were pulled or counted. A box that is pulled in two shifts is two; its count
        is no box of its own.
        """
        return sum(max(len(shifts), 1) for shifts in self.pulls.values())

    @property
    def stays(self) -> bool:
        """Return True if a table that pulls a box each shift played on in a later one after its last pull."""
        begun = self.begun
        if not self.pulled or not all(shift in begun for shift in self.pulled):
            return False
        last = max(begun[shift] for shift in self.pulled)
        later = [shift for shift in self.since if shift in begun and begun[shift] > last]
        if len(self.pulled) == 1:
            return self.pulled[0] not in self.since and any(shift in self.trays for shift in later)
        return bool(later)

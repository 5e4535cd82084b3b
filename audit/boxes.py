"""The drop boxes of one table's day: to which shift each belongs, and whether the last one stayed on its table.

Drop follows the box, play follows the clock. A table that pulls a box each shift and plays on in a later one has the drop of that in a box
which is pulled, and counted, with a later day. Where one box a day is pulled, it has the day's drop, whichever shift it names.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field


class Boxes(Struct):
    """What is known of them so far. Kept in the fold's state."""

    shifts: dict[str, str] = field(default_factory=dict)
    """Box to the shift in which it was pulled or counted last."""
    first: str | None = None
    """The shift of the first box; None: there was none."""
    pulled: list[str] = field(default_factory=list)
    """The shifts of boxes that were pulled."""
    since: list[str] = field(default_factory=list)
    """The shifts of rounds and of chips bought since the last pull."""
    begun: dict[str, datetime] = field(default_factory=dict)
    """When each shift begins at this table."""

    def pull(self, box: str, shift: str) -> None:
        """A box was pulled: another takes its place."""
        self.count(box, shift)
        self.since.clear()
        if shift not in self.pulled:
            self.pulled.append(shift)

    def count(self, box: str, shift: str) -> None:
        """A box was counted."""
        self.shifts[box] = shift
        if self.first is None:
            self.first = shift

    def play(self, shift: str) -> None:
        """Something was dropped in this shift, or may have been."""
        if shift not in self.since:
            self.since.append(shift)

    @property
    def stays(self) -> bool:
        """Whether boxes of several shifts were pulled and none of a later shift, in which play went on after the last pull."""
        begun = self.begun
        if len(self.pulled) < 2 or not all(shift in begun for shift in self.pulled):
            return False
        last = max(begun[shift] for shift in self.pulled)
        return any(begun[shift] > last for shift in self.since if shift in begun)

"""The drop boxes of one table's day: to which shift each belongs, and whether the last box stayed on its
table.

Drop is attributed to the shift in which a box is pulled. Play is attributed to the shift in which it happens
by the clock. If a table pulls a box each shift and plays on in a later shift without a pull, the drop of that
play is in a box that is pulled and counted on a later day. A table pulls a box each shift if boxes of several
shifts were pulled. This is also assumed if a box was pulled when its shift was over and the next shift
counted a tray of its own. At any other table, one box has the drop of the whole day, even if it names a
shift.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct, field


class Boxes(Struct):
    """The boxes of a table's day so far. It is part of the fold's state."""

    shifts: dict[str, str] = field(default_factory=dict)
    """For each box: the shift in which it was last pulled or counted."""
    currencies: dict[tuple[str, str], str] = field(default_factory=dict)
    """For each box and shift: the currency of the box's contents. It is the currency in which the table was
    open when the box was pulled, or first counted.
    """
    pulls: dict[str, list[str]] = field(default_factory=dict)
    """For each box: the shifts in which it was pulled. The list is empty if the box was only counted."""
    first: str | None = None
    """The shift of the first box, or None if there was no box."""
    pulled: list[str] = field(default_factory=list)
    """The shifts in which boxes were pulled."""
    since: list[str] = field(default_factory=list)
    """The shifts of rounds and of chips bought since the last pull."""
    trays: list[str] = field(default_factory=list)
    """The shifts with an opener."""
    begun: dict[str, datetime] = field(default_factory=dict)
    """When each shift begins at this table."""

    def pull(self, box: str, shift: str, currency: str) -> None:
        """Record that a box was pulled and replaced by another."""
        self.currencies[box, shift] = currency
        self.count(box, shift, currency)
        self.since.clear()
        if shift not in self.pulls[box]:
            self.pulls[box].append(shift)
        if shift not in self.pulled:
            self.pulled.append(shift)

    def count(self, box: str, shift: str, currency: str) -> None:
        """Record that a box was counted.

        Args:
            currency: the currency in which the table was open.
        """
        self.currencies.setdefault((box, shift), currency)
        self.shifts[box] = shift
        self.pulls.setdefault(box, [])
        if self.first is None:
            self.first = shift

    def play(self, shift: str) -> None:
        """Record that cash may have been dropped in this shift."""
        if shift not in self.since:
            self.since.append(shift)

    def open(self, shift: str) -> None:
        """Record that a shift counted its opening tray."""
        if shift not in self.trays:
            self.trays.append(shift)

    @property
    def number(self) -> int:
        """Return the number of boxes. A box counts once for each shift in which it was pulled, or once if it
        was only counted.
        """
        return sum(max(len(shifts), 1) for shifts in self.pulls.values())

    @property
    def stays(self) -> bool:
        """Return True if the table pulls a box each shift and played on in a later shift after its last
        pull.
        """
        starts = self.begun
        if not self.pulled or not all(shift in starts for shift in self.pulled):
            return False
        last = max(starts[shift] for shift in self.pulled)
        later = [shift for shift in self.since if shift in starts and starts[shift] > last]
        if len(self.pulled) == 1:
            return self.pulled[0] not in self.since and any(shift in self.trays for shift in later)
        return bool(later)

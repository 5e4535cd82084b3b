"""Match recounts with counts. All code that compares the two uses this rule.

A box may be pulled in several shifts of a day under one number. A recount that names its shift belongs to a
count of that shift. Some recorders send recounts without a shift. Such a recount may belong to any count of
the box that waits for a recount. A count with the same amount is preferred, otherwise the count that has
waited longest. A recount that is recorded first waits in the same way for its count.
"""

from __future__ import annotations

from msgspec import Struct, field

from audit import facts as f


class Waiting(Struct):
    """A count without its recount, or a recount without its count.

    Attributes:
        shift: its shift, or None if it does not name a shift.
    """

    uid: str
    shift: str | None
    amount: int


class Recounts(Struct):
    """For each box: its counts without a recount, and its recounts without a count, the longest waiting
    first.
    """

    counted: dict[str, list[Waiting]] = field(default_factory=dict)
    verified: dict[str, list[Waiting]] = field(default_factory=dict)

    def other(self, event: f.DropCounted | f.CountVerified) -> Waiting | None:
        """Return the recount that belongs to this count, or the count that belongs to this recount, and
        remove it from those that wait. If none has been recorded yet, add this fact to those that wait and
        return None.
        """
        own, others = (
            (self.counted, self.verified)
            if isinstance(event, f.DropCounted)
            else (self.verified, self.counted)
        )
        waiting = others.get(event.box, [])
        fitting = [
            (count.shift is None, count.amount != event.amount, place)
            for place, count in enumerate(waiting)
            if None in (count.shift, event.shift) or count.shift == event.shift
        ]
        if fitting:
            return waiting.pop(min(fitting)[2])
        own.setdefault(event.box, []).append(Waiting(event.uid, event.shift, event.amount))
        return None

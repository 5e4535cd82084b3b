"""Which count a recount is of. One rule, used by all that compare the two.

A box may be pulled in several shifts of a day, under one number. A recount that names its shift is of a count
of that shift; one that names none, as the recounts of other desks, is of any count of the box that waits: an
equal one, else the one that waits longest. A recount that came first waits in the same way for its count.
"""

from __future__ import annotations

from msgspec import Struct, field

from audit import facts as f


class Waiting(Struct):
    """A count without its recount, or a recount without its count. `shift` None: it names none."""

    uid: str
    shift: str | None
    amount: int


class Recounts(Struct):
    """Box to what waits of it, the longest first."""

    counted: dict[str, list[Waiting]] = field(default_factory=dict)
    verified: dict[str, list[Waiting]] = field(default_factory=dict)

    def other(self, event: f.DropCounted | f.CountVerified) -> Waiting | None:
        """Return what this count, or recount, is compared with, which then waits no more; None if there is
        nothing yet, and it waits itself.
        """
        mine, others = (
            (self.counted, self.verified)
            if isinstance(event, f.DropCounted)
            else (self.verified, self.counted)
        )
        waiting = others.get(event.box, [])
        fitting = [
            (one.shift is None, one.amount != event.amount, place)
            for place, one in enumerate(waiting)
            if None in (one.shift, event.shift) or one.shift == event.shift
        ]
        if fitting:
            return waiting.pop(min(fitting)[2])
        mine.setdefault(event.box, []).append(Waiting(event.uid, event.shift, event.amount))
        return None

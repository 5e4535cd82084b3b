"""Two counts of a box agree: notes and papers with their amount, and the recount with the count."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.checks import Seen, StreamCheck
from games.kit.breach import Breach
from games.kit.events import Event


class Kept(Struct):
    """Box to counts that wait for their recount, and to recounts that wait for their count.

    A box may be pulled in several shifts of a day; a recount names no shift, so it is held against any count that waits.
    """

    counted: dict[str, list[int]] = field(default_factory=dict)
    verified: dict[str, list[int]] = field(default_factory=dict)


def worth(notes: dict[str, int], papers: dict[str, int] | None) -> int:
    """Notes by denomination and papers by amount, together, in minor units."""
    return sum(int(denomination) * count for denomination, count in notes.items()) + sum((papers or {}).values())


class Counts(StreamCheck):
    name = "counts"
    codes = ("count-differs",)
    cite = "Facts Kinds at the cage and in the count room, drop-counted and count-verified"
    kinds = (f.DropCounted, f.CountVerified)
    Kept = Kept

    def see(self, event: Event, seen: Seen) -> Iterator[Breach]:
        assert isinstance(event, f.DropCounted | f.CountVerified)
        differences = []
        if event.notes is not None and (sum_of := worth(event.notes, event.papers)) != event.amount:
            differences.append(f"notes and papers are {seen.say(sum_of)}, the amount says {seen.say(event.amount)}")
        other = self.other_count(event)
        if other is not None and other != event.amount:
            differences.append(f"the other count was {seen.say(other)}, this one is {seen.say(event.amount)}")
        if differences:
            yield self.breach("count-differs", event, f"Box {event.box}: {'; '.join(differences)}.")

    def other_count(self, event: f.DropCounted | f.CountVerified) -> int | None:
        """The count that this one is held against: an equal one if any waits, else the one that waits longest."""
        kept = self.kept
        assert isinstance(kept, Kept)
        mine, others = (kept.counted, kept.verified) if isinstance(event, f.DropCounted) else (kept.verified, kept.counted)
        waiting = others.get(event.box)
        if not waiting:
            mine.setdefault(event.box, []).append(event.amount)
            return None
        return waiting.pop(waiting.index(event.amount) if event.amount in waiting else 0)


CHECK = Counts

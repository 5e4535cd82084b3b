"""Two counts of a box agree: notes and papers with their amount, and the recount with the count."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.checks import Seen, StreamCheck
from games.kit.breach import Breach
from games.kit.events import Event


class Kept(Struct):
    """Box to its last count, and to its last recount."""

    counted: dict[str, int] = field(default_factory=dict)
    verified: dict[str, int] = field(default_factory=dict)


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
        kept = self.kept
        assert isinstance(kept, Kept)
        assert isinstance(event, f.DropCounted | f.CountVerified)
        differences = []
        if event.notes is not None and (sum_of := worth(event.notes, event.papers)) != event.amount:
            differences.append(f"notes and papers are {seen.say(sum_of)}, the amount says {seen.say(event.amount)}")
        mine, others = (kept.counted, kept.verified) if isinstance(event, f.DropCounted) else (kept.verified, kept.counted)
        mine[event.box] = event.amount
        if (other := others.get(event.box)) is not None and other != event.amount:
            differences.append(f"the other count was {seen.say(other)}, this one is {seen.say(event.amount)}")
        if differences:
            yield self.breach("count-differs", event, f"Box {event.box}: {'; '.join(differences)}.")


CHECK = Counts

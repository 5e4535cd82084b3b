"""Two counts of a box agree: notes and papers with their amount, and the recount with the count."""

from __future__ import annotations

from collections.abc import Iterator

from audit import facts as f
from audit.checks import Seen, StreamCheck
from audit.recounts import Recounts
from games.kit.breach import Breach
from games.kit.events import Event


def worth(notes: dict[str, int], papers: dict[str, int] | None) -> int:
    """Notes by denomination and papers by amount, together, in minor units."""
    return sum(int(denomination) * count for denomination, count in notes.items()) + sum((papers or {}).values())


class Counts(StreamCheck):
    name = "counts"
    codes = ("count-differs",)
    cite = "Facts Kinds at the cage and in the count room, drop-counted and count-verified"
    kinds = (f.DropCounted, f.CountVerified)
    Kept = Recounts

    def see(self, event: Event, seen: Seen) -> Iterator[Breach]:
        assert isinstance(event, f.DropCounted | f.CountVerified)
        differences = []
        if event.notes is not None and (sum_of := worth(event.notes, event.papers)) != event.amount:
            differences.append(f"notes and papers are {seen.say(sum_of)}, the amount says {seen.say(event.amount)}")
        assert isinstance(self.kept, Recounts)
        other = self.kept.other(event)
        if other is not None and other.amount != event.amount:
            differences.append(f"the other count was {seen.say(other.amount)}, this one is {seen.say(event.amount)}")
        if differences:
            yield self.breach("count-differs", event, f"Box {event.box}: {'; '.join(differences)}.")


CHECK = Counts

"""Check that the notes and papers of a count add up to its amount, that the recount of a box agrees with the
count, and that each pull has only one count.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Seen, StreamCheck
from audit.replay.recounts import Recounts
from games.kit.breach import Breach
from games.kit.events import Event


class State(Struct):
    """The boxes of a day.

    Attributes:
        recounts: counts that still need a recount, and recounts that still need a count.
        pulled: the box and shift of each pull.
        counted: the box and shift of each count.
    """

    recounts: Recounts = field(default_factory=Recounts)
    pulled: list[tuple[str, str]] = field(default_factory=list)
    counted: list[tuple[str, str]] = field(default_factory=list)


def worth(notes: dict[str, int], papers: dict[str, int] | None) -> int:
    """Return the total value of notes (by denomination) and papers (by amount), in minor units."""
    return sum(int(denomination) * count for denomination, count in notes.items()) + sum(
        (papers or {}).values()
    )


class Counts(StreamCheck):
    name = "counts"
    codes = ("count-differs",)
    cite = cite("CO-07")
    kinds = (f.BoxPulled, f.DropCounted, f.CountVerified, f.DayClosed)
    StateType = State

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        state = self.state
        assert isinstance(state, State)
        if isinstance(event, f.BoxPulled):
            state.pulled.append((event.box, event.shift))
            return
        if isinstance(event, f.DayClosed):
            boxes = {box for box, _ in state.counted}
            for box in sorted(
                box for box, waits in state.recounts.verified.items() if waits and box in boxes
            ):
                excess = len(state.recounts.verified[box])
                says = (
                    f"The day was closed. Box {box} was recounted"
                    f" {'once' if excess == 1 else f'{excess} times'} more than it was counted."
                )
                yield self.breach("count-differs", event, says)
            return
        assert isinstance(event, f.DropCounted | f.CountVerified)
        differences, missing = [], 0
        if event.notes is not None and (sum_of := worth(event.notes, event.papers)) != event.amount:
            missing = event.amount - sum_of
            differences.append(
                f"notes and papers are {stream.say(sum_of)}, the amount says {stream.say(event.amount)}"
            )
        other = state.recounts.other(event)
        if other is not None and other.amount != event.amount:
            missing = other.amount - event.amount
            if isinstance(event, f.DropCounted):
                missing = -missing
            differences.append(
                f"the other count was {stream.say(other.amount)}, this one is {stream.say(event.amount)}"
            )
        if isinstance(event, f.DropCounted):
            state.counted.append((event.box, event.shift))
            times, pulls = (of.count((event.box, event.shift)) for of in (state.counted, state.pulled))
            if times > max(pulls, 1):
                frequency = ("no time", "once")[pulls] if pulls < 2 else f"{pulls} times"
                differences.append(f"it is count {times} of this shift, and the box was pulled {frequency}")
        if differences:
            says = f"Box {event.box}: {'; '.join(differences)}."
            owed = 0 if missing else None
            yield self.breach("count-differs", event, says, owed=owed, moved=missing or None)


CHECK = Counts

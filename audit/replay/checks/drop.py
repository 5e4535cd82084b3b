"""Check that every pulled box is counted, and every count is recounted, before the day is closed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Seen, StreamCheck
from audit.replay.recounts import Recounts, Waiting
from games.kit.breach import Breach
from games.kit.events import Event

CITE = {"drop-missing": cite("DR-08"), "recount-missing": cite("CO-09")}


class State(Struct):
    """`pulled` and `counted`: the name and shift of each box that was pulled or counted. `recounts`: counts
    that still need a recount, and recounts that still need a count.
    """

    pulled: list[tuple[str, str]] = field(default_factory=list)
    counted: list[tuple[str, str]] = field(default_factory=list)
    recounts: Recounts = field(default_factory=Recounts)


class Drop(StreamCheck):
    name = "drop"
    codes = ("drop-missing", "recount-missing")
    cite = CITE["drop-missing"]
    cites = CITE
    kinds = (f.BoxPulled, f.DropCounted, f.CountVerified, f.DayClosed)
    StateType = State

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        state = self.state
        assert isinstance(state, State)
        if isinstance(event, f.DropCounted | f.CountVerified):
            state.recounts.other(event)
        if isinstance(event, f.BoxPulled | f.DropCounted):
            (state.pulled if isinstance(event, f.BoxPulled) else state.counted).append(
                (event.box, event.shift)
            )
        elif isinstance(event, f.DayClosed):
            counted = {box for box, _ in state.counted}
            if missing := listed(
                [*self.missing(), *(box for box in waiting(state.recounts.verified) if box[0] not in counted)]
            ):
                yield self.breach(
                    "drop-missing", event, f"The day was closed, and no count came for box {missing}."
                )
            if missing := listed(waiting(state.recounts.counted)):
                yield self.breach(
                    "recount-missing", event, f"The day was closed, and no recount came for box {missing}."
                )

    def missing(self) -> list[tuple[str, str]]:
        """Return the boxes that were pulled but not counted. A box that was pulled twice in a shift needs two
        counts.
        """
        state = self.state
        assert isinstance(state, State)
        left = list(state.counted)
        open_boxes = []
        for box in state.pulled:
            if box in left:
                left.remove(box)
            else:
                open_boxes.append(box)
        return open_boxes


def waiting(of: dict[str, list[Waiting]]) -> list[tuple[str, str]]:
    """Return the box and shift of each of these waiting counts or recounts."""
    return [(box, count.shift or "") for box, waits in of.items() for count in waits]


def listed(boxes: list[tuple[str, str]]) -> str:
    """Return the names of boxes as text for a sentence. Each box is named once."""
    return ", ".join(dict.fromkeys(f"{box}{f' of shift {shift}' if shift else ''}" for box, shift in boxes))


CHECK = Drop

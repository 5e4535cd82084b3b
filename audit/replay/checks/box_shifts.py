"""Check that a box is pulled, and counted, in a shift that its table has and that has begun.

At a table that was opened without shifts, a box may name any shift.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Seen, StreamCheck, clock
from games.kit import events as e
from games.kit.breach import Breach
from games.kit.events import Event


class State(Struct):
    """The start of each shift with which the table was opened on this day."""

    begins: dict[str, str] = field(default_factory=dict)


class BoxShifts(StreamCheck):
    name = "box-shifts"
    codes = ("no-such-shift",)
    cite = cite("DR-06")
    kinds = (e.TableOpened, f.BoxPulled, f.DropCounted)
    StateType = State

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        state = self.state
        assert isinstance(state, State)
        if isinstance(event, e.TableOpened):
            state.begins.update({name: at.isoformat() for name, at in (event.shifts or {}).items()})
            return
        assert isinstance(event, f.BoxPulled | f.DropCounted)
        if not state.begins:
            return
        action = "pulled" if isinstance(event, f.BoxPulled) else "counted"
        begins = state.begins.get(event.shift)
        if begins is None:
            named = f"in the shift {event.shift}" if event.shift else "in no shift"
            says = (
                f"Box {event.box} was {action} {named}; the table has the shifts"
                f" {', '.join(sorted(state.begins))}."
            )
            yield self.breach("no-such-shift", event, says)
        elif event.at < datetime.fromisoformat(begins):
            says = (
                f"Box {event.box} was {action} at {clock(event.at)} in the shift {event.shift}, which"
                f" begins at {begins}."
            )
            yield self.breach("no-such-shift", event, says)


CHECK = BoxShifts

"""Check that surveillance writes the log entries that the property requires in its register `thresholds`. If
a camera is down for longer than a number of minutes, an entry must name it (key `camera-down`, value
`{"minutes": n}`). The drop of a gaming day must be logged before its first box is pulled (key `drop-logged`,
value `{"demand": true}`).

Without an entry in the register nothing is checked. How long a camera is down is measured by the clock times
of later facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Place, clock
from audit.replay.registers import Registers
from audit.replay.results import Finding
from games.kit import events as e
from games.kit.events import Event

DROP = "drop"
"""The type of the entries about the drop."""
MINUTE = 60
DAYS = 4
"""The number of gaming days for which a logged drop is remembered."""


class Down(Struct):
    """A camera that is down without a log entry: the fact, and its time as seconds since 1970 and as text."""

    place: Place
    at: int
    clock: str


class State(Struct):
    """The cameras that are down without a log entry, and the time of the last log entry about each camera."""

    down: dict[str, Down] = field(default_factory=dict)
    logged: dict[str, int] = field(default_factory=dict)


class CameraLogged(LedgerCheck):
    """Find a camera that was down for longer than the limit, without an entry that names it."""

    name = "camera-logged"
    codes = ("camera-down-unlogged",)
    cite = cite("SU-03")
    kinds = (f.CameraDown, f.CameraUp, f.LogWritten, e.TableOpened, e.TableClosed, f.DayClosed)
    rests_on = "thresholds"
    StateType = State

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        state = self.state
        assert isinstance(state, State)
        limit = minutes_of(ledger.registers, event.day)
        if limit is None:
            state.down.clear()
            return
        seconds = int(event.at.timestamp())
        for camera, down in [*state.down.items()]:
            if seconds - down.at > limit * MINUTE:
                del state.down[camera]
                says = (
                    f"Camera {camera} was down at {down.clock}. At {clock(event.at)}, more than {limit}"
                    " minutes later, no entry of the log names it."
                )
                yield self.finding("camera-down-unlogged", down.place, says)
        if isinstance(event, f.CameraDown) and event.camera not in state.down:
            if seconds - state.logged.get(event.camera, seconds - limit * MINUTE - 1) > limit * MINUTE:
                state.down[event.camera] = Down(ledger.place, seconds, clock(event.at))
        elif isinstance(event, f.CameraUp):
            state.down.pop(event.camera, None)
        elif isinstance(event, f.LogWritten) and event.camera is not None:
            state.down.pop(event.camera, None)
            state.logged[event.camera] = seconds


class Drops(Struct):
    """The gaming days, as text, whose drop was logged or is already reported as not logged."""

    days: list[str] = field(default_factory=list)


class DropLogged(LedgerCheck):
    """Find gaming days on which a box was pulled before the drop was entered in the log. The finding is about
    the first box that was pulled on the day.
    """

    name = "drop-logged"
    codes = ("drop-not-logged",)
    cite = cite("DR-04")
    kinds = (f.BoxPulled, f.LogWritten)
    rests_on = "thresholds"
    StateType = Drops

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        state, day = self.state, event.day.isoformat()
        assert isinstance(state, Drops)
        if isinstance(event, f.LogWritten) and event.type != DROP:
            return
        if day in state.days or not is_demanded(ledger.registers, event.day):
            return
        state.days = [*state.days, day][-DAYS:]
        if isinstance(event, f.BoxPulled):
            says = (
                f"Box {event.box} of {event.table} was pulled, and the log of surveillance has no entry about"
                f" the drop of {day} before it."
            )
            yield self.finding("drop-not-logged", ledger.place, says)


def minutes_of(registers: Registers, day: date) -> int | None:
    """Return the number of minutes after which a camera that is down must be logged, or None if the register
    has no such entry.
    """
    value = registers.value("thresholds", "camera-down", day)
    minutes = value.get("minutes") if isinstance(value, dict) else None
    return minutes if isinstance(minutes, int) and not isinstance(minutes, bool) and minutes > 0 else None


def is_demanded(registers: Registers, day: date) -> bool:
    """Return True if the property requires a log entry about the drop before the first box is pulled."""
    value = registers.value("thresholds", "drop-logged", day)
    return isinstance(value, dict) and value.get("demand") is True


CHECKS = (CameraLogged, DropLogged)

"""Check that a camera shows each table while it is open, if the property requires it in its register
`thresholds` (key `camera-coverage`, value `{"demand": true}`).

The register `cameras` of the gaming day says which tables a camera shows. A camera that is down shows none.
Without an entry in the register `thresholds` nothing is checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck
from audit.replay.registers import Registers
from audit.replay.results import Finding
from games.kit import events as e
from games.kit.events import Event


class State(Struct):
    """The open tables with the stream of each one, and the cameras that are down."""

    open: dict[str, str] = field(default_factory=dict)
    down: list[str] = field(default_factory=list)


class CameraCoverage(LedgerCheck):
    """Find a table that is opened without a camera, and a camera that goes down and leaves an open table
    without one.
    """

    name = "camera-coverage"
    codes = ("table-without-camera",)
    cite = cite("SU-06")
    kinds = (f.CameraDown, f.CameraUp, e.TableOpened, e.TableClosed, f.DayClosed)
    rests_on = "thresholds"
    StateType = State

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        state, table = self.state, ledger.place.table
        assert isinstance(state, State)
        if isinstance(event, f.CameraUp):
            state.down = [camera for camera in state.down if camera != event.camera]
        elif isinstance(event, f.CameraDown):
            if event.camera not in state.down:
                yield from self._camera_down(event, ledger)
                state.down.append(event.camera)
        elif isinstance(event, e.TableOpened):
            state.open[table] = ledger.place.stream
            if is_demanded(ledger.registers, event.day):
                yield from self._opened(event, ledger)
        elif state.open.get(table) == ledger.place.stream:
            del state.open[table]

    def _opened(self, event: e.TableOpened, ledger: Ledger) -> Iterator[Finding]:
        code = ledger.place.table.partition("/")[2]
        cameras = cameras_of(ledger.registers, code, event.day)
        if cameras - {*self._down()}:
            return
        reason = (
            f"{', '.join(sorted(cameras))} {'is' if len(cameras) == 1 else 'are'} down"
            if cameras
            else f"the register has no camera for it on {event.day.isoformat()}"
        )
        says = f"{code} was opened, and no camera shows it: {reason}."
        yield self.finding("table-without-camera", ledger.place, says)

    def _camera_down(self, event: f.CameraDown, ledger: Ledger) -> Iterator[Finding]:
        """Yield a finding if this camera was the last one that showed an open table."""
        assert isinstance(self.state, State)
        if not is_demanded(ledger.registers, event.day):
            return
        others = {*self._down(), event.camera}
        tables = [table.partition("/")[2] for table in self.state.open]
        shown = [(code, cameras_of(ledger.registers, code, event.day)) for code in sorted(tables)]
        left = [code for code, cameras in shown if event.camera in cameras and cameras <= others]
        if left:
            says = f"Camera {event.camera} went down. It was the last one that showed {', '.join(left)}."
            yield self.finding("table-without-camera", ledger.place, says)

    def _down(self) -> list[str]:
        assert isinstance(self.state, State)
        return self.state.down


def cameras_of(registers: Registers, table: str, day: date) -> set[str]:
    """Return the cameras that show a table on this day."""
    return {
        camera
        for camera, value in registers.on("cameras", day)
        if isinstance(value, dict) and isinstance(value.get("tables"), list) and table in value["tables"]
    }


def is_demanded(registers: Registers, day: date) -> bool:
    """Return True if the property requires that a camera shows each open table."""
    value = registers.value("thresholds", "camera-coverage", day)
    return isinstance(value, dict) and value.get("demand") is True


CHECK = CameraCoverage

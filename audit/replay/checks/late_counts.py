"""Check late counts. A late count is an adjustment that names the pull of a box. The adjustment must be of
the day of this pull, and the box must have no count yet.

The pulls of boxes that were counted are remembered for some gaming days. An adjustment that names an older
pull of such a box is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from uuid import UUID

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck
from audit.replay.results import Finding
from games.kit.events import Event
from games.kit.signatures import signers

DAYS = 7
"""The number of gaming days for which the pull of a counted box is remembered."""
CITE = {"adjusted-twice": cite("CO-12"), "adjusted-elsewhere": cite("AU-04")}


class Pull(Struct):
    """The pull of a box."""

    uid: str
    box: str
    shift: str
    counted: bool = False


class State(Struct):
    """`pulls`: {stream: pulls of its boxes}. `latest`: the latest gaming day of all facts so far."""

    pulls: dict[str, list[Pull]] = field(default_factory=dict)
    latest: date = date.min


class LateCounts(LedgerCheck):
    name = "late-counts"
    codes = tuple(CITE)
    cite = CITE["adjusted-twice"]
    kinds = (f.BoxPulled, f.DropCounted, f.Adjusted)
    StateType = State

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        state = self.state
        assert isinstance(state, State)
        if event.day > state.latest:
            state.latest = event.day
            forget(state)
        if isinstance(event, f.BoxPulled):
            state.pulls.setdefault(ledger.place.stream, []).append(Pull(event.uid, event.box, event.shift))
        elif isinstance(event, f.DropCounted):
            of_this_table = (
                pull
                for pull in state.pulls.get(ledger.place.stream, ())
                if (pull.box, pull.shift) == (event.box, event.shift)
            )
            if pull := next((pull for pull in of_this_table if not pull.counted), None):
                pull.counted = True
        elif isinstance(event, f.Adjusted) and event.of is not None:
            yield from self.adjust(state, event, ledger)

    def adjust(self, state: State, event: f.Adjusted, ledger: Ledger) -> Iterator[Finding]:
        """Yield a finding for an adjustment if its field `of` is not a uid, names the pull of another day, or
        names the pull of a counted box.
        """
        by = signers(event.by, event.second)
        subject = f"{by} adjusted the {event.what} of {event.of_table} on {event.of_day}"
        if not is_uid(event.of or ""):
            says = f"{subject}, and named {event.of}, which is not a fact."
            yield self.finding("adjusted-elsewhere", ledger.place, says, cite=CITE["adjusted-elsewhere"])
            return
        stream, pull = next(
            (
                (stream, pull)
                for stream, pulls in state.pulls.items()
                for pull in pulls
                if pull.uid == event.of
            ),
            ("", None),
        )
        if pull is None:
            return
        if stream != f"{event.of_table}/{event.of_day.isoformat()}":
            says = (
                f"{subject}, and named the pull of box {pull.box} of {stream.rpartition('/')[0]} on"
                f" {stream.rpartition('/')[2]}."
            )
            yield self.finding("adjusted-elsewhere", ledger.place, says, cite=CITE["adjusted-elsewhere"])
        elif event.what == "drop" and pull.counted:
            says = f"{subject}, as the late count of box {pull.box}, which had been counted on its day."
            yield self.finding("adjusted-twice", ledger.place, says)


def is_uid(text: str) -> bool:
    """Return True if a text has the form of a uid."""
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def forget(state: State) -> None:
    """Forget the pulls of counted boxes if their gaming day is more than DAYS days old. Keep the pulls of
    boxes without a count, because an adjustment may still name them.
    """
    for stream in list(state.pulls):
        if date.fromisoformat(stream.rpartition("/")[2]) < state.latest - timedelta(days=DAYS):
            left = [pull for pull in state.pulls[stream] if not pull.counted]
            if left:
                state.pulls[stream] = left
            else:
                del state.pulls[stream]


CHECK = LateCounts

"""Check that no fact of the cage or the count room is recorded at a live-dealer table. Such a table has
neither a tray nor a drop box.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit import facts as f
from audit.controls import event_reference
from audit.replay.checks import Nothing, Seen, StreamCheck
from games.kit.breach import Breach
from games.kit.events import Event, kind_of


class NoTray(StreamCheck):
    name = "no-tray"
    codes = ("no-such-tray",)
    cite = event_reference("table-opened")
    kinds = f.AT_THE_CAGE
    of_tray = False
    StateType = Nothing

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        if not stream.has_tray:
            kind = kind_of(type(event))
            says = (
                f"{event.table} is a live-dealer table, which has no tray and no drop box, and {kind} was"
                " recorded at it."
            )
            yield self.breach("no-such-tray", event, says, cite=event_reference(kind))


CHECK = NoTray

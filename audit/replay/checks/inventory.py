"""Check that the tray balances: closer = opener + fills - credits - chips bought + takes - pays - corrections
- stakes returned from it.

If a table's equipment does not report chip movements, the table is not judged, because the amount that play
added to its tray is not known. The report `coverage` shows such tables.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Seen, StreamCheck
from games.kit import events as e
from games.kit.breach import Breach
from games.kit.events import Event


class State(Struct):
    """`base`: for each currency, the amount of the last opener minus the net amount that had moved to the
    tray before this opener. A closer must equal this amount plus the net amount that has moved to the tray so
    far.
    """

    base: dict[str, int] = field(default_factory=dict)


class Inventory(StreamCheck):
    name = "inventory"
    codes = ("inventory-does-not-balance",)
    cite = cite("OC-15")
    kinds = (e.TableOpened, f.OpenerCounted, f.CloserCounted)
    needs = frozenset({"take", "pay"})
    StateType = State

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        state = self.state
        assert isinstance(state, State)
        if not self.needs <= stream.sees:
            state.base.clear()  # From here on the tray is unknown until the next opener.
            return
        if isinstance(event, e.TableOpened):
            return
        assert isinstance(event, f.OpenerCounted | f.CloserCounted)
        moved = stream.moved(stream.currency)
        base = state.base.get(stream.currency)
        if isinstance(event, f.OpenerCounted):
            state.base[stream.currency] = event.amount - moved
        elif base is not None and event.amount != base + moved:
            right = base + moved
            difference = (
                f"{stream.say(abs(event.amount - right))} {'over' if event.amount > right else 'short'}"
            )
            says = (
                f"The closer counts {stream.say(event.amount)}; opener, slips, chips bought and play give"
                f" {stream.say(right)}: {difference}."
            )
            yield self.breach("inventory-does-not-balance", event, says, owed=0, moved=right - event.amount)


CHECK = Inventory

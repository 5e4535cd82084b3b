"""Check, when the day is closed, that markers and the chips bought on them have the same amount.

The fact about the marker names a serial, but the fact about the chips does not. Therefore the sums of the day
are compared in each currency. Voided markers are not in these sums.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Seen, StreamCheck
from audit.replay.marker_chips import OnMarkers
from games.kit.amounts import say
from games.kit.breach import Breach
from games.kit.events import Event


class State(Struct):
    """The chips that were bought on markers."""

    on_markers: OnMarkers = field(default_factory=OnMarkers)


class MarkerChips(StreamCheck):
    name = "marker-chips"
    codes = ("marker-chips-differ",)
    cite = cite("MA-06")
    kinds = (f.ChipsBought, f.DayClosed)
    StateType = State

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        state = self.state
        assert isinstance(state, State)
        if isinstance(event, f.ChipsBought):
            if event.tender == "marker":
                state.on_markers.buy(stream.currency, event.amount)
            return
        issued: dict[str, int] = {}
        for slip in stream.slips.values():
            if slip.kind == "marker-issued":
                issued[slip.currency] = issued.get(slip.currency, 0) + slip.standing
        for currency in sorted(issued.keys() | state.on_markers.bought.keys()):
            markers = issued.get(currency, 0)
            chips = state.on_markers.bought.get(currency, 0) - state.on_markers.all_back(
                stream.slips.values(), currency
            )
            if markers != chips:
                issued_here = f"Markers of {say(markers, currency)} were" if markers else "No markers were"
                bought = f"chips of {say(chips, currency)} were" if chips else "no chips were"
                says = f"{issued_here} issued here, and {bought} bought on markers."
                yield self.breach("marker-chips-differ", event, says)


CHECK = MarkerChips

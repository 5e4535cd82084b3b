"""The tray balances: closer = opener + fills - credits - chips bought + takes - pays - corrections - stakes returned from it.

A table of which nobody sees chips move is not judged: what play brought to its tray is not known (report `coverage`).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.checks import Seen, StreamCheck
from audit.on_markers import OnMarkers
from audit.tallying import Slip
from games.kit import events as e
from games.kit.breach import Breach
from games.kit.events import Event


class Kept(Struct):
    """By currency: the last opener less what had moved until then, and the chips bought."""

    base: dict[str, int] = field(default_factory=dict)
    bought: dict[str, int] = field(default_factory=dict)
    on_markers: OnMarkers = field(default_factory=OnMarkers)
    """Of the chips bought, those that come back where their marker is voided."""


MOVES = {"fill-sent": 1, "credit-sent": -1}
"""Slips by which chips come to the tray and leave it; a marker moves none, but for the chips that are bought on it."""


def sent(slips: dict[str, Slip], currency: str) -> int:
    """Fills less credits of a currency, voided ones left out."""
    return sum(MOVES.get(slip.kind, 0) * slip.standing for slip in slips.values() if slip.currency == currency)


class Inventory(StreamCheck):
    name = "inventory"
    codes = ("inventory-does-not-balance",)
    cite = "Facts Kinds at the cage and in the count room, Inventory"
    kinds = (e.TableOpened, f.OpenerCounted, f.CloserCounted, f.ChipsBought)
    needs = frozenset({"take", "pay"})
    Kept = Kept

    def see(self, event: Event, seen: Seen) -> Iterator[Breach]:
        kept = self.kept
        assert isinstance(kept, Kept)
        if isinstance(event, f.ChipsBought):
            kept.bought[seen.currency] = kept.bought.get(seen.currency, 0) + event.amount
            if event.tender == "marker":
                kept.on_markers.buy(seen.currency, event.amount)
            return
        if not self.needs <= seen.sees:
            kept.base.clear()  # from here on nothing is known until the next opener
            return
        if isinstance(event, e.TableOpened):
            return
        assert isinstance(event, f.OpenerCounted | f.CloserCounted)
        moved = seen.tray + sent(seen.slips, seen.currency) - kept.bought.get(seen.currency, 0)
        moved += kept.on_markers.all_back(seen.slips.values(), seen.currency)
        base = kept.base.get(seen.currency)
        if isinstance(event, f.OpenerCounted):
            kept.base[seen.currency] = event.amount - moved
        elif base is not None and event.amount != base + moved:
            right = base + moved
            apart = f"{seen.say(abs(event.amount - right))} {'over' if event.amount > right else 'short'}"
            says = f"The closer counts {seen.say(event.amount)}; opener, slips, chips bought and play give {seen.say(right)}: {apart}."
            yield self.breach("inventory-does-not-balance", event, says)


CHECK = Inventory

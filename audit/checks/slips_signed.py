"""A fill or credit is signed by different people: requester or verifier, sender, carrier, receiver."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from audit import facts as f
from audit.checks import Nothing, Seen, StreamCheck
from games.kit.breach import Breach
from games.kit.events import Event


class SlipsSigned(StreamCheck):
    name = "slips-signed"
    codes = ("slip-signed-once",)
    cite = "Facts Kinds at the cage and in the count room, fill-sent and credit-sent"
    kinds = (f.FillSent, f.CreditSent)
    Kept = Nothing

    def see(self, event: Event, seen: Seen) -> Iterator[Breach]:
        assert isinstance(event, f.FillSent | f.CreditSent)
        asked = {event.requested_by} | ({event.verified_by} if event.verified_by is not None else set())
        roles = {"asked": asked, "sent": {event.sent_by}, "carried": {event.carried_by}, "received": {event.received_by}}
        for (one, these), (other, those) in combinations(roles.items(), 2):
            if both := these & those:
                yield self.breach("slip-signed-once", event, f"Slip {event.slip} was {one} and {other} by one person, {min(both)}.")
                return


CHECK = SlipsSigned

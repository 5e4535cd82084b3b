"""Check that all signatures of a fill or credit are given, and by different people: requester or verifier,
sender, carrier and receiver.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Nothing, Seen, StreamCheck
from games.kit.breach import Breach
from games.kit.events import Event
from games.kit.signatures import person_key


class SlipsSigned(StreamCheck):
    name = "slips-signed"
    codes = ("slip-signed-once",)
    cite = cite("FI-03")
    kinds = (f.FillSent, f.CreditSent)
    StateType = Nothing

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        assert isinstance(event, f.FillSent | f.CreditSent)
        if wrong := [*unsigned(event), *signed_twice(event)][:1]:
            yield self.breach("slip-signed-once", event, f"Slip {event.slip} was {wrong[0]}.")


def unsigned(slip: f.FillSent | f.CreditSent) -> Iterator[str]:
    """Yield the missing signatures of a slip as text for a sentence."""
    signed = {
        "asked for": slip.requested_by,
        "sent": slip.sent_by,
        "carried": slip.carried_by,
        "received": slip.received_by,
    }
    if slip.verified_by is not None:
        signed["verified"] = slip.verified_by
    yield from (f"{part} by nobody" for part, person in signed.items() if not person_key(person))


def signed_twice(slip: f.FillSent | f.CreditSent) -> Iterator[str]:
    """Yield each pair of signatures of a slip that one person gave, as text for a sentence. The requester may
    also be the verifier.
    """
    requesters = [slip.requested_by, *((slip.verified_by,) if slip.verified_by is not None else ())]
    parts = {
        "asked": requesters,
        "sent": [slip.sent_by],
        "carried": [slip.carried_by],
        "received": [slip.received_by],
    }
    for (part, people), (other, other_people) in combinations(parts.items(), 2):
        of_others = {person_key(person) for person in other_people}
        yield from (
            f"{part} and {other} by one person, {person}"
            for person in sorted(people)
            if person_key(person) in of_others
        )


CHECK = SlipsSigned

"""Check that the chips of a tray or a slip, by denomination, add up to its amount.

Every kind with the fields `chips` and `amount` is checked. If the field `chips` is optional and was not sent,
nothing is checked. If `chips` is empty but the amount is not 0, this is reported, because the amount cannot
be checked by counting chips. The size of the error is then unknown, so the finding has no amounts.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.controls import cite
from audit.facts.kinds import EVERY
from audit.replay.checks import Nothing, Seen, StreamCheck
from games.kit.breach import Breach
from games.kit.events import Event, kind_of

OF_CHIPS = tuple(kind for kind in EVERY if {"chips", "amount"} <= {*kind.__struct_fields__})
"""Every kind of fact with the fields `chips` and `amount`."""
CITE = {"opener-counted": cite("OC-04"), "closer-counted": cite("OC-04")}


class DoesNotFoot(StreamCheck):
    name = "does-not-foot"
    codes = ("does-not-foot",)
    cite = cite("FI-07")
    kinds = OF_CHIPS
    StateType = Nothing

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        chips: dict[str, int] | None = getattr(event, "chips", None)
        amount: int = getattr(event, "amount", 0)
        if chips is None:
            return
        worth = sum(int(denomination) * count for denomination, count in chips.items())
        if worth == amount:
            return
        kind, slip = kind_of(type(event)), getattr(event, "slip", "")
        subject, control = (
            f"{kind.replace('-', ' ').capitalize()}{f' {slip}' if slip else ''}",
            CITE.get(kind, ""),
        )
        if not chips:
            says = (
                f"{subject}: its amount is {stream.say(amount)}, and its chips are not named by denomination."
            )
            yield self.breach("does-not-foot", event, says, cite=control)
            return
        difference = f"{stream.say(abs(amount - worth))} {'more' if amount > worth else 'less'}"
        says = (
            f"{subject}: its chips add up to {stream.say(worth)}, and its amount is {stream.say(amount)},"
            f" which is {difference}."
        )
        yield self.breach("does-not-foot", event, says, cite=control, owed=worth, moved=amount)


CHECK = DoesNotFoot

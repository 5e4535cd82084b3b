"""Find limits that become many times as high (TIMES) between two rounds while their table stays open. The
players at the table would suddenly play for much higher stakes.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Nothing
from audit.replay.results import Finding
from games.kit import events as e
from games.kit.amounts import say
from games.kit.events import Event

TIMES = 10
"""A limit is reported if it becomes at least this many times as high between two rounds."""


class Limits(LedgerCheck):
    name = "limits"
    codes = ("limits-jumped",)
    cite = cite("MI-05")
    kinds = (e.TableOpened,)
    StateType = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        assert isinstance(event, e.TableOpened)
        before = ledger.days.open.get(ledger.place.stream)
        if (
            before is None
            or not before.is_open
            or (before.currency, before.game) != (event.currency, event.game)
        ):
            return
        jumped = []
        for wager in sorted({*before.limits, *event.limits}):
            old, new = (limits.get(wager, limits.get("*")) for limits in (before.limits, event.limits))
            if (
                old is not None
                and new is not None
                and any(
                    old_bound > 0 and new_bound >= TIMES * old_bound
                    for old_bound, new_bound in zip(old, new, strict=True)
                )
            ):
                old_limits, new_limits = (
                    " to ".join(say(amount, event.currency) for amount in pair) for pair in (old, new)
                )
                jumped.append(
                    f"{'every wager' if wager == '*' else wager} from {old_limits}, to {new_limits}"
                )
        if jumped:
            says = (
                f"The limits of {event.table} were raised between two rounds while the table stayed open:"
                f" {'; '.join(jumped)}."
            )
            yield self.finding("limits-jumped", ledger.place, says)


CHECK = Limits

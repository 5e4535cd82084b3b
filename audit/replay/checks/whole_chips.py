"""Check that the limits of a table can be paid in whole chips, so that the minimum and the maximum bet can be
placed.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.controls import cite
from audit.replay.checks import Nothing, Seen, StreamCheck
from games.kit import events as e
from games.kit.breach import Breach
from games.kit.events import Event


class WholeChips(StreamCheck):
    name = "whole-chips"
    codes = ("limits-not-in-chips",)
    cite = cite("MI-05")
    kinds = (e.TableOpened,)
    of_tray = False
    StateType = Nothing

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        assert isinstance(event, e.TableOpened)
        odd = [
            wager
            for wager, bounds in sorted(event.limits.items())
            if any(bound % event.chip for bound in bounds)
        ]
        if odd:
            of = " and ".join("every wager" if wager == "*" else wager for wager in odd)
            says = (
                f"The limits of {of} are not in whole chips; the smallest chip is"
                f" {stream.say(event.chip, event.currency)}."
            )
            yield self.breach("limits-not-in-chips", event, says)


CHECK = WholeChips

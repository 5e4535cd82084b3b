"""Check that a tray does not change between its closer and the next opener.

The tray is checked at each late fact of the stream (a slip, a voided slip, chips bought, a correction), at
the next opener and when the day is closed. This also detects play without a new opener. Each finding is about
the changes since the previous finding. If a tray is counted again, by a closer after a closer, it is compared
with its last count from then on. Earlier findings remain.

The amounts of a finding: owed is 0, because nothing should have moved after the count. Moved is what was
added to the tray without being counted. If it is positive, the win of the day is too low by this amount,
otherwise too high.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import Seen, StreamCheck, clock
from games.kit import events as e
from games.kit.breach import Breach
from games.kit.events import Event, kind_of


class Counted(Struct):
    """A closer, and the amounts of slips, of chips bought and of play until the closer was counted."""

    amount: int
    at: str
    by: str
    second: str
    slips: int
    bought: int
    play: int


class State(Struct):
    """{currency: the last closer}. A closer is removed when the next opener is counted."""

    counted: dict[str, Counted] = field(default_factory=dict)


class TrayAfterCount(StreamCheck):
    name = "tray-after-count"
    codes = ("tray-moved-after-count",)
    cite = cite("OC-10")
    kinds = (
        f.OpenerCounted,
        f.CloserCounted,
        f.FillSent,
        f.CreditSent,
        f.SlipVoided,
        f.MarkerIssued,
        f.ChipsBought,
        f.BoxPulled,
        e.Corrected,
        e.TableClosed,
        f.DayClosed,
    )
    StateType = State

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        state = self.state
        assert isinstance(state, State)
        if not isinstance(event, f.CloserCounted):
            for currency, counted in state.counted.items():
                yield from self.moved(event, stream, currency, counted)
        if isinstance(event, f.OpenerCounted):
            state.counted.pop(stream.currency, None)
        elif isinstance(event, f.CloserCounted):
            state.counted[stream.currency] = Counted(
                event.amount, clock(event.at), event.by, event.second, *parts(stream, stream.currency)
            )

    def moved(self, event: Event, stream: Seen, currency: str, counted: Counted) -> Iterator[Breach]:
        """Yield a finding if the tray has changed after its closer was counted. A change is reported only
        once: each call compares the tray with its state at the previous call.
        """
        slips, bought, play = parts(stream, currency)
        changes = {
            "slips": slips - counted.slips,
            "chips bought": counted.bought - bought,
            "play and corrections of it": play - counted.play,
        }
        counted.slips, counted.bought, counted.play = slips, bought, play
        if not (change := sum(changes.values())):
            return
        by = " and ".join(
            f"{name} by {stream.say(amount, currency)}" for name, amount in changes.items() if amount
        )
        closer = f"The closer of {stream.say(counted.amount, currency)} was counted at {counted.at}"
        win = f"{stream.say(abs(change), currency)} too {'low' if change > 0 else 'high'}"
        after = f"After it the tray was changed through {by} ({in_words(event)})"
        says = f"{closer} by {counted.by} and {counted.second}. {after}: the win is {win}."
        yield self.breach("tray-moved-after-count", event, says, owed=0, moved=change)


def parts(stream: Seen, currency: str) -> tuple[int, int, int]:
    """Return three amounts of a currency: fills less credits, the chips bought from the tray, and the net
    amount that play has added to the tray.
    """
    return stream.slipped(currency), stream.bought(currency), stream.played(currency)


def in_words(event: Event) -> str:
    """Return the kind of a late fact, and the slip or round that the fact names, for a sentence."""
    named = getattr(event, "slip", "") or (
        f"of round {event.round}" if isinstance(event, e.Corrected) else ""
    )
    return f"{kind_of(type(event))} {named}".strip()


CHECK = TrayAfterCount

"""Check when a table's day is closed that nothing is missing: an opener, a closer, a count of the tray at a
change of shift, the pull of its box.

The check applies to a table that has a tray and a box, if the cage or the count room has recorded a fact in
its stream. Without such a fact, no cage system is connected, and the report `coverage` shows the day as not
judged.

- In each currency, every tray that was opened must be closed, and every tray that was closed must have been
  opened. A table that was played at, or whose box was pulled, needs an opener and a closer. An opener that is
  counted only after the first round is reported at once.
- A table that was opened with shifts, and at which hands were played in several of them, needs a count of its
  tray in each of these shifts.
- A table at which hands were played or chips were bought must have its box pulled. A box that was counted and
  never pulled is `box-unknown`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct

from audit import facts as f
from audit.controls import cite
from audit.replay.checks import CAGE, Seen, StreamCheck, clock
from games.kit.breach import Breach
from games.kit.events import Event, kind_of

CITE = {
    "opener-missing": cite("OC-01"),
    "closer-missing": cite("OC-08"),
    "count-missing": cite("OC-09"),
    "pull-missing": cite("DR-01"),
}
OPENER, CLOSER = kind_of(f.OpenerCounted), kind_of(f.CloserCounted)


class State(Struct):
    """What must be known about a day and is not in the sums of its tally.

    Attributes:
        attached: True if the cage or the count room has recorded a fact.
        boxes: True if a box was pulled or counted.
    """

    attached: bool = False
    boxes: bool = False


class Missing(StreamCheck):
    name = "missing"
    codes = tuple(CITE)
    cite = CITE["opener-missing"]
    cites = CITE
    kinds = (*f.AT_THE_CAGE, f.DayClosed)
    unless = CAGE
    StateType = State

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        state = self.state
        assert isinstance(state, State)
        if isinstance(event, f.DayClosed):
            if state.attached and stream.has_tray:
                for code, says in lacks(stream, boxes=state.boxes):
                    yield self.breach(code, event, f"The day was closed. {says}")
            return
        state.attached = True
        state.boxes = state.boxes or isinstance(event, f.BoxPulled | f.DropCounted)
        began = stream.began.get(stream.currency, "")
        if (
            isinstance(event, f.OpenerCounted)
            and began
            and trays(stream, stream.currency)[0] == 1
            and datetime.fromisoformat(began) < event.at
        ):
            says = (
                f"The first round was opened at {began}; the tray was counted for the first time at"
                f" {clock(event.at)}."
            )
            yield self.breach("opener-missing", event, says)


def lacks(stream: Seen, *, boxes: bool) -> Iterator[tuple[str, str]]:
    """Yield code and sentence for everything that is missing on a day.

    Args:
        boxes: True if a box of the day was pulled or counted.
    """
    shifts = played(stream)
    for currency in sorted(
        {*(tray[1] for tray in stream.tally.trays), *shifts, *({stream.currency} if boxes else ())}
    ):
        openers, closers = trays(stream, currency)
        tray = (
            f"The tray{f' in {currency}' if currency != stream.currency else ''} was {times(openers)} opened"
            f" and {times(closers)} closed"
        )
        if openers < max(closers, 1):
            yield "opener-missing", f"{tray}: an opener was not counted."
        if closers < max(openers, 1):
            yield "closer-missing", f"{tray}: a closer was not counted."
        elif closers < len(shifts.get(currency, ())):
            yield (
                "count-missing",
                (
                    f"{tray}. Play went on in the shifts {', '.join(sorted(shifts[currency]))}: each has its"
                    " own count."
                ),
            )
    if shifts and not boxes:
        rounds = sum(row.rounds for key, row in stream.tally.play.items() if not key[4])
        bought = [
            stream.say(amount, currency) for currency in sorted(shifts) if (amount := stream.bought(currency))
        ]
        says = f"{rounds} hand{'' if rounds == 1 else 's'} {'was' if rounds == 1 else 'were'} played"
        purchases = f", chips for {' and '.join(bought)} were bought" if bought else ""
        yield "pull-missing", f"{says}{purchases}, and no box was pulled."


def times(number: int) -> str:
    """Return a number of times in words: `never`, `once`, `3 times`."""
    return ("never", "once")[number] if number < 2 else f"{number} times"


def played(stream: Seen) -> dict[str, set[str]]:
    """Return the shifts in which hands were played or chips were bought, by currency."""
    games: dict[str, set[str]] = {}
    for (currency, shift, _, _, wager, *_), row in stream.tally.play.items():
        if not wager and row.rounds:
            games.setdefault(currency, set()).add(shift)
    for (currency, shift, kind), cage in stream.tally.cage.items():
        if kind == "chips-bought" and cage.number:
            games.setdefault(currency, set()).add(shift)
    return games


def trays(stream: Seen, currency: str) -> tuple[int, int]:
    """Return the number of valid openers and the number of valid closers in a currency. If a tray was counted
    again, only its last count is valid.
    """
    kinds = [tray[0] for tray in stream.tally.trays if tray[1] == currency]
    return kinds.count(OPENER), kinds.count(CLOSER)


CHECK = Missing

"""What later facts say of earlier ones: readings that were put right, and rounds that were cancelled after
they were closed.

A stream is judged by all of them from its start, so that a card that was misread accuses nobody. A new one
has the stream read from its start again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from games.kit import events as e
from games.kit import read_corrections
from games.kit.events import Event
from games.kit.round import Round


class Learned:
    """The corrected readings and cancelled rounds of a stream."""

    def __init__(self, facts: Iterable[Event]) -> None:
        """Read `facts` in the order of the stream; the last correction of a reading counts."""
        facts = list(facts)
        self.uids = [fact.uid for fact in facts]
        self.readings = {fact.of: fact for fact in facts if isinstance(fact, e.ReadCorrected)}
        self.cancelled = Counter(fact.round for fact in facts if isinstance(fact, e.RoundCancelled))
        """How often each round is cancelled. While the round is open, a cancellation has no effect: see
        `cancelled_too_soon`.
        """
        self.misread: dict[str, Event] = {}
        """Facts as they were read, by uid, of those that have come."""

    def is_cancelled(self, round: str) -> bool:
        """Return True if the round is cancelled after it was closed."""
        return self.cancelled[round] > 0

    def cancels(self, round: Round) -> bool:
        """Return True if a round that is over was cancelled: what was staked in it counts as gone back, and
        nothing as owed.
        """
        if not self.cancelled or not self.is_cancelled(round.name):
            return False
        for line in round.lines.values():
            line.refunded, line.undecided = line.stake + line.pulled, True
        return True

    def cancelled_too_soon(self, round: str) -> None:
        """Forget that a round was cancelled while it was open: it has to be voided, and is still settled."""
        self.cancelled[round] -= 1

    def read(self, event: Event) -> Event:
        """Return the fact as it is: with the corrected value if there is one."""
        correction = self.readings.get(event.uid)
        if correction is None:
            return event
        changed = read_corrections.corrected(event, correction)
        if changed is not event:
            self.misread[event.uid] = event
        return changed

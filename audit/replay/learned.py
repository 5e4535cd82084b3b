"""Later facts that change how earlier facts are judged: corrected readings, and cancellations of closed
rounds.

A stream is judged with all of them from its start, so that a misread card does not lead to findings. When
such a fact is recorded, the stream is read again from its start.
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
        """Read `facts` in the order of the stream. The last correction of a reading counts."""
        facts = list(facts)
        self.uids = [fact.uid for fact in facts]
        self.readings = {fact.of: fact for fact in facts if isinstance(fact, e.ReadCorrected)}
        self.cancelled = Counter(fact.round for fact in facts if isinstance(fact, e.RoundCancelled))
        """For each round: the number of facts that cancel it. A cancellation that was recorded while the
        round was open has no effect: see `cancelled_too_soon`.
        """
        self.misread: dict[str, Event] = {}
        """{uid: fact} for each corrected fact, as it was recorded with the wrong reading. Only facts that
        have been read so far are included.
        """

    def is_cancelled(self, round: str) -> bool:
        """Return True if a fact of the stream cancels this round after its close."""
        return self.cancelled[round] > 0

    def cancels(self, round: Round) -> bool:
        """Return True if a finished round was cancelled. In this case, also mark its stakes as returned and
        its wagers as undecided, so that nothing is owed.
        """
        if not self.cancelled or not self.is_cancelled(round.name):
            return False
        for line in round.lines.values():
            line.refunded, line.undecided = line.stake + line.pulled, True
        return True

    def cancelled_too_soon(self, round: str) -> None:
        """Forget one cancellation of this round, because it was recorded while the round was open. An open
        round can only be voided, not cancelled. The round is therefore settled as usual.
        """
        self.cancelled[round] -= 1

    def read(self, event: Event) -> Event:
        """Return the fact with its corrected value. If its reading was not corrected, return the fact
        unchanged.
        """
        correction = self.readings.get(event.uid)
        if correction is None:
            return event
        changed = read_corrections.corrected(event, correction)
        if changed is not event:
            self.misread[event.uid] = event
        return changed

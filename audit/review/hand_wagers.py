"""The wagers of one hand, each with the amount owed by the rules and the amount that moved. The table fold
computes both amounts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from audit.replay.fold import Fold
from audit.replay.results import Play
from games.kit import events as e
from games.kit.amounts import Exact
from games.kit.events import Event
from games.kit.line import Line
from games.kit.round import Round


class Wager(NamedTuple):
    """A wager on one spot of a hand. Amounts are in minor units and positive if the player gains. `owed` is
    None if the wager is not judged, or is not decided yet.
    """

    spot: str
    wager: str
    stake: int
    owed: Exact | None
    moved: int
    corrected: int
    pulled: int
    """The part of the stake that the player withdrew from play under the rules."""
    why: str
    cite: str
    lying: int
    """The part of the stake that is still on the table: neither taken nor returned."""
    taken: int
    paid: int
    returned: int
    is_final: bool
    """True if money has moved on the wager, or the hand is over. Until then the difference is not known."""

    @property
    def in_play(self) -> int:
        """Return the part of the stake that could be won or lost."""
        return self.stake - self.pulled

    @property
    def difference(self) -> Exact | None:
        """Return the amount that moved minus the amount that was owed. Return None if the amount owed is not
        known, or if nothing has moved yet and the hand is not over.
        """
        return None if self.owed is None or not self.is_final else self.moved - self.owed


def nothing_at(spot: str, wager: str) -> Wager:
    """Return a wager without a stake and without an amount owed."""
    return Wager(spot, wager, 0, None, 0, 0, 0, "", "", 0, 0, 0, 0, is_final=False)


class HandFold(Fold):
    """A table fold that reads the facts of one round and stores the round when it is finished."""

    ended: Round | None = None

    def end_round(self, round: Round, event: Event) -> None:
        self.ended = self.ended or round
        super().end_round(round, event)

    def divide(self, row: Play, round: Round, line: Line, owed: Exact | None) -> None:
        """Do nothing. The page of a hand does not show the attribution of hold, which is slow to compute."""

    @property
    def round(self) -> Round | None:
        """Return the round of the hand, finished or open. Return None if no round was opened."""
        return self.ended or (self.table.round if self.table is not None else None)


def fold_hand(stream: str, learned: Iterable[Event], facts: Iterable[tuple[int, Event]]) -> HandFold:
    """Return the fold of one hand.

    Args:
        facts: (number, fact), beginning with the facts that set up the table.
        learned: the corrected readings and cancelled rounds that apply.
    """
    fold = HandFold(stream, learned=learned)
    for number, fact in facts:
        fold.take(number, fact)
    return fold


def wagers_of(fold: HandFold, corrections: Sequence[Event]) -> list[Wager]:
    """Return the wagers of the hand, each with the sum of its later corrections. If the round is open, also
    return payments that are already owed and that need no bet of their own.
    """
    round = fold.round
    if round is None:
        return []
    corrected: dict[tuple[str, str], int] = {}
    for fact in corrections:
        if isinstance(fact, e.Corrected):
            key = fact.spot, fact.wager
            corrected[key] = corrected.get(key, 0) + fact.amount
    is_over = fold.ended is not None
    lines = dict(round.lines)
    if not is_over and round.voided is None:
        lines |= _payments_due(round)
    return [_wager(round, line, corrected.get(key, 0), is_over) for key, line in lines.items()]


def _payments_due(round: Round) -> dict[tuple[str, str], Line]:
    """Return {(spot, wager): line} for payments that are owed now and have not been paid yet. Only payments
    without a bet of their own are returned, such as a bonus on another wager.
    """
    payments = round.table.game.payments
    return {
        (spot, wager): Line(spot, wager, True, round.lines[spot, payments[wager]])
        for (spot, wager), owed in round.worth_now().items()
        if owed and (spot, wager) not in round.lines
    }


def _wager(round: Round, line: Line, corrected: int, is_over: bool) -> Wager:
    owed, moved = round.table.settlement(round, line)
    reason, cite = line.why, line.cite
    if round.voided is not None:
        reason, cite = (
            "The round is void: every stake goes back.",
            round.table.game.always["void-not-returned"].cite,
        )
    elif line.undecided:
        reason, cite = (
            f"{round.undecided_because()} Nothing is owed.",
            round.table.game.always["void-required"].cite,
        )
    elif not line.laid and moved and not line.why:
        reason, cite = "Nothing was bet here.", round.table.game.always["no-such-bet"].cite
    has_moved = line.touch is not None or bool(line.taken or line.paid or line.returned)
    return Wager(
        line.spot,
        line.wager,
        line.laid,
        owed,
        moved,
        corrected,
        line.pulled,
        reason,
        cite,
        lying=line.lying,
        taken=line.taken,
        paid=line.paid,
        returned=line.returned,
        is_final=is_over or has_moved,
    )

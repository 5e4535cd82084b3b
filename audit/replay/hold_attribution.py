"""Where the hold went, wager by wager: what the rules brought, what the player's decision cost, and what
nobody can tell apart.

What a line of a closed round was owed by the rules is divided later, in the report: the certificate's part of
the stake is theoretical win, what the decision cost is counted here, and the rest is luck. What moved against
what was owed is the dealer's. Exact, and pure.
"""

from __future__ import annotations

from audit.replay.results import Play
from games.kit.amounts import Exact
from games.kit.certificate import Cost, certificate_of
from games.kit.line import Line
from games.kit.round import Round
from games.kit.table import Table


class Dividing:
    """One opening of a table: which decisions its equipment sees, and whether it sees chips move."""

    def __init__(self, table: Table) -> None:
        certificate = certificate_of(table.game)
        decisions = certificate.decisions if certificate is not None else {}
        self.table = table
        self.costs: dict[str, Cost] = {
            wager: one.cost for wager, one in decisions.items() if one.cost is not None
        }
        self.together = frozenset(wager for wager, one in decisions.items() if not one.needs <= table.sees)
        """Wagers whose decision is not seen: theoretical win, choices and luck are one figure."""
        if certificate is None:
            self.together = frozenset((*table.known, *table.game.payments))
        self.sees_money = {"take", "pay"} <= table.sees
        self.alone = (
            (table.known | set(table.game.payments)) - self.together - set(self.costs)
            if self.sees_money
            else frozenset()
        )
        """Wagers of which all is known once they are judged."""

    def add(self, row: Play, round: Round, line: Line, owed: Exact | None) -> None:
        """Add a line of a round that is over: what it was owed by the rules and what was decided on it."""
        stake = line.stake + line.pulled
        if line.kept or line.undecided or round.voided is not None:
            row.plus("unseen", line.kept)  # nothing else was owed, and what moved is the dealer's
        elif owed is None or (line.pulled and not round.decided(line.spot, line.wager)):
            row.plus("undivided", -line.moved)
        elif (stake == 0 and line.basis is None) or not line.offered:
            pass  # nothing was owed, and what moved is the dealer's
        elif line.wager in self.alone or self.tells(row, round, line, owed):
            row.decided += stake
            if row.parts == 1 and type(owed) is int:
                row.owed -= owed
            else:
                row.plus("owed", -owed)
            if line.rounding:
                row.plus("rounding", line.rounding)

    def tells(self, row: Play, round: Round, line: Line, owed: Exact) -> bool:
        """Return True if the decision on a judged line is known, and add what it cost; money that was not
        observed counts as moved as owed.
        """
        if not self.sees_money and not self.table.settles(owed):
            row.plus("unseen", -owed - line.to_tray)
        cost: Exact | None = 0
        of_it = self.costs.get(line.wager)
        if line.wager in self.together:
            cost = None
        elif of_it is not None:
            cost = of_it(round, line)
        if cost is None:
            row.plus("undivided", -owed)
            return False
        if cost:
            row.plus("choices", cost)
        return True

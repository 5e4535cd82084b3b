"""Where the hold went, wager by wager: what the rules brought, what the player's decision cost, and what nobody can tell apart.

What a line of a closed round was owed by the rules is divided later, in the report: the certificate's part of the stake is theoretical
win, what the decision cost stands here, and the rest is luck. What moved against what was owed is the dealer's. Exact, and pure.
"""

from __future__ import annotations

from audit.outcome import Play
from games.kit.amounts import Exact
from games.kit.certificate import Cost
from games.kit.line import Line
from games.kit.round import Round
from games.kit.settling import Settlement
from games.kit.table import Table


class Dividing:
    """One opening of a table: which decisions its equipment sees, and whether it sees chips move."""

    def __init__(self, table: Table) -> None:
        certificate = table.game.certificate
        decisions = certificate.decisions if certificate is not None else {}
        self.table = table
        self.costs: dict[str, Cost] = {wager: one.cost for wager, one in decisions.items() if one.cost is not None}
        self.together = frozenset(wager for wager, one in decisions.items() if not one.needs <= table.sees)
        """Wagers whose decision is not seen: theoretical win, choices and luck are one figure."""
        if certificate is None:
            self.together = frozenset((*table.known, *table.game.payments))
        self.sees_money = {"take", "pay"} <= table.sees
        self.rounds = table.reading != "exact"

    def add(self, row: Play, round: Round, line: Line, settlement: Settlement) -> None:
        """A line of a round that is over: what it was owed and what was decided on it."""
        owed, stake = settlement[0], line.stake + line.pulled
        if round.voided is not None:
            row.plus("unseen", line.kept)
        elif owed is None or (line.pulled and not round.decided(line.spot, line.wager)):
            row.plus("undivided", -line.moved - line.from_tray)
        elif (stake == 0 and line.basis is None) or not line.offered:
            pass  # nothing was owed, and what moved is the dealer's
        else:
            self.divide(row, round, line, owed)

    def divide(self, row: Play, round: Round, line: Line, owed: Exact) -> None:
        """A line that was judged."""
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
            return
        row.decided += line.stake + line.pulled
        if type(owed) is int:
            row.owed -= owed * row.parts
        else:
            row.plus("owed", -owed)
        if cost:
            row.plus("choices", cost)
        if self.rounds and line.stake:
            row.plus("rounding", self.rounding(round, line, owed))

    def rounding(self, round: Round, line: Line, owed: Exact) -> Exact:
        """What the house has by the rounding of this amount."""
        odds = self.table.game.settlements[line.wager](round, line)
        return 0 if odds is None else odds.owed(line.at_risk) - owed

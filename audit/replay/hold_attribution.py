"""Attribute the hold of each wager to its causes: theoretical win, decisions of players, luck, and errors.

The amount owed on a wager of a closed round has three parts: the theoretical win, the cost of the player's
decisions, and luck. This module adds up the amounts owed and the cost of the decisions. The report of the
hold computes the theoretical win from the stake and the certificate. What remains is luck. Amounts whose
parts cannot be separated are added up in `undivided`. Money that moved beyond the amount owed is the dealer's
error. Exact, and pure.
"""

from __future__ import annotations

from audit.replay.results import Play
from games.kit.amounts import Exact
from games.kit.certificate import Cost, certificate_of
from games.kit.line import Line
from games.kit.round import Round
from games.kit.table import Table


class Dividing:
    """Hold attribution for one opening of a table. It depends on which decisions and chip movements the
    equipment reports.
    """

    def __init__(self, table: Table) -> None:
        certificate = certificate_of(table.game)
        decisions = certificate.decisions if certificate is not None else {}
        self.table = table
        self.costs: dict[str, Cost] = {
            wager: decision.cost for wager, decision in decisions.items() if decision.cost is not None
        }
        self.together = frozenset(
            wager for wager, decision in decisions.items() if not decision.needs <= table.sees
        )
        """Wagers whose hold cannot be divided into theoretical win, choices and luck, because their decision
        is not reported or the game has no certificate.
        """
        if certificate is None:
            self.together = frozenset((*table.known, *table.game.payments))
        self.sees_money = {"take", "pay"} <= table.sees
        self.alone = (
            (table.known | set(table.game.payments)) - self.together - set(self.costs)
            if self.sees_money
            else frozenset()
        )
        """Wagers whose hold can be attributed completely when they are judged."""

    def add(self, row: Play, round: Round, line: Line, owed: Exact | None) -> None:
        """Add one wager of a finished round to its row of the tally: the amount owed under the rules, and the
        cost of the player's decision.
        """
        stake = line.stake + line.pulled
        if line.kept or line.undecided or round.voided is not None:
            row.plus("unseen", line.kept)  # nothing else was owed; the rest is the dealer's error
        elif owed is None or (line.pulled and not round.decided(line.spot, line.wager)):
            row.plus("undivided", -line.moved)
        elif (stake == 0 and line.basis is None) or not line.offered:
            pass  # nothing was owed; what moved is the dealer's error
        elif line.wager in self.alone or self.tells(row, round, line, owed):
            row.decided += stake
            if row.parts == 1 and type(owed) is int:
                row.owed -= owed
            else:
                row.plus("owed", -owed)
            if line.rounding:
                row.plus("rounding", line.rounding)

    def tells(self, row: Play, round: Round, line: Line, owed: Exact) -> bool:
        """Return True if the player's decision on a judged wager is known.

        If it is known, the cost of the decision is added to the row. If it is not known, the amount owed is
        added to `undivided`. If the table does not report that the money moved, the amount owed is also added
        to `unseen`.
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

"""Check that a regulator's letter covers the pay tables, the edition and the answers to open questions with
which a table is opened. Nothing is checked if the property does not register approvals.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.controls import cite
from audit.replay.approvals import uncovered
from audit.replay.checks import Ledger, LedgerCheck, Nothing
from audit.replay.results import Finding
from games import GAMES
from games.kit import events as e
from games.kit.events import Event


class Approved(LedgerCheck):
    name = "approved"
    codes = ("pay-table-not-approved",)
    cite = cite("MI-06")
    kinds = (e.TableOpened,)
    StateType = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        assert isinstance(event, e.TableOpened)
        game, registers = GAMES.get(event.game), ledger.registers
        if game is not None and registers.knows_approvals:
            for wager, says in uncovered(game, event, registers.approvals(event.day), registers.letters):
                yield self.finding("pay-table-not-approved", ledger.place, says, wager=wager)


CHECK = Approved

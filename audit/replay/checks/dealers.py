"""Check that the person who deals has the role of dealer in the property's register of people on that day.
Nothing is checked if the register contains no dealers.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.controls import cite
from audit.replay.checks import Ledger, LedgerCheck, Nothing
from audit.replay.results import Finding
from games.kit import events as e
from games.kit.events import Event


class Dealers(LedgerCheck):
    name = "dealers"
    codes = ("dealer-unknown",)
    cite = cite("MI-10")
    kinds = (e.DealerSeated,)
    StateType = Nothing

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        assert isinstance(event, e.DealerSeated)
        dealers = ledger.registers.dealers(event.day)
        if dealers and event.dealer not in dealers:
            says = f"{event.dealer} is not a dealer in the register of people on {event.day.isoformat()}."
            yield self.finding("dealer-unknown", ledger.place, says)


CHECK = Dealers

"""Check when a table is opened that the table's equipment still reports all kinds of fact that it reported at
the previous opening.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from audit.controls import event_reference
from audit.replay.checks import Ledger, LedgerCheck
from audit.replay.results import Finding
from games.kit import events as e
from games.kit.events import Event
from games.kit.rules import reported_kinds


class State(Struct):
    """For each table: the kinds that its equipment reported when the table was last opened."""

    sees: dict[str, list[str]] = field(default_factory=dict)


class SeesLess(LedgerCheck):
    name = "sees-less"
    codes = ("sees-less",)
    cite = event_reference("table-opened")
    kinds = (e.TableOpened,)
    StateType = State

    def see(self, event: Event, ledger: Ledger) -> Iterator[Finding]:
        state = self.state
        assert isinstance(state, State)
        assert isinstance(event, e.TableOpened)
        previous, reported = state.sees.get(event.table), reported_kinds(event.sees)
        state.sees[event.table] = sorted(reported)
        if missing := sorted(set(previous or ()) - reported):
            yield self.finding(
                "sees-less", ledger.place, f"The table no longer reports {', '.join(missing)}."
            )


CHECK = SeesLess

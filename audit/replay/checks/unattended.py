"""Check that a dealer is seated and the table is open whenever hands are played, and that a table is closed
before its gaming day is closed.

The dealer is checked if the table reports `dealer-seated`, or if a dealer was seated there on this day. The
closing of the table is checked if the table reports `table-closed`. The report `coverage` shows other tables
as not judged. Both are checked at live-dealer tables too.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from audit import facts as f
from audit.controls import cite, event_reference
from audit.replay.checks import SEATED, Nothing, Seen, StreamCheck
from games.kit import events as e
from games.kit.breach import Breach
from games.kit.events import Event
from games.kit.signatures import person_key


class DealerMissing(StreamCheck):
    """When the day is closed, find hands that were played without a dealer. When people are seated, find a
    dealer or supervisor without a name.
    """

    name = "dealer-missing"
    codes = ("dealer-missing",)
    cite = cite("MI-08")
    kinds = (e.DealerSeated, f.DayClosed)
    unless = SEATED
    of_tray = False
    StateType = Nothing

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        if isinstance(event, e.DealerSeated):
            for role, name in (("dealer", event.dealer), ("supervisor", event.supervisor)):
                if not person_key(name):
                    yield self.breach("dealer-missing", event, f"Nobody is named as the {role} of the table.")
                    return
            return
        of_nobody = of_somebody = 0
        for (_, _, _, dealer, wager, *_), row in stream.tally.play.items():
            if not wager and dealer:
                of_somebody += row.rounds
            elif not wager:
                of_nobody += row.rounds
        if of_nobody and (of_somebody or "dealer-seated" in stream.sees):
            hands = f"{of_nobody} hand{' was' if of_nobody == 1 else 's were'}"
            yield self.breach(
                "dealer-missing",
                event,
                f"The day was closed. {hands} played while no dealer was seated.",
            )


class Open(Struct):
    """The state of the table: open or closed."""

    open: bool = False


class TableLeftOpen(StreamCheck):
    """Find a table that is still open when its day is closed."""

    name = "table-left-open"
    codes = ("table-left-open",)
    cite = cite("OC-08")
    kinds = (e.TableOpened, e.TableClosed, f.DayClosed)
    needs = frozenset({"table-closed"})
    of_tray = False
    StateType = Open

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        state = self.state
        assert isinstance(state, Open)
        if isinstance(event, f.DayClosed) and state.open and self.needs <= stream.sees:
            yield self.breach("table-left-open", event, "The day was closed while the table was open.")
        state.open = isinstance(event, e.TableOpened)


class SeatedAtClosed(StreamCheck):
    """Find a dealer who is seated at a closed table."""

    name = "seated-at-closed"
    codes = ("out-of-order",)
    cite = event_reference("dealer-seated")
    kinds = (e.TableOpened, e.TableClosed, e.DealerSeated)
    of_tray = False
    StateType = Open

    def see(self, event: Event, stream: Seen) -> Iterator[Breach]:
        state = self.state
        assert isinstance(state, Open)
        if not isinstance(event, e.DealerSeated):
            state.open = isinstance(event, e.TableOpened)
        elif not state.open:
            yield self.breach("out-of-order", event, f"{event.dealer} was seated at a table that is closed.")


CHECKS = (DealerMissing, TableLeftOpen, SeatedAtClosed)

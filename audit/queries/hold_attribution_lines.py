"""The hold attribution of each wager of a table's gaming day, read from the ledger. It shows which hands make
up a sum.
"""

from __future__ import annotations

from typing import NamedTuple

from audit.facts import decode
from audit.ledger import store
from audit.replay.fold import Fold
from audit.replay.results import Play
from games.kit import events as e
from games.kit.amounts import Exact
from games.kit.events import Event
from games.kit.line import Line
from games.kit.round import Round

LONGEST = 250_000
"""Maximum number of a day's facts that are read for a page."""


class Laid(NamedTuple):
    """A wager on one spot in a closed round: its amounts in the tally, and everything that its odds depend
    on.
    """

    round: str
    number: int
    spot: str
    wager: str
    pay_table: str
    price_class: str
    opened: e.TableOpened
    sums: Play


class Corrected(NamedTuple):
    """A later correction that changed the contents of the tray."""

    number: int
    fact: e.Corrected


class Day(NamedTuple):
    """The wagers and corrections of a gaming day, in order.

    Attributes:
        whole: True if the day was read to its end.
    """

    lines: list[Laid]
    corrections: list[Corrected]
    whole: bool


def day(property: str, stream: str) -> Day:
    """Return the wagers and corrections in the first LONGEST facts of a table's gaming day."""
    fold = _EachLine(property, stream)
    for number, _, body in store.read_stream(property, stream, 0):
        if number > LONGEST:
            return Day(fold.lines, fold.corrections, False)
        fold.take(number, decode(body))
    return Day(fold.lines, fold.corrections, True)


class _EachLine(Fold):
    """A table fold that also collects each line that enters the tally."""

    def __init__(self, property: str, stream: str) -> None:
        super().__init__(stream, learned=store.learned(property, stream))
        self.lines: list[Laid] = []
        self.corrections: list[Corrected] = []

    def divide(self, row: Play, round: Round, line: Line, owed: Exact | None) -> None:
        super().divide(row, round, line, owed)
        own_row, opened = Play(), round.table.opened
        own_row.add(line)
        super().divide(own_row, round, line, owed)
        place = (round.name, round.start, line.spot, line.wager)
        self.lines.append(
            Laid(
                *place, opened.pay_tables.get(line.wager, ""), round.price_class(line.wager), opened, own_row
            )
        )

    def correct(self, event: Event) -> None:
        before = dict(self.state.tray)
        super().correct(event)
        assert isinstance(event, e.Corrected)
        if self.state.tray != before:
            self.corrections.append(Corrected(self.number, event))

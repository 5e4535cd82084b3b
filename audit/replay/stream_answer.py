"""The results of a stream while it is being read: its findings and its sums.

The fold reads the facts in order. This module gives findings the numbers of their facts, and adds up the
money that moved.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec import structs

from audit import facts as f
from audit.replay.fold_state import State
from audit.replay.results import Finding, Play, Tally, finding
from audit.replay.tally import Tallying, currency_of
from games.kit import citations as c
from games.kit import feed
from games.kit.breach import Breach, place_of
from games.kit.closed_rounds import ClosedRound
from games.kit.codes import GRADE
from games.kit.events import Event
from games.kit.table import Table


class StreamAnswer:
    """The findings and the sums of one stream, up to the fact with the number `number`."""

    def __init__(self, stream: str, state: State) -> None:
        """Start from a state between two rounds."""
        self.stream = stream
        self.of_the_house = stream.partition("/")[2].startswith(f"{f.HOUSE}/")
        """True for the property's own stream. It has no table, so its findings are not counted in the sums of
        a table.
        """
        self.state = state
        self.number = state.number
        self.table: Table | None = None
        self.findings: dict[str, Finding] = {}
        self.in_round = False
        self.trail: list[Event] = []
        self.trail_start = 0
        self.of_round: list[Finding] = []
        self.found: list[Breach] = []
        """Breaches of the table, the checks and the fold itself that have not been given a number yet."""
        self.tallying = Tallying(state.tally, state.slips, state.boxes, state.recounts, state.on_markers)
        self.book: dict[str, ClosedRound] = {}
        """The closed rounds since the start of this reading, with the amounts owed and moved on their wagers.
        """
        self.played_in: dict[str, str] = {}
        """The currency of each closed round."""
        self.late: dict[tuple[str, str, str], tuple[Play, int]] = {}
        """Money that moved while its round was not open. The key is (uid, spot, wager). The value is the row
        of the tally and the amount, which is positive if the player received it.
        """

    @property
    def tally(self) -> Tally:
        """Return the stream's sums: closed rounds and cage facts."""
        return self.state.tally

    def find(self, code: str, event: Event, says: str) -> None:
        """Add a finding about the clock time or the counter of a fact."""
        spot, wager = place_of(event)
        self.found.append(
            Breach(
                code=code,
                event=event,
                says=says,
                cite=c.ENVELOPE,
                grade=GRADE[code],
                round=event.round,
                spot=spot,
                wager=wager,
            )
        )

    def contradicted(self, event: Event, contradicts: list[tuple[str, str, str]]) -> None:
        """Add a finding that the message behind this fact contains two contradicting values."""
        spot, wager = place_of(event)
        self.found.append(
            Breach(
                code=feed.CODE,
                event=event,
                says=feed.contradiction(contradicts),
                cite=feed.CITE,
                grade=GRADE[feed.CODE],
                round=event.round,
                spot=spot,
                wager=wager,
            )
        )

    def gather(self, event: Event) -> None:
        """Turn each breach into a finding with its fact's number. Findings of the open round are counted when
        the round is over.
        """
        for breach in self.found:
            result = finding(self.stream, self.number_of(breach.event, event), breach)
            if result.id in self.findings:
                if breach.event is event:  # several breaches of one fact: the last one has the whole amount
                    self.findings[result.id] = result
                    self.of_round = [result if other.id == result.id else other for other in self.of_round]
                continue
            self.findings[result.id] = result
            late = (
                self.late.get((result.uid, breach.spot, breach.wager)) if result.moved is not None else None
            )
            if late is not None:
                late[0].find(result, Fraction(late[1]))  # earlier money has been counted already
            elif self.in_round:
                self.of_round.append(result)
            elif not self.of_the_house:
                self.row(event).find(result, result.money)
        self.found.clear()
        self.late.clear()

    def number_of(self, fact: Event, current: Event) -> int:
        """Return the number that a fact has in the stream. The fact is `current`, or an earlier fact of the
        current round.
        """
        if fact is not current:
            for place, passed in enumerate(self.trail):
                if passed is fact:
                    return self.trail_start + place
        return self.number

    def row(self, event: Event) -> Play:
        """Return the row of the tally for amounts that do not belong to a wager."""
        return self.tallying.rows(self.state.opened, event, self.state.dealer, len(self.state.settings))(
            "", ""
        )

    def tray(self) -> int:
        """Return the net amount that play has added to the tray in the table's currency, including the open
        round.
        """
        round = self.table.round if self.table is not None else None
        amount = self.state.tray.get(currency_of(self.table), 0)
        return amount + (sum(line.to_tray for line in round.lines.values()) if round is not None else 0)

    def bring(self, currency: str, amount: int) -> None:
        """Record the amount of chips that play, or a correction of play, moved to the tray (+) or from it
        (-).
        """
        self.state.tray[currency] = self.state.tray.get(currency, 0) + amount

    def moved_outside(self, event: Event, spot: str, wager: str, signed: int, player: str | None) -> None:
        """Count money that moved while its round was not open, under the shift and hour in which it moved."""
        opened = self.state.opened
        assert opened is not None, "only a table judges this money"
        currency = self.played_in.get(event.round or "", opened.currency)
        if currency != opened.currency:
            opened = structs.replace(opened, currency=currency)
        row = self.tallying.rows(opened, event, self.state.dealer, len(self.state.settings))(wager, "")
        moved = row, *([self.tallying.player_row(currency, player, wager)] if player is not None else ())
        for move in moved:
            move.paid += max(0, signed)
            move.taken += max(0, -signed)
        self.bring(currency, -signed)
        before = self.late.get((event.uid, spot, wager))
        self.late[event.uid, spot, wager] = row, signed + (before[1] if before else 0)

"""Rules for players who lose their connection (Ezugi Game Rules, Disconnection). They decide which of the
player's bets still count, and when the player counts as connected again.
"""

from __future__ import annotations

from games.kit import events as e
from games.kit.betting import CLOSED, Betting, Key
from games.kit.events import Event, kind_of
from games.kit.line import Line

REPORTED = frozenset({"player-lost", "player-back"})
"""A missing `player-back` is a breach only at a table whose equipment reports these kinds of fact."""


class Disconnection(Betting):
    """The disconnected players of a round. They remain disconnected in later rounds until they are connected
    again.
    """

    __slots__ = ()

    def player_lost(self, event: e.PlayerLost) -> None:
        """Record that the player is disconnected. Bets whose betting window is still open count as not
        placed.
        """
        self.away[event.spot] = self.name
        self.lost.add(event.spot)
        if self.voided is None:
            for line in self.spots.get(event.spot, ()):
                if line.stake and self.window(line.spot, line.wager) != CLOSED:
                    self.withdraw(line)

    def withdraw(self, line: Line) -> None:
        """Count the stake of a spot on a wager as not placed."""
        key = line.spot, line.wager
        self.unplaced[key] = self.unplaced.get(key, 0) + line.stake
        line.stake = line.bets = 0
        if line.moved:
            self.uncovered(line)

    def uncovered(self, line: Line) -> None:
        """Report money that moved on a stake that no longer counts. It is reported as money that moved
        without a bet.
        """
        assert line.touch is not None, "a line with money that moved has the fact that moved it"
        moved, line.moved = line.moved, 0
        line.astray += moved
        self.no_bet(line.touch, line.spot, line.wager, moved)

    def player_back(self, event: e.PlayerBack) -> None:
        """Mark the player as connected. Bets and decisions count from now on."""
        self.away.pop(event.spot, None)
        self.lost.discard(event.spot)

    def counts(self, event: Event, spot: str, wager: str, amount: int) -> bool:
        """Return True if the bet of a disconnected player counts as placed.

        A player who lost the connection in an earlier round counts as back. A bet after its betting window
        has closed is late, but counts as placed.
        """
        if spot not in self.lost:
            self.returns(event, spot, wager, f"bet {self.table.say(amount)} on {wager}")
            return True
        return self.window(spot, wager) == CLOSED or self.ignore(spot, wager, amount)

    def ignore(self, spot: str, wager: str, amount: int) -> bool:
        """Record a bet as not placed, and return False, so that the caller does not count it."""
        self.unplaced[spot, wager] = self.unplaced.get((spot, wager), 0) + amount
        return False

    def returns(self, event: Event, spot: str, wager: str, did: str) -> None:
        """Mark a player who bets or decides in a later round as connected. Report once that no `player-back`
        was recorded.
        """
        table, name = self.table, self.away.pop(spot)
        if table.sees >= REPORTED:
            occasion = f"in round {name}" if name else "between two rounds"
            says = (
                f"{spot} lost the connection {occasion} and was not reported back, but {did}. It counts, and"
                f" {spot} counts as back."
            )
            table.find("out-of-order", event, says, spot=spot, wager=wager, cite=table.game.lost)

    def undoes(self, event: e.Unbet, stake: int) -> bool:
        """Return True if the fact takes back a bet that counts as not placed. The studio may do this before
        betting closes. If it is done later, it is reported.
        """
        spot, wager, amount = event.spot, event.wager, event.amount
        key = spot, wager
        if amount > self.unplaced.get(key, 0) - self.undone.get(key, 0) or (
            spot not in self.lost and amount <= stake
        ):
            return False
        self.undone[key] = self.undone.get(key, 0) + amount
        if self.window(spot, wager) == CLOSED:
            closer, table = self.closer(spot, wager), self.table
            says = (
                f"{self.not_placed(key)}; {table.say(amount)} was taken back only after {kind_of(closer)} had"
                " closed betting."
            )
            table.find("late-unbet", event, says, before=closer, cite=table.game.lost)
        return True

    def not_placed(self, key: Key) -> str:
        """Return a clause about bets on this spot and wager that do not count because of a disconnection.
        Return an empty text if all of them count.
        """
        spot, wager = key
        if not self.unplaced.get(key):
            return ""
        bet = f"his bet of {self.table.say(self.unplaced[key])} on {wager}"
        return f"{spot} had lost the connection before {self.lost_before(wager)}; {bet} does not count"

    def lost_before(self, wager: str) -> str:
        """Return the moment after which a lost connection no longer matters for this wager, as a clause."""
        return "betting closed"

    def no_bet(self, event: Event, spot: str, wager: str, signed: int, way: str = "") -> None:
        """Report money that moved without a bet. If a bet was made but does not count because of a
        disconnection, name the disconnection.

        `way` says how the money moved, for a sentence. Without `way`, the sentence says that the money was
        paid or taken.
        """
        table = self.table
        amount, way = table.say(abs(signed)), way or ("was paid on" if signed > 0 else "was taken from")
        says, cite = f"{amount} {way} {wager} of spot {spot}, where no bet lay.", None
        if self.unplaced:
            lost = self.not_placed((spot, table.game.payments.get(wager, wager)))
            if lost:
                says, cite = f"{lost}, and {amount} {way} {wager}.", table.game.lost
        table.find("no-such-bet", event, says, spot=spot, wager=wager, moved=signed, cite=cite)

"""Money that moves in a round. Takes and payments are added up by spot and wager until they are judged."""

from __future__ import annotations

from games.kit import events as e
from games.kit.amounts import Exact
from games.kit.disconnection import Disconnection
from games.kit.events import Event
from games.kit.line import Line
from games.kit.phrases import capital, clause

Moves = list[tuple[str, str, int]]
"""Spot, wager and amount of each move; the amount is positive if the money went to the player."""


def moves_of(event: Event) -> Moves:
    """Return the spot, the wager and the amount of all money that a fact moves outside the open round. An
    amount that goes to the player is positive. A returned stake counts as a payment.
    """
    match event:
        case e.Take():
            return [(event.spot, event.wager, -event.amount)]
        case e.Pay() | e.Return():
            return [(event.spot, event.wager, event.amount)]
        case e.Settled():
            takes = [(spot, wager, -amount) for spot, wager, amount in event.taken]
            return takes + [(spot, wager, amount) for spot, wager, amount in event.paid]
        case _:
            return []


class Money(Disconnection):
    """A round that records the money moved, by spot and wager."""

    __slots__ = ()

    def take(self, event: e.Take) -> None:
        self.money(event, event.spot, event.wager, -event.amount)

    def pay(self, event: e.Pay) -> None:
        self.money(event, event.spot, event.wager, event.amount)

    def settled(self, event: e.Settled) -> None:
        for spot, wager, amount in event.taken:
            self.money(event, spot, wager, -amount)
        for spot, wager, amount in event.paid:
            self.money(event, spot, wager, amount)

    def money(self, event: Event, spot: str, wager: str, signed: int) -> None:
        """Add money that moved to the total of its spot and wager, which is judged later."""
        line = self.lines.get((spot, wager))
        table = self.table
        if line is None:
            line = self.line(spot, wager)
        if signed < 0:
            line.taken -= signed
        else:
            line.paid += signed
        if self.voided is not None:
            line.touch = event
            return
        if not (line.stake or line.at_risk):
            line.astray += signed
            self.no_bet(event, spot, wager, signed)
            return
        if not self.decided(spot, wager):
            self.early.append((line, event))
        else:
            owed = line.owed if line.priced else self.owed(line)
            if owed and line.moved == owed:
                line.repeated += signed
                if line.repeated:  # a repeated payment that was handed back is corrected
                    self.repeated(event, line, owed)
                return
        for judge, rule in table.money_rules[type(event)]:
            result = judge(self, event, line, signed)
            if result is not None:
                table.record_hits(rule, event, result)
        line.moved += signed
        line.touch = event
        line.judged = False
        self.moved(event, line, signed)

    def return_(self, event: e.Return) -> None:
        """Record a returned stake. In a void round a return is correct. At a live-dealer table it is also
        correct on a push, if the amount is exactly the stake. Any other return is reported.
        """
        spot, wager, amount, table = event.spot, event.wager, event.amount, self.table
        line = self.lines.get((spot, wager)) or self.line(spot, wager)
        undone = line.untaken
        payment = line.hand_back(amount)
        if self.voided is not None:
            return
        signed = line.untaken - undone + payment
        due = self.decided(spot, wager)
        owed = self.owed(line) if due and line.at_risk else None
        if line.at_risk == 0:
            line.astray += signed
            self.no_bet(event, spot, wager, amount, "was returned on")
        else:
            line.moved += signed
            line.touch = event
            line.judged = False
            if payment and not due:
                self.early.append((line, event))
        push = (
            table.game.live_dealer
            and due
            and not owed
            and line.moved == 0
            and amount == line.stake == line.returned
        )
        if not push:
            says = (
                f"{table.say(amount)} was returned on {wager} of spot {spot}, and the round had not been"
                " voided."
            )
            table.find("out-of-order", event, says, cite=table.game.always["void-not-returned"].cite)

    def repeated(self, event: Event, line: Line, owed: Exact) -> None:
        """Report money that moved again after the owed amount had moved. The settlement itself does not count
        as wrong because of this money.
        """
        table = self.table
        total = line.moved + line.repeated
        if not table.judges(owed, total):
            return
        says = (
            f"Spot {line.spot}, {line.wager}: {table.signed(owed)} was owed and had moved; with the repeat"
            f" {table.signed(total)} moved."
        )
        cite = line.cite or None
        table.find(
            "settled-twice", event, says, spot=line.spot, wager=line.wager, owed=owed, moved=total, cite=cite
        )

    def moved(self, event: Event, line: Line, signed: int) -> None:
        """Do nothing. This method is called after money has moved. Games that require an order of settlement
        override it.
        """

    def owed(self, line: Line) -> Exact | None:
        """Return the amount owed to a spot on a wager, after the wager was decided; None if it cannot be
        judged.
        """
        if not line.priced:
            line.priced = True
            self.table.price(self, line)
        return line.owed

    def deciding(self, event: Event) -> None:
        """Report money that moved on a wager before `event` decided the wager."""
        waiting = [entry for entry in self.early if not self.decided(entry[0].spot, entry[0].wager)]
        for line, early in self.early:
            if self.decided(line.spot, line.wager):
                say = self.table.say
                batch = isinstance(early, e.Settled)
                moved = f"money moved on {line.wager} of spot {line.spot}" if batch else clause(early, say)
                says = f"{capital(moved)} before {clause(event, say)}, which decides it."
                self.table.find(
                    "settled-too-soon", early, says, spot=line.spot, wager=line.wager, after=event
                )
        self.early = waiting

    def clear(self, event: e.Clear) -> None:
        """Judge the wagers of a spot on which money has moved, when its cards are cleared."""
        for line in self.spots.get(event.source_, ()):
            if line.touch is not None and not line.judged and self.decided(line.spot, line.wager):
                self.table.settle(self, line, event)

    def announce(self, event: e.Announce) -> None:
        """Record what the dealer announced. Games that require announcements override the method."""

    def payments(self) -> None:
        """Create a line for each payment that has no bet of its own, such as an ante bonus. The payment may
        be owed at the end of the round even if no money moved.
        """
        for payment, wager in self.table.game.payments.items():
            for spot in [line.spot for line in self.lines.values() if line.wager == wager and line.stake]:
                if (spot, payment) not in self.lines:
                    self.line(spot, payment)

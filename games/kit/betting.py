"""The bets that players make in a round, and the time at which each wager may be bet."""

from __future__ import annotations

from abc import ABC, abstractmethod

from games.kit import events as e
from games.kit.amounts import Exact
from games.kit.events import Event
from games.kit.line import Line
from games.kit.phrases import clause
from games.kit.protocols import RoundTable

BEFORE, OPEN, CLOSED, NOT_OFFERED = "before", "open", "closed", "not offered"
"""The states of a wager's betting window: betting has not begun, is open, is closed, or is not possible in
this round.
"""

CLOSES: dict[type[Event], str] = {e.NoMoreBets: ""}
CLOSED_IT = ", which closes betting on it"
"""The end of a sentence about a fact that closed a wager's betting window, if `CLOSES` has no other end for
this kind of fact.
"""

Key = tuple[str, str]
"""The spot and the wager of a line. Together they identify it within a round."""


class Decidable(ABC):
    """The method that every round class needs: it says when a wager is decided."""

    __slots__ = ()

    @abstractmethod
    def decided(self, spot: str, wager: str) -> bool:
        """Return True if the card, die or decision that decides this wager of this spot has been recorded. In
        most games all wagers are decided at once.
        """


class Betting(Decidable):
    """The bets of one round, and the betting windows of its wagers."""

    __slots__ = (
        "after_cut",
        "away",
        "closed_by",
        "crowded",
        "early",
        "first_card",
        "lines",
        "lost",
        "name",
        "no_more",
        "opened",
        "paused",
        "seats",
        "shuffles",
        "spots",
        "start",
        "stopped",
        "table",
        "too_early",
        "trail",
        "unclosed",
        "undone",
        "unplaced",
        "unresolved",
        "voided",
        "windows",
        "worth",
    )

    def __init__(self, table: RoundTable, opened: Event, number: int) -> None:
        self.table, self.opened, self.name, self.start = table, opened, opened.round or "", number
        self.trail: list[Event] = []
        self.lines: dict[Key, Line] = {}
        self.spots: dict[str, list[Line]] = {}
        self.windows: dict[str, str] = {}
        self.closed_by: dict[str, Event] = {}
        self.early: list[tuple[Line, Event]] = []
        self.too_early: list[tuple[Line, Event]] = []
        """`early`: money that moved before the card that decides its wager. It is reported when the card is
        dealt. `too_early`: bets that were made before their betting window. They are reported when it opens.
        """
        self.away = table.lost
        """For each spot whose player is disconnected: the name of the round in which the connection was
        lost.
        """
        self.seats: dict[str, str] = {}
        """For each spot: the player who made the first bet on it, if bets name their players."""
        self.crowded: frozenset[tuple[str, str]] = frozenset()
        """(spot, player) for each player who bet on a spot after another player had bet there."""
        self.lost: set[str] = set()
        """Spots of `away` whose player lost the connection in this round."""
        self.unplaced: dict[Key, int] = {}
        self.undone: dict[Key, int] = {}
        """`unplaced`: the bets that do not count because the player had lost the connection, in minor units.
        `undone`: the part of these bets that the studio has taken back.
        """
        self.no_more: Event | None = None
        self.voided: Event | None = None
        self.worth: dict[Key, Exact | None] = {}
        """For each wager: the amount that it was owed when the round was voided. None if the wager was not
        decided at that time.
        """
        self.paused: Event | None = None
        self.stopped = False
        """True if the round is paused or void. In this state only some facts take effect."""
        self.first_card: Event | None = None
        self.after_cut = table.shoe.cut_shown
        self.unclosed = False
        self.shuffles: list[e.Shuffled] = []
        """Shuffles since the last card of the round. If another card is dealt in the round, they are reported
        as out of order.
        """
        self.unresolved = False
        """True if the round has ended without a void, but a wager was not decided."""

    def window(self, spot: str, wager: str) -> str:
        """Return the state of this betting window at this spot: BEFORE, OPEN, CLOSED or NOT_OFFERED."""
        return self.windows.get(wager, OPEN)

    def open(self, event: Event, *wagers: str, offered: bool = True) -> None:
        """Open the betting windows of these wagers, or mark the wagers as not offered. Report the bets that
        came before the window.
        """
        self.windows.update(dict.fromkeys(wagers, OPEN if offered else NOT_OFFERED))
        for line, early in self.too_early:
            if line.wager in wagers:
                says = (
                    f"Spot {line.spot} bet on {line.wager} before {clause(event, self.table.say)}, which"
                    " opens betting on it."
                )
                self.table.find("out-of-order", early, says, spot=line.spot, wager=line.wager, after=event)
                if not offered and line.stake:
                    line.offered = False
                    self.not_offered(early, line)
        self.too_early = [entry for entry in self.too_early if entry[0].wager not in wagers]

    def close(self, event: Event, *wagers: str) -> None:
        """Close the betting windows of these wagers. For each window that was open, store this fact as the
        one that closed it.
        """
        for wager in wagers:
            if self.windows.get(wager) != CLOSED:
                self.windows[wager] = CLOSED
                self.closed_by[wager] = event

    def closer(self, spot: str, wager: str) -> Event:
        """Return the fact that closed betting on this wager at this spot. In most games the same fact closes
        betting at all spots.
        """
        return self.closed_by[wager]

    def bet(self, event: e.Bet) -> None:
        self.place(event, event.spot, event.wager, event.amount, event.player)

    def bets(self, event: e.Bets) -> None:
        for spot, wager, amount in event.bets:
            self.place(event, spot, wager, amount, None)

    def place(self, event: Event, spot: str, wager: str, amount: int, player: str | None) -> None:
        """Add a stake to the bets of its spot and wager. A bet that breaks a rule is reported, but it counts
        and is settled.
        """
        line = self.lines.get((spot, wager)) or self.line(spot, wager)
        if self.away and spot in self.away and not self.counts(event, spot, wager, amount):
            return
        if line.stake == 0 and not line.pulled:
            line.first, line.since = event, len(self.trail)
        line.stake += amount
        line.bets += 1
        line.last = event
        line.priced = line.judged = False
        if player is not None:
            if line.player is None or line.laid == amount:
                line.player = player
            if self.seats.setdefault(spot, player) != player:
                self.seat_taken(event, spot, player, amount)
        if self.windows.get(wager) != OPEN and self.voided is None:
            self.untimely(event, line)

    def seat_taken(self, event: Event, spot: str, player: str, amount: int) -> None:
        """Report a player's first bet on a spot if another player has a stake there."""
        if sum(line.laid for line in self.spots[spot]) == amount:
            self.seats[spot] = player
        elif (spot, player) not in self.crowded:
            self.crowded |= {(spot, player)}
            says = (
                f"{player} bet on spot {spot}, on which {self.seats[spot]} had bet in this round: only one"
                " player may bet on a spot."
            )
            self.table.find("too-many-spots", event, says)

    def line(self, spot: str, wager: str) -> Line:
        """Create the line of a spot and wager, and return it. A line has the stake, the moves and the
        settlement.
        """
        table = self.table
        payments, basis = table.game.payments, None
        if payments and wager in payments:
            basis = self.lines.get((spot, payments[wager]))
        line = self.lines[spot, wager] = Line(spot, wager, wager in table.known or basis is not None, basis)
        of_spot = self.spots.get(spot)
        if of_spot is None:
            self.spots[spot] = [line]
        else:
            of_spot.append(line)
        for payment, of in payments.items() if payments else ():
            early = self.lines.get((spot, payment)) if of == wager else None
            if early is not None:  # the payment moved before the stake on which it is owed was laid
                early.basis, early.offered = line, True
        if self.voided is not None:
            line.paid_before_void = 0  # nothing had been paid on it before the void
        return line

    def untimely(self, event: Event, line: Line) -> None:
        """Report a bet on a wager that the game does not have, or whose betting window is not open."""
        spot, wager, find = line.spot, line.wager, self.table.find
        if wager not in self.table.known:
            line.offered = False
            find(
                "no-such-wager",
                event,
                f"Spot {spot} bet on {wager}, which this game does not have.",
                spot=spot,
                wager=wager,
            )
            return
        state = self.window(spot, wager)
        if state == BEFORE:
            self.too_early.append((line, event))
        elif state == NOT_OFFERED:
            line.offered = False
            self.not_offered(event, line)
        elif state == CLOSED:
            closer = self.closer(spot, wager)
            bet = (
                f"bet {self.table.say(event.amount)} on {wager}"
                if isinstance(event, e.Bet)
                else f"bet on {wager}"
            )
            says = (
                f"Spot {spot} {bet} after"
                f" {clause(closer, self.table.say)}{CLOSES.get(type(closer), CLOSED_IT)}."
            )
            cite = self.table.game.cites.get(f"late-bet {wager}")
            find("late-bet", event, says, spot=spot, wager=wager, before=closer, cite=cite)

    def not_offered(self, event: Event, line: Line) -> None:
        """Report a bet on a wager that the game does not offer in this round. A game that does not always
        offer all wagers overrides this method.
        """

    def unbet(self, event: e.Unbet) -> None:
        """Subtract a stake that a player takes back while betting is open. If betting is closed, report it
        and leave the stake.
        """
        spot, wager, find = event.spot, event.wager, self.table.find
        line = self.lines.get((spot, wager))
        if self.unplaced and self.undoes(event, line.stake if line else 0):
            return
        if line is None or line.stake < event.amount:
            lies = self.table.say(line.stake if line else 0)
            find(
                "no-such-bet",
                event,
                f"Spot {spot} took back {self.table.say(event.amount)} from {wager}, where {lies} lay.",
            )
        elif self.window(spot, wager) == CLOSED:
            closer = self.closer(spot, wager)
            took = f"Spot {spot} took back {self.table.say(event.amount)} from {wager}"
            says = f"{took} after {clause(closer, self.table.say)}{CLOSES.get(type(closer), CLOSED_IT)}."
            find(
                "late-unbet",
                event,
                says,
                before=closer,
                cite=self.table.game.cites.get(f"late-unbet {wager}"),
            )
        else:
            line.stake -= event.amount
            if line.stake == 0 and line.moved:
                self.uncovered(line)

    def no_more_bets(self, event: e.NoMoreBets) -> None:
        """Close betting because of the dealer's gesture. A gesture that comes too early closes nothing."""
        closed = len(self.closed_by)
        self.betting_closed(event)
        if self.no_more is None and (
            len(self.closed_by) > closed or (closed and OPEN not in self.windows.values())
        ):
            self.no_more = event

    def betting_closed(self, event: Event) -> None:
        """Close the betting windows that end with the dealer's gesture or with the first card. Each game
        overrides this method.
        """

    @abstractmethod
    def counts(self, event: Event, spot: str, wager: str, amount: int) -> bool:
        """Return True if a bet at a spot whose player lost the connection counts as placed."""

    @abstractmethod
    def uncovered(self, line: Line) -> None:
        """Report money that moved on a stake that no longer counts."""

    @abstractmethod
    def undoes(self, event: e.Unbet, stake: int) -> bool:
        """Return True if the fact takes back a bet that counts as not placed. `stake` is the stake on the
        same spot and wager.
        """

    def choose(self, event: e.Choose) -> None:
        """Record a player's decision. Games in which players decide override the method."""

    def pull(self, event: e.Pull) -> None:
        """Withdraw a player's wager. Games that allow this override the method."""

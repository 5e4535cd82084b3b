"""What players bet in a round, and when each wager may be made."""

from __future__ import annotations

from abc import ABC, abstractmethod

from games.kit import events as e
from games.kit.amounts import Exact
from games.kit.events import Event
from games.kit.line import Line
from games.kit.phrases import clause
from games.kit.protocols import RoundTable

BEFORE, OPEN, CLOSED, NOT_OFFERED = "before", "open", "closed", "not offered"
"""The states of a wager's betting window."""

CLOSES: dict[type[Event], str] = {e.NoMoreBets: ""}
CLOSED_IT = ", which closes betting on it"
"""What a sentence adds to the fact that closes a wager's window."""

Key = tuple[str, str]
"""The spot and the wager of a line."""


class Decidable(ABC):
    """The method that every round needs: its game says when a wager is decided."""

    __slots__ = ()

    @abstractmethod
    def decided(self, spot: str, wager: str) -> bool:
        """Return True once the card, or act, that decides this wager of this spot has come; in most games it
        is the same for every wager.
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
        """`early` is money that moved before the deciding card, found when that card comes. `too_early` is
        bets before their window, found when it opens.
        """
        self.away = table.lost
        """Players who have lost the connection and are not back, in this round or an earlier one."""
        self.seats: dict[str, str] = {}
        """The player of the first bet on a spot, if bets name their players."""
        self.crowded: frozenset[tuple[str, str]] = frozenset()
        """Pairs of a spot and another player who bet there too."""
        self.lost: set[str] = set()
        """Spots of `away` whose player lost the connection in this round."""
        self.unplaced: dict[Key, int] = {}
        self.undone: dict[Key, int] = {}
        """Bets that do not count because the player had lost the connection, and the part of them that the
        studio has taken back.
        """
        self.no_more: Event | None = None
        self.voided: Event | None = None
        self.worth: dict[Key, Exact | None] = {}
        """What each wager was owed when the round was voided; None if that was not decided."""
        self.paused: Event | None = None
        self.stopped = False
        """True if the round is voided or paused, so that facts need a special check."""
        self.first_card: Event | None = None
        self.after_cut = table.shoe.cut_shown
        self.unclosed = False
        self.shuffles: list[e.Shuffled] = []
        """Shuffles since the last card of the round: out of order as soon as another card comes."""
        self.unresolved = False
        """True once the round has ended with a wager that was not decided, and was not voided."""

    def window(self, spot: str, wager: str) -> str:
        """Return the state of this wager's betting window: BEFORE, OPEN, CLOSED or NOT_OFFERED."""
        return self.windows.get(wager, OPEN)

    def open(self, event: Event, *wagers: str, offered: bool = True) -> None:
        """Open the betting windows of these wagers, or mark the wagers as not offered, and find the bets that
        came too early.
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
        """Close the betting windows of these wagers, and remember the first fact that closes each."""
        for wager in wagers:
            if self.windows.get(wager) != CLOSED:
                self.windows[wager] = CLOSED
                self.closed_by[wager] = event

    def closer(self, spot: str, wager: str) -> Event:
        """Return the fact that closed this wager; in most games it closes every spot at once."""
        return self.closed_by[wager]

    def bet(self, event: e.Bet) -> None:
        self.place(event, event.spot, event.wager, event.amount, event.player)

    def bets(self, event: e.Bets) -> None:
        for spot, wager, amount in event.bets:
            self.place(event, spot, wager, amount, None)

    def place(self, event: Event, spot: str, wager: str, amount: int, player: str | None) -> None:
        """Add a stake to its line. An irregular bet is found, but it counts and is settled (rounds.md
        2, 15).
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
        """Find a second player on a spot at his first bet there, unless the spot has no other stake."""
        if sum(line.laid for line in self.spots[spot]) == amount:
            self.seats[spot] = player
        elif (spot, player) not in self.crowded:
            self.crowded |= {(spot, player)}
            says = (
                f"{player} bet on spot {spot}, on which {self.seats[spot]} had bet in this round: one player"
                " has a spot."
            )
            self.table.find("too-many-spots", event, says)

    def line(self, spot: str, wager: str) -> Line:
        """Make the line of a spot and wager when it is first named, and return it."""
        table = self.table
        payments = table.game.payments
        basis = self.lines.get((spot, payments[wager])) if wager in payments else None
        line = self.lines[spot, wager] = Line(spot, wager, wager in table.known or basis is not None, basis)
        of_spot = self.spots.get(spot)
        if of_spot is None:
            self.spots[spot] = [line]
        else:
            of_spot.append(line)
        for payment, of in payments.items():
            early = self.lines.get((spot, payment)) if of == wager else None
            if early is not None:  # it moved before there was a stake to owe it on
                early.basis, early.offered = line, True
        if self.voided is not None:
            line.paid_before_void = 0  # nothing was paid on it before
        return line

    def untimely(self, event: Event, line: Line) -> None:
        """Find a bet on an unknown wager, or on a wager whose window is not open."""
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
        """Find a bet on a wager that the game has withdrawn. Games with such wagers override this."""

    def unbet(self, event: e.Unbet) -> None:
        """Subtract a stake that a player takes back while betting is open. Later it is found and changes
        nothing.
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
        """Remember the wave, unless nothing could be closed yet: then it is not the wave that is asked
        for.
        """
        closed = len(self.closed_by)
        self.betting_closed(event)
        if self.no_more is None and (
            len(self.closed_by) > closed or (closed and OPEN not in self.windows.values())
        ):
            self.no_more = event

    def betting_closed(self, event: Event) -> None:
        """Close the windows that the dealer's wave or the first card closes in this game."""

    @abstractmethod
    def counts(self, event: Event, spot: str, wager: str, amount: int) -> bool:
        """Return True if the bet of a player who has lost the connection counts as placed."""

    @abstractmethod
    def uncovered(self, line: Line) -> None:
        """Find what has moved on a stake that is no longer there."""

    @abstractmethod
    def undoes(self, event: e.Unbet, stake: int) -> bool:
        """Return True if the fact takes back a bet that counts as not placed; `stake` is what lies there."""

    def choose(self, event: e.Choose) -> None:
        """Record a player's decision. Games with decisions override this."""

    def pull(self, event: e.Pull) -> None:
        """Take a player's wager out of play. Games that allow it override this."""

"""One round: what was bet, what was dealt, what moved. Each game adds what its own manual remembers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from games.kit import events as e
from games.kit.amounts import Exact
from games.kit.cards import PIP
from games.kit.events import Event
from games.kit.line import Line

if TYPE_CHECKING:
    from games.kit.table import Table

BEFORE, OPEN, CLOSED, NOT_OFFERED = "before", "open", "closed", "not offered"
"""What a wager's betting window can be."""

Key = tuple[str, str]
"""Spot and wager."""


class Decided(ABC):
    """What no round can do without: its game says when a wager is decided."""

    __slots__ = ()

    @abstractmethod
    def decided(self, spot: str, wager: str) -> bool:
        """Whether the card, or act, that decides this wager of this spot has come; at most games it is the same for every wager."""


class Round(Decided):
    """The round as far as it has come. Effects of facts are methods; what a fact breaks is found on the table."""

    __slots__ = (
        "after_cut",
        "closed_by",
        "early",
        "first_card",
        "lines",
        "lost",
        "name",
        "no_more",
        "opened",
        "paused",
        "spots",
        "start",
        "stopped",
        "table",
        "too_early",
        "trail",
        "unclosed",
        "voided",
        "windows",
    )

    def __init__(self, table: Table, opened: Event, number: int) -> None:
        self.table, self.opened, self.name, self.start = table, opened, opened.round or "", number
        self.trail: list[Event] = []
        self.lines: dict[Key, Line] = {}
        self.spots: dict[str, list[Line]] = {}
        self.windows: dict[str, str] = {}
        self.closed_by: dict[str, Event] = {}
        self.early: list[tuple[Line, Event]] = []
        self.too_early: list[tuple[Line, Event]] = []
        """Money before the deciding card, and bets before their window: found when the card comes, when the window opens."""
        self.lost: set[str] = set()
        self.no_more: Event | None = None
        self.voided: Event | None = None
        self.paused: Event | None = None
        self.stopped = False
        """Voided or paused: the usual way of facts is left."""
        self.first_card: Event | None = None
        self.after_cut = table.shoe.cut_shown
        self.unclosed = False

    # -- what a game says about itself -------------------------------------------------------------

    def must_close(self, event: Event) -> bool:
        """Whether betting must have been closed before this card."""
        return True

    def dealt(self, event: e.Deal, pip: int | None) -> None:
        """A card reaches its place; `pip` is None where it could not be read or cannot be."""

    def unplayed(self) -> bool:
        """Whether nothing but bets and words came: no card lies, and no money has moved."""
        return self.first_card is None and all(line.touch is None for line in self.lines.values())

    def undecided(self) -> bool:
        """Whether the round ended in a way after which nothing is owed and no settlement is judged."""
        return False

    def price_class(self, wager: str) -> str:
        """What the exact odds of the wager hang on besides its pay table."""
        return ""

    # -- betting ---------------------------------------------------------------------------------

    def window(self, spot: str, wager: str) -> str:
        """Whether this wager may be made now."""
        return self.windows.get(wager, OPEN)

    def open(self, event: Event, *wagers: str, offered: bool = True) -> None:
        """From here on these wagers may be made, or it is known that they may not: who bet before was too early."""
        self.windows.update(dict.fromkeys(wagers, OPEN if offered else NOT_OFFERED))
        for line, early in self.too_early:
            if line.wager in wagers:
                says = f"Spot {line.spot} bet on {line.wager} before that wager was open."
                self.table.find("out-of-order", early, says, spot=line.spot, wager=line.wager, after=event)
                if not offered and line.stake:
                    line.offered = False
                    self.not_offered(early, line)
        self.too_early = [entry for entry in self.too_early if entry[0].wager not in wagers]

    def close(self, event: Event, *wagers: str) -> None:
        """No more bets on these wagers: the first fact that closes them is remembered."""
        for wager in wagers:
            if self.windows.get(wager) != CLOSED:
                self.windows[wager] = CLOSED
                self.closed_by[wager] = event

    def closer(self, spot: str, wager: str) -> Event:
        """The fact that closed this wager, at most games for every spot at once."""
        return self.closed_by[wager]

    def bet(self, event: e.Bet) -> None:
        self.place(event, event.spot, event.wager, event.amount, event.player)

    def bets(self, event: e.Bets) -> None:
        for spot, wager, amount in event.bets:
            self.place(event, spot, wager, amount, None)

    def place(self, event: Event, spot: str, wager: str, amount: int, player: str | None) -> None:
        """A stake is laid; whatever is wrong with it, it stands and is settled (rounds.md 2, 15)."""
        line = self.lines.get((spot, wager)) or self.line(spot, wager)
        if self.lost and spot in self.lost and self.window(spot, wager) != CLOSED:
            return
        if line.stake == 0 and not line.pulled:
            line.first, line.since = event, len(self.trail)
        line.stake += amount
        line.bets += 1
        line.last = event
        line.priced = line.judged = False
        if player is not None:
            line.player = player
        if self.windows.get(wager) != OPEN and self.voided is None:
            self.untimely(event, line)

    def line(self, spot: str, wager: str) -> Line:
        """The line of a spot and wager, made when it is first named."""
        table = self.table
        basis = self.lines.get((spot, table.game.payments.get(wager, "")))
        line = self.lines[spot, wager] = Line(spot, wager, wager in table.known or basis is not None, basis)
        self.spots.setdefault(spot, []).append(line)
        for payment, of in table.game.payments.items():
            early = self.lines.get((spot, payment)) if of == wager else None
            if early is not None:  # it moved before there was a stake to owe it on
                early.basis, early.offered = line, True
        if self.voided is not None:
            line.paid_before_void = 0  # nothing was paid on it before
        return line

    def untimely(self, event: Event, line: Line) -> None:
        """A bet that found its window closed, not yet open, or no window at all."""
        spot, wager, find = line.spot, line.wager, self.table.find
        if wager not in self.table.known:
            line.offered = False
            find("no-such-wager", event, f"Spot {spot} bet on {wager}, which this game does not have.", spot=spot, wager=wager)
            return
        state = self.window(spot, wager)
        if state == BEFORE:
            self.too_early.append((line, event))
        elif state == NOT_OFFERED:
            line.offered = False
            self.not_offered(event, line)
        elif state == CLOSED:
            closer = self.closer(spot, wager)
            says = f"Spot {spot} bet on {wager} after {e.kind_of(closer)} had closed it."
            find("late-bet", event, says, spot=spot, wager=wager, before=closer)

    def not_offered(self, event: Event, line: Line) -> None:
        """A game that withdraws a wager says so with its own code."""

    def unbet(self, event: e.Unbet) -> None:
        """A stake taken back: while betting is open it subtracts, later it is found and changes nothing."""
        spot, wager, find = event.spot, event.wager, self.table.find
        line = self.lines.get((spot, wager))
        if line is None or line.stake < event.amount:
            lies = self.table.say(line.stake if line else 0)
            find("no-such-bet", event, f"Spot {spot} took back {self.table.say(event.amount)} from {wager}, where {lies} lay.")
        elif self.window(spot, wager) == CLOSED:
            closer = self.closer(spot, wager)
            says = f"Spot {spot} took back {self.table.say(event.amount)} from {wager} after {e.kind_of(closer)} had closed it."
            find("late-unbet", event, says, before=closer)
        else:
            line.stake -= event.amount

    def no_more_bets(self, event: e.NoMoreBets) -> None:
        closed = len(self.closed_by)
        self.betting_closed(event)
        if self.no_more is None and len(self.closed_by) > closed:  # a wave that closes nothing is not the one that is asked for
            self.no_more = event

    def betting_closed(self, event: Event) -> None:
        """The dealer's wave, or the first card: a game closes here what it closes."""

    def player_lost(self, event: e.PlayerLost) -> None:
        """Lost before the close: the spot's bets count as not placed (Ezugi, Disconnection; rounds.md 32)."""
        self.lost.add(event.spot)
        for line in self.spots.get(event.spot, ()):
            if self.window(line.spot, line.wager) != CLOSED:
                line.stake = line.bets = 0

    def player_back(self, event: e.PlayerBack) -> None:
        """What is bet from now on counts."""
        self.lost.discard(event.spot)

    def choose(self, event: e.Choose) -> None:
        """A player decides; the games in which one does remember it."""

    def pull(self, event: e.Pull) -> None:
        """A player takes a wager out of play, where the game allows it."""

    # -- cards -----------------------------------------------------------------------------------

    def deal(self, event: e.Deal) -> None:
        pip = self.draw(event, event.card)
        if event.card is None:
            self.table.find("card-not-read", event, f"The card dealt to {event.to} could not be read.")
        self.dealt(event, pip)

    def burn(self, event: e.Burn) -> None:
        self.draw(event, event.card)

    def draw(self, event: Event, card: str | None) -> int | None:
        """A card leaves the shoe. Its pip, or None where it is not readable or cannot be."""
        table, shoe = self.table, self.table.shoe
        if self.first_card is None:
            self.first_card = event
            table.first_card(event, self.after_cut)
        if self.no_more is None and not self.unclosed and self.must_close(event):
            self.unclosed = True
            table.find("bets-not-closed", event, "A card came out before betting was closed.")
        pip = PIP.get(card) if card is not None else None
        copies = shoe.draw(card if pip is not None else None)
        if shoe.dealt > 52 * shoe.decks or copies > shoe.decks:
            table.too_many_cards(event, card, copies)
        if pip is None and card is not None:
            table.find("impossible-card", event, f"{card} is no card of a deck of 52.")
        return pip

    # -- money -----------------------------------------------------------------------------------

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
        """Chips move: takes and pays of a spot and wager add up until they are judged."""
        line = self.lines.get((spot, wager))
        table = self.table
        if line is None:
            line = self.line(spot, wager)
        if signed < 0:
            line.taken -= signed
        else:
            line.paid += signed
        if self.voided is not None:
            return
        if line.at_risk == 0:
            line.astray += signed
            says = f"{table.say(abs(signed))} {'paid on' if signed > 0 else 'taken from'} {wager} of spot {spot}, where no bet lay."
            cite = table.game.lost if spot in self.lost else None
            table.find("no-such-bet", event, says, spot=spot, wager=wager, moved=signed, cite=cite)
            return
        if not self.decided(spot, wager):
            self.early.append((line, event))
        else:
            owed = self.owed(line)
            if owed and line.moved == owed:
                line.repeated += signed
                if line.repeated:  # a repeat that is handed back puts it right
                    self.repeated(event, line, owed)
                return
        for judge, rule in table.money_rules:
            said = judge(self, event, line, signed)
            if said is not None:
                table.broken(rule, event, said)
        line.moved += signed
        line.touch = event
        self.moved(event, line, signed)

    def repeated(self, event: Event, line: Line, owed: Exact) -> None:
        """Money came once more when what was owed had moved; it is not counted in a wrong settlement."""
        table = self.table
        if not table.settles(owed):
            return
        total = line.moved + line.repeated
        says = f"Spot {line.spot}, {line.wager}: {table.signed(owed)} was owed and had moved; with the repeat {table.signed(total)} moved."
        cite = line.cite or None
        table.find("settled-twice", event, says, spot=line.spot, wager=line.wager, owed=owed, moved=total, cite=cite)

    def moved(self, event: Event, line: Line, signed: int) -> None:
        """Money has moved: a game that has an order of settlement remembers it here."""

    def owed(self, line: Line) -> Exact | None:
        """What the line is owed once its spot is decided; None where that cannot be judged."""
        if not line.priced:
            line.priced = True
            self.table.price(self, line)
        return line.owed

    def deciding(self, event: Event) -> None:
        """The deciding card has come: what moved before it moved too soon."""
        waiting = [entry for entry in self.early if not self.decided(entry[0].spot, entry[0].wager)]
        for line, early in self.early:
            if self.decided(line.spot, line.wager):
                says = f"Spot {line.spot}, {line.wager}: money moved before the deciding card."
                self.table.find("settled-too-soon", early, says, spot=line.spot, wager=line.wager, after=event)
        self.early = waiting

    def clear(self, event: e.Clear) -> None:
        """The cards go to the rack: where something moved, the spot's wagers are judged now."""
        for line in self.spots.get(event.source_, ()):
            if line.touch is not None and not line.judged and self.decided(line.spot, line.wager):
                self.table.settle(self, line, event)

    def announce(self, event: e.Announce) -> None:
        """What the dealer said; the games that ask for words remember them here."""

    def payments(self) -> None:
        """At the end a payment without a bet of its own has a line wherever it may be owed, moved or not."""
        for payment, wager in self.table.game.payments.items():
            for spot in [line.spot for line in self.lines.values() if line.wager == wager and line.stake]:
                if (spot, payment) not in self.lines:
                    self.line(spot, payment)

    # -- the end of a round ------------------------------------------------------------------------

    def void(self, event: e.Void) -> None:
        """The round is dead: from here on only stakes go back."""
        self.table.check_void(event)
        if self.voided is not None:
            return
        self.voided, self.stopped = event, True
        for line in self.lines.values():
            line.taken_before_void, line.paid_before_void = line.taken, line.paid

    def return_(self, event: e.Return) -> None:
        line = self.lines.get((event.spot, event.wager)) or self.line(event.spot, event.wager)
        line.returned += event.amount
        if self.voided is None:
            self.table.find("out-of-order", event, f"A stake went back to spot {event.spot}, {event.wager}, and no void had been called.")

    def pause(self, event: e.Paused) -> None:
        self.paused, self.stopped = event, True

    def resume(self, event: e.Resumed) -> None:
        self.paused, self.stopped = None, self.voided is not None

"""The state of a round of Teen Patti: two hands of three cards, and the decision of each player."""

from __future__ import annotations

from games.kit import events as e
from games.kit.events import Event
from games.kit.line import Line
from games.kit.patti import TwoHands
from games.kit.poker import HIGH_CARD
from games.kit.protocols import RoundTable
from games.kit.round import BEFORE, CLOSED, OPEN

QUALIFIES = HIGH_CARD << 12 | 12 << 8
"""The strength of queen high. A dealer's hand with this strength or more qualifies."""


class TeenPattiRound(TwoHands):
    """One round of Teen Patti, from the ante to the sixth card, the decisions and the settlement."""

    __slots__ = ("absent", "choices", "disregarded", "early_choices", "folded", "unasked")

    places = ("player", "dealer")
    mains = ("ante",)
    sides = ("pair-or-better", "3+3")

    def __init__(self, table: RoundTable, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.windows["play"] = BEFORE
        self.choices: dict[str, e.Choose] = {}
        """The first decision of each spot. A later one does not count."""
        self.early_choices: list[e.Choose] = []
        self.disregarded: dict[str, e.Choose] = {}
        """For each spot: the decision to play that does not count because the player had lost the
        connection.
        """
        self.unasked: dict[str, Event] = {}
        """For each spot: the play wager that does not count because the player had lost the connection before
        deciding.
        """
        self.absent: set[str] = set()
        self.folded: set[str] = set()
        """`absent`: the spots that were disconnected when the decisions closed. `folded`: the spots out of
        `absent` that were folded by default.
        """

    def revealed(self, event: Event) -> None:
        """Let the players decide from now on, because the sixth card was dealt."""
        self.open(event, "play")
        for early in self.early_choices:
            says = f"Spot {early.spot} decided to {early.choice} before the cards were dealt."
            self.table.find("out-of-order", early, says, after=event)

    # -- decisions -------------------------------------------------------------------------------

    def choose(self, event: e.Choose) -> None:
        spot = event.spot
        if spot in self.away and spot not in self.lost:
            self.returns(event, spot, "", f"decided to {event.choice}")
        if event.choice not in ("play", "fold") or spot in self.choices:
            return
        if self.disregards(event):
            self.disregarded.setdefault(spot, event)
            return
        self.choices[spot] = event
        self.unpriced(spot)
        if self.windows["play"] == BEFORE and spot not in self.lost:
            self.early_choices.append(event)

    def disregards(self, event: e.Choose) -> bool:
        """Return True if a decision to play does not count: the player was disconnected before deciding, or
        was folded by default.
        """
        spot = event.spot
        if event.choice != "play" or spot in self.choices:
            return False
        return spot in self.folded or (spot in self.lost and not self.stake(spot, "play"))

    def records_default(self, event: e.Choose) -> bool:
        """Return True if the fact records the default decision of a player who was disconnected when the
        decisions closed.
        """
        return event.choice == "fold" and event.spot in self.folded

    def plays(self, spot: str) -> bool:
        """Return True if the spot has not folded.

        A decision to play that timed out counts as a fold. A spot without a decision plays if it has a play
        wager, unless it was folded by default before that wager.
        """
        choice = self.choices.get(spot)
        if choice is not None:
            return choice.choice == "play" and not choice.timeout
        return spot not in self.folded and self.stake(spot, "play") > 0

    def defaulted(self, spot: str) -> bool:
        """Return True if the spot folded because its player had lost the connection."""
        return spot not in self.choices and (spot in self.folded or spot in self.disregarded)

    # -- bets ------------------------------------------------------------------------------------

    def place(self, event: Event, spot: str, wager: str, amount: int, player: str | None) -> None:
        super().place(event, spot, wager, amount, player)
        if wager == "play":
            self.unpriced(spot)

    def counts(self, event: Event, spot: str, wager: str, amount: int) -> bool:
        """Return True if the bet of a disconnected player counts. A play wager counts only if the player had
        decided, or had bet a play wager, before the connection was lost.
        """
        if wager != "play" or spot not in self.lost:
            return super().counts(event, spot, wager, amount)
        if spot not in self.disregarded and (spot in self.choices or self.stake(spot, "play")):
            return True
        self.unasked.setdefault(spot, event)
        return self.ignore(spot, wager, amount)

    def lost_before(self, wager: str) -> str:
        return "he decided" if wager == "play" else super().lost_before(wager)

    def player_lost(self, event: e.PlayerLost) -> None:
        """Record that the player is disconnected. If betting on the ante has closed, all earlier bets still
        count, including a play wager.
        """
        if self.windows["ante"] == CLOSED:
            self.away[event.spot] = self.name
            self.lost.add(event.spot)
        else:
            super().player_lost(event)

    def stake(self, spot: str, wager: str) -> int:
        """Return the stake on this wager of the spot."""
        line = self.lines.get((spot, wager))
        return line.stake if line else 0

    # -- money -----------------------------------------------------------------------------------

    def money(self, event: Event, spot: str, wager: str, signed: int) -> None:
        self.end_decisions(event)
        super().money(event, spot, wager, signed)

    def return_(self, event: e.Return) -> None:
        self.end_decisions(event)
        super().return_(event)

    def is_settled(self, line: Line) -> bool:
        chosen = line.spot in self.choices or self.windows["play"] == CLOSED
        return super().is_settled(line) and (chosen or line.wager in self.sides)

    def end_decisions(self, event: Event) -> None:
        """Close the decisions when the first money moves. A stake returned on a push counts as money too."""
        if self.windows["play"] == OPEN and self.voided is None:
            self.close(event, "play")
            self.absent = set(self.away)
            self.folded = {
                spot for spot in self.away if spot not in self.choices and not self.stake(spot, "play")
            }

    def unpriced(self, spot: str) -> None:
        """Mark the amounts owed to the spot as not computed, because its decision or its play wager has
        changed.
        """
        for line in self.spots.get(spot, ()):
            line.priced = False

    def qualified(self) -> bool | None:
        """Return True if the dealer has queen high or better; None if the dealer's cards are not known."""
        dealer = self.strengths["dealer"]
        return None if dealer is None else dealer >= QUALIFIES

    def outcome(self) -> str | None:
        """Return the name of the better hand, or `tie`. Return None if the dealer does not qualify, because
        the manual does not say what is declared then.
        """
        player, dealer = self.strengths["player"], self.strengths["dealer"]
        if player is None or dealer is None or not self.qualified():
            return None
        return "player" if player > dealer else "dealer" if dealer > player else "tie"

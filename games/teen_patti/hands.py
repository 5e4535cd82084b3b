"""What a round of Teen Patti remembers: two hands of three cards, and what each player decided."""

from __future__ import annotations

from games.kit import events as e
from games.kit.events import Event
from games.kit.patti import TwoHands
from games.kit.poker import HIGH_CARD
from games.kit.round import BEFORE, CLOSED, OPEN
from games.kit.table import Table

QUALIFIES = HIGH_CARD << 12 | 12 << 8
"""Queen high: no hand below this strength qualifies, and every hand from it on does."""


class TeenPattiRound(TwoHands):
    """From the ante to the sixth card, the decisions, and the settlement."""

    __slots__ = ("absent", "choices", "early_choices")

    places = ("player", "dealer")
    mains = ("ante",)
    sides = ("pair-or-better", "3+3")

    def __init__(self, table: Table, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.windows["play"] = BEFORE
        self.choices: dict[str, e.Choose] = {}
        """The decision of each spot; the first one stands."""
        self.early_choices: list[e.Choose] = []
        self.absent: set[str] = set()
        """Who was lost when the decisions closed: he folds by default."""

    def revealed(self, event: Event) -> None:
        """With the sixth card the players decide."""
        self.open(event, "play")
        for early in self.early_choices:
            says = f"Spot {early.spot} decided to {early.choice} before the cards were dealt."
            self.table.find("out-of-order", early, says, after=event)

    def choose(self, event: e.Choose) -> None:
        if event.choice not in ("play", "fold") or event.spot in self.choices:
            return
        self.choices[event.spot] = event
        if self.windows["play"] == BEFORE:
            self.early_choices.append(event)

    def money(self, event: Event, spot: str, wager: str, signed: int) -> None:
        """The first money closes the decisions."""
        if self.windows["play"] == OPEN and self.voided is None:
            self.close(event, "play")
            self.absent = set(self.lost)
        super().money(event, spot, wager, signed)

    def player_lost(self, event: e.PlayerLost) -> None:
        """Who is lost after betting has closed keeps what he has bet, a play wager too."""
        if self.windows["ante"] == CLOSED:
            self.lost.add(event.spot)
        else:
            super().player_lost(event)

    def stake(self, spot: str, wager: str) -> int:
        """What lies on this wager of the spot."""
        line = self.lines.get((spot, wager))
        return line.stake if line else 0

    def plays(self, spot: str) -> bool:
        """Whether the spot stays in: its choice says so, and without one the play wager that lies; else it has folded."""
        choice = self.choices.get(spot)
        return choice.choice == "play" if choice else self.stake(spot, "play") > 0

    def qualified(self) -> bool | None:
        """Whether the dealer has queen high or better; None where his cards are not known."""
        dealer = self.strengths["dealer"]
        return None if dealer is None else dealer >= QUALIFIES

    def outcome(self) -> str | None:
        """Declared is who has the better hand; where the dealer does not qualify nobody knows what must be declared."""
        player, dealer = self.strengths["player"], self.strengths["dealer"]
        if player is None or dealer is None or not self.qualified():
            return None
        return "player" if player > dealer else "dealer" if dealer > player else "tie"

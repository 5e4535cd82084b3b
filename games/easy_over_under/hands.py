"""What a round of Easy Over Under remembers: the roll, the disc, the words, and one hand a spot."""

from __future__ import annotations

from games.kit import events as e
from games.kit.events import Event
from games.kit.game import Said
from games.kit.line import Line
from games.kit.round import BEFORE, OPEN, Round
from games.kit.steps import Steps
from games.kit.table import Table

WORDS = {"dice": "dice word", "short-side": "short side", "no-short-side": "short side"}
"""What is said for the whole table, and the step that it is."""


class Hand:
    """The card of one spot, and how far its settlement has come."""

    __slots__ = ("announced", "card", "cleared", "extra", "next_card", "pip", "silent", "winner_paid")

    def __init__(self, card: e.Deal, pip: int | None) -> None:
        self.card, self.pip = card, pip
        self.announced = self.silent = False
        self.extra: list[int] = []
        """Cards too many at this spot: they belong to no hand, but a word may be about them."""
        self.winner_paid: Event | None = None
        self.cleared: Event | None = None
        self.next_card: Event | None = None


class EasyRound(Round):
    """Dealer Instructions 2 to 16, one hand of play."""

    __slots__ = ("cleared_before", "doubles", "hands", "highest", "last_hand", "shakes", "steps", "total")

    def __init__(self, table: Table, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.windows = {"over": OPEN, "under": OPEN, "spread": OPEN, "short-side": BEFORE}
        self.steps = Steps("roll", "dice word", "mark", "short side", "cards")
        self.shakes = 0
        self.total: int | None = None
        self.doubles = False
        self.hands: dict[str, Hand] = {}
        self.highest: e.Deal | None = None
        self.last_hand: Hand | None = None
        self.cleared_before: dict[str, Event] = {}
        """Spots that were cleared and had no card yet."""

    def shake(self, event: e.Shake) -> None:
        self.shakes += event.times

    def roll(self, event: e.Roll) -> None:
        """The roll closes the first wagers and opens the Short Side, unless it is a seven."""
        if "roll" in self.steps.came:
            return
        self.steps.take("roll", event)
        self.close(event, "over", "under", "spread")
        if len(event.dice) == 2 and all(1 <= die <= 6 for die in event.dice):
            self.total, self.doubles = sum(event.dice), event.dice[0] == event.dice[1]
        self.open(event, "short-side", offered=self.total != 7)

    def not_offered(self, event: Event, line: Line) -> None:
        says = f"Spot {line.spot} bet on the Short Side, and the roll is a seven: the wager is not permitted."
        self.table.keep("bet-not-offered", "EOU Dealer Instructions 8", event, Said(says, spot=line.spot, wager=line.wager))

    def mark(self, event: e.Mark) -> None:
        self.steps.take("mark", event)

    def announce(self, event: e.Announce) -> None:
        if event.what in WORDS:
            self.steps.take(WORDS[event.what], event)
        elif event.what == "card" and (hand := self.spoken_of(event)):
            hand.announced = True

    def spoken_of(self, event: e.Announce) -> Hand | None:
        """The hand that a word about a card means: that of the spot named, else the last one dealt."""
        return self.last_hand if event.spot is None else self.hands.get(event.spot)

    def betting_closed(self, event: Event) -> None:
        if self.windows["short-side"] == OPEN:
            self.close(event, "short-side")

    def must_close(self, event: Event) -> bool:
        """On a seven the dealer skips the wave (Dealer Instructions 8); where the roll is not known, it is not asked for."""
        return self.total is not None and self.total != 7

    def decided(self, spot: str, wager: str) -> bool:
        return spot in self.hands

    def belongs(self, spot: str) -> bool:
        """Whether a card to this spot is its hand: one card for each spot with a bet."""
        if spot not in self.hands:
            for line in self.spots.get(spot, ()):
                if line.stake:
                    return True
        return False

    def dealt(self, event: e.Deal, pip: int | None) -> None:
        self.steps.take("cards", event)
        self.betting_closed(event)
        if not self.belongs(event.to):
            if event.to in self.hands and pip is not None:
                self.hands[event.to].extra.append(pip)
            return
        if self.last_hand is not None:
            self.last_hand.next_card = event
        self.hands[event.to] = self.last_hand = Hand(event, pip)
        if self.highest is None or int(event.to) > int(self.highest.to):
            self.highest = event
        if self.early:
            self.deciding(event)

    def stake(self, spot: str, *wagers: str) -> int:
        """What lies on these wagers of the spot together."""
        return sum(line.stake for line in self.spots.get(spot, ()) if line.wager in wagers)

    def moved(self, event: Event, line: Line, signed: int) -> None:
        if signed > 0 and line.owed and line.owed > 0:
            self.hands[line.spot].winner_paid = event

    def clear(self, event: e.Clear) -> None:
        super().clear(event)
        hand = self.hands.get(event.source_)
        if hand is None:
            self.cleared_before.setdefault(event.source_, event)
        elif hand.cleared is None:
            hand.cleared = event

    def price_class(self, wager: str) -> str:
        return f"{self.total}{' doubles' if self.doubles else ''}" if wager == "short-side" and self.total else ""

"""The state of a round of Easy Over Under: the roll, the disc, the announcements, and the hand of each
spot.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.easy_over_under.short_side import ShortSideWindow
from games.kit import events as e
from games.kit.events import Event
from games.kit.line import Line
from games.kit.protocols import RoundTable
from games.kit.round import CLOSED
from games.kit.rules import RuleHit

WORDS = {"dice": "dice word", "short-side": "short side", "no-short-side": "short side"}
"""For each announcement to the whole table: the step that it belongs to."""
BEFORE_THE_ROLL = ("over", "under", "spread")


def dealt(card: Event | None) -> str:
    """Return the clause that says that a card was dealt: `Spot 1 was dealt Tc`."""
    return (
        f"Spot {card.to} was dealt {card.card or 'a card'}"
        if isinstance(card, e.Deal)
        else "A card was dealt"
    )


class Hand:
    """The card of one spot, and the state of its settlement."""

    __slots__ = (
        "announced",
        "card",
        "cleared",
        "early_words",
        "extra",
        "next_card",
        "pip",
        "silent",
        "winner_paid",
    )

    def __init__(self, card: e.Deal, pip: int | None, early_words: Sequence[e.Announce]) -> None:
        self.card, self.pip, self.early_words = card, pip, early_words
        """The fact that dealt the card, the card's value, and announcements that named the card before it was
        dealt.
        """
        self.announced: e.Announce | None = early_words[0] if early_words else None
        self.silent: Event | None = None
        """`announced` is the first announcement of the card. `silent` is the first fact that moved money or
        cleared the card before any announcement.
        """
        self.extra: list[int] = []
        """The values of further cards dealt to this spot. They belong to no hand, but an announcement may be
        about them.
        """
        self.winner_paid: Event | None = None
        self.cleared: Event | None = None
        self.next_card: Event | None = None


class EasyRound(ShortSideWindow):
    """One round of Easy Over Under (Dealer Instructions 2 to 16)."""

    __slots__ = (
        "cleared_before",
        "doubles",
        "early_words",
        "hands",
        "highest",
        "last_hand",
        "shakes",
    )

    counts_unread = True

    def __init__(self, table: RoundTable, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.early_words: list[e.Announce] = []
        """Announcements of cards that had not been dealt."""
        self.shakes = 0
        self.doubles = False
        self.hands: dict[str, Hand] = {}
        self.highest: e.Deal | None = None
        self.last_hand: Hand | None = None
        self.cleared_before: dict[str, Event] = {}
        """Spots that were cleared before they had a card, each with the fact that cleared it."""

    def shake(self, event: e.Shake) -> None:
        self.shakes += event.times

    def roll(self, event: e.Roll) -> None:
        """Close betting on over, under and spread, and open betting on the Short Side. After a seven, or if a
        card was already dealt, the Short Side stays closed.
        """
        if self.rolled:
            return
        self.rolled = True
        self.steps.take("roll", event)
        self.close(event, *BEFORE_THE_ROLL)
        if len(event.dice) == 2 and all(1 <= die <= 6 for die in event.dice):
            self.total, self.doubles = sum(event.dice), event.dice[0] == event.dice[1]
        self.open(event, "short-side", offered=self.total != 7)
        if self.last_hand is not None:
            if self.total != 7:
                self.windows["short-side"] = CLOSED
            self.deciding(event)

    def not_offered(self, event: Event, line: Line) -> None:
        says = (
            f"Spot {line.spot} bet {self.table.say(line.stake)} on the Short Side on a roll of seven, which"
            " does not permit it."
        )
        self.table.record(
            "bet-not-offered",
            "EOU Dealer Instructions 8",
            event,
            RuleHit(says, spot=line.spot, wager=line.wager),
        )

    def mark(self, event: e.Mark) -> None:
        self.steps.take("mark", event)

    def announce(self, event: e.Announce) -> None:
        if event.what in WORDS:
            step = WORDS[event.what]
            self.steps.take(step, event)
            if step == "short side":
                self.offer()
        elif event.what == "card":
            hand = self.spoken_of(event)
            if hand is None:
                self.early_words.append(event)
            elif hand.announced is None:
                hand.announced = event

    def spoken_of(self, event: e.Announce) -> Hand | None:
        """Return the hand of the spot that an announcement of a card names. If it names no spot, return the
        hand that was dealt last.
        """
        return self.last_hand if event.spot is None else self.hands.get(event.spot)

    def decided(self, spot: str, wager: str) -> bool:
        return self.rolled and spot in self.hands

    def undecided_because(self) -> str:
        if not self.rolled:
            return "The dice were not rolled."
        return (
            "No card was dealt to spot"
            f" {' and spot '.join(spot for spot in self.spots if self.awaits_card(spot))}."
        )

    def awaits_card(self, spot: str) -> bool:
        """Return True if the spot has a bet and no card yet, so that a card may be dealt to it."""
        if spot not in self.hands:
            for line in self.spots.get(spot, ()):
                if line.stake:
                    return True
        return False

    def dealt(self, event: e.Deal, pip: int | None) -> None:
        self.steps.take("cards", event)
        if self.rolled:
            self.betting_closed(event)
        else:
            self.close(event, *BEFORE_THE_ROLL, "short-side")
        if not self.awaits_card(event.to):
            if event.to in self.hands and pip is not None:
                self.hands[event.to].extra.append(pip)
            return
        words: Sequence[e.Announce] = ()
        if self.early_words:
            words = [
                word
                for word in self.early_words
                if word.spot == event.to or (word.spot is None and self.last_hand is None)
            ]
        if self.last_hand is not None:
            self.last_hand.next_card = event
        self.hands[event.to] = self.last_hand = Hand(event, pip, words)
        if self.highest is None or int(event.to) > int(self.highest.to):
            self.highest = event
        if self.early:
            self.deciding(event)

    def stake(self, spot: str, *wagers: str) -> int:
        """Return the sum of the spot's stakes on these wagers, in minor units."""
        return sum(line.stake for line in self.spots.get(spot, ()) if line.wager in wagers)

    def moved(self, event: Event, line: Line, signed: int) -> None:
        hand = self.hands.get(line.spot)
        if hand is None:
            return
        if hand.announced is None and hand.silent is None:
            hand.silent = event
        if signed > 0 and line.owed and line.owed > 0:
            hand.winner_paid = event

    def clear(self, event: e.Clear) -> None:
        super().clear(event)
        hand = self.hands.get(event.source_)
        if hand is None:
            self.cleared_before.setdefault(event.source_, event)
            return
        if hand.cleared is None:
            hand.cleared = event
        if hand.announced is None and hand.silent is None:
            hand.silent = event

    def evidence(self, line: Line) -> str:
        hand, roll = self.hands.get(line.spot), self.steps.came.get("roll")
        if hand is None or not isinstance(roll, e.Roll):
            return ""
        return f" The roll is {' and '.join(map(str, roll.dice))}, the card {hand.card.card}."

    def price_class(self, wager: str) -> str:
        return (
            f"{self.total}{' doubles' if self.doubles else ''}"
            if wager == "short-side" and self.total
            else ""
        )

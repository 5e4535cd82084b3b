"""What a round of Casino Over Under remembers: a hand for each spot, what its player chose, and whose turn it is."""

from __future__ import annotations

from games.casino_over_under.cards import WHOLE, Hand, worth
from games.kit import events as e
from games.kit.events import Event
from games.kit.line import Line
from games.kit.round import BEFORE, CLOSED, OPEN, Round
from games.kit.table import Table

BY_SPOT = "by spot"
"""The window of Over and Under: each spot's own cards open and close it."""
BASE = ("over", "under")
CHOICES = (*BASE, "surrender")


class OverUnderRound(Round):
    """Dealing Procedures 1 to 6, one round."""

    __slots__ = (
        "asked", "chosen", "cleared_before", "closed_at", "declared", "hands", "highest", "last_burned", "late_choices", "seconds",
        "served", "short", "too_many",
    )  # fmt: skip

    def __init__(self, table: Table, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.windows = {"ante": OPEN, "bonus": OPEN, "over": BY_SPOT, "under": BY_SPOT}
        self.closed_at = 0
        """How many facts of the round had come when ante and bonus were closed; 0 while they are open."""
        self.asked: set[str | None] = set()
        """Spots asked for their bonus; None: the table was."""
        self.hands: dict[str, Hand] = {}
        self.highest: e.Deal | None = None
        """The first card farthest to the dealer's right."""
        self.served: Hand | None = None
        """Of the hands with a second card, the one farthest to the dealer's right."""
        self.seconds: list[Event] = []
        self.declared: list[e.Choose] = []
        self.chosen: dict[str, e.Choose] = {}
        """All that was chosen; of each spot, the choice that stands."""
        self.late_choices: set[str] = set()
        self.cleared_before: dict[str, Event] = {}
        """Spots that were cleared and had no card yet."""
        self.last_burned: Hand | None = None
        self.too_many: e.Deal | None = None
        """The first card that belongs to no hand."""
        self.short: set[str] = set()
        """Spots whose hand was cleared before all of its cards had come."""

    # -- what lies, and what was chosen ------------------------------------------------------------

    def stake(self, spot: str, *wagers: str) -> int:
        """What lies on these wagers of the spot together."""
        return sum(line.stake for line in self.spots.get(spot, ()) if line.wager in wagers)

    def plays(self, spot: str) -> bool:
        """Whether a hand is dealt to the spot: the bonus is played out without an ante too, where it was taken."""
        return self.stake(spot, *self.table.game.wagers) > 0

    def surrendered(self, spot: str) -> bool:
        """Whether the player gave the ante up."""
        choice = self.chosen.get(spot)
        return choice is not None and choice.choice == "surrender"

    def side(self, spot: str) -> str | None:
        """Over or Under, as chosen; without a choice, the one that was bet first (rounds.md 6)."""
        choice = self.chosen.get(spot)
        if choice is not None:
            return choice.choice if choice.choice in BASE else None
        laid = [line for line in self.spots.get(spot, ()) if line.stake and line.wager in BASE]
        return min(laid, key=lambda line: line.since).wager if laid else None

    def burned(self, spot: str) -> bool:
        """Whether the second and third card of the spot are burned: nothing is left to play for."""
        return not self.stake(spot, "bonus") and self.side(spot) is None

    def short_spots(self) -> list[str]:
        """Spots with a hand to be dealt that have not all of its cards."""
        return [spot for spot in self.spots if self.lacks(spot) and self.plays(spot)]

    def lacks(self, spot: str) -> bool:
        """Whether cards of this hand have not come; how many are burned is another question."""
        hand = self.hands.get(spot)
        return hand is None or not (hand.whole or self.burned(spot))

    @property
    def misdealt(self) -> bool:
        """Whether a hand is known to have a wrong number of cards: all hands are void (Irregularities 1)."""
        return self.too_many is not None or bool(self.short)

    # -- betting ---------------------------------------------------------------------------------

    def betting_closed(self, event: Event) -> None:
        if self.windows["ante"] == OPEN:
            self.close(event, "ante", "bonus")
            self.closed_at = len(self.trail)

    def window(self, spot: str, wager: str) -> str:
        if wager not in BASE:
            return super().window(spot, wager)
        hand = self.hands.get(spot)
        return BEFORE if hand is None else OPEN if len(hand.cards) == 1 else CLOSED

    def closer(self, spot: str, wager: str) -> Event:
        return self.hands[spot].cards[1] if wager in BASE else super().closer(spot, wager)

    def choose(self, event: e.Choose) -> None:
        """The first choice of a spot stands, and another in time takes its place unless the ante was given up."""
        spot, hand = event.spot, self.hands.get(event.spot)
        if event.choice not in CHOICES:
            self.table.find("unknown-kind-of-play", event, f"Spot {spot} chose {event.choice}, which this game does not offer.")
            return
        self.declared.append(event)
        late = hand is not None and len(hand.cards) > 1
        if spot in self.chosen and (late or self.surrendered(spot)):
            return
        if late:
            self.late_choices.add(spot)
        self.chosen[spot] = event
        for line in self.spots.get(spot, ()):
            line.priced = False  # what the ante is owed hangs on the choice
        self.deciding(event)

    # -- cards -----------------------------------------------------------------------------------

    def to_burn(self) -> Hand | None:
        """The hand that a burned card belongs to: two each, from left to right (Dealing Procedures 5)."""
        waiting = [hand for hand in self.hands.values() if not hand.whole and hand.cleared is None and self.burned(hand.spot)]
        return min(waiting, key=lambda hand: int(hand.spot)) if waiting else None

    def hand_for(self, event: e.Deal | e.Burn) -> Hand | None:
        """The hand that this card goes on with; None where it begins one, or belongs to none."""
        hand = self.hands.get(event.to) if isinstance(event, e.Deal) else self.to_burn()
        return hand if hand is not None and not hand.whole else None

    def dealt(self, event: e.Deal, pip: int | None) -> None:
        self.betting_closed(event)
        hand = self.hands.get(event.to)
        if hand is None and self.plays(event.to):
            hand = self.begin(event)
        if hand is None or hand.whole:
            if "bet" in self.table.sees:  # else nobody knows whose cards are right
                self.too_many = self.too_many or event
            if hand is not None:
                hand.extra += 1
            return
        self.lay(hand, event, pip)

    def begin(self, event: e.Deal) -> Hand:
        """A spot's first card: Over and Under may be bet there, and who did so before was too early."""
        hand = self.hands[event.to] = Hand(event.to, len(self.seconds))
        if self.highest is None or int(event.to) > int(self.highest.to):
            self.highest = event
        for line, early in [entry for entry in self.too_early if entry[0].spot == event.to]:
            says = f"Spot {line.spot} bet on {line.wager} before its first card."
            self.table.find("out-of-order", early, says, spot=line.spot, wager=line.wager, after=event)
        self.too_early = [entry for entry in self.too_early if entry[0].spot != event.to]
        return hand

    def burn(self, event: e.Burn) -> None:
        pip, hand = self.draw(event, event.card), self.to_burn()
        if hand is not None:
            self.last_burned = hand
            self.lay(hand, event, pip)
        elif self.last_burned is not None:
            self.last_burned.burns += 1

    def lay(self, hand: Hand, event: e.Deal | e.Burn, pip: int | None) -> None:
        """The next card of a hand."""
        hand.cards.append(event)
        hand.values.append(worth(pip))
        hand.burns += isinstance(event, e.Burn)
        for other in self.hands.values():
            if other is hand:
                continue
            if other.whole and other.next_card is None:
                other.next_card = event
            elif len(other.cards) == WHOLE - 1 and other.passed_by is None:
                other.passed_by = event
        if len(hand.cards) == 2:
            self.seconds.append(event)
            if self.served is None or int(hand.spot) > int(self.served.spot):
                self.served = hand
        if hand.whole:
            self.short.discard(hand.spot)
            if self.early:
                self.deciding(event)

    # -- money -----------------------------------------------------------------------------------

    def decided(self, spot: str, wager: str) -> bool:
        """Ante, over and under of a player who surrendered: by the choice. All else: by the third card, unless the hands are void."""
        hand = self.hands.get(spot)
        if hand is None or self.misdealt:
            return False
        if wager != "bonus" and self.surrendered(spot):
            return True
        return hand.whole and (wager != "ante" or self.side(spot) is not None)

    def undecided(self) -> bool:
        """All hands are void where one has a wrong number of cards; no settlement is judged (rounds.md 3)."""
        return self.misdealt or bool(self.short_spots())

    def taken_at_once(self, line: Line) -> bool:
        """Whether this is an ante that the dealer takes when the player surrenders, before the second card."""
        return line.wager == "ante" and self.surrendered(line.spot)

    def moved(self, event: Event, line: Line, signed: int) -> None:
        if line.wager == "bonus" and self.decided(line.spot, line.wager):
            self.hands[line.spot].bonus_moved = event

    def announce(self, event: e.Announce) -> None:
        """The question before the cards, and the outcomes behind them; a word without a wager is about both."""
        if event.what == "no-bonus?":
            self.asked.add(event.spot)
        hand = self.spoken_of(event) if event.what == "outcome" else None
        if hand is not None:
            hand.said |= {"base", "bonus"} if event.wager is None else {"bonus" if event.wager == "bonus" else "base"}
            if not hand.whole:
                hand.early_words.append(event)

    def spoken_of(self, event: e.Announce) -> Hand | None:
        """The hand that a word means: that of the spot named, else the last one served."""
        return self.served if event.spot is None else self.hands.get(event.spot)

    def clear(self, event: e.Clear) -> None:
        hand = self.hands.get(event.source_)
        if hand is None:
            self.cleared_before.setdefault(event.source_, event)
        elif hand.cleared is None:
            hand.cleared = event
            if self.lacks(hand.spot):
                self.short.add(hand.spot)
        super().clear(event)

    def void(self, event: e.Void) -> None:
        """After a wrong number of cards the cards are reshuffled; any other void does not ask for it."""
        if self.voided is None and self.misdealt:
            self.table.shoe.shuffled = self.table.shoe.missed_shuffle = False
        super().void(event)

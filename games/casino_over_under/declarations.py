"""What players of Casino Over Under declare: when they may bet over or under, which choice they announced,
and which side their chips show.

"Once all declarations are made the dealer will deal" (Dealing Procedures 5): betting on over and under closes
for the whole table when any spot is dealt its second card. A spot that has not declared by then may still
declare until its own second card.
"""

from __future__ import annotations

from games.casino_over_under.cards import Hand
from games.kit import events as e
from games.kit.betting import Key
from games.kit.events import Event
from games.kit.line import Line
from games.kit.protocols import RoundTable
from games.kit.round import BEFORE, CLOSED, OPEN, Round

BY_SPOT = "by spot"
"""The state of betting on over and under before any card is dealt. Betting opens at each spot with the spot's
first card.
"""
BASE = ("over", "under")
CHOICES = (*BASE, "surrender")


class Declarations(Round):
    """A round with the declarations of its players (Dealing Procedures 4 and 5)."""

    __slots__ = (
        "bound",
        "chosen",
        "declared",
        "hands",
        "late_choices",
        "late_sides",
        "seconds",
        "since_first_card",
        "taken_back",
    )

    def __init__(self, table: RoundTable, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.hands: dict[str, Hand] = {}
        self.seconds: list[Event] = []
        """The second card of each hand, in the order in which they were dealt."""
        self.bound: set[str] = set()
        """Spots whose declaration is binding: those that had declared, by word or by chips, before any spot
        got a second card, and those that completed their wager later.
        """
        self.declared: list[e.Choose] = []
        self.since_first_card: list[e.Choose] = []
        self.chosen: dict[str, e.Choose] = {}
        """`declared`: all choices. `since_first_card`: the choices made since the last time that a spot got
        its first card. `chosen`: the choice that counts for each spot.
        """
        self.late_choices: set[str] = set()
        """Spots whose choice counts, but came after their second card or contradicted the chips that were on
        the table when betting closed.
        """
        self.late_sides: set[Key] = set()
        self.taken_back: set[Key] = set()
        """`late_sides`: wagers on over and under that were first bet after betting had closed. `taken_back`:
        wagers on over and under whose stake was taken back in full after betting had closed.
        """

    def stake(self, spot: str, *wagers: str) -> int:
        """Return the sum of the spot's stakes on these wagers, in minor units."""
        total = 0
        for line in self.spots.get(spot, ()):
            if line.wager in wagers:
                total += line.stake
        return total

    # -- betting on over and under --------------------------------------------------------------------

    def window(self, spot: str, wager: str) -> str:
        """Return the state of the wager's betting window at this spot."""
        if wager not in BASE:
            return super().window(spot, wager)
        hand = self.hands.get(spot)
        if hand is None:
            return BEFORE
        return CLOSED if len(hand.cards) > 1 or spot in self.bound else OPEN

    def closer(self, spot: str, wager: str) -> Event:
        """Return the card that closed betting on the wager at this spot. If the spot's declaration was made
        before any second card, this is the first second card at the table. Otherwise it is the spot's own
        second card.
        """
        if wager not in BASE:
            return super().closer(spot, wager)
        return self.seconds[0] if spot in self.bound else self.hands[spot].cards[1]

    def begin_seconds(self) -> None:
        """Make the declarations that were made so far binding, because the first spot receives its second
        card.
        """
        self.bound = {spot for spot in self.hands if spot in self.chosen or self.stake(spot, *BASE)}

    def has_declared(self, spot: str) -> bool:
        """Return True if the spot has declared by word or by chips, or has no ante."""
        return spot in self.chosen or not self.stake(spot, "ante") or bool(self.stake(spot, *BASE))

    def untimely(self, event: Event, line: Line) -> None:
        """Judge a bet that was made outside its betting window. If the bet completes a wager after betting
        has closed, the spot's declaration becomes binding.
        """
        if line.wager not in BASE or not self.seconds:
            super().untimely(event, line)
            return
        if line.first is event and self.window(line.spot, line.wager) == CLOSED:
            self.late_sides.add((line.spot, line.wager))
        ante = self.lines.get((line.spot, "ante"))
        if ante is not None:
            ante.priced = False  # the amount owed on the ante depends on the side that was bet
        super().untimely(event, line)
        if line.stake >= self.stake(line.spot, "ante"):
            self.bound.add(line.spot)

    def unbet(self, event: e.Unbet) -> None:
        """Subtract a stake that is taken back in time. If a stake is taken back too late, record this, but do
        not subtract the stake.
        """
        line = self.lines.get((event.spot, event.wager))
        if line is not None and line.stake == event.amount and self.window(event.spot, event.wager) == CLOSED:
            self.taken_back.add((event.spot, event.wager))
        super().unbet(event)

    # -- what was declared ---------------------------------------------------------------------------

    def choose(self, event: e.Choose) -> None:
        """Record a choice. Until any spot has its second card, a new choice replaces the spot's earlier one
        unless the earlier one was a surrender. After that, the first choice counts.
        """
        spot, hand = event.spot, self.hands.get(event.spot)
        if event.choice not in CHOICES:
            says = (
                f"Spot {spot} chose {event.choice or 'nothing'}; the choices are over, under and surrender."
            )
            self.table.find("unknown-kind-of-play", event, says, cite="COU Dealing Procedures 4")
            return
        self.declared.append(event)
        self.since_first_card.append(event)
        late = hand is not None and len(hand.cards) > 1
        if spot in self.chosen and (late or self.seconds or self.surrendered(spot)):
            return
        if late or self.against_chips(event):
            self.late_choices.add(spot)
        if hand is not None:
            hand.declared_at = len(self.seconds)
        self.chosen[spot] = event
        for line in self.spots.get(spot, ()):
            line.priced = False  # the amount owed on the ante depends on the choice
        self.deciding(event)

    def against_chips(self, event: e.Choose) -> bool:
        """Return True if the spot had chips on over or under when betting closed, and the player's first
        choice is not that side. Chips count as a declaration.
        """
        return (
            event.spot in self.bound
            and event.spot not in self.chosen
            and not self.stake(event.spot, event.choice)
        )

    def surrendered(self, spot: str) -> bool:
        """Return True if the player gave up the ante. A late surrender has no effect if the spot has chips on
        over or under.
        """
        choice = self.chosen.get(spot)
        if choice is None or choice.choice != "surrender":
            return False
        return spot not in self.late_choices or not self.stake(spot, *BASE)

    def side(self, spot: str) -> str | None:
        """Return the side on which the ante depends, over or under, or None if it is not known.

        The selection is made "by placing a wager" (Dealing Procedures 4), so the chips decide. With chips on
        both sides or on neither, the choice decides; without a choice, the wager that was bet first.
        """
        choice = self.chosen.get(spot)
        if choice is not None:
            lies = self.lines.get((spot, choice.choice))
            if (
                lies is not None
                and lies.stake
                and choice.choice in BASE
                and (spot, choice.choice) not in self.late_sides
            ):
                return choice.choice
            if self.surrendered(spot):
                return None
        side_bets = [line for line in self.spots.get(spot, ()) if line.wager in BASE and line.stake]
        timely = [line for line in side_bets if (spot, line.wager) not in self.late_sides]
        if len(timely) == 1:
            return timely[0].wager
        if choice is not None and choice.choice in BASE:
            return choice.choice
        return min(side_bets, key=lambda line: line.since).wager if side_bets else None

    def said_otherwise(self, spot: str) -> Line | None:
        """Return the wager that contradicts the spot's choice. Return None if they agree, if there is no
        wager, or if there are chips on both sides.
        """
        choice = self.chosen.get(spot)
        if choice is None or self.stake(spot, choice.choice) or self.surrendered(spot):
            return None
        side_bets = [line for line in self.spots.get(spot, ()) if line.stake and line.wager in BASE]
        return side_bets[0] if len(side_bets) == 1 else None

    def undecided_because(self) -> str:
        return (
            "A hand had a wrong number of cards."
            if self.undecided()
            else "A player never chose over, under or surrender."
        )

    def explains(self, line: Line) -> bool:
        return line.wager != "bonus" and self.said_otherwise(line.spot) is not None

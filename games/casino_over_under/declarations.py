"""What players of Casino Over Under declare: the window of over and under, what was said, and the side that
the chips decide.

"Once all declarations are made the dealer will deal" (Dealing Procedures 5): the window is the table's. It
closes with the first second card dealt to any spot; a spot that had not declared then may still declare until
its own second card.
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
"""The window of over and under: the spot's own first card opens it."""
BASE = ("over", "under")
CHOICES = (*BASE, "surrender")


class Declarations(Round):
    """The declarations of one round (Dealing Procedures 4 and 5)."""

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
        """The second card of each hand, in the order dealt."""
        self.bound: set[str] = set()
        """Spots that had declared, by word or chips, when the first second card came, or have completed their
        wager since.
        """
        self.declared: list[e.Choose] = []
        self.since_first_card: list[e.Choose] = []
        self.chosen: dict[str, e.Choose] = {}
        """All choices; those since the last first card; for each spot, the choice that counts."""
        self.late_choices: set[str] = set()
        """Spots whose choice that counts came after their second card, or against chips that lay when the
        window closed.
        """
        self.late_sides: set[Key] = set()
        self.taken_back: set[Key] = set()
        """Over and under wagers first laid, and wagers taken back whole, after the window had closed."""

    def stake(self, spot: str, *wagers: str) -> int:
        """Return the sum of the spot's stakes on these wagers, in minor units."""
        total = 0
        for line in self.spots.get(spot, ()):
            if line.wager in wagers:
                total += line.stake
        return total

    # -- the window ----------------------------------------------------------------------------------

    def window(self, spot: str, wager: str) -> str:
        """Return the state of the wager's window at this spot."""
        if wager not in BASE:
            return super().window(spot, wager)
        hand = self.hands.get(spot)
        if hand is None:
            return BEFORE
        return CLOSED if len(hand.cards) > 1 or spot in self.bound else OPEN

    def closer(self, spot: str, wager: str) -> Event:
        """Return the card that closed the wager at this spot: the first second card, or for a spot that was
        not bound its own.
        """
        if wager not in BASE:
            return super().closer(spot, wager)
        return self.seconds[0] if spot in self.bound else self.hands[spot].cards[1]

    def begin_seconds(self) -> None:
        """Bind every spot that has declared: the first second card is being dealt."""
        self.bound = {spot for spot in self.hands if spot in self.chosen or self.stake(spot, *BASE)}

    def has_declared(self, spot: str) -> bool:
        """Return True if the spot has declared by word or chips, or has no ante to declare on."""
        return spot in self.chosen or not self.stake(spot, "ante") or bool(self.stake(spot, *BASE))

    def untimely(self, event: Event, line: Line) -> None:
        """Judge a bet outside an open window; a wager completed after the window closed binds its spot."""
        if line.wager not in BASE or not self.seconds:
            super().untimely(event, line)
            return
        if line.first is event and self.window(line.spot, line.wager) == CLOSED:
            self.late_sides.add((line.spot, line.wager))
        ante = self.lines.get((line.spot, "ante"))
        if ante is not None:
            ante.priced = False  # what the ante is owed depends on the side that was bet
        super().untimely(event, line)
        if line.stake >= self.stake(line.spot, "ante"):
            self.bound.add(line.spot)

    def unbet(self, event: e.Unbet) -> None:
        """Subtract a stake taken back in time; one taken back too late is remembered, and changes nothing."""
        line = self.lines.get((event.spot, event.wager))
        if line is not None and line.stake == event.amount and self.window(event.spot, event.wager) == CLOSED:
            self.taken_back.add((event.spot, event.wager))
        super().unbet(event)

    # -- what was declared ---------------------------------------------------------------------------

    def choose(self, event: e.Choose) -> None:
        """Record a choice: until the first second card the last one counts, but a surrender, and after it the
        first one.
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
            line.priced = False  # what the ante is owed depends on the choice
        self.deciding(event)

    def against_chips(self, event: e.Choose) -> bool:
        """Return True if a spot without a choice had declared by its chips when the window closed, and now
        says something else.
        """
        return (
            event.spot in self.bound
            and event.spot not in self.chosen
            and not self.stake(event.spot, event.choice)
        )

    def surrendered(self, spot: str) -> bool:
        """Return True if the player gave up the ante. A surrender that is too late gives up nothing if chips
        lie on over or under.
        """
        choice = self.chosen.get(spot)
        if choice is None or choice.choice != "surrender":
            return False
        return spot not in self.late_choices or not self.stake(spot, *BASE)

    def side(self, spot: str) -> str | None:
        """Return the side that the ante goes with: over, under, or None if neither is known.

        The selection is made "by placing a wager" (Dealing Procedures 4): the chips decide. With chips on
        both sides or on neither the choice decides; without a choice, the first wager laid.
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
        laid = [line for line in self.spots.get(spot, ()) if line.wager in BASE and line.stake]
        timely = [line for line in laid if (spot, line.wager) not in self.late_sides]
        if len(timely) == 1:
            return timely[0].wager
        if choice is not None and choice.choice in BASE:
            return choice.choice
        return min(laid, key=lambda line: line.since).wager if laid else None

    def said_otherwise(self, spot: str) -> Line | None:
        """Return the wager that lies against the spot's choice; None if they agree, nothing lies, or chips
        lie on both sides.
        """
        choice = self.chosen.get(spot)
        if choice is None or self.stake(spot, choice.choice) or self.surrendered(spot):
            return None
        laid = [line for line in self.spots.get(spot, ()) if line.stake and line.wager in BASE]
        return laid[0] if len(laid) == 1 else None

    def undecided_because(self) -> str:
        return (
            "A hand had a wrong number of cards."
            if self.undecided()
            else "A player never chose over, under or surrender."
        )

    def explains(self, line: Line) -> bool:
        return line.wager != "bonus" and self.said_otherwise(line.spot) is not None

"""The state of a round of High Side: the dice and the card, and the decisions of each spot."""

from __future__ import annotations

from games.high_side.decisions import Choices
from games.high_side.dice_and_card import CUPS, NUMBER, DiceAndCard
from games.kit import events as e
from games.kit.events import Event
from games.kit.line import Line
from games.kit.protocols import RoundTable

KEEP = 0
"""`decides` returns this value instead of the number of a wager. A decision to keep does not name its wager;
a withdrawal does.
"""
IN_TIME, LATE, FORBIDDEN, NOTHING_LAY = "in time", "late", "forbidden", "nothing lay"


class HighSideRound(DiceAndCard):
    """One round of High Side (HS Rules 1 to 12)."""

    __slots__ = ("choices", "early_choices", "silent")

    def __init__(self, table: RoundTable, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.choices: dict[str, Choices] = {}
        self.early_choices: list[e.Choose | e.Pull] = []
        self.silent: list[e.Choose | e.Pull] = []
        """Decisions on a second wager that came before the sum was announced."""

    def roll(self, event: e.Roll) -> None:
        """Record one die, or both at once. The first die closes betting. Once both dice are shown, their sum
        is stored.
        """
        if len(self.shown) == len(CUPS):
            return
        if not self.shown:
            self.close(event, *self.table.game.wagers)
        for die in event.dice[: len(CUPS) - len(self.shown)] or [0]:
            self.shown.append((event, die if 1 <= die <= 6 else None))
        self.early_choices = [
            early
            for early in self.early_choices
            if isinstance(early, e.Pull) and NUMBER.get(early.wager) == 2
        ]
        if len(self.shown) == len(CUPS):
            self.both_shown(event)

    def both_shown(self, event: e.Roll) -> None:
        """Store the sum of the dice. Mark each spot that had not decided on its first wager when the second
        die was shown.
        """
        self.second_die = event
        self.steps.take("dice", event)
        self.early_choices = []
        (_, first), (_, second) = self.shown
        if first is not None and second is not None:
            self.total = first + second
        for spot in self.spots:
            if self.laid(spot, 1) and spot not in self.away:
                chosen = self.choices.setdefault(spot, Choices())
                chosen.owes = chosen.first is None
        self.deciding(event)

    def laid(self, spot: str, number: int) -> int:
        """Return the sum of the spot's bets on its wagers with this number, including withdrawn bets."""
        total = 0
        for line in self.spots.get(spot, ()):
            if NUMBER.get(line.wager) == number:
                total += line.stake + line.pulled
        return total

    def has_main(self, spot: str) -> bool:
        """Return True if the spot has bet on the dice or the card."""
        return any(line.laid and line.wager in NUMBER for line in self.spots.get(spot, ()))

    def pulling(self, event: e.Pull) -> str:
        """Return the kind of a withdrawal: IN_TIME, LATE, FORBIDDEN or NOTHING_LAY. A withdrawal that comes
        too early is valid and counts as IN_TIME.
        """
        line, number = self.lines.get((event.spot, event.wager)), NUMBER.get(event.wager)
        if line is None or not line.stake:
            return NOTHING_LAY
        if number not in (1, 2) or (number == 2 and self.seven):
            return FORBIDDEN
        closer = self.second_die if number == 1 else self.card
        return LATE if closer is not None else IN_TIME

    def decides(self, event: e.Choose | e.Pull) -> int | None:
        """Return the number of the wager that this withdrawal decides on. Return KEEP for a decision to keep,
        because it names no wager. Return None if the fact decides nothing.
        """
        if isinstance(event, e.Pull):
            return NUMBER[event.wager] if self.pulling(event) in (IN_TIME, LATE) else None
        return KEEP if event.choice == "keep" and (not self.shown or self.has_main(event.spot)) else None

    def asks_second(self, spot: str) -> bool | None:
        """Return True if the spot must decide on its second wager (HS Rules 8 and 9), or None if the dice
        have impossible values.
        """
        if self.second_die is None or self.seven or not self.laid(spot, 2):
            return False
        return None if self.total is None else True

    def first_was_late(self, event: e.Choose | e.Pull) -> bool:
        """Return True if this decision proves that the spot decided on its first wager too late, after the
        second die.
        """
        chosen, number = self.choices.get(event.spot), self.decides(event)
        if chosen is None or not chosen.owes or number is None:
            return False
        return number == 1 or chosen.after >= (0 if self.asks_second(event.spot) is False else 1)

    def second_is_late(self, event: e.Choose | e.Pull) -> bool:
        """Return True if this is the spot's decision on its second wager and the card has
        already been dealt.
        """
        if self.card is None or self.decides(event) not in (KEEP, 2) or not self.asks_second(event.spot):
            return False
        chosen = self.choices.get(event.spot)
        return chosen is None or chosen.second is None or (chosen.owes and chosen.after > 0)

    def choose(self, event: e.Choose) -> None:
        self.decide(event)

    def pull(self, event: e.Pull) -> None:
        """Give a wager back to the player. A late or forbidden withdrawal has no effect, so the wager is
        settled.
        """
        state = self.pulling(event)
        if state == NOTHING_LAY:
            says = f"Spot {event.spot} withdrew {event.wager} and had no wager there."
            self.table.find("no-such-bet", event, says, cite="HS Rules 5 and 9")
            return
        self.decide(event)
        if state == IN_TIME:
            self.out_of_play(self.lines[event.spot, event.wager])

    def out_of_play(self, line: Line) -> None:
        """Withdraw the stake of a spot on a wager. Money that had already moved on it counts as moved without
        a bet.
        """
        line.pulled, line.stake = line.pulled + line.stake, 0
        line.priced = False
        line.why, line.cite = (
            "The wager was withdrawn; nothing is owed on it.",
            f"HS Rules {5 if NUMBER[line.wager] == 1 else 9}",
        )
        if line.moved:
            says = (
                f"{self.table.say(abs(line.moved))} moved on {line.wager} of spot {line.spot}, which then"
                " withdrew that wager."
            )
            self.table.find(
                "no-such-bet",
                line.touch or self.opened,
                says,
                spot=line.spot,
                wager=line.wager,
                moved=line.moved,
            )
            line.astray, line.moved = line.astray + line.moved, 0
            self.early = [entry for entry in self.early if entry[0] is not line]

    def decide(self, event: e.Choose | e.Pull) -> None:
        """Record a decision on the wager that it concerns."""
        number = self.decides(event)
        if number is None:
            return
        if not self.shown or (number == 2 and self.second_die is None):
            self.early_choices.append(event)
        late_first = self.first_was_late(event)
        chosen = self.choices.setdefault(event.spot, Choices())
        unsaid = self.total is not None and "dice word" not in self.steps.came and self.card is None
        if (
            unsaid
            and (number == 2 or late_first or not chosen.owes)
            and number != 1
            and self.asks_second(event.spot)
        ):
            self.silent.append(event)
        if number == 1 or self.second_die is None:
            if number == 2:
                chosen.second = chosen.second or event
            else:
                chosen.first = chosen.first or event
        else:
            chosen.after += 1
            chosen.second = chosen.second or event
        if late_first:
            chosen.owes = False

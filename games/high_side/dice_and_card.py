"""The shaken cups, the two dice and the card of a round of High Side."""

from __future__ import annotations

from games.high_side.phrases import dealt, dice_of
from games.kit import events as e
from games.kit.events import Event
from games.kit.line import Line
from games.kit.protocols import RoundTable
from games.kit.round import OPEN, Round
from games.kit.steps import Steps

NUMBER = {f"{side}-{number}": number for side in ("dice", "card") for number in (1, 2, 3)}
"""For each main wager: the number printed on the layout in its circle or rectangle."""
SWEPT = frozenset(wager for wager, number in NUMBER.items() if number > 1)
"""The wagers that lose on a seven (HS Rules 8)."""
CUPS = (1, 2)


class DiceAndCard(Round):
    """A round with its dice and its card, and what they decide."""

    __slots__ = (
        "bonus_settled",
        "card",
        "drawn_early",
        "early_words",
        "pip",
        "second_die",
        "shaken",
        "shown",
        "steps",
        "swept",
        "total",
    )

    counts_unread = True

    def __init__(self, table: RoundTable, opened: Event, number: int) -> None:
        super().__init__(table, opened, number)
        self.windows = dict.fromkeys(table.game.wagers, OPEN)
        self.shaken: set[int] = set()
        self.shown: list[tuple[e.Roll, int | None]] = []
        """The dice in the order in which they were revealed. Each has the fact that revealed it and its
        value, or None if the value is impossible.
        """
        self.second_die: e.Roll | None = None
        """The fact that revealed the second die."""
        self.total: int | None = None
        """The sum of the dice, or None if they are not both shown or if a value is impossible."""
        self.card: e.Deal | None = None
        self.pip: int | None = None
        self.drawn_early = False
        """True if the card was drawn before both dice were revealed."""
        self.steps = Steps("dice", "dice word")
        self.early_words: list[tuple[e.Announce, int | None]] = []
        """Announcements made before the second die was revealed, each with the value of the first die, or
        None if it was not revealed yet.
        """
        self.swept: Event | None = None
        """The first fact that collected a second or third wager on a seven."""
        self.bonus_settled: Event | None = None

    def shake(self, event: e.Shake) -> None:
        if event.times > 0:
            self.shaken |= self.cups_of(event)

    def cups_of(self, event: e.Shake) -> set[int]:
        """Return the cups that were shaken according to a fact. A fact that names no cup is about both."""
        return set(CUPS) if event.cup is None else {event.cup}

    @property
    def both_at_once(self) -> bool:
        """Return True if one fact revealed both dice."""
        return self.second_die is not None and self.shown[0][0] is self.second_die

    @property
    def seven(self) -> bool:
        """Return True if the dice total seven. The second and third wagers have then lost before the card is
        dealt.
        """
        return self.total == 7

    def dealt(self, event: e.Deal, pip: int | None) -> None:
        if self.card is not None:
            return
        if not self.shown:
            self.close(event, *self.table.game.wagers)
        self.card, self.pip, self.drawn_early = event, pip, self.second_die is None
        self.deciding(event)

    def announce(self, event: e.Announce) -> None:
        if event.what == "dice":
            if self.second_die is None:
                self.early_words.append((event, self.shown[0][1] if self.shown else None))
            else:
                self.steps.take("dice word", event)

    def decided(self, spot: str, wager: str) -> bool:
        if self.second_die is None:
            return False
        return self.card is not None or (self.seven and wager in SWEPT)

    def undecided(self) -> bool:
        return self.card is None

    def evidence(self, line: Line) -> str:
        if self.total is None or self.card is None:
            return ""
        return f" The dice show {dice_of(*self.shown)}, the card is {dealt(self.card)}."

    def undecided_because(self) -> str:
        return "The two dice were not both revealed." if self.second_die is None else "No card was drawn."

    def moved(self, event: Event, line: Line, signed: int) -> None:
        if self.seven and line.wager in SWEPT:
            self.swept = self.swept or event
        elif line.wager == "bonus" and self.card is not None:
            self.bonus_settled = self.bonus_settled or event

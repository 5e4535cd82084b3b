"""What a round of High Side remembers: the shaken cups, the two dice, the card, and what each spot has
decided.
"""

from __future__ import annotations

from games.high_side.decisions import Choices
from games.high_side.phrases import dealt, dice_of
from games.kit import events as e
from games.kit.events import Event
from games.kit.line import Line
from games.kit.protocols import RoundTable
from games.kit.round import OPEN, Round
from games.kit.steps import Steps

NUMBER = {f"{side}-{number}": number for side in ("dice", "card") for number in (1, 2, 3)}
"""The six circles and rectangles, and the number printed in each."""
SWEPT = frozenset(wager for wager, number in NUMBER.items() if number > 1)
"""What a seven takes (HS Rules 8)."""
CUPS = (1, 2)
KEEP = 0
"""A decision for the wager whose turn it is; a pull names its wager itself."""
IN_TIME, LATE, FORBIDDEN, NOTHING_LAY = "in time", "late", "forbidden", "nothing lay"


class HighSideRound(Round):
    """HS Rules 1 to 12, one hand of play."""

    __slots__ = (
        "bonus_settled",
        "card",
        "choices",
        "drawn_early",
        "early_choices",
        "early_words",
        "pip",
        "shaken",
        "shown",
        "silent",
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
        """Each die: the fact that revealed it and its value, None where it cannot be."""
        self.total: int | None = None
        """The Dice hand value, once both dice are shown and can be."""
        self.card: e.Deal | None = None
        self.pip: int | None = None
        self.drawn_early = False
        """The card was drawn before both dice were revealed."""
        self.steps = Steps("dice", "dice word")
        self.choices: dict[str, Choices] = {}
        self.early_choices: list[e.Choose | e.Pull] = []
        self.early_words: list[tuple[e.Announce, int | None]] = []
        """Announcements before the second die, each with the die that had been revealed then."""
        self.silent: list[e.Choose | e.Pull] = []
        """Decisions on a second wager before the sum was announced."""
        self.swept: Event | None = None
        """The first fact that collected a second or third wager on a seven."""
        self.bonus_settled: Event | None = None

    # -- cups, dice, card --------------------------------------------------------------------------

    def shake(self, event: e.Shake) -> None:
        if event.times > 0:
            self.shaken |= self.cups_of(event)

    def cups_of(self, event: e.Shake) -> set[int]:
        """Return the cups that were shaken: both if the fact does not name one."""
        return set(CUPS) if event.cup is None else {event.cup}

    def roll(self, event: e.Roll) -> None:
        """Show one die, or both at once. The first die closes the betting; the second decides if the roll
        is a seven.
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
        """Set the sum, and find players who should have decided before it was shown."""
        self.steps.take("dice", event)
        self.early_choices = []
        (_, one), (_, two) = self.shown
        if one is not None and two is not None:
            self.total = one + two
        for spot in self.spots:
            if self.laid(spot, 1) and spot not in self.away:
                chosen = self.choices.setdefault(spot, Choices())
                chosen.owes = chosen.first is None
        self.deciding(event)

    @property
    def second_die(self) -> e.Roll | None:
        """Return the fact that revealed the second die."""
        return self.shown[1][0] if len(self.shown) == len(CUPS) else None

    @property
    def both_at_once(self) -> bool:
        """Return True if one fact revealed both dice."""
        return self.second_die is not None and self.shown[0][0] is self.second_die

    @property
    def seven(self) -> bool:
        """Return True if the second and third wagers have lost to the dice alone."""
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

    # -- what lies and what is decided --------------------------------------------------------------

    def laid(self, spot: str, number: int) -> int:
        """Return what the spot has bet on its wagers of this number, withdrawn or not."""
        return sum(line.laid for line in self.spots.get(spot, ()) if NUMBER.get(line.wager) == number)

    def has_main(self, spot: str) -> bool:
        """Return True if the spot has bet on the dice or the card."""
        return any(line.laid and line.wager in NUMBER for line in self.spots.get(spot, ()))

    def pulling(self, event: e.Pull) -> str:
        """Return what a pull is: in time (or too early, which is valid too), late, not allowed, or a pull of
        no wager.
        """
        line, number = self.lines.get((event.spot, event.wager)), NUMBER.get(event.wager)
        if line is None or not line.stake:
            return NOTHING_LAY
        if number not in (1, 2) or (number == 2 and self.seven):
            return FORBIDDEN
        closer = self.second_die if number == 1 else self.card
        return LATE if closer is not None else IN_TIME

    def decides(self, event: e.Choose | e.Pull) -> int | None:
        """Return the number of the wager that this fact decides on, KEEP for the one whose turn it is, or
        None if it decides nothing.
        """
        if isinstance(event, e.Pull):
            return NUMBER[event.wager] if self.pulling(event) in (IN_TIME, LATE) else None
        return KEEP if event.choice == "keep" and (not self.shown or self.has_main(event.spot)) else None

    def asks_second(self, spot: str) -> bool | None:
        """Return True if the spot is asked about its second wager (HS Rules 8 and 9); None if the dice were
        impossible.
        """
        if self.second_die is None or self.seven or not self.laid(spot, 2):
            return False
        return None if self.total is None else True

    def first_was_late(self, event: e.Choose | e.Pull) -> bool:
        """Return True if this decision proves that the spot decided on its first wager only after the second
        die (rounds.md 9).
        """
        chosen, number = self.choices.get(event.spot), self.decides(event)
        if chosen is None or not chosen.owes or number is None:
            return False
        return number == 1 or chosen.after >= (0 if self.asks_second(event.spot) is False else 1)

    def second_is_late(self, event: e.Choose | e.Pull) -> bool:
        """Return True if this is the spot's decision on its second wager and the card has been dealt."""
        if self.card is None or self.decides(event) not in (KEEP, 2) or not self.asks_second(event.spot):
            return False
        chosen = self.choices.get(event.spot)
        return chosen is None or chosen.second is None or (chosen.owes and chosen.after > 0)

    def choose(self, event: e.Choose) -> None:
        self.decide(event)

    def pull(self, event: e.Pull) -> None:
        """Return a wager to the player. A late or forbidden pull leaves it in play, and it is settled."""
        state = self.pulling(event)
        if state == NOTHING_LAY:
            says = f"Spot {event.spot} withdrew {event.wager} and had no wager there."
            self.table.find("no-such-bet", event, says, cite="HS Rules 5 and 9")
            return
        self.decide(event)
        if state == IN_TIME:
            self.out_of_play(self.lines[event.spot, event.wager])

    def out_of_play(self, line: Line) -> None:
        """Take the stake out of play. Money that had moved on it counts as moved without a bet (rounds.md
        27).
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
        """Remember a decision for the wager that it is about."""
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

"""What one spot has on one wager in one round, and what moved on it."""

from __future__ import annotations

from games.kit.amounts import Exact
from games.kit.events import Event


class Line:
    """Spot and wager of a round. All amounts in minor units; `moved`, `repeated`, `astray` are signed from the player."""

    __slots__ = (
        "astray",
        "basis",
        "bets",
        "cite",
        "first",
        "judged",
        "last",
        "moved",
        "offered",
        "owed",
        "paid",
        "paid_before_void",
        "player",
        "priced",
        "pulled",
        "repeated",
        "returned",
        "rounding",
        "since",
        "spot",
        "stake",
        "taken",
        "taken_before_void",
        "touch",
        "wager",
        "why",
    )

    def __init__(self, spot: str, wager: str, offered: bool, basis: Line | None = None) -> None:
        """`basis`: of a payment without a bet of its own, the line on whose stake it is owed."""
        self.spot, self.wager, self.offered, self.basis = spot, wager, offered, basis
        self.stake = self.bets = 0
        self.pulled = 0
        """What the player took out of play by right: nothing is owed on it, and what may be bet holds for it all the same."""
        self.first: Event | None = None
        self.last: Event | None = None
        self.player: str | None = None
        self.moved = self.repeated = self.astray = 0
        """What counts towards the settlement; what came once more; what moved where no bet lay."""
        self.touch: Event | None = None
        """The last take or pay that counts."""
        self.paid = self.taken = self.returned = 0
        self.paid_before_void: int | None = None
        """What had been paid and taken when the round was voided; None: it was not."""
        self.taken_before_void = 0
        self.since = 0
        """How many facts of the round had come when this stake was first laid."""
        self.priced = self.judged = False
        self.owed: Exact | None = None
        self.rounding: Exact = 0
        """What the house has of it by the table's rounding."""
        self.why = self.cite = ""

    @property
    def laid(self) -> int:
        """All that was bet, withdrawn since or not."""
        return self.stake + self.pulled

    @property
    def at_risk(self) -> int:
        """The stake that the odds are for: its own, or that of the wager on which a payment is owed."""
        return self.stake or (self.basis.stake if self.basis is not None else 0)

    @property
    def total(self) -> int:
        """All that moved to the player, repeats and stray money included."""
        return self.moved + self.repeated + self.astray

    @property
    def from_tray(self) -> int:
        """The part of the returned stake that the house had taken: it leaves the tray again."""
        if not self.returned:
            return 0
        return min(self.returned, self.taken_by_the_house, self.stake)

    @property
    def taken_by_the_house(self) -> int:
        """What was taken of the stake. After a void, what is taken first takes back winnings that were paid."""
        if self.paid_before_void is None:
            return self.taken
        return self.taken_before_void + max(0, self.taken - self.taken_before_void - self.paid)

    @property
    def kept(self) -> int:
        """The part of a void round's stake that lay on the layout and went neither back nor to the tray: the house has it still.

        Below nothing where more went back than lay.
        """
        return self.stake - self.taken_by_the_house - (self.returned - self.from_tray)

    @property
    def to_tray(self) -> int:
        """What this line has brought to the tray so far."""
        return self.taken - self.paid - self.from_tray

    @property
    def restored(self) -> int:
        """What the player has of a void round: stakes returned and winnings paid before it, less what was taken after it.

        Where that is the stake, what was paid after the void is too much and counts as well.
        """
        before = self.paid_before_void or 0
        sum_of = self.returned + before - (self.taken - self.taken_before_void)
        return sum_of if sum_of != self.stake else sum_of + self.paid - before

"""The bets of one spot on one wager in one round, and what moved on them."""

from __future__ import annotations

from games.kit.amounts import Exact
from games.kit.events import Event


class Line:
    """The stake, the moves and the settlement of one spot and wager in a round.

    All amounts are in minor units; `moved`, `repeated` and `astray` are signed from the player.
    """

    __slots__ = (
        "astray",
        "basis",
        "bets",
        "beyond",
        "cite",
        "first",
        "judged",
        "kept",
        "last",
        "moved",
        "offered",
        "owed",
        "paid",
        "paid_before_void",
        "player",
        "priced",
        "pulled",
        "refunded",
        "repeated",
        "returned",
        "rounding",
        "since",
        "spot",
        "stake",
        "taken",
        "taken_before_void",
        "touch",
        "undecided",
        "untaken",
        "wager",
        "why",
    )

    def __init__(self, spot: str, wager: str, offered: bool, basis: Line | None = None) -> None:
        """Create an empty line.

        Args:
            spot: the betting position.
            wager: the name of the wager.
            offered: False if the game has no such wager; then nothing is owed on it.
            basis: for a payment without a bet of its own, the line on whose stake it is owed.
        """
        self.spot, self.wager, self.offered, self.basis = spot, wager, offered, basis
        self.stake = self.bets = 0
        self.pulled = 0
        """The stake that the player rightly withdrew. Nothing is owed on it, but it counts for the limits."""
        self.first: Event | None = None
        self.last: Event | None = None
        self.player: str | None = None
        self.moved = self.repeated = self.astray = 0
        """`moved` counts for the settlement, `repeated` came once more, and `astray` moved without a bet."""
        self.touch: Event | None = None
        """The last take, pay or return that counts."""
        self.paid = self.taken = self.returned = 0
        self.untaken = self.beyond = 0
        """The parts of the returned money that came out of the tray: what the dealer had taken before, and
        what is more than the stake.
        """
        self.refunded = self.kept = 0
        """The parts of the stake of a round that is over: what went back because the round is void or
        undecided, and what the casino kept without a fact that says so.
        """
        self.undecided = False
        """True once the round has ended without a void before this wager was decided: nothing is owed
        on it.
        """
        self.paid_before_void: int | None = None
        """What had been paid and taken when the round was voided; None if it was not voided."""
        self.taken_before_void = 0
        self.since = 0
        """The number of facts of the round before this stake was first laid."""
        self.priced = self.judged = False
        self.owed: Exact | None = None
        self.rounding: Exact = 0
        """What the casino gains by the table's rounding."""
        self.why = self.cite = ""

    @property
    def laid(self) -> int:
        """Return all that was bet, withdrawn since or not."""
        return self.stake + self.pulled

    @property
    def at_risk(self) -> int:
        """Return the stake that the odds apply to: its own, or that of the wager on which a payment is
        owed.
        """
        return self.stake or (self.basis.stake if self.basis is not None else 0)

    @property
    def total(self) -> int:
        """Return all that moved to the player, repeats and stray money included."""
        return self.moved + self.repeated + self.astray

    def hand_back(self, amount: int) -> int:
        """Book a return, and give the part of it that is a payment: what is more than the stake.

        A return first undoes what was taken of the stake, then hands back what still lies of it. In a void
        round the stakes go back before anything else: what is taken after the void is taken from the player.
        """
        taken = self.taken if self.paid_before_void is None else self.taken_before_void
        undone = min(amount, max(0, taken - self.untaken))
        beyond = max(0, amount - undone - max(0, self.stake - taken - self.lifted))
        self.returned += amount
        self.untaken += undone
        self.beyond += beyond
        return beyond

    @property
    def lying(self) -> int:
        """Return the part of the stake that was neither taken nor handed back."""
        return max(0, self.stake - self.taken_by_the_house - self.lifted)

    @property
    def lifted(self) -> int:
        """Return the part of the returned money that came from the stake on the table."""
        return self.returned - self.untaken - self.beyond

    @property
    def from_tray(self) -> int:
        """Return the part of the returned money that came out of the tray."""
        return self.untaken + self.beyond

    @property
    def taken_by_the_house(self) -> int:
        """Return what was taken of the stake. A take after a void first takes back winnings that were
        paid.
        """
        if self.paid_before_void is None:
            return self.taken
        return self.taken_before_void + max(0, self.taken - self.taken_before_void - self.paid)

    @property
    def to_tray(self) -> int:
        """Return what this line has brought to the tray so far."""
        return self.taken - self.paid - self.from_tray

    @property
    def restored(self) -> int:
        """Return what the player got back in a void round: stakes returned and winnings paid, less what was
        taken from him.

        A take after the void takes back winnings first, then the stake on the table. A payment after the void
        does not count as a returned stake, even if it is exactly as much.
        """
        return self._back - self.paid_instead

    @property
    def paid_instead(self) -> int:
        """Return what was paid after the void if it makes up exactly for a stake that was not returned."""
        return self.paid - (self.paid_before_void or 0) if self._back == self.stake else 0

    @property
    def _back(self) -> int:
        of_stake = self.taken_by_the_house
        from_player = self.taken - of_stake + max(0, of_stake - max(0, self.stake - self.lifted))
        return self.returned + self.paid - from_player

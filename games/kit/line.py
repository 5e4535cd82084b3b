"""The bets of one spot on one wager in one round, and the money that moved on them."""

from __future__ import annotations

from games.kit.amounts import Exact
from games.kit.events import Event


class Line:
    """The stake, the moves and the settlement of one spot and wager in a round.

    All amounts are in minor units. `moved`, `repeated` and `astray` are positive if the money went to the
    player.
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
            basis: for a payment that has no bet of its own, the line on whose stake it is owed.
        """
        self.spot, self.wager, self.offered, self.basis = spot, wager, offered, basis
        self.stake = self.bets = 0
        self.pulled = 0
        """The stake that the player withdrew as the rules allow. Nothing is owed on this stake, but it counts
        for the limits.
        """
        self.first: Event | None = None
        self.last: Event | None = None
        self.player: str | None = None
        self.moved = self.repeated = self.astray = 0
        """`moved`: money that counts for the settlement. `repeated`: payments made a second time. `astray`:
        money that moved without a bet.
        """
        self.touch: Event | None = None
        """The last fact that moved money on the line, except money counted as `repeated` or `astray`."""
        self.paid = self.taken = self.returned = 0
        self.untaken = self.beyond = 0
        """The two parts of the returned money that came out of the tray. `untaken`: stake that the dealer had
        taken before. `beyond`: the amount in excess of the stake.
        """
        self.refunded = self.kept = 0
        """Parts of the stake after a round that was void or not decided. `refunded`: the part that went back
        to the player. `kept`: the part that the casino kept although no fact says so.
        """
        self.undecided = False
        """True if the round ended without a void before this wager was decided. In this case nothing is owed
        on it.
        """
        self.paid_before_void: int | None = None
        """The amount that had been paid on the line when the round was voided. None if the round was not
        voided. `taken_before_void` is the amount that had been taken at that time.
        """
        self.taken_before_void = 0
        self.since = 0
        """The number of facts that the round had when this stake was first bet."""
        self.priced = self.judged = False
        self.owed: Exact | None = None
        self.rounding: Exact = 0
        """The amount that the casino gains because the owed amount was rounded."""
        self.why = self.cite = ""

    @property
    def laid(self) -> int:
        """Return the total that was bet, including stakes that were withdrawn later."""
        return self.stake + self.pulled

    @property
    def at_risk(self) -> int:
        """Return the stake that the odds apply to. For a payment that has no bet of its own, such as an ante
        bonus, this is the stake of the wager on which it is owed.
        """
        return self.stake or (self.basis.stake if self.basis is not None else 0)

    @property
    def total(self) -> int:
        """Return all money that moved to the player, including repeated payments and money that moved without
        a bet.
        """
        return self.moved + self.repeated + self.astray

    def hand_back(self, amount: int) -> int:
        """Record a returned stake. Return the part of it that is a payment, because it exceeds the stake.

        A return counts first as the stake that the dealer had taken, then as the stake that is still on the
        table. In a void round only what was taken before the void counts as taken stake, because chips that
        are taken after the void come from the player.
        """
        taken_stake = self.taken if self.paid_before_void is None else self.taken_before_void
        undone = min(amount, max(0, taken_stake - self.untaken))
        payment = max(0, amount - undone - max(0, self.stake - taken_stake - self.lifted))
        self.returned += amount
        self.untaken += undone
        self.beyond += payment
        return payment

    @property
    def lying(self) -> int:
        """Return the part of the stake that is still on the table: neither taken nor returned."""
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
        """Return the part of the stake that the casino took. An amount taken after a void counts first as
        winnings that are taken back.
        """
        if self.paid_before_void is None:
            return self.taken
        return self.taken_before_void + max(0, self.taken - self.taken_before_void - self.paid)

    @property
    def to_tray(self) -> int:
        """Return the net amount that went from this spot and wager to the tray so far."""
        return self.taken - self.paid - self.untaken - self.beyond

    @property
    def restored(self) -> int:
        """Return the amount that the player got back in a void round: returned stakes and paid winnings,
        minus the amount taken from the player.

        An amount taken after the void counts first as winnings, then as the stake on the table. A payment
        after the void does not count as a returned stake, even if it is exactly as much.
        """
        return self._back - self.paid_instead

    @property
    def paid_instead(self) -> int:
        """Return the amount that was paid after the void, if it is exactly the part of the stake that was not
        returned. Otherwise return 0.
        """
        return self.paid - (self.paid_before_void or 0) if self._back == self.stake else 0

    @property
    def _back(self) -> int:
        of_stake = self.taken_by_the_house
        from_player = self.taken - of_stake + max(0, of_stake - max(0, self.stake - self.lifted))
        return self.returned + self.paid - from_player

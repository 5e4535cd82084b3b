"""The cage of one table over a whole month: slip serials continue from day to day, and the tray is counted in
chips as at a real table.

The number of slips of each day is planned before the day is played. Each day therefore knows its first
serial, and the last serial of the month is the one before the first of the present day.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from random import Random

from casino.sample.tables.cage import Cage, drop_count, fewest_pieces, tray
from casino.sample.tables.drafts import Draft, draft
from casino.sample.tables.staff import CASHIERS, COUNTERS, GUARDS

LEAST = 100_000
"""The smallest fill or credit, in minor units."""
SMALL = (500, 100, 25, 5, 1)
SHARES = ((10_000, 45), (2_500, 35))
"""For each chip value: the percentage of a tray's amount that is in chips of this value. The rest is in chips
of five dollars and less.
"""


def tray_pieces(amount: int) -> dict[str, int]:
    """Return the chips of a tray with this amount, in the mix of values that a game needs. It is not the
    smallest possible number of chips.
    """
    pieces, left = {}, amount
    for chip, share in SHARES:
        pieces[str(chip)] = amount * share // 100 // chip
        left -= pieces[str(chip)] * chip
    return {chip: count for chip, count in pieces.items() if count} | fewest_pieces(left, SMALL)


@dataclass(frozen=True)
class SlipPlan:
    """The number of slips of each series that a table writes in one day. `voided` counts the fills that are
    voided before any chips move; `fills` does not include them.
    """

    fills: int = 0
    credits: int = 0
    markers: int = 0
    voided: int = 0

    @property
    def serials(self) -> dict[str, int]:
        """Return how many serials of each series are used."""
        return {"F": self.fills + self.voided, "C": self.credits, "M": self.markers}


def planned(code: str, day: date, seed: int) -> SlipPlan:
    """Return the plan of slips of one table for one day. The same arguments always give the same plan."""
    rng = Random(f"slips/{code}/{day}/{seed}")
    return SlipPlan(
        rng.choice((1, 2, 2, 3)), rng.choice((1, 1, 2)), rng.choice((0, 0, 1, 1, 2)), int(rng.random() < 0.04)
    )


@dataclass
class DayEnd:
    """The state in which one day leaves the table for the next: its tray, the players' chips, unpaid markers,
    and a drop box that was not pulled.
    """

    tray: int = 4_000_000
    purses: dict[str, int] = field(default_factory=dict)
    markers: list[tuple[str, str, int]] = field(default_factory=list)
    box: str = ""
    bought: list[Draft] = field(default_factory=list)


@dataclass(frozen=True)
class Irregularities:
    """What goes wrong at the cage and in the count room for one table on one day."""

    rack: str = ""
    """The shift in which a rack of chips is stolen, or empty text."""
    stays: bool = False
    """True if the last drop box is not pulled and stays at the table for the next day."""
    late: bool = False
    """True if the last drop box is counted only after the end of the next day."""
    short: int = 0
    """The amount by which both counts of the first drop box are too low, because a note is stuck in the box.
    """
    differs: int = 0
    """The amount by which the second count of the first drop box is lower than the first count."""
    bought_in: str = ""
    """A shift in which chips are always bought for cash, so that its drop box is not empty."""
    void: bool = False
    """True if a round of the second shift is voided."""


RACK = (2_500, 100)
"""One rack of chips: the value of a chip, in minor units, and the number of chips."""


class MonthCage(Cage):
    """The cage of one table on one day. It creates the slips as drafts. Fills and credits bring the tray back
    to its intended amount.
    """

    def __init__(
        self,
        rng: Random,
        code: str,
        dealers: tuple[str, ...],
        staff: tuple[str, ...],
        serials: dict[str, int],
    ) -> None:
        """Prepare the cage of a table.

        Args:
            rng: The seeded generator.
            code: The table's code.
            dealers: The dealers of the shifts.
            staff: The pit's supervisors.
            serials: The last serial used in each series of slips.
        """
        super().__init__(rng, code, dealers)
        self.serials, self.staff = dict(serials), staff
        self.left, self.amiss = DayEnd(), Irregularities()
        self.par = self.holds = 0

    def begin(self, left: DayEnd, par: int, irregularities: Irregularities) -> None:
        """Begin a new day, which continues from the state that the previous day left. `par` is the intended
        amount of the tray.
        """
        self.left, self.par, self.holds, self.amiss = left, par, left.tray, irregularities
        self.markers = list(left.markers)
        if left.box:
            self.box, self.bought = left.box, list(left.bought)

    def opener(self) -> Draft:
        """Return the opener. It counts the same amount as the last closer."""
        return draft(
            "opener-counted", chips=tray_pieces(self.left.tray), amount=self.left.tray, **self._two()
        )

    def moves(self, letter: str) -> Draft:
        """Return a fill (`F`) or a credit (`C`) that brings the tray near its intended amount. The slip has
        at least the amount LEAST.
        """
        off = self.par - self.holds if letter == "F" else self.holds - self.par
        return self.moved(letter, max(off // 10_000 * 10_000, LEAST) + self.rng.randint(0, 5) * 10_000)

    def moved(self, letter: str, amount: int) -> Draft:
        """Return a fill or a credit of this amount, with five signatures."""
        requested, verified = self.rng.sample(self.staff, 2)
        fact = draft(
            "fill-sent" if letter == "F" else "credit-sent",
            slip=self.serial(letter),
            chips=fewest_pieces(amount),
            amount=amount,
        )
        fact |= {
            "requested_by": requested,
            "sent_by": self.rng.choice(CASHIERS),
            "carried_by": self.rng.choice(GUARDS),
        }
        fact |= {"received_by": self.rng.choice(self.dealers), "verified_by": verified}
        self.holds += amount if letter == "F" else -amount
        return fact

    def voided_fill(self) -> Draft:
        """Return a voided fill. A cashier and a supervisor void it before any chips are sent. Its serial is
        not used again.
        """
        by, other = self.rng.sample(CASHIERS, 2)
        second = self.staff[CASHIERS.index(other) % len(self.staff)]
        return draft("slip-voided", slip=self.serial("F"), reason="wrong amount", by=by, second=second)

    def buys(self, spot: str, amount: int, tender: str = "") -> Draft:
        """Return a purchase of chips. `tender` says how the player pays. If it is not given, the player pays
        in cash or sometimes by voucher.
        """
        tender = tender or ("voucher" if self.rng.random() < 0.06 else "cash")
        fact = draft("chips-bought", spot=spot, amount=amount, tender=tender)
        self.bought.append(fact)
        self.holds -= amount
        return fact

    def on_credit(self, spot: str) -> list[Draft]:
        """Return the facts of a purchase of chips on a marker. The marker comes first."""
        slip, player, amount = (
            self.serial("M"),
            f"p-{self.rng.randint(70_000, 70_099)}",
            self.rng.randint(2, 10) * 10_000,
        )
        bought = draft("chips-bought", spot=spot, amount=amount, tender="marker")
        self.markers.append((slip, player, amount))
        self.bought.append(bought)
        self.holds -= amount
        by = self.rng.choice(self.staff)
        return [draft("marker-issued", slip=slip, player=player, amount=amount, by=by), bought]

    def paid_back(self) -> list[Draft]:
        """Return the redemptions of markers from earlier days, chosen at random."""
        paid = [marker for marker in self.left.markers if self.rng.random() < 0.3]
        self.markers = [marker for marker in self.markers if marker not in paid]
        signs = [(*marker, self.rng.choice(CASHIERS)) for marker in paid]
        return [
            draft("marker-paid", slip=slip, player=player, amount=amount, by=by)
            for slip, player, amount, by in signs
        ]

    def pull(self, shift: str = "") -> Draft:
        """Return the fact `box-pulled`: a guard pulls the drop box, with a supervisor as witness."""
        fact = super().pull(shift)
        fact |= {"by": self.rng.choice(GUARDS), "second": self.rng.choice(self.staff)}
        return fact

    def last_pulled(self) -> list[Draft]:
        """Return a list with the fact that pulls the last drop box when the table closes. The list is empty
        if the box stays for the next day.
        """
        return [] if self.amiss.stays else [self.pull()]

    def closer(self, drafts: list[Draft]) -> Draft:  # type: ignore[override]
        """Return the closer: the count of the tray after the facts in `drafts`. It agrees with these facts
        unless a rack of chips was stolen in this shift.
        """
        amount = tray(drafts)
        chips = tray_pieces(amount)
        if self.amiss.rack and self.amiss.rack == shift_at(drafts):
            chip, count = RACK
            chips[str(chip)] -= count
            amount -= chip * count
        return draft("closer-counted", chips=chips, amount=amount, **self._two())

    def counts(self) -> list[Draft]:
        """Return the count of every drop box by three people, and its recount by a fourth one who does not
        know the first result.
        """
        facts = []
        for place, (pulled, bought) in enumerate(self.pulled):
            short = self.amiss.short if not place else 0
            *team, verifier = self.rng.sample(COUNTERS, 4)
            counted = drop_count(pulled, bought, team, short)
            second = counted["amount"] - (self.amiss.differs if not place else 0)
            facts += [counted, draft("count-verified", box=pulled["box"], amount=second, by=verifier)]
        return facts

    def leaves(self, drafts: list[Draft], purses: dict[str, int]) -> DayEnd:
        """Return the state of the table at the end of the day, from which the next day continues."""
        last = next(fact for fact in reversed(drafts) if fact["kind"] == "closer-counted")
        box, bought = (self.box, self.bought) if self.amiss.stays else ("", [])
        return DayEnd(last["amount"], purses, self.markers, box, bought)

    def _two(self, cashier: bool = False) -> dict[str, str]:
        return {"by": self.rng.choice(self.dealers), "second": self.rng.choice(self.staff)}


def shift_at(drafts: list[Draft]) -> str:
    """Return the shift at whose end the last drop box was pulled."""
    return next((fact["shift"] for fact in reversed(drafts) if fact["kind"] == "box-pulled"), "")

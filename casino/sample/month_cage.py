"""A table's cage over a whole month: its slips run on from day to day, its tray is counted in the chips of a
real one.

How many slips a day has is planned before it is played. So each day knows its first serial, and the last of
the month is the one before the first of the present day.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from random import Random

from .cage import NOTES, PAPERS, Cage, fewest_pieces, tray
from .desk import Draft, draft
from .staff import CASHIERS, COUNTERS, GUARDS

LEAST = 100_000
"""The smallest fill or credit."""
SMALL = (500, 100, 25, 5, 1)
SHARES = ((10_000, 45), (2_500, 35))
"""Of a tray's worth, how many of a hundred lie in chips of this kind; the rest in fives and less."""


def tray_pieces(amount: int) -> dict[str, int]:
    """Return the pieces of a tray that holds this much: not the fewest, but those that a game needs."""
    pieces, left = {}, amount
    for chip, share in SHARES:
        pieces[str(chip)] = amount * share // 100 // chip
        left -= pieces[str(chip)] * chip
    return {chip: count for chip, count in pieces.items() if count} | fewest_pieces(left, SMALL)


@dataclass(frozen=True)
class SlipPlan:
    """How many slips of each series a table writes in one day. Of the fills, `voided` are torn up before
    anything moves.
    """

    fills: int = 0
    credits: int = 0
    markers: int = 0
    voided: int = 0

    @property
    def serials(self) -> dict[str, int]:
        """Return how many numbers of each series are used."""
        return {"F": self.fills + self.voided, "C": self.credits, "M": self.markers}


def planned(code: str, day: date, seed: int) -> SlipPlan:
    """Return a day's plan of slips, the same at each call."""
    rng = Random(f"slips/{code}/{day}/{seed}")
    return SlipPlan(
        rng.choice((1, 2, 2, 3)), rng.choice((1, 1, 2)), rng.choice((0, 0, 1, 1, 2)), int(rng.random() < 0.04)
    )


@dataclass
class DayEnd:
    """What one day leaves for the next: the tray, the players' chips, markers not yet paid, and a box that
    stays at the table.
    """

    tray: int = 4_000_000
    purses: dict[str, int] = field(default_factory=dict)
    markers: list[tuple[str, str, int]] = field(default_factory=list)
    box: str = ""
    bought: list[Draft] = field(default_factory=list)


@dataclass(frozen=True)
class Irregularities:
    """What goes wrong at the cage and in the count room of one table on one day."""

    rack: str = ""
    """The shift in which a rack of chips is carried off."""
    stays: bool = False
    """The last box is not pulled: it stays for the next day."""
    late: bool = False
    """The last box is counted only the day after."""
    short: int = 0
    """What the first box is counted too low, twice the same: a note that stuck in it."""
    differs: int = 0
    """What the second count of the first box is lower than the first one."""
    bought_in: str = ""
    """A shift in which chips are always bought for cash, so that its box is not empty."""
    void: bool = False
    """A round of the second shift is declared dead."""


RACK = (2_500, 100)
"""One rack of chips: a hundred of twenty-five dollars."""


class MonthCage(Cage):
    """Writes the slips of one table's day; fills and credits bring the tray back to where it was meant
    to be.
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
            serials: The last number used of each series.
        """
        super().__init__(rng, code, dealers)
        self.serials, self.staff = dict(serials), staff
        self.left, self.amiss = DayEnd(), Irregularities()
        self.par = self.holds = 0

    def begin(self, left: DayEnd, par: int, amiss: Irregularities) -> None:
        """Begin a new day, which continues from what the last one left."""
        self.left, self.par, self.holds, self.amiss = left, par, left.tray, amiss
        self.markers = list(left.markers)
        if left.box:
            self.box, self.bought = left.box, list(left.bought)

    def opener(self) -> Draft:
        """Return the opener, which counts what the last closer left."""
        return draft(
            "opener-counted", chips=tray_pieces(self.left.tray), amount=self.left.tray, **self._two()
        )

    def moves(self, letter: str) -> Draft:
        """Return a fill or a credit of the tray's difference from its par, if that is worth a walk."""
        off = self.par - self.holds if letter == "F" else self.holds - self.par
        return self.moved(letter, max(off // 10_000 * 10_000, LEAST) + self.rng.randint(0, 5) * 10_000)

    def moved(self, letter: str, amount: int) -> Draft:
        """Return a fill or a credit of this amount, with five signatures."""
        asked, verified = self.rng.sample(self.staff, 2)
        made = draft(
            "fill-sent" if letter == "F" else "credit-sent",
            slip=self.serial(letter),
            chips=fewest_pieces(amount),
            amount=amount,
        )
        made |= {
            "requested_by": asked,
            "sent_by": self.rng.choice(CASHIERS),
            "carried_by": self.rng.choice(GUARDS),
        }
        made |= {"received_by": self.rng.choice(self.dealers), "verified_by": verified}
        self.holds += amount if letter == "F" else -amount
        return made

    def torn(self) -> Draft:
        """Void a fill's slip before it is sent: a cashier and a supervisor sign, and the serial is used."""
        by, other = self.rng.sample(CASHIERS, 2)
        second = self.staff[CASHIERS.index(other) % len(self.staff)]
        return draft("slip-voided", slip=self.serial("F"), reason="wrong amount", by=by, second=second)

    def buys(self, spot: str, amount: int, tender: str = "") -> Draft:
        """Return a purchase of chips for cash, or sometimes for a voucher if no `tender` is given."""
        tender = tender or ("voucher" if self.rng.random() < 0.06 else "cash")
        made = draft("chips-bought", spot=spot, amount=amount, tender=tender)
        self.bought.append(made)
        self.holds -= amount
        return made

    def on_credit(self, spot: str) -> list[Draft]:
        """Return a purchase of chips for a marker."""
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
        """Return the redemption of markers of earlier days, some of which are paid each day."""
        paid = [marker for marker in self.left.markers if self.rng.random() < 0.3]
        self.markers = [marker for marker in self.markers if marker not in paid]
        signs = [(*marker, self.rng.choice(CASHIERS)) for marker in paid]
        return [
            draft("marker-paid", slip=slip, player=player, amount=amount, by=by)
            for slip, player, amount, by in signs
        ]

    def pull(self, shift: str = "") -> Draft:
        """Return the pull of a box by security, with a supervisor as witness."""
        made = super().pull(shift)
        made |= {"by": self.rng.choice(GUARDS), "second": self.rng.choice(self.staff)}
        return made

    def last_pulled(self) -> list[Draft]:
        """Return the pull of the last box when the table closes, or nothing if the box remains for the next
        day.
        """
        return [] if self.amiss.stays else [self.pull()]

    def closer(self, drafts: list[Draft]) -> Draft:  # type: ignore[override]
        """Return the closer with exactly what all the facts leave in the tray, unless a rack of chips was
        stolen in this shift.
        """
        amount = tray(drafts)
        chips = tray_pieces(amount)
        if self.amiss.rack and self.amiss.rack == shift_at(drafts):
            chip, count = RACK
            chips[str(chip)] -= count
            amount -= chip * count
        return draft("closer-counted", chips=chips, amount=amount, **self._two())

    def counts(self) -> list[Draft]:
        """Return the count of every box by three people, and its recount by a fourth one who does not know
        the first result.
        """
        made = []
        for place, (pulled, bought) in enumerate(self.pulled):
            short = self.amiss.short if not place else 0
            cash = sum(each["amount"] for each in bought if each["tender"] == "cash") - short
            papers = {
                kind: sum(each["amount"] for each in bought if each["tender"] == kind) for kind in PAPERS
            }
            papers = {kind: amount for kind, amount in papers.items() if amount}
            amount = cash + sum(papers.values())
            *team, again = self.rng.sample(COUNTERS, 4)
            counted = draft(
                "drop-counted",
                box=pulled["box"],
                shift=pulled["shift"],
                notes=fewest_pieces(cash, NOTES),
                amount=amount,
                team=team,
            )
            if papers:
                counted["papers"] = papers
            second = amount - (self.amiss.differs if not place else 0)
            made += [counted, draft("count-verified", box=pulled["box"], amount=second, by=again)]
        return made

    def leaves(self, drafts: list[Draft], purses: dict[str, int]) -> DayEnd:
        """Return what is left for the next morning."""
        last = next(each for each in reversed(drafts) if each["kind"] == "closer-counted")
        box, bought = (self.box, self.bought) if self.amiss.stays else ("", [])
        return DayEnd(last["amount"], purses, self.markers, box, bought)

    def _two(self, cashier: bool = False) -> dict[str, str]:
        return {"by": self.rng.choice(self.dealers), "second": self.rng.choice(self.staff)}


def shift_at(drafts: list[Draft]) -> str:
    """Return the shift in which the last box was pulled."""
    return next((each["shift"] for each in reversed(drafts) if each["kind"] == "box-pulled"), "")

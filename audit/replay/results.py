"""What replay yields: findings, and the tally that every report adds up."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd

from msgspec import Struct, field

from games.kit.amounts import Exact
from games.kit.breach import Breach
from games.kit.line import Line


class Finding(Struct, frozen=True, kw_only=True, gc=False):
    """One rule broken by one fact, as the contract of findings has it. Amounts in minor units, signed from
    the player.
    """

    id: str
    stream: str
    number: int
    uid: str
    round: str | None
    code: str
    grade: str
    spot: str | None
    wager: str | None
    owed: int | str | None
    moved: int | str | None
    says: str
    cite: str
    slip: str | None

    @property
    def money(self) -> Fraction:
        """Return what went to the player beyond what was owed, nothing if no bet lay; 0 if the finding is
        not about an amount.
        """
        return Fraction(0) if self.moved is None else Fraction(self.moved) - Fraction(self.owed or 0)


def finding(stream: str, number: int, breach: Breach) -> Finding:
    """Return the finding of a breach: its id is uid, code, spot and wager, absent parts empty."""
    return Finding(
        id=f"{breach.event.uid}:{breach.code}:{breach.spot}:{breach.wager}",
        stream=stream,
        number=number,
        uid=breach.event.uid,
        round=breach.round,
        code=breach.code,
        grade=breach.grade,
        spot=breach.spot or None,
        wager=breach.wager or None,
        owed=plain(breach.owed),
        moved=plain(breach.moved),
        says=breach.says,
        cite=breach.cite,
        slip=breach.slip,
    )


def plain(amount: Exact | None) -> int | str | None:
    """Return an integer as it is, a fraction as `"25/2"`."""
    return amount if amount is None or isinstance(amount, int) else f"{amount.numerator}/{amount.denominator}"


DIVIDED = ("owed", "choices", "rounding", "undivided", "unseen")
"""The sums of a row that are counted in its parts of a minor unit."""

PlayKey = tuple[str, str, str, str, str, str, str, int]
"""Currency, shift, hour, dealer, wager, pay table, price class, and which opening of the table it was played
under, from 1.

The wager is empty in the row that counts whole rounds.
"""

CageKey = tuple[str, str, str]
"""Currency, shift, kind."""

PlayerKey = tuple[str, str, str]
"""Currency, player, wager."""


class Play(Struct):
    """What was wagered and what moved. Amounts in minor units, all counted upwards.

    `taken` is without stakes that went back out of the tray, and `paid` has what was returned beyond a stake,
    so that taken - paid is what
    the casino won. `returned` is what went back of stakes because their round was void or undecided.
    `squared` is the sum of the squares of the stakes that were valid: the variance of a win depends on it
    if each wager falls alone. `together` has each of them as many times as there were wagers in its round:
    the most that it can depend on, however they fall together. `voided`: how many of the rounds were void.
    A wager that its player may withdraw was staked all the same: what it costs depends on all that was bet.
    """

    rounds: int = 0
    bets: int = 0
    staked: int = 0
    paid: int = 0
    taken: int = 0
    returned: int = 0
    squared: int = 0
    together: int = 0
    voided: int = 0
    decided: int = 0
    """Stakes whose outcome is divided into what the rules keep, what the player's decision cost, and chance.
    """
    owed: int = 0
    """What the rules brought the casino on these, counted in parts of a minor unit as all that follows:
    `parts` of them are one.
    """
    choices: int = 0
    """What the players' decisions on them cost against the best, before the deciding card."""
    rounding: int = 0
    """What the table's rounding brought of `owed`."""
    undivided: int = 0
    """What was owed, or moved where nothing can be judged, of wagers whose decision is not seen or whose hand
    does not tell.
    """
    unseen: int = 0
    """What the casino has besides `taken` - `paid`: owed where no fact tells of chips that move, or kept of a
    stake in a void round.
    """
    parts: int = 1
    found: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    """Code to how many findings, their money beyond what was owed, and the part of it that the players lost:
    exact, in minor units.
    """

    def add(self, line: Line, stood: int = 1) -> None:
        """Add one spot's line of a round that is over, with the number of wagers that it counts for."""
        laid, refunded = line.stake + line.pulled, line.refunded
        self.bets += line.bets
        self.staked += laid
        self.paid += line.paid
        self.taken += line.taken
        if line.returned:
            self.taken -= line.untaken
            self.paid += line.beyond
        self.returned += refunded
        square = (laid - refunded) * (laid - refunded)
        self.squared += square
        self.together += stood * square

    def plus(self, name: str, amount: Exact) -> None:
        """Add to one of DIVIDED. The row's parts of a minor unit become smaller where it takes that to be
        exact.
        """
        if isinstance(amount, int):
            more = amount * self.parts
        else:
            if self.parts % amount.denominator:
                finer = amount.denominator // gcd(self.parts, amount.denominator)
                self.parts *= finer
                for each in DIVIDED:
                    setattr(self, each, getattr(self, each) * finer)
            more = amount.numerator * (self.parts // amount.denominator)
        setattr(self, name, getattr(self, name) + more)

    def find(self, found: Finding, money: Fraction) -> None:
        """Count one finding of this wager, and what went to the player by it beyond what was owed."""
        count, before, lost = self.found.get(found.code, (0, "0", "0"))
        if money < 0:
            lost = str(Fraction(lost) - money)
        self.found[found.code] = (count + 1, str(Fraction(before) + money), lost)


class Cage(Struct):
    """How often a kind of cage or count fact came, and how much it was."""

    number: int = 0
    amount: int = 0


Tray = tuple[str, str, str, int]
"""The kind of a counted opener or closer, its currency, its shift and its amount."""


class Voided(Struct, frozen=True):
    """One wager of a round that was voided, or cancelled later; amounts in minor units. `number`: of the
    round's first fact.
    """

    number: int
    round: str
    shift: str
    hour: str
    dealer: str
    currency: str
    spot: str
    wager: str
    stake: int
    refunded: int
    """Of the stake, what went back."""
    worth: int | str | None
    """What the wager was owed by the rules at that moment, signed from the player; None: it was not decided,
    or could not be judged.
    """


class Tally(Struct):
    """One stream's sums. Everything that a report says of play, cage and count is added up from these
    rows.
    """

    play: dict[PlayKey, Play] = field(default_factory=dict)
    cage: dict[CageKey, Cage] = field(default_factory=dict)
    players: dict[PlayerKey, Play] = field(default_factory=dict)
    voids: list[Voided] = field(default_factory=list)
    """Every wager of every round that was voided or cancelled, in the order in which the rounds ended."""
    trays: list[Tray] = field(default_factory=list)
    """Every valid opener and closer, in the order in which they were recorded: counted again, a tray
    has its last count.
    """


WHOLE = ("wrong-settlement", "settled-twice", "no-such-bet", "void-not-returned")
"""Codes whose findings on one spot and wager of a round have the whole amount that moved until then; a stray
amount is whole by itself.
"""


COUNTED = ("wrong-settlement", "settled-twice", "void-not-returned")
"""Those that a void-not-returned of an undecided round has in it; in a void round it has stray amounts too.
"""


def count(found_in: Iterable[Finding], rows: dict[str, Play], head: Play, void: bool) -> None:
    """Count the round's findings in the rows of their wagers."""
    counted: dict[tuple[str | None, str | None, str], Fraction] = {}
    for found in found_in:
        money, place = found.money, (found.spot, found.wager)
        if (
            found.code in WHOLE and found.code != "no-such-bet"
        ):  # each has the whole that moved: only what this one adds is its own
            before = (found.code,) if found.code != "void-not-returned" else WHOLE if void else COUNTED
            money -= sum((counted.get((*place, code), Fraction(0)) for code in before), Fraction(0))
        if money:
            counted[*place, found.code] = counted.get((*place, found.code), Fraction(0)) + money
        (rows.get(found.wager or "") or head).find(found, money)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings by number, code, spot and wager: the order in which they are shown."""
    return sorted(findings, key=lambda found: (found.number, found.code, found.spot or "", found.wager or ""))

"""The results of replay: findings, and the tally. Reports add up the rows of tallies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field as sum_field
from fractions import Fraction
from math import gcd

from msgspec import Struct, field

from games.kit.amounts import Exact
from games.kit.breach import Breach
from games.kit.line import Line


class Finding(Struct, frozen=True, kw_only=True, gc=False):
    """One rule broken by one fact, as defined by the data contract of findings. Amounts are in minor units,
    and positive if the player receives them.
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
        """Return the amount that the player received beyond the amount owed. If there was no bet, the amount
        owed is 0. Return 0 if the finding has no amount.
        """
        return Fraction(0) if self.moved is None else Fraction(self.moved) - Fraction(self.owed or 0)


def finding(stream: str, number: int, breach: Breach) -> Finding:
    """Return the finding for a breach. Its id consists of uid, code, spot and wager. Missing parts are
    empty.
    """
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
    """Return an integer unchanged, and a fraction as text, such as `"25/2"`."""
    return amount if amount is None or isinstance(amount, int) else f"{amount.numerator}/{amount.denominator}"


DIVIDED = ("owed", "choices", "rounding", "undivided", "unseen")
"""The sums of a row that are counted in parts of a minor unit. `parts` of the row says how many parts a minor
unit has.
"""

PlayKey = tuple[str, str, str, str, str, str, str, int]
"""The key of a row of play: currency, shift, hour, dealer, wager, pay table, price class, and the ordinal
(from 1) of the table's opening at which the round was played.

The wager is empty in the row that counts whole rounds.
"""

CageKey = tuple[str, str, str]
"""The key of a row of cage facts: currency, shift and kind."""

PlayerKey = tuple[str, str, str]
"""The key of a player's sums: currency, player and wager."""


@dataclass(slots=True)
class Play:
    """One row of the tally: the amounts that were wagered and that moved. Amounts are in minor units.

    `taken` does not include stakes that were returned from the tray, and `paid` includes amounts that were
    returned beyond a stake. The win of the casino is therefore taken - paid. `returned`: the stakes that were
    returned because their round was void or undecided. `voided`: the number of void rounds.

    `squared`: the sum of the squares of the valid stakes. The variance of the win is computed from it if
    wagers win and lose independently. `together`: the sum of the same squares, each multiplied by the number
    of wagers in its round. The largest possible variance is computed from it, if all wagers of a round win
    and lose together. If a player withdraws a part of a bet, the whole bet is counted in both sums.

    Every wager changes a row several times, and setting an attribute of a dataclass takes half the time of
    setting one of a `Struct`. Both are stored as the same bytes.
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
    """The stakes on which the casino's win can be divided into three parts: the theoretical win, the cost of
    the player's decision, and luck.
    """
    owed: int = 0
    """The amount that the casino won under the rules on the stakes in `decided`. This and the following sums
    are in units of 1/`parts` of a minor unit.
    """
    choices: int = 0
    """The cost of the players' decisions on the stakes in `decided`, compared with the best decisions. The
    best decision is based only on what the player could see.
    """
    rounding: int = 0
    """The part of `owed` that comes from rounding."""
    undivided: int = 0
    """The amounts owed on wagers whose decision is not reported or cannot be determined from the hand. If a
    wager cannot be judged, the money that moved is counted instead.
    """
    unseen: int = 0
    """The win of the casino in addition to `taken` - `paid`: owed amounts, if the table does not report that
    chips moved, and stakes kept in void rounds.
    """
    parts: int = 1
    found: dict[str, tuple[int, str, str]] = sum_field(default_factory=dict)
    """{code: (number of findings, net amount that players received beyond what was owed, amount that players
    lost)}. The lost amounts are already subtracted from the net amount. Amounts are exact, in minor units.
    """

    def add(self, line: Line, line_count: int = 1) -> None:
        """Add one wager of one spot of a finished round.

        Args:
            line_count: the number of valid wagers in the round.
        """
        wagered, refunded = line.stake + line.pulled, line.refunded
        self.bets += line.bets
        self.staked += wagered
        self.paid += line.paid
        self.taken += line.taken
        if line.returned:
            self.taken -= line.untaken
            self.paid += line.beyond
        self.returned += refunded
        square = (wagered - refunded) * (wagered - refunded)
        self.squared += square
        self.together += line_count * square

    def sums(self) -> tuple[int, int, int, int, int]:
        """Return the number of bets, and the amounts staked, paid, taken and returned."""
        return self.bets, self.staked, self.paid, self.taken, self.returned

    def plus(self, name: str, amount: Exact) -> None:
        """Add an amount in minor units to one of the sums in DIVIDED. These sums are integers in units of
        1/`parts` of a minor unit. If the amount does not fit these units, all sums change to smaller ones.
        """
        if isinstance(amount, int):
            units = amount * self.parts
        else:
            if self.parts % amount.denominator:
                finer = amount.denominator // gcd(self.parts, amount.denominator)
                self.parts *= finer
                for column in DIVIDED:
                    setattr(self, column, getattr(self, column) * finer)
            units = amount.numerator * (self.parts // amount.denominator)
        setattr(self, name, getattr(self, name) + units)

    def find(self, finding: Finding, money: Fraction) -> None:
        """Add a finding about the wager of this row to its sums of findings.

        Args:
            money: the amount that went to the player beyond what was owed.
        """
        count, before, lost = self.found.get(finding.code, (0, "0", "0"))
        if money < 0:
            lost = str(Fraction(lost) - money)
        self.found[finding.code] = (count + 1, str(Fraction(before) + money), lost)


class Cage(Struct):
    """The number of facts of one kind of the cage or the count room, and their total amount."""

    number: int = 0
    amount: int = 0


Tray = tuple[str, str, str, int]
"""The kind of a counted opener or closer, its currency, its shift and its amount."""


class Voided(Struct, frozen=True):
    """One wager of a round that was voided, or cancelled later. Amounts are in minor units.

    Attributes:
        number: the number of the round's first fact.
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
    """The part of the stake that was returned."""
    worth: int | str | None
    """The amount owed on the wager under the rules when the round was voided, or at its close if it was
    cancelled later. It is positive if the player would receive it. None if the wager was not decided or could
    not be judged.
    """


class Tally(Struct):
    """The sums of one stream. Reports compute all figures of play, cage and count from these rows."""

    play: dict[PlayKey, Play] = field(default_factory=dict)
    cage: dict[CageKey, Cage] = field(default_factory=dict)
    players: dict[PlayerKey, Play] = field(default_factory=dict)
    voids: list[Voided] = field(default_factory=list)
    """Every wager of every round that was voided or cancelled, in the order in which the rounds ended."""
    trays: list[Tray] = field(default_factory=list)
    """Every valid opener and closer, in the order of recording. If a tray was counted again, only the last
    count is included.
    """


WHOLE = ("wrong-settlement", "settled-twice", "no-such-bet", "void-not-returned")
"""Codes of findings whose amount is all money that has moved so far on one spot and wager of a round. Two of
these findings may therefore contain the same money. Exception: the amount of `no-such-bet` is only the money
that moved without a bet.
"""


COUNTED = ("wrong-settlement", "settled-twice", "void-not-returned")
"""A finding `void-not-returned` of an undecided round contains the money of earlier findings with these
codes. Their money is subtracted from its amount, so that no money is counted twice. For a void round, the
codes are those in WHOLE.
"""


def count(found_in: Iterable[Finding], rows: dict[str, Play], head: Play, void: bool) -> None:
    """Count each finding of a round in the tally row of its wager.

    Args:
        found_in: the findings of the round.
        rows: {wager: its row}.
        head: the row for findings about no wager of the round.
        void: True if the round was voided.
    """
    counted: dict[tuple[str | None, str | None, str], Fraction] = {}
    for finding in found_in:
        money, place = finding.money, (finding.spot, finding.wager)
        if (
            finding.code in WHOLE and finding.code != "no-such-bet"
        ):  # Each of these findings states all money that moved. Count only what it adds to earlier findings.
            before = (finding.code,) if finding.code != "void-not-returned" else WHOLE if void else COUNTED
            money -= sum((counted.get((*place, code), Fraction(0)) for code in before), Fraction(0))
        if money:
            counted[*place, finding.code] = counted.get((*place, finding.code), Fraction(0)) + money
        (rows.get(finding.wager or "") or head).find(finding, money)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings sorted by number, code, spot and wager: the order in which they are shown."""
    return sorted(
        findings, key=lambda finding: (finding.number, finding.code, finding.spot or "", finding.wager or "")
    )

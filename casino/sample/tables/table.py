"""A sample table: everything that faults, days and the sample property need to know about a game, so that
their code names no game.

A game is one subclass of `Table`, in a module of this package that has the game's name. The package's
docstring lists what it must provide.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from random import Random
from typing import Any, ClassVar, NamedTuple, Protocol

from casino.sample.tables.drafts import Draft, draft
from casino.sample.tables.play import DEALERS, REASONS, SUPERVISORS, Play, Shoe, Stakes, placed
from casino.sample.tables.settling import SUITS, rounded

EVERY_TABLE: tuple[str, ...] = (
    "alarm",
    "alarm-answered",
    "announce",
    "bet",
    "corrected",
    "deal",
    "dealer-seated",
    "pay",
    "return",
    "round-closed",
    "round-opened",
    "shuffled",
    "table-closed",
    "table-opened",
    "take",
    "unbet",
    "void",
)
"""The kinds of fact that the equipment of every table reports."""


class Dealt(NamedTuple):
    """A round that was generated so that one wager at one spot has a requested result."""

    play: Play
    spot: str
    stake: int
    owed: Fraction
    """The amount that the wager is owed, in minor units before rounding."""


class Case(Protocol):
    """A test case of `tests/vectors`: one hand at one spot. Its format is described in
    `tests/vectors/reading.py`.
    """

    @property
    def edition(self) -> str: ...
    @property
    def pay_table(self) -> str: ...
    @property
    def dice(self) -> tuple[int, ...]: ...
    @property
    def cards(self) -> tuple[str, ...]: ...
    @property
    def stakes(self) -> dict[str, int]: ...
    @property
    def decisions(self) -> dict[str, str]: ...
    @property
    def reading(self) -> str: ...


TABLES: dict[str, type[Table]] = {}
"""For each game's code: the class of its sample table."""


@dataclass
class Table(ABC):
    """The settings, staff and shoe of a sample table, and the drafts of the rounds it has played."""

    rng: Random
    edition: str
    pay_tables: dict[str, str]
    decks: int
    limits: dict[str, tuple[int, int]]
    chip: int
    rounding: str
    currency: str
    readings: dict[str, str] = field(default_factory=dict)
    """The options that the table has chosen for questions that the manual leaves open, other than `rounding`.
    """
    shoe_name: str = "shoe-1"
    dealers: tuple[str, ...] = DEALERS
    supervisors: tuple[str, ...] = SUPERVISORS
    sense: float = 0
    """The share of decisions in which a player follows the advice of the cards. All other decisions are
    random.
    """
    rounds: int = 0
    drafts: list[Draft] = field(default_factory=list)
    unshuffled: bool = False
    """True if the dealer leaves out every shuffle that is due."""

    game: ClassVar[str] = ""
    letters: ClassVar[str] = ""
    """The letters with which the codes of the game's tables begin, such as `EOU`."""
    studio: ClassVar[bool] = False
    """True for a live-dealer table: spots are player accounts, facts may come in batches, and there is no
    cage. See `StudioTable`.
    """
    seats: ClassVar[int] = 0
    only_decks: ClassVar[int] = 0
    """The number of decks that the manual requires, or 0 if it allows any number."""
    every_round: ClassVar[bool] = False
    """True if the cards are shuffled before every round, and not once for each shoe."""
    sees: ClassVar[tuple[str, ...]] = ()
    acts: ClassVar[tuple[str, ...]] = ()
    """The kinds of fact, out of `burn` `choose` `mark` `pull` `roll` `shake`, that the game has."""
    places: ClassVar[tuple[str, ...]] = ()
    """Places other than spots to which cards are dealt."""
    wagers: ClassVar[dict[str, tuple[str, ...]]] = {}
    """For each wager: the results, out of `win` `lose` `half` `push`, that `hand` can produce."""
    payments: ClassVar[dict[str, str]] = {}
    """For each payment that has no bet of its own: the wager on which it depends. `wagers` lists its results
    too.
    """
    plain: ClassVar[tuple[str, ...]] = ()
    """Wagers that any fault can use. A bet on them may be late, split, taken back or made at any spot without
    causing another finding.
    """
    step: ClassVar[int] = 1
    """If a stake is a multiple of this amount, whole cents are owed on it for every result."""
    exact: ClassVar[dict[str, Any]] = {}
    """The settings with which faults are planted: the rounding is `exact`, the chip is small, and `limits`
    has only `*`.
    """
    uneven: ClassVar[tuple[str, str, int, dict[str, Any]] | None] = None
    """A wager, its result, a stake and settings for which the owed amount is not in whole chips, or None if
    the game has no such case.
    """
    lacks: ClassVar[frozenset[str]] = frozenset()
    """Shared faults that are impossible at this game, or that the game's own file plants in another way."""

    def __init_subclass__(cls) -> None:
        if cls.game:
            TABLES[cls.game] = cls

    def __post_init__(self) -> None:
        self.shoe = Shoe(self.rng, self.decks)
        self.notices: list[tuple[Draft, dict[str, Any]]] = []

    # What each game defines.

    @classmethod
    @abstractmethod
    def settings(cls, rng: Random) -> dict[str, Any]:
        """Return random settings with which every owed amount can be settled: `edition` `pay_tables` `decks`
        `limits` `chip` `currency`, and `readings` if the game has options.
        """

    @classmethod
    @abstractmethod
    def opinion(cls, case: Case) -> dict[str, Fraction]:
        """Return the amount owed on each wager of a test case, computed independently of `games`."""

    @abstractmethod
    def play(self, *args: Any, **options: Any) -> Play:
        """Play a correct round, from `round-opened` to `round-closed`. Everything that is not given is drawn
        at random.
        """

    @abstractmethod
    def hand(self, wager: str, want: str, stake: int = 0, spot: str = "") -> Dealt:
        """Play a round in which this wager at one spot has the result `want`, such as `win`. In addition, the
        spot bets only the wagers that this one requires. Bets and settlement are posted one by one.
        """

    def closing(self, play: Play, spot: str, wager: str) -> Draft:
        """Return the fact that closes the betting on the wager."""
        return play.one("no-more-bets")

    def put_late(self, play: Play, wager: str, late: Draft) -> None:
        """Insert a late bet, or the late removal of a bet, at a point at which it causes no other finding."""
        play.put_after(self.closing(play, late["spot"], wager), late)

    def deciding(self, play: Play, spot: str, wager: str) -> Draft:
        """Return the fact that decides the wager, such as the last card."""
        return play.all("deal")[-1]

    def end(self, play: Play, spot: str) -> Draft:
        """Return the fact before which all money of the spot must have moved."""
        return play.one("round-closed")

    def put_money(self, play: Play, move: Draft) -> None:
        """Insert a take or a pay in the order of settlement."""
        play.put_before(self.end(play, move["spot"]), move)

    def unread(self, play: Play) -> Draft:
        """Return the deal of a card that can be made unreadable or impossible without causing another
        finding.
        """
        return play.all("deal")[-1]

    def noticed(self, play: Play) -> Iterator[tuple[Draft, dict[str, Any]]]:
        """Yield the notices of a recorded round without faults: the fact, and `code`, `spot` and `wager` of
        the notice.
        """
        return iter(())

    # What all tables share.

    @classmethod
    def drawn(cls, rng: Random, **settings: Any) -> Table:
        """Return a table with these settings. All other settings are drawn at random."""
        drawn_settings = cls.settings(rng) | settings
        drawn_settings.setdefault("rounding", rng.choice(("exact", "house", "player")))
        drawn_settings.setdefault("shoe_name", f"shoe-{rng.randint(1, 40)}")
        return cls(rng=rng, **drawn_settings)

    @classmethod
    def unit(cls) -> int:
        """Return the smallest possible difference between two stakes at a table with the settings `exact`."""
        return lcm(cls.exact["chip"], cls.step)

    def opened(self, **fields: Any) -> Draft:
        """Open the table: add a `table-opened` fact with the settings, which replace the settings of an
        earlier opening.
        """
        fact = draft(
            "table-opened",
            game=self.game,
            edition=self.edition,
            pay_tables=dict(self.pay_tables),
            decks=self.decks,
        )
        fact |= {
            "spots": self.seats,
            "limits": {wager: list(pair) for wager, pair in self.limits.items()},
            "currency": self.currency,
        }
        fact |= {
            "chip": self.chip,
            "readings": self.readings | {"rounding": self.rounding},
            "sees": sorted(self.sees),
        }
        fact.update(fields)
        self.drafts.append(fact)
        return fact

    def seated(self, dealer: str | None = None, **fields: Any) -> Draft:
        """Seat a dealer, chosen at random if not given, with a supervisor."""
        fact = draft("dealer-seated", dealer=dealer or self.rng.choice(self.dealers))
        fact |= {"supervisor": self.rng.choice(self.supervisors)} | fields
        self.drafts.append(fact)
        return fact

    def sensible(self) -> bool:
        """Decide at random whether the next decision follows the advice of the cards. Return True
        if it does.
        """
        return self.sense > 0 and self.rng.random() < self.sense

    def limit(self, wager: str) -> tuple[int, int]:
        """Return the minimum and the maximum of a wager."""
        return self.limits.get(wager) or self.limits["*"]

    def amount(self, wager: str, maximum: int | None = None) -> int:
        """Return a stake within the limits, in whole chips, or 0 if `maximum` is below the minimum."""
        low, high = self.limit(wager)
        step = lcm(self.chip, self.step) if self.rounding == "exact" else self.chip
        top = min(high, low * 12) if maximum is None else min(high, maximum)
        low = -(-low // step) * step
        if top < low:
            return 0
        if self.rng.random() < 0.04:
            return low if self.rng.random() < 0.5 else top - top % step
        return self.rng.randrange(low, top + 1, step)

    def bet(self, play: Play, spot: str, wager: str, amount: int, **fields: Any) -> None:
        """Place a bet. Sometimes split it into two bets, or bet more and take the excess back in time."""
        low, high = self.limit(wager)
        chance = self.rng.random()
        heaps = [("bet", amount)]
        if chance < 0.03 and amount - self.chip >= low:
            heaps = [("bet", amount - self.chip), ("bet", self.chip)]
        elif chance < 0.05 and amount + self.chip <= high:
            heaps = [("bet", amount + self.chip), ("unbet", self.chip)]
        for kind, heap in heaps:
            play.add(kind, spot=spot, wager=wager, amount=heap, **(fields if kind == "bet" else {}))

    def settled(self, owed: Fraction, stake: int) -> int:
        """Return the amount that moves for an owed amount. Raises ValueError if the owed amount cannot be
        settled in whole cents.
        """
        moved = rounded(owed, self.chip, self.rounding, stake)
        if moved.denominator != 1:
            raise ValueError(f"{owed} cannot be settled in whole cents")
        return moved.numerator

    def move(self, play: Play, spot: str, wager: str, moved: int) -> Draft | None:
        """Add a take or a pay at the end of the round, or nothing if the amount is zero."""
        if not moved:
            return None
        return play.add("pay" if moved > 0 else "take", spot=spot, wager=wager, amount=abs(moved))

    def shuffle(self, cut: int | None = None) -> Draft:
        """Shuffle all decks. If `cut` is not given, the cut card of a shoe is placed in its
        first half.
        """
        self.shoe.shuffle()
        fact = draft("shuffled", shoe=self.shoe_name, decks=self.decks)
        if not self.every_round:
            self.shoe.cut = (
                cut
                if cut is not None
                else self.rng.choice((26 * self.decks, self.rng.randint(12, 26 * self.decks)))
            )
            fact["cut"] = self.shoe.cut
        self.drafts.append(fact)
        return fact

    def begin(self, stakes: Stakes | None = None) -> Play:
        """Begin the next round, which has no facts yet. A shuffle that is due comes first."""
        if (self.every_round or self.shoe.shown) and not self.unshuffled:
            self.shuffle()
        self.rounds += 1
        return Play(f"r-{self.rounds:04d}", stakes=stakes or {})

    def deal(self, play: Play, to: str, wanted: str = "", avoid: str = "") -> Draft:
        """Deal the next card. `wanted` may name ranks or one exact card. `avoid` may name ranks that must not
        come. If the cut card has come, it is shown afterwards.
        """
        is_exact = len(wanted) == 2 and wanted[1] in SUITS
        fact = play.add(
            "deal", to=to, card=self.shoe.lay(wanted) if is_exact else self.shoe.draw(wanted, avoid)
        )
        self._show_cut(play)
        return fact

    def burn(self, play: Play, wanted: str = "", **fields: Any) -> Draft:
        """Burn the next card, which counts as dealt from the shoe."""
        fact = play.add("burn", card=self.shoe.draw(wanted), **fields)
        self._show_cut(play)
        return fact

    def _show_cut(self, play: Play) -> None:
        if self.shoe.dealt == self.shoe.cut:
            play.add("cut-card-shown")
            self.shoe.shown = True

    def keep(self, play: Play) -> Play:
        """Add the drafts and notices of the round to the drafts and notices of the table."""
        self.drafts.extend(play.facts)
        self.notices.extend(self.noticed(play))
        return play

    def void(self, play: Play, after: Draft) -> Draft:
        """Void the round after that fact: later facts are removed, stakes are given back, and winnings are
        taken back.
        """
        self.shoe.take_back(play.facts[play.place(after) + 1 :])
        del play.facts[play.place(after) + 1 :]
        if not self.shoe.shown:
            self._show_cut(play)
        by, second = self.rng.sample(self.supervisors, 2)
        if self.studio and after["kind"] != "paused":
            play.add("paused", reason="under investigation", by=by)
        fact = play.add("void", reason=self.rng.choice(REASONS), by=by, second=second)
        for spot, wager, amount in placed(play):
            play.add("return", spot=spot, wager=wager, amount=amount)
        won = [(paid["spot"], paid["wager"], paid["amount"]) for paid in play.all("pay")]
        for spot, wager, amount in won + [
            tuple(entry) for batch in play.all("settled") for entry in batch["paid"]
        ]:
            play.add("take", spot=spot, wager=wager, amount=amount)
        play.add("round-closed")
        return fact


def end_of(owed: Fraction, stake: int) -> str:
    """Return the result of a wager with this owed amount and stake: `win`, `lose`, `half` or `push`."""
    return "win" if owed > 0 else "push" if owed == 0 else "lose" if owed == -stake else "half"

"""A sample table while it plays: its settings, its shoe, its people, and the drafts of its rounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, ClassVar

from .desk import Draft, draft
from .settling import RANKS, SUITS, rounded

Stakes = dict[str, dict[str, int]]
"""By spot, then wager, in the order bet."""
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
REASONS = ("card exposed in the shoe", "dice left the cup", "stream interrupted", "wrong card drawn")
DEALERS = tuple(f"d-{number}" for number in range(101, 133))
SUPERVISORS = tuple(f"s-{number}" for number in range(101, 121))


class Shoe:
    """The cards still to come since the last shuffle."""

    def __init__(self, rng: Random, decks: int) -> None:
        self.rng, self.decks = rng, decks
        self.cut: int | None = None
        self.shuffle()

    def shuffle(self) -> None:
        """All decks again, in a new order."""
        self.cards = list(DECK) * self.decks
        self.rng.shuffle(self.cards)
        self.dealt, self.shown = 0, False

    def draw(self, ranks: str = "", avoid: str = "") -> str:
        """The next card; one of `ranks` if given, none of `avoid`. It need not be there: then it is a copy too many."""
        self.dealt += 1
        for place in range(len(self.cards) - 1, -1, -1):
            if (not ranks or self.cards[place][0] in ranks) and self.cards[place][0] not in avoid:
                return self.cards.pop(place)
        return (ranks or "A")[0] + self.rng.choice(SUITS)

    def lay(self, card: str) -> str:
        """That very card, taken out of the shoe where a copy is left."""
        self.dealt += 1
        if card in self.cards:
            self.cards.remove(card)
        return card


@dataclass
class Play:
    """One round as drafted."""

    name: str
    facts: list[Draft] = field(default_factory=list)
    stakes: Stakes = field(default_factory=dict)

    def add(self, kind: str, **fields: Any) -> Draft:
        """One more fact of this round, at its end."""
        self.facts.append(draft(kind, self.name, **fields))
        return self.facts[-1]

    def all(self, *kinds: str, **fields: Any) -> list[Draft]:
        """The facts of these kinds that have these fields."""
        return [fact for fact in self.facts if fact["kind"] in kinds and all(fact.get(name) == value for name, value in fields.items())]

    def one(self, *kinds: str, **fields: Any) -> Draft:
        """The first such fact. `IndexError` if there is none."""
        return self.all(*kinds, **fields)[0]

    def place(self, fact: Draft) -> int:
        """Where in the round a fact stands."""
        return next(index for index, each in enumerate(self.facts) if each is fact)

    def after(self, fact: Draft) -> Draft:
        """The fact that follows."""
        return self.facts[self.place(fact) + 1]

    def drop(self, fact: Draft) -> None:
        """As if it had never come."""
        del self.facts[self.place(fact)]

    def put_before(self, fact: Draft, *new: Draft) -> None:
        """New facts in front of one."""
        place = self.place(fact)
        self.facts[place:place] = new

    def put_after(self, fact: Draft, *new: Draft) -> None:
        """New facts behind one."""
        place = self.place(fact) + 1
        self.facts[place:place] = new

    def move_before(self, fact: Draft, other: Draft) -> None:
        """The same fact, earlier or later."""
        self.drop(fact)
        self.put_before(other, fact)


@dataclass
class Table:
    """What both sample games share: settings, people, rounds one after another."""

    rng: Random
    edition: str
    pay_tables: dict[str, str]
    decks: int
    limits: dict[str, tuple[int, int]]
    chip: int
    rounding: str
    currency: str
    shoe_name: str = "shoe-1"
    dealers: tuple[str, ...] = DEALERS
    rounds: int = 0
    drafts: list[Draft] = field(default_factory=list)

    game = ""
    seats = 0
    sees: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        self.shoe = Shoe(self.rng, self.decks)

    def opened(self, **fields: Any) -> Draft:
        """The settings, as the stream's first fact or as later ones that replace them."""
        made = draft("table-opened", game=self.game, edition=self.edition, pay_tables=dict(self.pay_tables), decks=self.decks)
        made |= {"spots": self.seats, "limits": {wager: list(pair) for wager, pair in self.limits.items()}, "currency": self.currency}
        made |= {"chip": self.chip, "readings": {"rounding": self.rounding}, "sees": sorted(self.sees)}
        made.update(fields)
        self.drafts.append(made)
        return made

    def seated(self, dealer: str | None = None, **fields: Any) -> Draft:
        """A dealer, and the supervisor who watches."""
        made = draft("dealer-seated", dealer=dealer or self.rng.choice(self.dealers), supervisor=self.rng.choice(SUPERVISORS), **fields)
        self.drafts.append(made)
        return made

    def limit(self, wager: str) -> tuple[int, int]:
        """Minimum and maximum of a wager."""
        return self.limits.get(wager) or self.limits["*"]

    def amount(self, wager: str, most: int | None = None) -> int:
        """A stake within the limits, in whole chips; nil where `most` lies under the minimum."""
        low, high = self.limit(wager)
        step = max(self.chip, 10) if self.rounding == "exact" else self.chip
        top = min(high, low * 12) if most is None else min(high, most)
        if top < low:
            return 0
        if self.rng.random() < 0.04:
            return low if self.rng.random() < 0.5 else top - top % step
        return self.rng.randrange(low, top + 1, step)

    def settled(self, owed: Fraction, stake: int) -> int:
        """What moves for an owed amount. `ValueError` where no whole cents can."""
        moved = rounded(owed, self.chip, self.rounding, stake)
        if moved.denominator != 1:
            raise ValueError(f"{owed} cannot be settled in whole cents")
        return moved.numerator

    def begin(self) -> Play:
        """The next round, without any fact yet."""
        self.rounds += 1
        return Play(f"r-{self.rounds:04d}")

    def void(self, play: Play, after: Draft) -> Draft:
        """The round is dead after that fact: what came later never came, stakes go back, winnings are taken back."""
        del play.facts[play.place(after) + 1 :]
        by, second = self.rng.sample(SUPERVISORS, 2)
        made = play.add("void", reason=self.rng.choice(REASONS), by=by, second=second)
        for spot, wager, amount in placed(play):
            play.add("return", spot=spot, wager=wager, amount=amount)
        won = [(paid["spot"], paid["wager"], paid["amount"]) for paid in play.all("pay")]
        for spot, wager, amount in won + [tuple(entry) for batch in play.all("settled") for entry in batch["paid"]]:
            play.add("take", spot=spot, wager=wager, amount=amount)
        play.add("round-closed")
        return made


def placed(play: Play) -> list[tuple[str, str, int]]:
    """What lies at the end of a round's betting: spot, wager, amount; nothing for a player lost before its close."""
    lies: dict[tuple[str, str], int] = {}
    for fact in play.facts:
        entries = fact["bets"] if fact["kind"] == "bets" else [(fact.get("spot", ""), fact.get("wager", ""), fact.get("amount", 0))]
        if fact["kind"] == "player-lost" and not any(each["kind"] == "no-more-bets" for each in play.facts[: play.place(fact)]):
            lies = {key: amount for key, amount in lies.items() if key[0] != fact["spot"]}
        if fact["kind"] in ("bet", "bets", "unbet"):
            for spot, wager, amount in entries:
                lies[spot, wager] = lies.get((spot, wager), 0) + (-amount if fact["kind"] == "unbet" else amount)
    return [(spot, wager, amount) for (spot, wager), amount in lies.items() if amount]

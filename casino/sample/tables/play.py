"""A shoe that deals cards, and the drafts of one round. Drafts can be changed until they are recorded."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from casino.sample.tables.drafts import Draft, draft
from casino.sample.tables.settling import RANKS, SUITS

Stakes = dict[str, dict[str, int]]
"""For each spot: the stake on each wager, in the order in which they are bet."""
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
REASONS = ("card exposed in the shoe", "dice left the cup", "stream interrupted", "wrong card drawn")
DEALERS = tuple(f"d-{number}" for number in range(101, 153))
SUPERVISORS = tuple(f"s-{number}" for number in range(101, 121))


class Shoe:
    """A shoe of one or more decks, and its cards that have not been dealt since the last shuffle."""

    def __init__(self, rng: Random, decks: int) -> None:
        self.rng, self.decks = rng, decks
        self.cut: int | None = None
        self.rigged: list[str] = []
        """Cards to be dealt next, even if `draw` is called for other ranks. For an empty text, the card is
        drawn as usual.
        """
        self.shuffle()

    def shuffle(self) -> None:
        """Start again with all decks, shuffled."""
        self.cards = list(DECK) * self.decks
        self.rng.shuffle(self.cards)
        self.dealt, self.shown = 0, False
        self.drawn: list[str] = []

    def draw(self, ranks: str = "", avoid: str = "") -> str:
        """Draw the next card whose rank is in `ranks`, if given, and not in `avoid`. If the shoe has no such
        card left, return an extra copy of one. More copies of this card are then dealt than the shoe has
        decks.
        """
        if self.rigged and (card := self.rigged.pop(0)):
            return self.lay(card)
        self.dealt += 1
        for place in range(len(self.cards) - 1, -1, -1):
            if (not ranks or self.cards[place][0] in ranks) and self.cards[place][0] not in avoid:
                self.drawn.append(self.cards.pop(place))
                return self.drawn[-1]
        self.drawn.append((ranks or "A")[0] + self.rng.choice(SUITS))
        return self.drawn[-1]

    def take_back(self, facts: list[Draft]) -> None:
        """Put the cards of these removed facts back to the front of the shoe. A cut card among the facts
        counts as not shown.
        """
        for _ in (fact for fact in facts if fact["kind"] in ("deal", "burn")):
            self.cards.append(self.drawn.pop())
            self.dealt -= 1
        self.shown = self.shown and not any(fact["kind"] == "cut-card-shown" for fact in facts)

    def lay(self, card: str) -> str:
        """Deal exactly this card, and remove it from the shoe if a copy is left."""
        self.dealt += 1
        if card in self.cards:
            self.cards.remove(card)
        self.drawn.append(card)
        return card


@dataclass
class Play:
    """One round, as a list of draft facts that can still be changed."""

    name: str
    facts: list[Draft] = field(default_factory=list)
    stakes: Stakes = field(default_factory=dict)

    def add(self, kind: str, **fields: Any) -> Draft:
        """Add a fact to the end of this round."""
        self.facts.append(draft(kind, self.name, **fields))
        return self.facts[-1]

    def laid(self) -> list[tuple[str, str, int]]:
        """Return the spot, the wager and the amount of every stake in `stakes`, which was set when the round
        began.
        """
        return [
            (spot, wager, amount) for spot, wagers in self.stakes.items() for wager, amount in wagers.items()
        ]

    def all(self, *kinds: str, **fields: Any) -> list[Draft]:
        """Return the facts of this round that have one of these kinds, and these values in their fields."""
        return [
            fact
            for fact in self.facts
            if fact["kind"] in kinds and all(fact.get(name) == value for name, value in fields.items())
        ]

    def one(self, *kinds: str, **fields: Any) -> Draft:
        """Return the first fact of this round that has one of these kinds, and these values in its fields.
        Raises IndexError if there is no such fact.
        """
        return self.all(*kinds, **fields)[0]

    def place(self, fact: Draft) -> int:
        """Return the index of a fact in the round."""
        return next(index for index, other in enumerate(self.facts) if other is fact)

    def after(self, fact: Draft) -> Draft:
        """Return the fact that follows this one."""
        return self.facts[self.place(fact) + 1]

    def before(self, fact: Draft) -> Draft:
        """Return the fact before this one."""
        return self.facts[self.place(fact) - 1]

    def drop(self, fact: Draft) -> None:
        """Remove a fact from the round."""
        del self.facts[self.place(fact)]

    def put_before(self, fact: Draft, *new: Draft) -> None:
        """Insert new facts before a fact."""
        place = self.place(fact)
        self.facts[place:place] = new

    def put_after(self, fact: Draft, *new: Draft) -> None:
        """Insert new facts after a fact."""
        place = self.place(fact) + 1
        self.facts[place:place] = new

    def move_before(self, fact: Draft, other: Draft) -> None:
        """Move a fact before another one."""
        self.drop(fact)
        self.put_before(other, fact)


def placed(play: Play) -> list[tuple[str, str, int]]:
    """Return spot, wager and amount of the stakes in place at the end of a round. Leave out withdrawn stakes,
    and the stakes of a player whose connection was lost before betting closed.
    """
    lies: dict[tuple[str, str], int] = {}
    for fact in play.facts:
        entries = (
            fact["bets"]
            if fact["kind"] == "bets"
            else [(fact.get("spot", ""), fact.get("wager", ""), fact.get("amount", 0))]
        )
        if fact["kind"] == "player-lost" and not any(
            other["kind"] == "no-more-bets" for other in play.facts[: play.place(fact)]
        ):
            lies = {key: amount for key, amount in lies.items() if key[0] != fact["spot"]}
        if fact["kind"] == "pull":
            lies.pop((fact["spot"], fact["wager"]), None)
        if fact["kind"] in ("bet", "bets", "unbet"):
            for spot, wager, amount in entries:
                lies[spot, wager] = lies.get((spot, wager), 0) + (
                    -amount if fact["kind"] == "unbet" else amount
                )
    return [(spot, wager, amount) for (spot, wager), amount in lies.items() if amount]


def net_of(play: Play, kept_as_lost: bool) -> dict[tuple[str, str], int]:
    """Return the amount that moved to the player for each spot and wager, in minor units and without zeros.

    Args:
        kept_as_lost: If true, a stake that was neither taken nor returned also counts as lost.
    """
    net: dict[tuple[str, str], int] = {}
    for spot, wager, stake in placed(play):
        taken_amount = sum(fact["amount"] for fact in play.all("take", spot=spot, wager=wager))
        net[spot, wager] = -max(0, stake - taken_amount) if kept_as_lost else 0
    for fact in play.all("take", "pay"):
        key = fact["spot"], fact["wager"]
        net[key] = net.get(key, 0) + (fact["amount"] if fact["kind"] == "pay" else -fact["amount"])
    return {key: amount for key, amount in net.items() if amount}


def batched(play: Play) -> None:
    """Combine the facts of a round as a live-dealer table may post them: consecutive bets as one fact, and
    the whole settlement as one.
    """
    facts: list[Draft] = []
    settled: Draft = {}
    for fact in play.facts:
        entry = [fact.get("spot"), fact.get("wager"), fact.get("amount")]
        if fact["kind"] in ("take", "pay"):
            if not settled:
                settled = draft("settled", play.name, paid=[], taken=[])
                facts.append(settled)
            settled["paid" if fact["kind"] == "pay" else "taken"].append(entry)
        elif fact["kind"] == "bet" and facts and facts[-1]["kind"] == "bets":
            facts[-1]["bets"].append(entry)
        else:
            facts.append(draft("bets", play.name, bets=[entry]) if fact["kind"] == "bet" else fact)
    play.facts = facts

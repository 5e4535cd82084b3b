"""What a round needs from its table and its game. A table imports the round, so the round cannot import the
table; it knows only these protocols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any, Protocol

from games.kit import events as e
from games.kit.amounts import Exact
from games.kit.events import Event
from games.kit.line import Line
from games.kit.rules import AppliedRule, Rule, RuleHit
from games.kit.shoe import Shoe


class RoundGame(Protocol):
    """The game of a round, as far as a round and its readers need it."""

    @property
    def always(self) -> Mapping[str, Rule]:
        """Return the common rules by their code."""

    @property
    def cites(self) -> Mapping[str, str]:
        """Return the manual's own clauses for common rules, by key."""

    @property
    def code(self) -> str:
        """Return the game's identifier in facts."""

    @property
    def has_place(self) -> Callable[[str], bool]:
        """Return the function that tells if the game has a place of this name for cards."""

    @property
    def live_dealer(self) -> bool:
        """Return True if a studio deals for players who are elsewhere."""

    @property
    def lost(self) -> str:
        """Return the citation about players who have lost the connection."""

    @property
    def pauses(self) -> str:
        """Return the citation about pauses."""

    @property
    def payments(self) -> Mapping[str, str]:
        """Return the payments without a bet of their own, with the wager on whose stake each is owed."""

    @property
    def plays(self) -> Set[type[Event]]:
        """Return the kinds of fact that this game has in addition to the common ones."""

    @property
    def wagers(self) -> tuple[str, ...]:
        """Return the names of the game's wagers."""


class RoundTable(Protocol):
    """The table of a round, as far as a round and its readers need it."""

    answers: dict[str, str]
    """House-rule option to the property's answer."""
    chip: int
    """The smallest chip, in minor units."""
    currency: str
    edition: Any
    known: frozenset[str]
    """The wagers of the game."""
    lost: dict[str, str]
    """Players who have lost the connection: spot to the round in which it was lost."""
    money_rules: dict[type[Event], tuple[AppliedRule, ...]]
    opened: e.TableOpened
    sees: frozenset[str]
    shoe: Shoe

    @property
    def game(self) -> RoundGame:
        """Return the game that is played."""

    def find(
        self,
        code: str,
        event: Event,
        says: str,
        *,
        cite: str | None = None,
        spot: str | None = None,
        wager: str | None = None,
        owed: Exact | None = None,
        moved: Exact | None = None,
        slip: str | None = None,
        before: Event | None = None,
        after: Event | None = None,
        round: str | None = None,
    ) -> None:
        """Record that a fact breaks a common rule."""

    def record(self, code: str, cite: str, judged: Event, hit: RuleHit) -> None:
        """Record a breach."""

    def record_hits(self, rule: Rule, event: Event, result: str | RuleHit | Iterable[RuleHit]) -> None:
        """Record what a rule of the game returned for a fact."""

    def say(self, amount: Exact) -> str:
        """Return an amount in the table's currency, for a sentence."""

    def signed(self, amount: Exact) -> str:
        """Return an amount with its sign from the player's side, for a sentence."""

    def price(self, round: Any, line: Line) -> None:
        """Set what a line of this round is owed."""

    def judges(self, owed: Exact, moved: int) -> bool:
        """Return True if the table sees enough to judge this difference."""

    def settle(self, round: Any, line: Line, event: Event) -> None:
        """Judge a line of this round: what moved against what is owed."""

    def settlement(self, round: Any, line: Line) -> tuple[Exact | None, int]:
        """Return what a line of this round was owed (None: not judged) and all that moved on it."""

    def first_card(self, event: Event, after_cut: bool) -> None:
        """Check the shoe when the first card of a round comes."""

    def too_many_cards(self, event: Event, card: str | None, copies: int) -> None:
        """Record cards that the shoe cannot hold."""

    def shuffled_within(self, round: Any, event: Event) -> None:
        """Record shuffles in the middle of this round."""

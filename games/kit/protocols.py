"""What a round needs from its table and its game. A table imports the round, so the round cannot import the
table and uses these protocols instead.
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
    """The attributes of a game that a round needs."""

    @property
    def always(self) -> Mapping[str, Rule]:
        """Return the rules that all games share, by their code."""

    @property
    def cites(self) -> Mapping[str, str]:
        """Return the clauses of the manual for shared rules, by key."""

    @property
    def code(self) -> str:
        """Return the game's identifier in facts."""

    @property
    def has_place(self) -> Callable[[str], bool]:
        """Return a function that takes a name and returns True if the game has a position for cards with this
        name.
        """

    @property
    def live_dealer(self) -> bool:
        """Return True if a studio deals for players who are not at the table."""

    @property
    def lost(self) -> str:
        """Return the citation about the bets of players who have lost the connection."""

    @property
    def pauses(self) -> str:
        """Return the citation about paused rounds."""

    @property
    def payments(self) -> Mapping[str, str]:
        """Return the payments that have no bet of their own, such as an ante bonus. Each comes with the wager
        on whose stake it is owed.
        """

    @property
    def plays(self) -> Set[type[Event]]:
        """Return the kinds of fact that this game has in addition to the kinds that every game has."""

    @property
    def wagers(self) -> tuple[str, ...]:
        """Return the names of the game's wagers."""


class RoundTable(Protocol):
    """The attributes and methods of a table that a round needs."""

    answers: dict[str, str]
    """The property's value of each option."""
    chip: int
    """The smallest chip, in minor units."""
    currency: str
    edition: Any
    known: frozenset[str]
    """The names of the wagers of the game."""
    lost: dict[str, str]
    """For each spot whose player is disconnected: the name of the round in which the connection was lost."""
    money_rules: dict[type[Event], tuple[AppliedRule, ...]]
    opened: e.TableOpened
    sees: frozenset[str]
    shoe: Shoe

    @property
    def game(self) -> RoundGame:
        """Return the game that is played at the table."""

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
        """Record that a fact breaks a rule that all games share."""

    def record(self, code: str, cite: str, judged: Event, hit: RuleHit) -> None:
        """Record a breach."""

    def record_hits(self, rule: Rule, event: Event, result: str | RuleHit | Iterable[RuleHit]) -> None:
        """Record the breaches that a rule function of the game returned for a fact."""

    def say(self, amount: Exact) -> str:
        """Format an amount in the table's currency, for a sentence."""

    def signed(self, amount: Exact) -> str:
        """Format an amount with its sign, for a sentence. An amount that goes to the player is positive."""

    def price(self, round: Any, line: Line) -> None:
        """Compute the amount owed to a spot on a wager in this round, and store it on the line."""

    def judges(self, owed: Exact, moved: int) -> bool:
        """Return True if the table reports enough to judge the difference between the owed and the moved
        amount.
        """

    def settle(self, round: Any, line: Line, event: Event) -> None:
        """Judge a line (one wager of one spot) of this round: compare the amount that moved with the amount
        owed.
        """

    def settlement(self, round: Any, line: Line) -> tuple[Exact | None, int]:
        """Return the amount owed to a spot on a wager in this round, and the total amount that moved. The
        first amount is None if it cannot be judged.
        """

    def first_card(self, event: Event, after_cut: bool) -> None:
        """Check the shoe when the first card of a round comes."""

    def too_many_cards(self, event: Event, card: str | None, copies: int) -> None:
        """Report cards that the shoe cannot contain."""

    def shuffled_within(self, round: Any, event: Event) -> None:
        """Report shuffles that were made in the middle of this round."""

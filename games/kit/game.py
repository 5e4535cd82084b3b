"""The class that describes a game: the wagers, pay tables, editions, rules and settlements of its manual, as
data and functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from games.kit import citations as c
from games.kit.common_rules import common_rules
from games.kit.events import Burn, Event
from games.kit.odds import Odds
from games.kit.question import Question
from games.kit.round import Round
from games.kit.rule_needs import MOVES, kinds_to_report, trigger_kinds
from games.kit.rules import MONEY, AppliedRule, Mistake, Rule, RuleResult, Trigger, unbreakable

RuleFunction = TypeVar("RuleFunction", bound=Callable[..., RuleResult])
SettlementFunction = TypeVar("SettlementFunction", bound=Callable[..., Odds | None])
MistakesFunction = TypeVar("MistakesFunction", bound=Callable[..., Iterator[Mistake]])

ROUNDING = ("exact", "house", "player")
"""The values of an option that every game has. The option says how to pay an owed amount that is not a
multiple of the smallest chip. It is paid exactly, rounded in favor of the casino, or rounded in favor of the
player.
"""


class Source(NamedTuple):
    """The document that describes a game."""

    short: str
    title: str
    dated: str
    headings: tuple[str, ...]
    """The texts with which a citation may begin: short name and heading, followed by a space if the rules or
    steps are numbered.
    """


class Game:
    """One game as its manual describes it. What the manual prints is data; what it requires are functions.

    Args:
        code: the game's identifier in facts.
        source: the manual.
        round: the class for the state of one round.
        live_dealer: True if a studio deals for players who are not at the table.
        wagers: the names of the wagers.
        editions: for each edition, the data that settlement functions need; the first is the default.
        pay_tables: for each wager, the pay tables by which it can be paid.
        decks: the number of decks; None if the table chooses.
        every_round: True if the cards are shuffled before every round.
        has_place: returns True if cards can be dealt to a position of this name.
        plays: the kinds of fact that the game has in addition to the kinds that every game has.
        decided_by: kinds of fact that a table must report to have settlements judged, with spaces between.
        cites: clauses of the manual for rules that all games share, by rule code or key.
        needs: further kinds of fact that a shared rule needs in this game, by rule code.
        questions: the points that the manual leaves open.
        contradictions: the points that the manual states in two ways.
        options: for each option of the property, its possible values; the first is the default.
        payments: for each payment that has no bet of its own, the wager on whose stake it is owed.
        never_approved: pay tables that no regulator has approved, by wager.
        waves: True if the dealer closes betting before the cards; False if something else closes it.
    """

    cut_within: Fraction | None = None
    """The largest part of the shoe that may be dealt, if the manual says so."""

    def __init__(
        self,
        *,
        code: str,
        source: Source,
        round: type[Round],
        live_dealer: bool,
        wagers: Iterable[str],
        editions: Mapping[str, Any],
        pay_tables: Mapping[str, Mapping[str, Any]],
        decks: int | None,
        every_round: bool,
        has_place: Callable[[str], bool],
        plays: Iterable[type[Event]],
        decided_by: str,
        cites: Mapping[str, str],
        needs: Mapping[str, str] | None = None,
        questions: tuple[Question, ...] = (),
        contradictions: tuple[str, ...] = (),
        options: Mapping[str, tuple[str, ...]] | None = None,
        payments: Mapping[str, str] | None = None,
        never_approved: Mapping[str, tuple[str, ...]] | None = None,
        waves: bool = True,
    ) -> None:
        self.code, self.source, self.round, self.live_dealer = code, source, round, live_dealer
        self.wagers = tuple(wagers)
        self.editions = dict(editions)
        self.pay_tables = {wager: dict(tables) for wager, tables in pay_tables.items()}
        self.decks, self.every_round, self.has_place = decks, every_round, has_place
        self.plays = frozenset(plays)
        self.questions, self.contradictions = questions, contradictions
        # The module or package in which the game is defined.
        self.module = round.__module__.removesuffix(".hands")
        self.options = {**(options or {}), "rounding": ROUNDING}
        self.payments, self.cites = dict(payments or {}), dict(cites)
        self.never_approved = dict(never_approved or {})
        self.settlements: dict[str, Callable[..., Odds | None]] = {}
        self.likely_mistakes: dict[str, Callable[..., Iterator[Mistake]]] = {}
        self.rules: list[tuple[Rule, frozenset[Trigger]]] = []
        self.always = self._common_rules(decided_by, needs or {}, waves)

    def _common_rules(self, decided_by: str, needs: Mapping[str, str], waves: bool) -> dict[str, Rule]:
        """Return the rules that all games share, with the needs and citations of this game."""
        return common_rules(
            decided_by=decided_by,
            cites=self.cites,
            needs=needs,
            every_round=self.every_round,
            burns=Burn in self.plays,
            has_unapproved_pay_tables=bool(self.never_approved),
            waves=waves,
        )

    @property
    def lost(self) -> str:
        """Return the citation about the bets of players who have lost the connection."""
        return self.cites.get("player-lost", c.reference("player-lost"))

    @property
    def pauses(self) -> str:
        """Return the citation about paused rounds. Only the manuals of live-dealer games require a pause."""
        return self.always["void-not-returned"].cite if self.live_dealer else c.PAUSE_KEPT

    @property
    def shuffling(self) -> str:
        """Return the citation of the manual's rule about when the cards are shuffled."""
        return self.cites.get("shuffled", self.always["not-shuffled"].cite)

    def settles(self, *wagers: str) -> Callable[[SettlementFunction], SettlementFunction]:
        """Return a decorator that registers the settlement function of these wagers. The function takes
        (round, line) and returns odds.

        The function returns None if the settlement cannot be judged, because a card or die was impossible or
        was not read.
        """

        def register(settlement: SettlementFunction) -> SettlementFunction:
            self.settlements.update(dict.fromkeys(wagers, settlement))
            return settlement

        return register

    def mistakes(self, *wagers: str) -> Callable[[MistakesFunction], MistakesFunction]:
        """Return a decorator that registers a function for these wagers. The function takes (round, line) and
        yields typical settlement mistakes, the likeliest first.
        """

        def register(function: MistakesFunction) -> MistakesFunction:
            self.likely_mistakes.update(dict.fromkeys(wagers, function))
            return function

        return register

    def answer(self, question: str, answers: Mapping[str, str]) -> str:
        """Return the property's value of an option, or the default if the property set no valid value."""
        known = self.options[question]
        return answers[question] if answers.get(question) in known else known[0]

    def rule(
        self,
        code: str,
        *,
        on: Trigger | tuple[Trigger, ...],
        needs: str,
        cite: str,
        also_when_void: bool = False,
        present: str = "",
    ) -> Callable[[RuleFunction], RuleFunction]:
        """Return a decorator that registers a rule function, with its code, trigger and citation. The
        docstring of the function is the rule, in the words that pages show.

        Args:
            on: the kinds of fact that trigger the rule, or MONEY. The rule is applied before the fact takes
                effect. The function receives (round, fact), or (table, fact) for a kind of fact between
                rounds. For MONEY it receives (round, fact, line, signed amount).
            present: kinds from `needs` that the table need not report, because a fact of each of them has
                been recorded whenever the rule is broken. The kind that triggers the rule need not be listed.
        """
        moments = on if isinstance(on, tuple) else (on,)

        def register(judge: RuleFunction) -> RuleFunction:
            says = " ".join((judge.__doc__ or "").split())
            kinds, needed = frozenset(needs.split()), frozenset(present.split())
            rule = Rule(
                code=code,
                cite=cite,
                needs=kinds,
                says=says,
                judge=judge,
                also_when_void=also_when_void,
                present=needed,
            )
            self.rules.append((rule, frozenset(moments)))
            return judge

        return register

    def rules_for(self, sees: frozenset[str]) -> dict[Trigger, tuple[AppliedRule, ...]]:
        """Return the game's own rules by which a table can be judged, for each trigger.

        Args:
            sees: the kinds of fact that the table's equipment reports.
        """
        chosen: dict[Trigger, list[AppliedRule]] = {}
        for rule, moments in self.rules:
            for moment in moments:
                if kinds_to_report(rule.needs, rule.code, rule.present | trigger_kinds(moment)) <= sees:
                    chosen.setdefault(moment, []).append((rule.judge or unbreakable, rule))
        return {moment: tuple(rules) for moment, rules in chosen.items()}

    def money_rules(self, sees: frozenset[str]) -> dict[type[Event], tuple[AppliedRule, ...]]:
        """Return the game's rules about MONEY that a table can be judged by, for each kind of fact that moves
        money.
        """
        rules = [rule for rule, moments in self.rules if MONEY in moments]
        return {
            kind: tuple(
                (rule.judge or unbreakable, rule)
                for rule in rules
                if kinds_to_report(rule.needs, rule.code, rule.present | present) <= sees
            )
            for kind, present in MOVES.items()
        }

    def every_rule(self) -> list[Rule]:
        """Return all rules of this game, the shared ones first."""
        return [*self.always.values(), *(rule for rule, _ in self.rules)]

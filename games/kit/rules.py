"""The types that describe a rule: what it is, what triggers it, and what it returns. This module imports no
other module that handles rules, so that all of them can import these types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from msgspec import Struct

from games.kit.amounts import Exact
from games.kit.events import Event
from games.kit.odds import Odds


class RuleHit(NamedTuple):
    """One breach that a rule detected, if there is more to record than its sentence.

    `at` is the fact that the finding points at (None: the fact that was judged). In a finding about order,
    `before` is a fact recorded before it and `after` one recorded after it. `spot` and `wager` are those of
    the fact unless given. `cite` is the clause for this case, if it is narrower than the citation of the
    rule.
    """

    says: str
    at: Event | None = None
    spot: str | None = None
    wager: str | None = None
    owed: Exact | None = None
    moved: Exact | None = None
    before: Event | None = None
    after: Event | None = None
    cite: str | None = None


RuleResult = str | RuleHit | Iterable[RuleHit] | None
"""What a rule function returns: None if nothing is broken, else a sentence, one hit or several."""

Trigger = type[Event] | str
"""When a rule is applied: at a kind of fact, at an announcement of the dealer (`announcement`),
or at MONEY.
"""


class Mistake(NamedTuple):
    """One way in which a dealer may have settled a line wrongly: the odds that were used, and the sentence
    about it.
    """

    says: str
    odds: Odds


class Rule(Struct, frozen=True, kw_only=True):
    """One rule of a manual: its code, its citation, the kinds of fact that it needs, and its function."""

    code: str
    cite: str
    needs: frozenset[str]
    """The kinds of fact that the rule is about. `rule_needs.absent` returns those that a table
    must report.
    """
    says: str
    judge: Callable[..., RuleResult] | None = None
    also_when_void: bool = False
    """True if the rule is also applied at the end of a void round. A void ends duties and settlement, but not
    the rules about what players may bet or what the studio may declare.
    """
    present: frozenset[str] = frozenset()
    """Kinds from `needs` that have been recorded whenever the rule is broken, in addition to those that
    `rule_needs` lists for its code.
    """


AppliedRule = tuple[Callable[..., RuleResult], Rule]
"""The function of a rule, and the rule."""

MONEY = "money"
"""The trigger of rules that judge each amount that moves: (round, fact, line, signed amount)."""


def announcement(what: str) -> str:
    """Return the trigger for an `announce` fact with this `what`."""
    return f"say {what}"


def unbreakable(*facts: object) -> RuleResult:
    """Return None: the function of a rule that nothing breaks."""
    return None


def reported_kinds(sees: Iterable[str]) -> frozenset[str]:
    """Return the kinds that a table's equipment reports. `bets` and `settled` include the single facts that
    they combine.
    """
    kinds = set(sees)
    if "bets" in kinds:
        kinds = kinds - {"bets"} | {"bet"}
    if "settled" in kinds:
        kinds = kinds - {"settled"} | {"take", "pay"}
    return frozenset(kinds)

"""The types that describe a rule: what it is, what triggers it, and what it returns. All modules that handle
rules import these types, so this module imports none of them.
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

    `at`: the fact that the finding points at, or None for the fact that was judged. In a finding about order,
    `before` is a fact recorded before it, and `after` is a fact recorded after it. `spot` and `wager`: None
    for the spot and wager of the fact. `cite`: a clause for this case that is narrower than the citation of
    the rule.
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
"""What a rule function returns: a sentence, one hit or several hits, or None if the rule is not broken."""

Trigger = type[Event] | str
"""What triggers a rule: a kind of fact, an announcement of the dealer (`announcement`), or MONEY."""


class Mistake(NamedTuple):
    """One way in which a dealer may have settled a wager of a spot wrongly: the odds that the dealer used,
    and a sentence that explains the mistake.
    """

    says: str
    odds: Odds


class Rule(Struct, frozen=True, kw_only=True):
    """One rule of a manual: its code, its citation, the kinds of fact that it needs, and its function."""

    code: str
    cite: str
    needs: frozenset[str]
    """The kinds of fact that the rule is about. A table need not report all of them:
    `rule_needs.kinds_to_report` returns those that it must report.
    """
    says: str
    judge: Callable[..., RuleResult] | None = None
    also_when_void: bool = False
    """True if the rule is also applied at the end of a void round. A void ends the dealer's duties and the
    settlement. Rules about what players may bet or what the studio may declare still apply.
    """
    present: frozenset[str] = frozenset()
    """Kinds from `needs` that the table need not report. If the rule is broken, a fact of each of these kinds
    has been recorded. `rule_needs.PRESENT` lists further such kinds for each code.
    """


AppliedRule = tuple[Callable[..., RuleResult], Rule]
"""(function, rule): a rule with the function that judges it."""

MONEY = "money"
"""The trigger of rules that judge each amount that moves. Their functions take (round, fact, line, signed
amount).
"""


def announcement(subject: str) -> str:
    """Return the trigger for an `announce` fact whose `what` has this value."""
    return f"say {subject}"


def unbreakable(*facts: object) -> RuleResult:
    """Return None. Used as the function of a rule that has no function of its own."""
    return None


def reported_kinds(sees: Iterable[str]) -> frozenset[str]:
    """Return the kinds that a table's equipment reports. `bets` and `settled` are replaced by the kinds that
    they combine.
    """
    kinds = set(sees)
    if "bets" in kinds:
        kinds = kinds - {"bets"} | {"bet"}
    if "settled" in kinds:
        kinds = kinds - {"settled"} | {"take", "pay"}
    return frozenset(kinds)

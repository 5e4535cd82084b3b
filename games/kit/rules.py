"""The types of a rule: what it is, what triggers it, and what it returns. They are below every other module
that handles rules, so that no module needs another one for its types only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from msgspec import Struct

from games.kit.amounts import Exact
from games.kit.events import Event
from games.kit.odds import Odds


class RuleHit(NamedTuple):
    """One breach that a rule found, if more than the sentence is known.

    `at` is the fact that the finding points at (None: the fact that was judged). `before` was recorded before
    it and `after` after it: the other half of a finding about order. `spot` and `wager` are those of the fact
    unless given. `cite` is the clause of this cause, if it is narrower than the rule's own.
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
"""What a rule function returns: None if nothing is broken; else a sentence, one hit or several."""

Trigger = type[Event] | str
"""When a rule is applied: at a kind of fact, at a word of the dealer (`announcement`), or at MONEY."""


class Mistake(NamedTuple):
    """How a dealer could have gone wrong on a line: the odds that were settled, and the sentence for it."""

    says: str
    odds: Odds


class Rule(Struct, frozen=True, kw_only=True):
    """One rule of a manual: its code, its citation, the kinds of fact that it needs, and its function."""

    code: str
    cite: str
    needs: frozenset[str]
    """Kinds of fact that the rule is about. `present.absent` says which of them a table must report."""
    says: str
    judge: Callable[..., RuleResult] | None = None
    also_when_void: bool = False
    """True if the rule is applied at the end of a void round too. A void ends duties and settlement, but not
    what players may bet or what the studio may say.
    """
    present: frozenset[str] = frozenset()
    """The needed kinds that are present whenever the rule is broken, in addition to those of its code."""


AppliedRule = tuple[Callable[..., RuleResult], Rule]
"""A rule's function, and the rule."""

MONEY = "money"
"""Trigger of the rules that judge each amount that moves: (round, fact, line, signed amount)."""


def announcement(what: str) -> str:
    """Return the trigger for an `announce` of this `what`."""
    return f"say {what}"


def unbreakable(*facts: object) -> RuleResult:
    """Return None: the function of a rule that nothing breaks."""
    return None


def reported_kinds(sees: Iterable[str]) -> frozenset[str]:
    """Return the kinds that a table's equipment reports; a batch counts as its single facts (rounds.md
    28).
    """
    kinds = set(sees)
    if "bets" in kinds:
        kinds = kinds - {"bets"} | {"bet"}
    if "settled" in kinds:
        kinds = kinds - {"settled"} | {"take", "pay"}
    return frozenset(kinds)

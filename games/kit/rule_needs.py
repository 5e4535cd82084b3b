"""Which kinds of fact a table must report so that a rule can be applied.

A rule names all kinds of fact that it is about. There are two cases:

- The kind triggers the rule, or `PRESENT` lists it for the rule. A table need not report it, because a fact
  of this kind has been recorded whenever the rule is broken.
- Any other kind that the rule names. A table must report it. If it did not, the finding could be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.kit import events as e
from games.kit.events import Event, kind_of

_PRESENT = {
    # For each code: the kinds of the facts that exist whenever the rule is broken.
    "out-of-order": "round-opened",
    "no-such-wager": "bet",
    "late-bet": "bet",
    "late-unbet": "unbet",
    "below-minimum": "bet",
    "above-maximum": "bet",
    "too-many-spots": "bet",
    "both-sides": "bet",
    "bets-not-closed": "deal burn",
    "card-not-read": "deal",
    "duplicate-card": "deal",
    "shoe-overrun": "deal",
    "not-shuffled": "deal",
    "dealt-past-cut": "deal cut-card-shown",
    "cut-differs": "cut-card-shown",
    "void-without-reason": "void",
    "void-not-signed": "void",
    "void-not-returned": "void",
    "corrected-unsigned": "corrected",
    "corrected-beyond-owed": "corrected",
    "round-left-open": "round-opened",
    "announced-wrong": "announce",
    "choice-too-late": "choose",
    "choice-without-bet": "choose",
    "revealed-too-soon": "roll",
    "choice-missing": "deal roll",
    "dealt-too-soon": "deal",
    "not-announced": "deal roll",
    "not-marked": "roll",
    "not-cleared": "deal burn",
    "unequal-bet": "choose",
    "settled-out-of-order": "take pay",
    "seven-not-swept": "deal take",
    "tie-unregulated": "deal",
    "late-pull": "pull",
    "pull-not-allowed": "pull",
}
PRESENT: dict[str, frozenset[str]] = {code: frozenset(kinds.split()) for code, kinds in _PRESENT.items()}
"""For each rule code: kinds of fact. If the rule is broken, a fact of each of these kinds was recorded."""
NOTHING: frozenset[str] = frozenset()


def kinds_to_report(needs: frozenset[str], code: str, at: Iterable[str] = ()) -> frozenset[str]:
    """Return the kinds of fact that a table must report so that the rule with this code can be applied.

    Args:
        needs: the kinds that the rule names.
        at: the kinds that trigger the rule.
    """
    return needs - PRESENT.get(code, NOTHING) - frozenset(at)


def trigger_kinds(moment: type[Event] | str) -> frozenset[str]:
    """Return a set with the kind of fact that triggers a rule. The set is empty for MONEY, because several
    kinds of fact move money. The caller handles these one by one.
    """
    if isinstance(moment, str):
        return frozenset({kind_of(e.Announce)}) if moment.startswith("say ") else NOTHING
    return frozenset({kind_of(moment)})


MOVES: dict[type[Event], frozenset[str]] = {
    e.Take: frozenset({"take"}),
    e.Pay: frozenset({"pay"}),
    e.Settled: frozenset({"take", "pay"}),
    e.Return: frozenset({"return"}),
}
"""For each kind of fact that moves money: the kinds that a table is known to report once it sent such a fact.
A `settled` fact combines `take` and `pay` facts, so a table that sends it reports both.
"""

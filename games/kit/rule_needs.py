"""Which kinds of fact a table must report so that a rule can be applied.

A rule names all kinds that it is about, so that people see why a table is not judged by it. Two sorts of them
need not be reported by the equipment (`sees`): the kind that triggers the rule, and the kinds of the facts
that break it. When the rule is broken, these facts were recorded in any case. The remaining kinds are those
whose absence would make the finding wrong.
"""

from __future__ import annotations

from collections.abc import Iterable

from games.kit import events as e
from games.kit.events import Event, kind_of

_PRESENT = {
    # code: kinds of the facts that are there when it is found
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
"""Code to the kinds of the facts by which it is broken."""
NOTHING: frozenset[str] = frozenset()


def absent(needs: frozenset[str], code: str, at: Iterable[str] = ()) -> frozenset[str]:
    """Return the kinds that a table must report for this code: of those that the rule names, the ones that
    may be absent.

    Args:
        needs: the kinds that the rule names.
        at: the kinds at which it is asked.
    """
    return needs - PRESENT.get(code, NOTHING) - frozenset(at)


def asked_at(moment: type[Event] | str) -> frozenset[str]:
    """Return the kind of fact at which a rule of this moment is asked: a kind, or a word that is said.

    Money moves by several kinds, and each is asked for by itself.
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
"""The kinds by which money moves, each with those that are there when it does."""

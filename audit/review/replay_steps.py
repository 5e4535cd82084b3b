"""The state of a hand after each of its facts: the amounts owed by the rules so far, the amounts that have
moved, and the steps that are missing.

Each state is one replay of the facts up to that step. The rules engine computes the amounts and names the
missing steps. This module does not contain any rule of a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from audit.replay.results import Finding
from audit.review.hand_wagers import HandFold, fold_hand, wagers_of
from audit.review.hands import Played, rule_sentences, seats_of
from games.kit import events as e
from games.kit.events import Event

MISSING = frozenset(
    {
        *("not-announced", "not-marked", "not-cleared", "choice-missing"),
        *("wrong-card-count", "stopped-before-match", "burn-count"),
    }
)
"""Codes of findings about a missing step. All other findings at the end of a hand are about a step that was
done wrong.
"""


class DueStep(NamedTuple):
    """A step that the rules require and that has not been done."""

    says: str
    """The text of the rule, or a sentence that says what is missing. The sentence is used if several rules
    have the same code and citation.
    """
    places: tuple[str, ...]
    """The spots at which the step is missing. Empty if the step concerns the whole table, or if the sentence
    already names the spots.
    """
    cite: str
    is_late: bool
    """True if the hand has gone on past the time for this step."""


def after(played: Played, step: int) -> Played:
    """Return the hand with only its first `step` facts. `step` counts from 1. The last step gives the
    complete hand.
    """
    if step >= len(played.facts):
        return played
    facts = played.facts[:step]
    fold = _fold(played, step)
    return played._replace(
        facts=facts,
        after=[],
        corrections=[],
        seated=seats_of(played.settings, facts),
        wagers=wagers_of(fold, ()),
        closed=fold.ended is not None,
        voided=fold.round is not None and fold.round.voided is not None,
        round=fold.round,
        learned=_learned(played, step),
    )


def due_steps(played: Played, step: int) -> list[DueStep]:
    """Return the steps that the rules require after the first `step` facts of the hand.

    They are the findings about missing steps that the rules engine would add if the hand ended now.
    """
    fold = _fold(played, step)
    round = fold.round
    if round is None or fold.ended is not None or round.voided is not None:
        return []
    known, last = set(fold.findings), played.facts[step - 1]
    end = _closed_after(last.fact, round.name)
    fold.take(last.number + 1, end)
    added = [finding for id, finding in fold.findings.items() if id not in known]
    return _grouped(played, [finding for finding in added if finding.code in MISSING], last.number)


def _fold(played: Played, step: int) -> HandFold:
    facts = [*played.settings, *played.facts[:step]]
    return fold_hand(
        played.stream, _learned(played, step), [(recorded.number, recorded.fact) for recorded in facts]
    )


def _learned(played: Played, step: int) -> list[Event]:
    """Return the corrected readings that were recorded up to this step. At the last step, return
    all of them.
    """
    if step >= len(played.facts):
        return played.learned
    recorded = {row.fact.uid for row in played.facts[:step]}
    return [fact for fact in played.learned if fact.uid in recorded]


def _closed_after(last: Event, round: str) -> e.RoundClosed:
    """Return a fact that would end the round directly after its last fact. It is never recorded."""
    return e.RoundClosed(
        uid="00000000-0000-0000-0000-000000000000",
        table=last.table,
        day=last.day,
        at=last.at,
        source=last.source,
        round=round,
    )


def _grouped(played: Played, findings: Sequence[Finding], last: int) -> list[DueStep]:
    """Return one step for each rule, with the spots at which it is missing. A rule has two steps if the step
    is late at some spots and still in time at others.
    """
    sentences = rule_sentences(played)
    steps: dict[tuple[str, bool], DueStep] = {}
    for finding in findings:
        rule = sentences.get((finding.code, finding.cite))
        says, is_late = rule or finding.says, finding.number <= last
        step = steps.setdefault((says, is_late), DueStep(says, (), finding.cite, is_late))
        if rule and finding.spot and finding.spot not in step.places:
            steps[says, is_late] = step._replace(places=(*step.places, finding.spot))
    return sorted(steps.values(), key=lambda step: not step.is_late)

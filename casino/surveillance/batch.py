"""Give the same verdict on many hands. Each hand gets its own facts, which are all recorded in one
transaction. A hand that cannot be judged is left out, and the reason is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from typing import NamedTuple

from audit.review import hands, projections, verdicts
from audit.review.queue import Hand
from audit.review.verdicts import CurrentFinding
from casino.accounts.permissions import require
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.surveillance import services as surveillance
from casino.surveillance.assignments import Chosen, property_of, rows_of
from casino.surveillance.services import Words
from casino.web.property_turn import in_turn
from casino.web.recording import Fact, record


class Candidate(NamedTuple):
    """A chosen hand with its findings.

    Attributes:
        problem: why it cannot get the same verdict as other hands, or empty if it can.
    """

    hand: Hand
    findings: list[CurrentFinding]
    problem: str

    @property
    def codes(self) -> tuple[str, ...]:
        """Return the codes of the hand, each once, in alphabetical order."""
        return tuple(sorted({*self.hand.codes}))

    @property
    def seen(self) -> str:
        """Return a hash of everything that the officer sees of the findings."""
        return sha256("".join(finding.seen for finding in self.findings).encode()).hexdigest()[:16]

    @property
    def loss(self) -> int:
        """Return the amount that the casino lost because of the findings, in minor units."""
        return loss_of(self.findings)


class Outcome(NamedTuple):
    """The result for one hand: the positions of its verdicts in the ledger, or the reason why it was left
    out.
    """

    hand: Hand
    positions: list[int]
    problem: str


def loss_of(findings: Sequence[CurrentFinding]) -> int:
    """Return the amount that the casino lost on the wagers of these findings, in minor units. Return 0 if the
    amount is not a whole number of minor units.
    """
    lost = sum((max(finding.wager_money, Fraction(0)) for finding in findings), Fraction(0))
    return int(lost) if lost == int(lost) else 0


def candidates(by: Person, chosen: Sequence[Chosen]) -> list[Candidate]:
    """Return the chosen hands with their findings. Raise ActionRejected or PermissionDenied."""
    property = property_of(by, chosen)
    rows = rows_of(property, chosen)
    findings = verdicts.findings_of_hands(property, [(row.stream, row.hand) for row in rows])
    return [
        Candidate(
            row,
            [finding for finding in findings.get((row.stream, row.hand), []) if _needs_verdict(finding)],
            _problem(by, row),
        )
        for row in rows
    ]


def _needs_verdict(finding: CurrentFinding) -> bool:
    """Return True if a finding has no verdict, if a second reviewer must still sign its verdict, or if it is
    escalated.
    """
    verdict = finding.verdict
    return verdict is None or verdict.lacks_second or verdict.verdict == "escalated"


def codes_of(candidates: Sequence[Candidate]) -> list[list[str]]:
    """Return the different sets of codes among the hands that can be judged. Only hands with the same set can
    be judged together.
    """
    code_sets = {candidate.codes for candidate in candidates if not candidate.problem}
    return [list(codes) for codes in sorted(code_sets)]


def split_by_codes(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Return the hands that can be judged together, which are the largest group with the same codes, and the
    hands with other codes. Hands that cannot be judged are in neither list.
    """
    able = [candidate for candidate in candidates if not candidate.problem]
    numbers = Counter(candidate.codes for candidate in able)
    largest = max(numbers, key=lambda codes: numbers[codes], default=())
    largest_group = [candidate for candidate in able if candidate.codes == largest]
    return largest_group, [candidate for candidate in able if candidate.codes != largest]


def judge(
    by: Person, chosen: Sequence[tuple[Chosen, str]], words: Words, second: Person | None
) -> list[Outcome]:
    """Record the same verdict on all findings of these hands. Return the result for each hand. Raise
    ActionRejected if no hand can get this verdict, for example because the disposition is missing.

    Args:
        chosen: each hand with a hash of what the officer saw. If a hand has changed since then, it is left
            out.
        words: the verdict without amounts, because the loss on each hand is computed from its own findings.
    """
    property = property_of(by, [hand for hand, _ in chosen])
    require(by, "give-verdict", property)
    surveillance.check_words(words)
    with in_turn(property):
        threshold = surveillance.second_from(property)
        hashes = {(hand.stream, hand.hand): state for hand, state in chosen}
        known = candidates(by, [hand for hand, _ in chosen])
        if len(codes_of(known)) > 1:
            raise ActionRejected(
                "Choose hands with the same codes. These hands have different codes.", "hand"
            )
        facts: list[Fact] = []
        outcomes: list[tuple[Candidate, int, str]] = []
        for candidate in known:
            hand_facts, problem = _facts(by, candidate, hashes, words, second, threshold)
            outcomes.append((candidate, len(hand_facts), problem))
            facts += hand_facts
        recorded = iter(record(by, property, facts) if facts else [])
        projections.follow(property)
    return [
        Outcome(candidate.hand, [next(recorded).position for _ in range(count)], problem)
        for candidate, count, problem in outcomes
    ]


def _facts(
    by: Person,
    candidate: Candidate,
    hashes: dict[tuple[str, str], str],
    words: Words,
    second: Person | None,
    threshold: int,
) -> tuple[list[Fact], str]:
    """Return the facts of one hand. If it cannot be judged, return no facts and the reason."""
    hand, findings = candidate.hand, candidate.findings
    if candidate.problem:
        return [], candidate.problem
    if hashes[hand.stream, hand.hand] != candidate.seen:
        return [], surveillance.CHANGED
    played = hands.named(hand.property, hand.stream, hand.hand)
    if played is None:
        return [], surveillance.CHANGED
    own = words._replace(losses=candidate.loss) if words.verdict == "confirmed" else words
    needed = second if surveillance.reaches(threshold, findings, own) else None
    try:
        surveillance.check(by, played, findings, own, needed, threshold)
    except ActionRejected as refused:
        return [], str(refused)
    return surveillance.facts_of(by, played, findings, own, needed), ""


def _problem(by: Person, row: Hand) -> str:
    """Return why a hand cannot get the same verdict as other hands. Return an empty text if it can."""
    if row.state == "decided":
        return "This hand already has a verdict."
    if row.owner not in ("", by.id):
        return f"{row.owner} has taken this hand."
    return ""

"""Record verdicts on findings, and flags on hands without findings. Both are recorded as facts. To change a
verdict or a flag, a later fact is recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import uuid4

from audit.replay.second_review import at_stake
from audit.review import projections, verdicts
from audit.review.hands import Played
from audit.review.verdicts import CurrentFinding
from casino.accounts.permissions import can, require
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from casino.reference.cameras import video_of
from casino.web.free_words import erase_words as erase_words
from casino.web.free_words import keep_words as keep_words
from casino.web.free_words import words_of as words_of
from casino.web.property_turn import in_turn
from casino.web.recording import Fact, property_fact, record

VERDICTS = {"confirmed": "Confirm", "dismissed": "Dismiss", "escalated": "Escalate"}
DISPOSITIONS = {
    "dealer_error_uncorrected_house_loss": ("Dealer error, house lost", "confirmed", "house"),
    "dealer_error_uncorrected_player_loss": ("Dealer error, player lost", "confirmed", "player"),
    "dealer_error_corrected_at_table": ("Dealer error, corrected at the table", "confirmed"),
    "procedure_only_no_money": ("Procedure only, no money", "confirmed"),
    "patron_action": ("Patron action (past post, cap, pinch)", "confirmed"),
    "equipment_fault": ("Equipment fault", "confirmed"),
    "no_error": ("No error (engine or data entry)", "dismissed"),
    "capture_error": ("Capture error", "dismissed"),
    "rule_config_error": ("Rules set up wrongly", "dismissed"),
    "inconclusive_no_video": ("Inconclusive, no video", "dismissed"),
    "suspected_collusion": ("Suspected collusion", "escalated"),
    "referred_regulator": ("Referred to the regulator", "escalated"),
}
"""For each disposition: its label, its verdict, and who lost by the error, if that follows from the
disposition alone.
"""
CHANGED = "The findings or verdicts of this hand changed after you opened it. Check them, then decide."


class Words(NamedTuple):
    """The decision that an officer makes about findings, with amounts in minor units."""

    verdict: str
    disposition: str
    savings: int = 0
    losses: int = 0
    recovered: int = 0
    note: str = ""


def give_verdict(
    by: Person, hand: Played, findings: Sequence[CurrentFinding], words: Words, second: Person | None = None
) -> list[int]:
    """Record the same verdict on all of these findings of a hand, or on none of them. Return the positions of
    the verdicts in the ledger. Raise ActionRejected or PermissionDenied.

    `second` is a second reviewer, who has just entered a password. Nobody may judge a hand that they dealt or
    supervised. The findings are read again under the lock, so if two officers judge them at the same moment,
    only the first verdict is recorded.
    """
    require(by, "give-verdict", hand.property)
    with in_turn(hand.property):
        check(by, hand, findings, words, second, second_from(hand.property))
        recorded = record(by, hand.property, facts_of(by, hand, findings, words, second))
        projections.follow(hand.property)
    return [verdict.position for verdict in recorded]


def facts_of(
    by: Person, hand: Played, findings: Sequence[CurrentFinding], words: Words, second: Person | None
) -> list[Fact]:
    """Return a fact `verdict-given` for each finding. If the verdict has a note, store the note in the
    caller's transaction.
    """
    fields = property_fact("verdict-given", by, hand.property) | {
        "verdict": words.verdict,
        "disposition": words.disposition,
        "second": second.id if second is not None else None,
        "savings": words.savings,
        "losses": words.losses,
        "recovered": words.recovered,
        "note_sha256": None,
        "video": video_of(hand),
    }
    if words.note:
        fields["note_sha256"] = keep_words(hand.property, by, words.note)
    return [fields | _one(finding, first=place == 0) for place, finding in enumerate(findings)]


WHY = 500
"""Maximum length of the reason of a flag, in characters."""


def flag_hand(by: Person, hand: Played, reason: str) -> None:
    """Record a flag on a hand. The hand stays in the queue until a verdict is given. Raise ActionRejected or
    PermissionDenied.
    """
    require(by, "flag-hand", hand.property)
    if not reason.strip() or len(reason) > WHY or "\0" in reason:
        raise ActionRejected(f"Say in at most {WHY} characters why this hand should be reviewed.", "why")
    if not hand.name:
        raise ActionRejected("Only a hand can be flagged, and this fact does not belong to a hand.")
    table, _, day = hand.stream.rpartition("/")
    record(
        by,
        hand.property,
        [
            property_fact(
                "flagged", by, hand.property, of_table=table, of_day=day, round=hand.name, why=reason.strip()
            )
        ],
    )
    projections.follow(hand.property)


def needs_second(property: str, findings: Sequence[CurrentFinding], words: Words | None = None) -> bool:
    """Return True if a verdict on these findings needs a second reviewer, because the amount at stake reaches
    the property's threshold.
    """
    return reaches(second_from(property), findings, words)


def second_from(property: str) -> int:
    """Return the amount in minor units from which a verdict of today needs a second reviewer."""
    return projections.second_reviewer_from(property, gaming_day(property))


def reaches(threshold: int, findings: Sequence[CurrentFinding], words: Words | None = None) -> bool:
    """Return True if the amount at stake is at least `threshold`, in minor units."""
    others = (words.savings, words.losses, words.recovered) if words is not None else ()
    return any(at_stake(finding.owed, finding.moved, *others) >= threshold for finding in findings)


def check(
    by: Person,
    hand: Played,
    findings: Sequence[CurrentFinding],
    words: Words,
    second: Person | None,
    threshold: int,
) -> None:
    """Raise ActionRejected if this verdict may not be given. Call it under the lock of the property.

    Args:
        threshold: the amount in minor units from which a second reviewer must sign.
    """
    if not findings:
        raise ActionRejected("Choose at least one finding.", "findings")
    check_words(words)
    _check_unchanged(hand, findings)
    if by.id in hand.people():
        raise ActionRejected("You dealt or supervised this hand. Another officer must judge it.")
    if not reaches(threshold, findings, words):
        return
    if second is None:
        raise ActionRejected(
            "The amount requires a second reviewer: enter the id and password of a colleague who is present.",
            "second",
        )
    if second.id == by.id:
        raise ActionRejected("The second reviewer must be someone other than you.", "second")
    if not can(second, "review-verdict", hand.property):
        raise ActionRejected(f"{second.id} may not review verdicts here.", "second")
    if second.id in hand.people():
        raise ActionRejected(f"{second.id} dealt or supervised this hand and cannot review it.", "second")


def check_words(words: Words) -> None:
    """Raise ActionRejected if the verdict or the disposition is missing, or if they do not fit together."""
    if words.verdict not in VERDICTS:
        raise ActionRejected("Choose confirm, dismiss or escalate.", "verdict")
    if words.disposition not in DISPOSITIONS:
        raise ActionRejected("Choose a disposition.", "disposition")
    if DISPOSITIONS[words.disposition][1] != words.verdict:
        raise ActionRejected(
            f"“{DISPOSITIONS[words.disposition][0]}” does not belong to this verdict. Choose another"
            " disposition.",
            "disposition",
        )


def _check_unchanged(hand: Played, findings: Sequence[CurrentFinding]) -> None:
    """Raise ActionRejected if a finding or its verdict has changed after it was read and before the lock was
    taken.
    """
    names = (hand.name,) if hand.name else ("", f"#{findings[0].number}")  # the name of a round may be empty
    current = {
        finding.id: finding.seen
        for name in names
        for finding in verdicts.findings_of(hand.property, hand.stream, name)
    }
    if any(current.get(finding.id) != finding.seen for finding in findings):
        raise ActionRejected(CHANGED)


def _one(finding: CurrentFinding, *, first: bool) -> dict[str, Any]:
    """Return the fields of a verdict that concern one finding, as the officer saw it. If it is the `first` of
    several findings, the verdict keeps the amounts of the decision. In the other verdicts, these amounts are
    zero, so that they are counted once.
    """
    fields: dict[str, Any] = {
        "uid": str(uuid4()),
        "finding": finding.id,
        "code": finding.code,
        "says": finding.says,
    }
    fields |= {"owed": finding.owed, "moved": finding.moved}
    return fields if first else fields | {"savings": 0, "losses": 0, "recovered": 0}

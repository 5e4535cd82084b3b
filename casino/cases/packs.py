"""The subject of an evidence pack: a case, a suspicion or a single hand. A pack is ordered like an export; a
filter names the case or the hand.
"""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from audit import database
from audit.review import case_fold
from audit.review.case_fold import Case
from casino.accounts.permissions import can, require
from casino.cases.access import SEE_SUSPICION, case_for
from casino.cases.confidential import is_confidential

EVIDENCE, SUSPICION_EVIDENCE = "evidence", "suspicion-evidence"
ACTS = {EVIDENCE: "see-case", SUSPICION_EVIDENCE: SEE_SUSPICION}
"""For each kind of pack: the right that is needed to see that a pack exists. Packs of suspicions are a kind
of their own, so that no list shows them to people without that right.
"""
FORMAT, SUFFIX, CONTENT_TYPE = "zip", "zip", "application/zip"
TITLE = "Evidence pack"
SMALL_HANDS, SMALL_BYTES = 5, 20_000_000
"""A pack of at most this many hands and bytes of files is built in the request."""


class Subject(NamedTuple):
    """The case or the hand of a pack. `case` is empty for a hand. `upto` is the last confidential fact of a
    suspicion that the pack contains, or 0.
    """

    property: str
    case: str
    stream: str
    hand: str
    upto: int = 0

    def kind(self) -> str:
        """Return the kind of pack, a key of ACTS."""
        return SUSPICION_EVIDENCE if self.case and is_confidential(self.case) else EVIDENCE

    def filters(self) -> tuple[tuple[str, str], ...]:
        """Return the filters of the order, sorted by name."""
        if not self.case:
            return (("hand", f"{self.stream}|{self.hand}"),)
        upto = (("upto", str(self.upto)),) if self.upto else ()
        return (("case", self.case), *upto)


def of_case(property: str, case: Case) -> Subject:
    """Return the subject of a pack of a case in its present state."""
    return Subject(property, case.case, "", "", case.position if is_confidential(case.case) else 0)


def of_hand(property: str, stream: str, hand: str) -> Subject:
    """Return the subject of a pack of a hand."""
    return Subject(property, "", stream, hand)


def of_filters(property: str, filters: tuple[tuple[str, str], ...]) -> Subject:
    """Return the case or the hand that the filters of an order name. Raise ValueError if they do not name
    one.
    """
    named = dict(filters)
    if case := named.get("case"):
        return Subject(property, case, "", "", int(named.get("upto", "0")))
    stream, separator, hand = named.get("hand", "").rpartition("|")
    if not separator or not stream.startswith(f"{property}/"):
        raise ValueError("an evidence pack must be for a case or for a hand")
    return Subject(property, "", stream, hand)


def require_readable(person: Any, property: str, filters: tuple[tuple[str, str], ...]) -> None:
    """Raise PermissionDenied if the person may not see hands. Raise Http404 if the pack is of a case that
    does not exist, or that this person may not see. The caller must already have checked the right that ACTS
    names for the pack.
    """
    subject = of_filters(property, filters)
    if subject.case:
        case_for(person, property, subject.case)
    require(person, "see-hand", property)


def load_case(subject: Subject) -> Case | None:
    """Return the case of a pack as it was when the pack was ordered."""
    facts = case_fold.facts_of(
        subject.property, subject.case, confidential=subject.kind() == SUSPICION_EVIDENCE
    )
    return case_fold.fold(fact for fact in facts if not subject.upto or fact.position <= subject.upto)


def days_of(property: str, filters: tuple[tuple[str, str], ...], position: int | None) -> list[date]:
    """Return the gaming days of the hands in a pack, the earliest first.

    Args:
        position: the position of the ledger as of which the pack was built, or None if it is not built yet.
    """
    subject = of_filters(property, filters)
    if not subject.case:
        return [date.fromisoformat(subject.stream[-10:])]
    last = position if subject.kind() == EVIDENCE else None
    facts = case_fold.facts_of(property, subject.case, confidential=subject.kind() == SUSPICION_EVIDENCE)
    case = load_case(subject) if last is None else case_fold.fold(f for f in facts if f.position <= last)
    return sorted({date.fromisoformat(hand.stream[-10:]) for hand in case.hands()}) if case else []


def is_small(subject: Subject) -> bool:
    """Return True if a pack is small enough to be built in the request."""
    if not subject.case:
        return True
    case = load_case(subject)
    if case is None or len(case.hands()) > SMALL_HANDS:
        return False
    query = "SELECT coalesce(sum(bytes), 0) FROM case_file WHERE property = %s AND sha256 = ANY (%s)"
    ((size,),) = database.rows(query, [subject.property, [file.sha256 for file in case.files]])
    return int(size) <= SMALL_BYTES


def may_order(person: Any, property: str) -> bool:
    """Return True if a person may order evidence packs at the property."""
    return all(can(person, act, property) for act in ("see-case", "see-hand", "see-hold", "keep-report"))

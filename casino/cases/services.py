"""Open and change cases. Every change is a fact. Facts of a suspicion of money laundering are confidential
facts, all others are in the property's ledger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import IO, Any, NamedTuple

from audit import database
from audit.facts.case_words import CONCERNS, ERASURES, MEASURES, OUTCOMES, STATUSES, SUBJECTS, SUSPICION
from audit.review import case_fold, case_tables
from audit.review.case_fold import CLOSED, Case, Part
from casino.accounts.permissions import can, require
from casino.cases import confidential, files, words
from casino.cases.access import ERASE, SEE, SEE_SUSPICION, WORK, WORK_SUSPICION, case_for, work_right
from casino.cases.file_types import PICTURES
from casino.cases.parts import require_parts
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.reference.calendar import gaming_day
from casino.web.property_turn import in_turn
from casino.web.recording import Fact, property_fact, record, reject_resubmission

TITLE, WORDS, NAME = 200, 10_000, 200
"""Maximum lengths of a title, of a note or a description, and of the name of a file, in characters."""
PARTS = 500
"""Maximum number of items in one fact."""
PEOPLE = 50


class Description(NamedTuple):
    """What people type about a case."""

    concerns: str
    title: str
    about: str
    owner: str
    due: date | None
    seen_by: tuple[str, ...]


class SubjectValues(NamedTuple):
    """What people type about a subject.

    Attributes:
        number: 0 for a new subject.
    """

    number: int
    role: str
    id: str
    description: str
    reason: str
    measure: str
    begins: date | None
    ends: date | None


def open_case(
    by: Person, property: str, uid: str, description: Description, parts: Sequence[Part] = ()
) -> str:
    """Open a case and return its number. Raise ActionRejected or PermissionDenied."""
    hidden = description.concerns == SUSPICION
    require(by, WORK_SUSPICION if hidden else WORK, property)
    with _turn(property, uid, hidden=hidden):
        _check_description(by, property, description, hidden=hidden)
        parts = require_parts(property, parts) if parts else []
        number = _next_number(property, hidden=hidden)
        fields = _described(by, property, description)
        facts = [property_fact("case-opened", by, property, uid=uid, case=number, **fields)]
        if parts:
            facts.append(property_fact("case-joined", by, property, case=number, parts=_sent(parts)))
        _record_all(by, property, number, facts)
        case = case_fold.case_of(property, number, confidential=hidden)
        if case is None or case.facts[0].event.uid != uid:
            raise ActionRejected("Another case took this number at the same moment. Submit the form again.")
    return number


def change_case(
    by: Person, property: str, number: str, uid: str, status: str, description: Description
) -> None:
    """Change the description and the status of a case. A closed case is opened again."""
    with _case(by, property, number, uid) as case:
        if status not in STATUSES:
            raise ActionRejected("Choose a status.", "status")
        hidden = confidential.is_confidential(number)
        if hidden != (description.concerns == SUSPICION):
            raise ActionRejected(
                "A case cannot be changed to or from the kind “suspicion of money laundering”. Open another"
                " case.",
                "concerns",
            )
        _check_description(by, property, description, hidden=hidden)
        texts = words.texts_of(property, [case.title_sha256, case.about_sha256 or ""])
        fields = _described(by, property, description)
        if texts.get(case.title_sha256) == description.title:
            fields["title_sha256"] = case.title_sha256
        if case.about_sha256 and texts.get(case.about_sha256) == description.about:
            fields["about_sha256"] = case.about_sha256
        _record(by, property, number, "case-changed", uid=uid, status=status, **fields)


def add_parts(by: Person, property: str, number: str, uid: str, parts: Sequence[Part]) -> int:
    """Add items to a case. Return the number of items that were not in the case before."""
    with _case(by, property, number, uid) as case:
        new = [part for part in require_parts(property, parts) if part not in case.parts]
        if not new:
            raise ActionRejected("All of these items are already in the case.", "parts")
        if Part("case", "", number) in new:
            raise ActionRejected("A case cannot be added to itself.", "of")
        _record(by, property, number, "case-joined", uid=uid, parts=_sent(new))
    return len(new)


def remove_parts(by: Person, property: str, number: str, uid: str, parts: Sequence[Part]) -> None:
    """Remove items from a case. The facts that added these items stay in the ledger."""
    with _case(by, property, number, uid) as case:
        parts = [item for item in parts if item in case.parts]
        if not parts:
            raise ActionRejected("The chosen items are no longer in the case.", "parts")
        _record(by, property, number, "case-parted", uid=uid, parts=_sent(parts))


def note(by: Person, property: str, number: str, uid: str, text: str) -> None:
    """Write a note in a case."""
    with _case(by, property, number, uid):
        digest = words.keep(property, by, _words(text, "note", minimum=1))
        _record(by, property, number, "case-noted", uid=uid, note_sha256=digest)


def add_file(by: Person, property: str, number: str, uid: str, file: IO[bytes], name: str) -> str:
    """Add a file to a case, and return its hash."""
    with _case(by, property, number, uid) as case:
        stored = files.keep(property, by, file, confidential=confidential.is_confidential(number))
        if any(known.sha256 == stored.sha256 for known in case.files) and stored.sha256 not in case.erased:
            raise ActionRejected("This file is already in the case.", "file")
        name = "".join(letter for letter in name if letter.isprintable()).strip()[-NAME:] or "file"
        fields = {"file_sha256": stored.sha256, "bytes": stored.bytes, "media_type": stored.type}
        digest = words.keep(property, by, name)
        _record(by, property, number, "case-file-added", uid=uid, name_sha256=digest, **fields)
    return stored.sha256


def set_subject(
    by: Person, property: str, number: str, uid: str, values: SubjectValues, photo: IO[bytes] | None = None
) -> None:
    """Add a subject to a case, or change a subject of the case."""
    with _case(by, property, number, uid) as case:
        before = next((subject for subject in case.subjects if subject.number == values.number), None)
        _check_subject(values, is_known=before is not None)
        digest = before.photo_sha256 if before is not None else None
        if photo is not None:
            stored = files.keep(property, by, photo, confidential=confidential.is_confidential(number))
            if stored.type not in PICTURES:
                raise ActionRejected("A photo is a JPEG, PNG or WebP picture.", "photo")
            digest = stored.sha256
        following = max((subject.number for subject in case.subjects), default=0) + 1
        _record(
            by,
            property,
            number,
            "case-subject-set",
            uid=uid,
            subject=values.number or following,
            role=values.role,
            id=values.id or None,
            description_sha256=words.keep(property, by, values.description),
            reason_sha256=words.keep_optional(property, by, values.reason),
            measure=values.measure,
            to=values.ends and values.ends.isoformat(),
            photo_sha256=digest,
            **{"from": values.begins and values.begins.isoformat()},
        )


def erase(
    by: Person, second: Person, property: str, number: str, uid: str, digests: Sequence[str], ground: str
) -> None:
    """Erase texts and files of a case for good. The facts keep their hashes, so all proofs stay valid.
    `second` is the second signer. Raise ActionRejected or PermissionDenied.
    """
    require(second, WORK_SUSPICION if confidential.is_confidential(number) else ERASE, property)
    with _case(by, property, number, uid) as case:
        if ground not in ERASURES:
            raise ActionRejected("Choose the reason for erasing.", "why")
        if second.id == by.id:
            raise ActionRejected("The second person must be someone other than you.", "second")
        hidden = confidential.is_confidential(number)
        if not digests or not set(digests) <= erasable(case):
            raise ActionRejected("Choose what to erase.", "erased")
        for digest in digests:
            if not words.erase(property, digest):
                files.erase(property, digest, confidential=hidden)
        erased = {"erased": list(digests), "why": ground, "second": second.id}
        _record(by, property, number, "case-erased", uid=uid, **erased)


def close_case(by: Person, property: str, number: str, uid: str, outcome: str, text: str) -> None:
    """Close a case with its outcome."""
    with _case(by, property, number, uid) as case:
        if outcome not in OUTCOMES:
            raise ActionRejected("Choose how the case ended.", "outcome")
        if case.status == CLOSED:
            raise ActionRejected("The case is already closed.")
        digest = words.keep_optional(property, by, _words(text, "note"))
        _record(by, property, number, "case-closed", uid=uid, outcome=outcome, note_sha256=digest)


def erasable(case: Case) -> frozenset[str]:
    """Return the hashes of the texts and files that can still be erased."""
    photos = (
        digest for fact in case.facts if (digest := getattr(fact.event, "photo_sha256", None)) is not None
    )
    return frozenset((*case.digests(), *(file.sha256 for file in case.files), *photos)) - case.erased


@contextmanager
def _turn(property: str, uid: str, *, hidden: bool) -> Iterator[None]:
    with in_turn(property):
        if not hidden:
            reject_resubmission(property, uid)
        yield


@contextmanager
def _case(by: Person, property: str, number: str, uid: str) -> Iterator[Case]:
    """Check the rights of the user, lock the property, and yield the case."""
    case_for(by, property, number)
    require(by, work_right(number), property)
    with _turn(property, uid, hidden=confidential.is_confidential(number)):
        yield case_for(by, property, number)


def _record(by: Person, property: str, number: str, kind: str, **fields: Any) -> None:
    """Record a fact about a case, and update the rows from which pages read the case."""
    _record_all(by, property, number, [property_fact(kind, by, property, case=number, **fields)])


def _record_all(by: Person, property: str, number: str, facts: Sequence[Fact]) -> None:
    """Record facts about a case, and update the rows from which pages read the case."""
    if confidential.is_confidential(number):
        confidential.record(property, facts)
        case_tables.refresh(property, number, confidential=True)
        return
    record(by, property, facts)
    case_tables.follow(property)


def _next_number(property: str, *, hidden: bool) -> str:
    """Return the next number of this year's series. Numbers have no gaps."""
    case_tables.follow(property)
    prefix = f"{confidential.PREFIX if hidden else ''}{gaming_day(property).year}-"
    query = """SELECT coalesce(max(substr("case", %s)::int), 0) + 1 FROM case_state
        WHERE property = %s AND confidential = %s AND "case" ~ %s"""
    pattern = f"^{prefix}[0-9]{{4,8}}$"
    ((number,),) = database.rows(query, [len(prefix) + 1, property, hidden, pattern])
    return f"{prefix}{number:04}"


def _described(by: Person, property: str, description: Description) -> dict[str, Any]:
    """Return the fields of a fact that describe a case. Texts are stored outside the fact, where they can be
    erased.
    """
    return {
        "concerns": description.concerns,
        "title_sha256": words.keep(property, by, description.title),
        "about_sha256": words.keep_optional(property, by, description.about),
        "owner": description.owner,
        "due": description.due and description.due.isoformat(),
        "seen_by": list(description.seen_by),
    }


def _sent(parts: Sequence[Part]) -> list[dict[str, str]]:
    """Return the items in the form in which a fact contains them."""
    sent = []
    for item in parts:
        table, _, day = item.stream.rpartition("/")
        place = {"table": table, "day": day} if item.stream else {}
        sent.append({"what": item.what, "of": item.of, **place})
    return sent


def _check_description(by: Person, property: str, description: Description, *, hidden: bool) -> None:
    if description.concerns not in CONCERNS:
        raise ActionRejected("Choose what the case is about.", "concerns")
    if not description.title or len(description.title) > TITLE or "\0" in description.title:
        raise ActionRejected(f"Give the case a title of at most {TITLE} characters.", "title")
    _words(description.about, "about")
    if len(description.seen_by) > PEOPLE:
        raise ActionRejected(f"Name at most {PEOPLE} people.", "seen_by")
    right = SEE_SUSPICION if hidden else SEE
    for field, people in (("owner", [description.owner]), ("seen_by", description.seen_by)):
        for id in people:
            person = Person.objects.filter(pk=id).first() if id else None
            if person is None or not can(person, right, property):
                named = f"{id} has no right to see this case." if id else ""
                raise ActionRejected(named or "Name the person who works on the case.", field)


def _words(text: str, field: str, minimum: int = 0) -> str:
    text = text.strip()
    if not minimum <= len(text) <= WORDS or "\0" in text:
        raise ActionRejected(f"Write {'at most' if not minimum else '1 to'} {WORDS:,} characters.", field)
    return text


def _check_subject(values: SubjectValues, *, is_known: bool) -> None:
    if values.number and not is_known:
        raise ActionRejected("The case has no such subject.")
    if values.role not in SUBJECTS:
        raise ActionRejected("Choose who the person is.", "role")
    if values.measure not in MEASURES:
        raise ActionRejected("Choose the measure that was decided.", "measure")
    _words(values.description, "description", minimum=1)
    _words(values.reason, "reason", minimum=1 if values.measure != "none" else 0)
    if values.begins and values.ends and values.ends <= values.begins:
        raise ActionRejected("The measure must end after it begins.", "ends")

"""The state of a case, computed from its facts: its items, subjects, files and notes.

The tables of cases, the page of a case and its evidence pack are all made from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import NamedTuple

from audit import database
from audit import facts as f
from audit.facts import decode, decode_or_none
from games.kit.events import Event, kind_of

CASE_KINDS = frozenset(kind_of(shape) for shape in f.OF_CASES)
CLOSED = "closed"
"""The status of a closed case. An open case has one of the statuses of `case-changed`."""


class CaseFact(NamedTuple):
    """A fact of a case with its place and hashes in the ledger, or in the chain of confidential facts."""

    position: int
    number: int
    stream: str
    body: bytes
    leaf: bytes
    chain: bytes
    recorded_at: datetime
    event: Event


class Part(NamedTuple):
    """One item of a case. `stream` is the stream of a hand, and empty for all other items."""

    what: str
    stream: str
    of: str


class Subject(NamedTuple):
    """A person whom a case is about, as described in the latest fact."""

    number: int
    role: str
    id: str | None
    description_sha256: str
    reason_sha256: str | None
    measure: str
    begins: date | None
    ends: date | None
    photo_sha256: str | None
    by: str
    position: int

    def is_in_force(self, day: date) -> bool:
        """Return True if a watch or a ban is in force on this gaming day."""
        has_begun = self.begins is None or self.begins <= day
        return self.measure != "none" and has_begun and (self.ends is None or day < self.ends)


class CaseFile(NamedTuple):
    """A file of a case."""

    sha256: str
    bytes: int
    type: str
    name_sha256: str
    by: str
    at: datetime


class Case(NamedTuple):
    """The state of a case after its latest fact."""

    case: str
    concerns: str
    status: str
    outcome: str
    title_sha256: str
    about_sha256: str | None
    owner: str
    due: date | None
    seen_by: tuple[str, ...]
    opened_by: str
    opened_at: datetime
    changed_at: datetime
    closed_at: datetime | None
    position: int
    parts: dict[Part, int]
    """For each item: the position of the fact that added it."""
    notes: int
    files: tuple[CaseFile, ...]
    subjects: tuple[Subject, ...]
    erased: frozenset[str]
    facts: tuple[CaseFact, ...]

    @property
    def is_open(self) -> bool:
        """Return True if the case is not closed."""
        return self.status != CLOSED

    def hands(self) -> list[Part]:
        """Return the hands of the case."""
        return [part for part in self.parts if part.what == "hand"]

    def digests(self) -> Iterator[str]:
        """Yield the hashes of all texts and file names of the case, including erased ones."""
        for fact in self.facts:
            for field in WORDS:
                if digest := getattr(fact.event, field, None):
                    yield digest


WORDS = (
    "title_sha256",
    "about_sha256",
    "note_sha256",
    "name_sha256",
    "description_sha256",
    "reason_sha256",
)
"""The fields with the salted hash of a text."""


def fold(facts: Iterable[CaseFact]) -> Case | None:
    """Return the state of a case after these facts, which are in the order of commit. Return None if the case
    was never opened. Facts before `case-opened`, and a second `case-opened`, are ignored.
    """
    case: Case | None = None
    for fact in facts:
        event = fact.event
        if case is None:
            case = _opened(fact, event) if isinstance(event, f.CaseOpened) else None
        elif not isinstance(event, f.CaseOpened):
            case = _after(case, fact)
    return case


def facts_of(property: str, case: str, *, confidential: bool) -> list[CaseFact]:
    """Return the facts of a case in the order of commit."""
    query = _CONFIDENTIAL if confidential else _ORDINARY
    return read(query, [property, case])


def case_of(property: str, case: str, *, confidential: bool) -> Case | None:
    """Return a case, or None if there is no such case."""
    return fold(facts_of(property, case, confidential=confidential))


def read(query: str, values: Sequence[str | int], *, is_whole: bool = True) -> list[CaseFact]:
    """Return the facts that a query selects.

    Args:
        query: the SQL.
        values: the values of its placeholders.
        is_whole: True to raise an error for a row without a valid fact, False to skip such a row.
    """
    return [
        CaseFact(position, number, stream, bytes(body), bytes(leaf), bytes(chain), at, decode(bytes(body)))
        for position, number, stream, body, leaf, chain, at in database.rows(query, values)
        if is_whole or decode_or_none(bytes(body)) is not None
    ]


def part_of(part: f.CasePart) -> Part:
    """Return one item as a fact names it. A hand is identified by its stream."""
    stream = f"{part.table}/{part.day}" if part.what == "hand" and part.table and part.day else ""
    return Part(part.what, stream, part.of)


def _opened(fact: CaseFact, event: f.CaseOpened) -> Case:
    return Case(
        case=event.case,
        concerns=event.concerns,
        status="open",
        outcome="",
        title_sha256=event.title_sha256,
        about_sha256=event.about_sha256,
        owner=event.owner,
        due=event.due,
        seen_by=tuple(event.seen_by),
        opened_by=event.by,
        opened_at=event.at,
        changed_at=event.at,
        closed_at=None,
        position=fact.position,
        parts={},
        notes=0,
        files=(),
        subjects=(),
        erased=frozenset(),
        facts=(fact,),
    )


def _after(case: Case, fact: CaseFact) -> Case:
    """Return the case after one more fact."""
    event = fact.event
    case = case._replace(position=fact.position, changed_at=event.at, facts=(*case.facts, fact))
    if isinstance(event, f.CaseChanged):
        return case._replace(
            concerns=event.concerns,
            status=event.status,
            outcome="",
            title_sha256=event.title_sha256,
            about_sha256=event.about_sha256,
            owner=event.owner,
            due=event.due,
            seen_by=tuple(event.seen_by),
            closed_at=None,
        )
    if isinstance(event, f.CaseClosed):
        return case._replace(status=CLOSED, outcome=event.outcome, closed_at=event.at)
    if isinstance(event, f.CaseJoined):
        joined = dict.fromkeys(map(part_of, event.parts), fact.position)
        new = {part: at for part, at in joined.items() if part not in case.parts}
        return case._replace(parts=case.parts | new)
    if isinstance(event, f.CaseParted):
        removed = {part_of(part) for part in event.parts}
        return case._replace(parts={part: at for part, at in case.parts.items() if part not in removed})
    if isinstance(event, f.CaseNoted):
        return case._replace(notes=case.notes + 1)
    if isinstance(event, f.CaseFileAdded):
        file = CaseFile(
            event.file_sha256, event.bytes, event.media_type, event.name_sha256, event.by, event.at
        )
        return case._replace(files=(*(known for known in case.files if known.sha256 != file.sha256), file))
    if isinstance(event, f.CaseSubjectSet):
        others = (subject for subject in case.subjects if subject.number != event.subject)
        return case._replace(subjects=tuple(sorted((*others, _subject(fact, event)))))
    if isinstance(event, f.CaseErased):
        return case._replace(erased=case.erased.union(event.erased))
    return case


def _subject(fact: CaseFact, event: f.CaseSubjectSet) -> Subject:
    return Subject(
        number=event.subject,
        role=event.role,
        id=event.id,
        description_sha256=event.description_sha256,
        reason_sha256=event.reason_sha256,
        measure=event.measure,
        begins=event.from_,
        ends=event.to,
        photo_sha256=event.photo_sha256,
        by=event.by,
        position=fact.position,
    )


OF_CASES = "starts_with(kind, 'case-')"
"""The SQL condition for facts about cases. Indexes have the same condition."""
_ORDINARY = f"""SELECT position, number, stream, body, leaf, chain, recorded_at FROM fact
    WHERE property = %s AND case_of(body) = md5(%s) AND {OF_CASES} ORDER BY position"""
_CONFIDENTIAL = """SELECT position, position, '', body, leaf, chain, recorded_at FROM confidential_fact
    WHERE property = %s AND "case" = %s ORDER BY position"""
EVERY_ORDINARY = f"""SELECT position, number, stream, body, leaf, chain, recorded_at FROM fact
    WHERE property = %s AND position <= %s AND {OF_CASES} ORDER BY position"""
EVERY_CONFIDENTIAL = """SELECT position, position, '', body, leaf, chain, recorded_at FROM confidential_fact
    WHERE property = %s ORDER BY position"""
"""SQL for all confidential facts of a property. A proof computes the cases from these facts and compares them
with the tables of cases.
"""
